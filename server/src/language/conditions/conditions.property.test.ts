import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { isLong } from '../../../test/support/form.ts'
import { join, type Sql, sql } from '../../kernel/sql.ts'
import { type ConditionGroups, check, compile, operatorNames } from './conditions.ts'
import { operator } from './operators/operators.ts'
import { evaluate } from './test-evaluate.ts'
import { ada, bob, id, pathNames, type Records, startRecords, type Thing, viewer, vocabulary } from './test-records.ts'

let records: Records
before(async () => {
  records = await startRecords()
})
after(() => records.stop())

/** Returns, for each condition, the records for which it holds. */
async function answers(conditions: Sql[]): Promise<boolean[][]> {
  const columns = conditions.map(condition => sql`array_agg((${condition}) is true order by r.name)`)
  const [row] = await records.run(sql`select array[${join(columns)}] as answers from thing r`)
  const found = row?.answers
  return Array.isArray(found) ? found : []
}

// The alphabet is small, so that values coincide often.
const word = fc.string({ unit: fc.constantFrom('a', 'A', 'é', 'E', '%', '_', '\\', ' ', '[', '"'), maxLength: 4 })
const number = fc.constantFrom('-1', '0', '0.5', '2', '2.0', '10', '1e1')
const day = fc.constantFrom('2026-06-30', '2026-07-01', '2026-07-02', '2026-07-03', '@today', '@yesterday', '@today+1d')
const person = fc.constantFrom(ada, bob, '@me')
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { freq: 4 })
const plainDay = day.filter(text => !text.startsWith('@'))

const thing: fc.Arbitrary<Omit<Thing, 'name'>> = fc.record({
  title: orNull(word),
  points: orNull(number),
  rate: orNull(fc.constantFrom(-1, 0, 0.5, 2)),
  spent: orNull(fc.constantFrom(0, 2, 10)),
  open: orNull(fc.boolean()),
  due: orNull(plainDay),
  opened: orNull(
    fc
      .tuple(plainDay, fc.constantFrom('00:00:00', '11:59:59.999999', '12:00:00', '23:30:00'))
      .map(t => `${t.join('T')}Z`),
  ),
  area: orNull(fc.constantFrom(ada, bob)),
  owner: orNull(fc.constantFrom(ada, bob)),
  tags: orNull(fc.array(word, { maxLength: 3 })),
  scores: orNull(fc.array(number, { maxLength: 3 })),
  watchers: orNull(fc.array(fc.constantFrom(ada, bob), { maxLength: 2 })),
})

const listOf = (word: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 2, arbitrary: word },
    fc.array(word, { maxLength: 3 }).map(words => JSON.stringify(words)),
  )
const rangeOf = (word: fc.Arbitrary<string>) =>
  fc.tuple(word, word, fc.nat(4)).map(([a, b, open]) => (open === 0 ? `..${b}` : open === 1 ? `${a}..` : `${a}..${b}`))
const condition = (left: string[], operators: number[], right: fc.Arbitrary<string>) =>
  fc.record({ leftSide: fc.constantFrom(...left), operator: fc.constantFrom(...operators), rightSide: right })

const { equals, notEquals, contains, notContains, isEmpty, isNotEmpty } = operator
const equality = [equals, notEquals, isEmpty, isNotEmpty, operator.in, operator.notIn]
const order = [operator.greaterThan, operator.greaterOrEqual, operator.lessThan, operator.lessOrEqual]
const setOperators = [...equality, contains, notContains, operator.containsAll]
const textOperators = [...equality, contains, notContains, operator.startsWith, operator.endsWith]

