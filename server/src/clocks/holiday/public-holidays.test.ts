import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { publicHolidays } from './public-holidays.ts'

const years = { first: 2024, last: 2030 }

/** Easter Sunday by the algorithm of Gauss, with the two exceptions of the Gregorian calendar. */
function easter(year: number): Date {
  const [a, b, c] = [year % 19, year % 4, year % 7]
  const century = Math.floor(year / 100)
  const p = Math.floor((13 + 8 * century) / 25)
  const m = (15 - p + century - Math.floor(century / 4)) % 30
  const n = (4 + century - Math.floor(century / 4)) % 7
  const d = (19 * a + m) % 30
  const e = (2 * b + 4 * c + 6 * d + n) % 7
  const late = (d === 29 && e === 6) || (d === 28 && e === 6 && (11 * m + 11) % 30 < 19) ? 7 : 0
  return new Date(Date.UTC(year, 2, 22 + d + e - late))
}

const text = (date: Date) => date.toISOString().slice(0, 10)

test('the reference computation returns known dates of Easter', () => {
  assert.deepEqual(
    [1981, 2008, 2024, 2025, 2026, 2038].map(year => text(easter(year))),
    ['1981-04-19', '2008-03-23', '2024-03-31', '2025-04-20', '2026-04-05', '2038-04-25'],
  )
})

describe('the public holidays of a country', () => {
  test('the holidays of Bavaria equal those of an independent computation', async () => {
    const found = await publicHolidays('DE-BY', years)
    const fixed = ['01-01', '01-06', '05-01', '10-03', '11-01', '12-25', '12-26']
    // Good Friday, Easter Monday, Ascension, Whit Monday, Corpus Christi.
    const afterEaster = [-2, 1, 39, 50, 60]
    const expected: string[] = []
    for (let year = years.first; year <= years.last; year++) {
      expected.push(...fixed.map(each => `${year}-${each}`))
      for (const days of afterEaster) expected.push(text(new Date(easter(year).getTime() + days * 86_400_000)))
    }
    assert.deepEqual(
      found.map(each => each.date),
      expected.sort(),
    )
    assert.equal(found.find(each => each.date === '2026-10-03')?.name, 'Tag der Deutschen Einheit')
  })

  test('the Assumption is a holiday in the Catholic region of Bavaria only', async () => {
    const has = async (code: string) => (await publicHolidays(code, years)).some(each => each.date === '2026-08-15')
    assert.deepEqual([await has('DE-BY'), await has('DE-BY-KATH'), await has('DE-BE')], [false, true, false])
  })

  test('a holiday on a weekend has a substitute day, also across the turn of the year', async () => {
    const found = await publicHolidays('US-CA', years)
    const dates = found.map(each => each.date)
    // Independence Day 2027 is a Sunday; New Year's Day 2028 a Saturday.
    for (const date of ['2027-07-04', '2027-07-05', '2027-12-31', '2028-01-01']) assert.ok(dates.includes(date), date)
    assert.match(found.find(each => each.date === '2027-07-05')?.name ?? '', /substitute/)
    assert.ok(dates.every(date => date >= '2024-01-01' && date <= '2030-12-31'))
    assert.equal(new Set(dates).size, dates.length)
  })

  test('a holiday that begins in the evening is the next day, and half a day is not a holiday', async () => {
    const israel = (await publicHolidays('IL', years)).map(each => each.date)
    // Yom Kippur 5787 is the 21st of September 2026; it begins on the evening of the 20th.
    assert.deepEqual([israel.includes('2026-09-20'), israel.includes('2026-09-21')], [false, true])
    const iceland = (await publicHolidays('IS', years)).map(each => each.date)
    // The office closes at noon on Christmas Eve.
    assert.deepEqual([iceland.includes('2027-12-24'), iceland.includes('2027-12-25')], [false, true])
    const emirates = (await publicHolidays('AE', years)).map(each => each.date)
    assert.deepEqual(
      ['2027-03-08', '2027-03-09', '2027-03-10', '2027-03-11', '2027-03-12'].map(date => emirates.includes(date)),
      [false, true, true, true, false],
    )
  })

  test('a code is case-insensitive, and an unknown code has no holidays', async () => {
    assert.deepEqual(await publicHolidays(' de-by ', years), await publicHolidays('DE-BY', years))
    for (const code of [
      'XX',
      'DE-XX',
      'DE-BY-XX',
      'Germany',
      'DE-',
      '../../etc',
      '__proto__',
      'DE-__PROTO__',
      'DE-BY-A-B',
    ])
      assert.deepEqual(await publicHolidays(code, years), [], code)
  })
})
