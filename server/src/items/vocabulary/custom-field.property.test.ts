import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isLong } from '../../../test/support/form.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { join, sql } from '../../kernel/sql.ts'
import { check, compile } from '../../language/conditions/conditions.ts'
import { holds, type Kind } from '../../language/conditions/test-evaluate.ts'
import { itemVocabulary } from './vocabulary.ts'

const { ada, bob, database } = await sharedTestService()
const viewer = { userId: ada.id, now: new Date('2026-07-02T00:30:00.000Z'), timezone: 'Pacific/Auckland' }

const options = ['Alpha', 'Béta', 'Gamma'].map((label, n) => ({ id: `o${n}`, label }))
const tree = [...options, { id: 'p', label: 'Below', parentId: 'o0' }]

const fields = {
  text: await ada.post('/field', { name: 'Text', fieldType: 'text' }),
  longText: await ada.post('/field', { name: 'Long', fieldType: 'longText' }),
  number: await ada.post('/field', { name: 'Number', fieldType: 'number' }),
  money: await ada.post('/field', { name: 'Money', fieldType: 'money', currency: 'EUR', precision: 4 }),
  time: await ada.post('/field', { name: 'Time', fieldType: 'time' }),
  boolean: await ada.post('/field', { name: 'Boolean', fieldType: 'boolean' }),
  date: await ada.post('/field', { name: 'Date', fieldType: 'date' }),
  dateTime: await ada.post('/field', { name: 'Moment', fieldType: 'dateTime' }),
  select: await ada.post('/field', { name: 'Select', fieldType: 'select', options }),
  multiSelect: await ada.post('/field', { name: 'Many', fieldType: 'multiSelect', options }),
  cascade: await ada.post('/field', { name: 'Cascade', fieldType: 'cascade', options: tree }),
  user: await ada.post('/field', { name: 'User', fieldType: 'user' }),
  users: await ada.post('/field', { name: 'Users', fieldType: 'user', multiple: true }),
  formula: await ada.post('/field', { name: 'Formula', fieldType: 'formula', formula: 'field.number * 2' }),
}
type Name = keyof typeof fields

// Few characters and values, so that they are often equal; long texts differ only after the stored beginning.
const word = fc.string({ unit: fc.constantFrom('a', 'A', 'é', 'E', '%', '_', ' '), minLength: 1, maxLength: 3 })
const long = fc
  .tuple(fc.constantFrom('', 'x'.repeat(499), 'x'.repeat(500), 'É'.repeat(501)), fc.constantFrom('a', 'B', 'é'))
  .map(parts => parts.join(''))
const number = fc.constantFrom(-1, 0, 0.5, 2, 10)
const day = fc.constantFrom('2026-06-30', '2026-07-01', '2026-07-02', '2026-07-03')
const moment = fc
  .tuple(day, fc.constantFrom('00:00:00.000', '12:00:00.000', '23:30:00.000'))
  .map(t => `${t.join('T')}Z`)
const person = fc.constantFrom(ada.id, bob.id)
const option = fc.constantFrom('o0', 'o1', 'o2')

const values: Record<Exclude<Name, 'formula'>, fc.Arbitrary<unknown>> = {
  text: fc.oneof(word, long),
  longText: fc.oneof(word, long),
  number,
  money: number,
  time: fc.constantFrom(0, 2, 10),
  boolean: fc.boolean(),
  date: day,
  dateTime: moment,
  select: option,
  multiSelect: fc.uniqueArray(option, { minLength: 1 }),
  cascade: fc.constantFrom(['o0'], ['o1'], ['o0', 'p']),
  user: person,
  users: fc.uniqueArray(person, { minLength: 1 }),
}
const item = fc.record(
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fc.option(value, { freq: 4 })])),
)

const listOf = (one: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 2, arbitrary: one },
    fc.array(one, { maxLength: 3 }).map(words => JSON.stringify(words)),
  )
const rangeOf = (one: fc.Arbitrary<string>) =>
  fc.tuple(one, one, fc.nat(4)).map(([a, b, open]) => (open === 0 ? `..${b}` : open === 1 ? `${a}..` : `${a}..${b}`))
const asked = (names: Name[], operators: number[], rightSide: fc.Arbitrary<string>) =>
  fc.record({ name: fc.constantFrom(...names), operator: fc.constantFrom(...operators), rightSide })