const core = fc.oneof(
  condition(['title'], textOperators, listOf(word)),
  condition(['points', 'rate', 'spent'], equality, listOf(number)),
  condition(['points', 'rate', 'spent'], order, number),
  condition(['points', 'rate', 'spent'], [operator.between], rangeOf(number)),
  condition(['open'], equality, listOf(fc.constantFrom('true', 'NO', '1', '0'))),
  condition(['due', 'opened'], equality, listOf(day)),
  condition(['due', 'opened'], order, day),
  condition(['due', 'opened'], [operator.between], rangeOf(day)),
  condition(['owner', 'area'], equality, listOf(person)),
  condition(['tags'], setOperators, listOf(word)),
  condition(['scores'], setOperators, listOf(number)),
  condition(['watchers'], setOperators, listOf(person)),
  condition(['asideTitle'], textOperators, listOf(word)),
  condition(['asidePoints'], equality, listOf(number)),
  condition(['asidePoints'], order, number),
  condition(['asidePoints'], [operator.between], rangeOf(number)),
  condition(['asideOpen'], equality, listOf(fc.constantFrom('true', 'NO', '1', '0'))),
  condition(['asideDue', 'asideOpened'], equality, listOf(day)),
  condition(['asideDue', 'asideOpened'], order, day),
  condition(['asideDue', 'asideOpened'], [operator.between], rangeOf(day)),
  condition(['asideOwner'], equality, listOf(person)),
  condition(['asideScores'], setOperators, listOf(number)),
)

/**
 * The precomputed values of a record, for the plain evaluation: the same values, but an empty text counts as missing.
 */
function withAside(thing: Partial<Thing>): Partial<Thing> {
  const { title, points, open, due, opened, owner, scores } = thing
  const aside = { title: title || null, points, open, due, opened, owner, scores }
  const named = Object.entries(aside).map(([name, value]) => [`aside${name[0]?.toUpperCase()}${name.slice(1)}`, value])
  return { ...thing, ...Object.fromEntries(named) }
}

const groupsOf = (one: fc.Arbitrary<ConditionGroups[number]['condition'][number]>) =>
  fc.array(fc.record({ condition: fc.array(one, { maxLength: 3 }) }), { maxLength: 3 })

test('SQL and the plain evaluation agree', async () => {
  const property = fc.asyncProperty(
    fc.array(thing, { minLength: 5, maxLength: 20 }),
    fc.array(groupsOf(core), { minLength: 10, maxLength: 30 }),
    async (things, asked) => {
      const named = things.map((thing, n) => ({ ...thing, name: id(n) }))
      await records.insert(named)
      const found = await answers(asked.map(groups => compile(groups, vocabulary, viewer)))
      for (const [n, groups] of asked.entries()) {
        assert.deepEqual(check(groups, vocabulary), [], JSON.stringify(groups))
        const expected = named.map(thing => evaluate(groups, withAside(thing), viewer))
        assert.deepEqual(found[n], expected, JSON.stringify({ groups, named }))
      }
    },
  )
  await fc.assert(property, { numRuns: isLong ? 150 : 30 })
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(...'0123456789.-+eE:TZP@[]{}()*?|^$\\"\',% nowtdayMyH'), maxLength: 20 }),
)
const shift = fc
  .tuple(fc.constantFrom('+', '-'), fc.nat(9_999_999), fc.constantFrom('h', 'd', 'w', 'm', 'y', 'z'))
  .map(t => t.join(''))
const keyword = fc.constantFrom('@now', '@today', '@endOfYear', '@startOfWeek', '@endOfMonth', '@me', '@lastCycle')
const date = fc
  .tuple(fc.nat(10_001), fc.nat(13), fc.nat(32))
  .map(([y, m, d]) => [String(y).padStart(4, '0'), String(m).padStart(2, '0'), String(d).padStart(2, '0')].join('-'))
const time = fc.constantFrom(
  '',
  'T00:00',
  'T24:00',
  'T23:59:60Z',
  'T00:00+14:00',
  ' 12:00:00.123456789-12:00',
  'T99:99Z',
)
const hostile: fc.Arbitrary<string> = fc.oneof(
  anyText,
  fc.tuple(keyword, fc.array(shift, { maxLength: 3 })).map(([word, shifts]) => word + shifts.join('')),
  fc.tuple(date, time).map(t => t.join('')),
  fc.tuple(fc.double(), fc.integer()).map(([a, b]) => `${a}e${b}`),
  fc.double().map(String),
  fc.bigInt().map(String),
  fc
    .tuple(fc.constantFrom('P', '-P', 'PT'), fc.nat(), fc.constantFrom('Y', 'M', 'W', 'D', 'H', 'S'))
    .map(t => t.join('')),
  fc.uuid(),
)
const list = fc
  .array(fc.oneof(hostile, fc.double(), fc.boolean(), fc.constant(null)), { maxLength: 4 })
  .map(words => JSON.stringify(words))
