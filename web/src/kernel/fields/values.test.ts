import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dayOf } from '../dates/day-input.ts'
import { durationText } from '../dates/durations.ts'
import { instantAt, wallClock } from '../dates/moments.ts'
import type { Property } from './field-type.ts'
import { decimalOf, texts } from './values.ts'

const here = { timezone: 'Europe/Berlin', today: '2026-11-16' } // a Monday
const property = (extra: Partial<Property> = {}): Property => ({
  path: 'x',
  name: 'X',
  type: 'text',
  read: () => undefined,
  write: value => ({ x: value }),
  ...extra,
})

describe('what people type', () => {
  test('days', () => {
    const cases: Record<string, string | undefined> = {
      today: '2026-11-16',
      Morgen: '2026-11-17',
      fri: '2026-11-20',
      mo: '2026-11-23',
      Donnerstag: '2026-11-19',
      '+2w': '2026-11-30',
      '+3': '2026-11-19',
      '-1m': '2026-10-16',
      '12.3.': '2027-03-12',
      '24.12.': '2026-12-24',
      '1/2/27': '2027-02-01',
      '3 Dec': '2026-12-03',
      'Dec 3, 2027': '2027-12-03',
      '2026-2-29': undefined,
      '31.4.': undefined,
      '2028-02-29': '2028-02-29',
      soon: undefined,
      '': undefined,
    }
    for (const [text, day] of Object.entries(cases)) assert.equal(dayOf(text, here.today), day, text)
  })

  test('the last day of a month stands for the days that a shorter month lacks', () => {
    assert.equal(dayOf('+1m', '2026-01-31'), '2026-02-28')
    assert.equal(dayOf('-1m', '2026-01-31'), '2025-12-31')
  })

  test('moments are those of the time zone, also when clocks change', () => {
    assert.equal(texts.moment.parse('fri 14:30', property(), here), '2026-11-20T13:30:00.000Z')
    assert.equal(instantAt('2026-07-01', '9:00', 'Europe/Berlin'), '2026-07-01T07:00:00.000Z')
    assert.equal(instantAt('2026-10-25', '12:00', 'Europe/Berlin'), '2026-10-25T11:00:00.000Z')
    assert.equal(instantAt('2026-11-16', '12:00', 'Asia/Kolkata'), '2026-11-16T06:30:00.000Z')
    assert.equal(instantAt('2026-11-16', '12:00', 'Pacific/Auckland'), '2026-11-15T23:00:00.000Z')
    assert.deepEqual(wallClock('2026-11-15T23:00:00Z', 'Pacific/Auckland'), { day: '2026-11-16', time: '12:00' })
    assert.equal(texts.moment.parse('fri 25:00', property(), here), undefined)
  })

  test('decimals of both languages', () => {
    const cases: Record<string, number | undefined> = {
      '12': 12,
      '1,5': 1.5,
      '1.5': 1.5,
      '1.234,56': 1234.56,
      '1,234.56': 1234.56,
      '1.234.567': 1234567,
      '−3': -3,
      '1 000': 1000,
      x: undefined,
      '': undefined,
    }
    for (const [text, value] of Object.entries(cases)) assert.equal(decimalOf(text), value, text)
  })

  test('numbers outside their range are not read', () => {
    assert.equal(texts.number.parse('101', property({ max: 100 }), here), undefined)
    assert.equal(texts.number.parse('100', property({ max: 100 }), here), 100)
  })

  test('money has the currency of the field, or the one that is typed', () => {
    const inEuro = property({ currency: 'EUR' })
    assert.deepEqual(texts.money.parse('12,50', inEuro, here), { amount: '12.5', currency: 'EUR' })
    assert.deepEqual(texts.money.parse('12.50 chf', property(), here), { amount: '12.5', currency: 'CHF' })
    assert.deepEqual(texts.money.parse('$ 3', property(), here), undefined)
    assert.deepEqual(texts.money.parse('3 €', property(), here), { amount: '3', currency: 'EUR' })
    assert.equal(texts.money.parse('12', property(), here), undefined)
  })

  test('choices by their beginning, without case and accents', () => {
    const sites = property({
      choices: [
        { value: 1, label: 'Köln' },
        { value: 2, label: 'Berlin' },
        { value: 3, label: 'Bern' },
      ],
    })
    assert.equal(texts.choice.parse('koln', sites, here), 1)
    assert.equal(texts.choice.parse('berl', sites, here), 2)
    assert.equal(texts.choice.parse('ber', sites, here), undefined)
    assert.deepEqual(texts.choices.parse('köln, bern', sites, here), [1, 3])
    assert.deepEqual(texts.choices.parse('new', { ...sites, open: true }, here), ['new'])
  })

  test('addresses are those of the web and of mail', () => {
    assert.equal(texts.link.parse('example.com/a', property(), here), 'https://example.com/a')
    assert.equal(texts.link.parse('javascript:alert(1)', property(), here), undefined)
  })

  test('durations', () => {
    assert.equal(texts.duration.parse('1h30', property(), here), 90)
    assert.equal(texts.duration.print(90, property(), here), '1h 30m')
    assert.equal(texts.duration.print(240_000, property(), here), '4000h', 'what is edited is read again')
    assert.equal(durationText(240_030), '4,000h 30m')
    assert.equal(texts.duration.parse('later', property(), here), undefined)
  })
})