const texts = fc.oneof(word, long)
const numbers = fc.constantFrom('-1', '0', '0.5', '2', '2.0', '10', '1e1', '4', '1e400', '-1e999')
const days = fc.oneof(day, fc.constantFrom('@today', '@yesterday', '@today+1d'))
const labels = fc.constantFrom('o0', 'ALPHA', 'beta', 'Gamma', 'o2', 'nothing', 'Below', 'p')
const people = fc.constantFrom(ada.id, bob.id, '@me')
const question = fc.oneof(
  asked(['text', 'longText'], [0, 1, 2, 3, 8, 9, 10, 11, 12, 13], listOf(texts)),
  asked(['number', 'money', 'time', 'formula'], [0, 1, 8, 9, 12, 13], listOf(numbers)),
  asked(['number', 'money', 'time', 'formula'], [4, 5, 6, 7], numbers),
  asked(['number', 'money', 'time', 'formula'], [14], rangeOf(numbers)),
  asked(['boolean'], [0, 1, 8, 9, 12, 13], listOf(fc.constantFrom('true', 'NO', '1', '0'))),
  asked(['date', 'dateTime'], [0, 1, 8, 9, 12, 13], listOf(days)),
  asked(['date', 'dateTime'], [4, 5, 6, 7], days),
  asked(['date', 'dateTime'], [14], rangeOf(days)),
  asked(['select', 'multiSelect', 'cascade'], [0, 1, 2, 3, 8, 9, 12, 13, 15], listOf(labels)),
  asked(['user'], [0, 1, 8, 9, 12, 13], listOf(people)),
  asked(['users'], [0, 1, 2, 3, 8, 9, 12, 13, 15], listOf(people)),
)

const kinds: Record<Name, Kind> = {
  text: 'text',
  longText: 'text',
  number: 'number',
  money: 'number',
  time: 'number',
  formula: 'number',
  boolean: 'boolean',
  date: 'day',
  dateTime: 'instant',
  select: 'text',
  multiSelect: 'text',
  cascade: 'text',
  user: 'person',
  users: 'person',
}

/** The value that the plain evaluation compares: for a choice, its ids and labels. */
function left(name: Name, given: Record<string, unknown>): unknown {
  if (name === 'formula') return typeof given.number === 'number' ? given.number * 2 : null
  const value = given[name] ?? null
  if (value === null || !['select', 'multiSelect', 'cascade'].includes(name)) return value
  return [value].flat().flatMap(id => [id, tree.find(each => each.id === id)?.label])
}

test('conditions on custom values yield the same in SQL as in a plain evaluation', async () => {
  const property = fc.asyncProperty(
    fc.array(item, { minLength: 10, maxLength: 25 }),
    fc.array(question, { minLength: 60, maxLength: 60 }),
    async (given, questions) => {
      const place = await ada.post('/container', { name: 'Custom' })
      const outcomes: { id: string; detail?: string }[] = await ada.post(
        '/item/bulk',
        given.map((values, n) => ({
          title: `Item ${n}`,
          containerId: place.id,
          Field: Object.entries(values).flatMap(([name, value]) =>
            value === null ? [] : [{ fieldId: fields[name as Name].id, value }],
          ),
        })),
      )
      assert.deepEqual(
        outcomes.flatMap(each => each.detail ?? []),
        [],
      )
      const groups = questions.map(({ name, operator, rightSide }) => [
        { condition: [{ leftSide: `field.${fields[name].key}`, operator, rightSide }] },
      ])
      const answers = await database.single(tenantCaller(ada.tenantId, ada.id), async ctx => {
        const vocabulary = await itemVocabulary(ctx)
        for (const group of groups) assert.deepEqual(check(group, vocabulary), [], JSON.stringify(group))
        const columns = groups.map(
          group => sql`array_agg((${compile(group, vocabulary, viewer)}) is true order by o.n)`,
        )
        const [row] = await ctx.sql<{ answers: boolean[][] }>`select array[${join(columns)}] as answers
          from unnest(${outcomes.map(each => each.id)}::uuid[]) with ordinality o(id, n) join item t on t.tenant_id = ${ada.tenantId} and t.id = o.id`
        return row?.answers ?? []
      })
      for (const [n, { name, operator, rightSide }] of questions.entries()) {
        const expected = given.map(values => holds(kinds[name], left(name, values), operator, rightSide, viewer))
        assert.deepEqual(
          answers[n],
          expected,
          JSON.stringify({ name, operator, rightSide, given: given.map(each => each[name]) }),
        )
      }
    },
  )
  await fc.assert(property, { numRuns: isLong ? 25 : 6 })
})