const range = fc.tuple(hostile, hostile).map(ends => ends.join('..'))

test('no text makes the statement fail', async () => {
  await records.insert([
    {
      name: 'a',
      title: 'x',
      points: '1',
      rate: 1e300,
      spent: 1,
      open: true,
      due: '2026-07-01',
      opened: '2026-07-01T00:00Z',
    },
    { name: 'b', area: ada, owner: bob, tags: ['x', ''], scores: ['1'], watchers: [bob] },
  ])
  const one = fc.record({
    leftSide: fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...pathNames) }, anyText),
    operator: fc.oneof({ weight: 30, arbitrary: fc.nat(31) }, fc.integer()),
    rightSide: fc.oneof({ weight: 4, arbitrary: hostile }, list, range),
  })
  const property = fc.asyncProperty(fc.array(one, { minLength: 40, maxLength: 40 }), async conditions => {
    const asked = conditions.map(condition => [{ condition: [condition] }])
    const found = await answers(asked.map(groups => compile(groups, vocabulary, viewer)))
    for (const [n, groups] of asked.entries()) {
      if (check(groups, vocabulary).length === 0 || operatorNames[conditions[n]?.operator ?? 0] === 'isEmpty') continue
      assert.deepEqual(found[n], [false, false], JSON.stringify(groups))
    }
  })
  await fc.assert(property, { numRuns: isLong ? 150 : 30 })
})

// Patterns are built from pieces, because random text is hardly ever a pattern.
const { pattern } = fc.letrec<{ pattern: string }>(again => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      ...'aB1_ .^}$]-{',
      'é',
      '\\d',
      '\\w',
      '\\s',
      '\\D',
      '\\W',
      '\\S',
      '\\.',
      '\\x41',
      '\\n',
      '\\b',
      '\\A',
      '\\z',
    ),
    fc.constantFrom(
      '[ab]',
      '[^a]',
      '[a-c]',
      '[\\D1]',
      '[]a]',
      '[^]a]',
      '[a-]',
      '[[:alpha:]_]',
      '[\\w\\W]',
      '[.^$|]',
      '[\\]\\\\]',
    ),
    fc.tuple(again('pattern'), again('pattern')).map(pair => pair.join('')),
    fc.tuple(again('pattern'), again('pattern')).map(pair => `(${pair.join('|')})`),
    fc
      .tuple(fc.constantFrom('(?:', '(?i:', '(?s:', '(?m:', '(?s-m:', '('), again('pattern'))
      .map(([open, p]) => `${open}${p})`),
    fc
      .tuple(again('pattern'), fc.constantFrom('*', '+', '??', '{2}', '{0,3}', '{2,}', '{9}'))
      .map(([p, q]) => `(${p})${q}`),
    fc.tuple(fc.constantFrom('(?s)', '(?m)', '(?-s)'), again('pattern')).map(pair => pair.join('')),
  ),
}))
const subject = fc.string({ unit: fc.constantFrom(...'aabcB1_ \n.-x]^\\'), maxLength: 9 })

test('an accepted pattern matches the same texts in PostgreSQL as in RE2', async () => {
  const property = fc.asyncProperty(
    fc.array(pattern, { minLength: 20, maxLength: 20 }),
    fc.array(subject, { minLength: 8, maxLength: 8 }),
    async (patterns, subjects) => {
      await records.insert(subjects.map((title, n) => ({ name: id(n), title })))
      const asked = patterns.map(rightSide => [
        { condition: [{ leftSide: 'title', operator: operator.matches, rightSide }] },
      ])
      const found = await answers(asked.map(groups => compile(groups, vocabulary, viewer)))
      for (const [n, rightSide] of patterns.entries()) {
        if (check(asked[n] ?? [], vocabulary).length > 0) continue
        const re2 = RE2JS.compile(rightSide, RE2JS.CASE_INSENSITIVE)
        const expected = subjects.map(subject => re2.matcher(subject).find())
        assert.deepEqual(found[n], expected, JSON.stringify({ rightSide, subjects }))
      }
    },
  )
  await fc.assert(property, { numRuns: isLong ? 100 : 20 })
})
