import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../kernel/sql.ts'
import { type ConditionGroups, check, compile, operatorNames, type Viewer } from './conditions.ts'
import type { ConditionOperator } from './operators/operators.ts'
import { operator as operatorCode } from './operators/operators.ts'
import {
  ada,
  board,
  bob,
  branch,
  clock,
  leaf,
  type Records,
  root,
  staff,
  startRecords,
  viewer,
  vocabulary,
} from './test-records.ts'

let records: Records
before(async () => {
  records = await startRecords()
  await records.insert([
    {
      name: 'full',
      title: 'Ärger mit 100% CAFÉ',
      points: '12.5',
      rate: 0.5,
      spent: 240,
      open: true,
      due: '2026-07-02',
      opened: '2026-07-01T12:00:00Z', // the first instant of 2 July in Auckland
      area: leaf,
      owner: ada,
      tags: ['Red', 'grün'],
      scores: ['1', '2.50'],
      watchers: [ada, bob],
    },
    {
      name: 'plain',
      title: 'printer on fire',
      points: '-3',
      rate: 1e300,
      spent: 1440,
      open: false,
      due: '2026-06-25',
      opened: '2026-07-01T11:59:59.999999Z', // the last of 1 July there
      area: root,
      owner: bob,
      tags: ['red'],
      scores: ['3'],
      watchers: [bob],
    },
    { name: 'blank', title: '', tags: [], scores: [], watchers: [] },
    { name: 'null' },
  ])
})
after(() => records.stop())

const code = (operator: ConditionOperator) => operatorNames.indexOf(operator)
const one = (leftSide: string, operator: ConditionOperator, rightSide = ''): ConditionGroups => [
  { condition: [{ leftSide, rightSide, operator: code(operator) }] },
]

async function matching(groups: ConditionGroups, who: Viewer = viewer): Promise<string> {
  const rows = await records.run(sql`select r.name from thing r where ${compile(groups, vocabulary, who)} order by 1`)
  return rows.map(row => row.name).join(' ')
}

/** Each case: left side, operator, right side, and the names of the records for which it holds. */
async function holds(cases: [string, ConditionOperator, string, string][]): Promise<void> {
  for (const [left, operator, right, names] of cases) {
    const groups = one(left, operator, right)
    assert.equal(await matching(groups), names, `${left} ${operator} ${right}`)
    assert.deepEqual(check(groups, vocabulary), [], `${left} ${operator} ${right}`)
  }
}

/** Each case cannot run: it holds for no record, and `check` names the part at fault. */
async function inert(cases: [string, ConditionOperator, string, string][]): Promise<void> {
  for (const [left, operator, right, fault] of cases) {
    const groups = one(left, operator, right)
    assert.equal(await matching(groups), '', `${left} ${operator} ${right}`)
    const found = check(groups, vocabulary).map(({ path, code }) => `${path.replace('/0/condition/0/', '')} ${code}`)
    assert.deepEqual(found, [fault], `${left} ${operator} ${right}`)
  }
}

test('groups are ORed, the conditions of a group are ANDed, and no condition is true', async () => {
  const red = { leftSide: 'tags', operator: operatorCode.contains, rightSide: 'red' }
  const open = { leftSide: 'open', operator: operatorCode.equals, rightSide: 'true' }
  const empty = { leftSide: 'owner', operator: operatorCode.isEmpty, rightSide: '' }
  assert.equal(await matching([]), 'blank full null plain')
  assert.equal(await matching([{ condition: [] }]), 'blank full null plain')
  assert.equal(await matching([{ condition: [red, open] }]), 'full')
  assert.equal(await matching([{ condition: [red, open] }, { condition: [empty] }]), 'blank full null')
})

test('texts are compared literally without case and accents, and a list means any of its elements', () =>
  holds([
    ['title', 'equals', 'arger MIT 100% cafe', 'full'],
    ['title', 'equals', '["x", "PRINTER on fire", "ÄRGER mit 100% café"]', 'full plain'],
    ['title', 'equals', '', 'blank'],
    ['title', 'equals', '[]', ''],
    ['title', 'notEquals', 'printer on fire', 'blank full null'],
    ['title', 'notEquals', '[]', 'blank full null plain'],
    ['title', 'in', '["printer on fire"]', 'plain'],
    ['title', 'in', 'printer on fire', 'plain'],
    ['title', 'notIn', '["printer on fire", "b"]', 'blank full null'],
    ['title', 'contains', '100%', 'full'],
    ['title', 'contains', '%', 'full'],
    ['title', 'contains', '_', ''],
    ['title', 'contains', '％', 'full'], // folding turns the full-width percent sign into a plain one
    ['title', 'contains', '["FIRE", "cafe"]', 'full plain'],
    ['title', 'contains', '[urgent]', ''],
    ['title', 'notContains', 'CAFE', 'blank null plain'],
    ['title', 'startsWith', 'ar', 'full'],
    ['title', 'startsWith', '["ar", "PRINT"]', 'full plain'],
    ['title', 'endsWith', 'café', 'full'],
    ['title', 'endsWith', '["café", "fire"]', 'full plain'],
    ['title', 'endsWith', '', 'blank full plain'],
    ['title', 'isEmpty', 'whatever', 'blank null'],
    ['title', 'isNotEmpty', '', 'full plain'],
    ['title', 'search', 'fire -water', 'plain'],
    ['title', 'search', '"& | ! (', ''],
  ]))

test('a vocabulary may provide shortcuts', () =>
  holds([
    ['quickTitle', 'equals', 'PRINTER on fire', 'plain'],
    ['quickTitle', 'notEquals', 'PRINTER on fire', 'blank full null'],
    ['quickTitle', 'contains', '["CAFÉ", "x"]', 'full'],
    ['quickTags', 'contains', '["red"]', 'plain'],
    ['quickTags', 'notIn', '["red"]', 'blank full null'],
  ]))

test('numbers are decimals, and minutes may be written as a duration', () =>
  holds([
    ['points', 'equals', ' 12.50 ', 'full'],
    ['points', 'equals', '[12.5, "-3e0"]', 'full plain'],
    ['points', 'notEquals', '12.5', 'blank null plain'],
    ['points', 'greaterThan', '-3', 'full'],
    ['points', 'greaterOrEqual', '-3', 'full plain'],
    ['points', 'lessThan', '12.5', 'plain'],
    ['points', 'lessOrEqual', '12.5', 'full plain'],
    ['points', 'between', '-3..12.4', 'plain'],
    ['points', 'between', '0..', 'full'],
    ['points', 'between', '..0', 'plain'],
    ['points', 'between', '5..1', ''],
    ['points', 'lessThan', '1e999', 'full plain'],
    ['points', 'lessThan', '9'.repeat(4000), 'full plain'],
    ['points', 'greaterThan', `-.${'9'.repeat(3900)}e-999`, 'full'],
    ['points', 'isEmpty', '', 'blank null'],
    ['rate', 'lessThan', '1e999', 'full plain'],
    ['rate', 'equals', '["1e999", 0.5]', 'full'],
    ['spent', 'equals', 'PT4H', 'full'],
    ['spent', 'greaterThan', '240', 'plain'],
    ['spent', 'between', 'PT4H..P1D', 'full plain'],
    ['spent', 'lessThan', 'P1W', 'full plain'],
  ]))

test('booleans have six spellings', () =>
  holds([
    ['open', 'equals', 'Yes', 'full'],
    ['open', 'equals', '1', 'full'],
    ['open', 'equals', 'no', 'plain'],
    ['open', 'notEquals', 'true', 'blank null plain'],
    ['open', 'in', '[true, "0"]', 'full plain'],
    ['open', 'isNotEmpty', '', 'full plain'],
  ]))

test('ids and people are compared with ids, with @me, and through groups and trees', async () => {
  await holds([
    ['area', 'equals', leaf.toUpperCase(), 'full'],
    ['area', 'in', `["${leaf}", "${root}"]`, 'full plain'],
    ['area', 'under', root, 'full plain'],
    ['area', 'under', branch, 'full'],
    ['area', 'under', `["${branch}", "${root}"]`, 'full plain'],
    ['area', 'isEmpty', '', 'blank null'],
    ['owner', 'equals', '@me', 'full'],
    ['owner', 'notEquals', '@Me', 'blank null plain'],
    ['owner', 'equals', '@actor', 'full'],
    ['owner', 'in', `["@me", "${bob}"]`, 'full plain'],
    ['owner', 'memberOf', staff, 'full'],
    ['owner', 'memberOf', `["${staff}","${board}"]`, 'full plain'],
    ['owner', 'memberOf', '[]', ''],
    ['owner', 'notMemberOf', staff, 'blank null plain'],
    ['watchers', 'memberOf', staff, 'full'],
    ['watchers', 'notMemberOf', board, 'blank null'],
  ])
  assert.equal(await matching(one('owner', 'equals', '@actor'), { ...viewer, actorId: bob }), 'plain')
  assert.equal(await matching(one('owner', 'equals', '@me'), { ...viewer, userId: '' }), '')
})

test('contains, equals and in hold for a set that has one of the elements', () =>
  holds([
    ['tags', 'contains', 'RED', 'full plain'],
    ['tags', 'contains', '["blue", "GRUN"]', 'full'],
    ['tags', 'equals', 'red', 'full plain'],
    ['tags', 'in', '["grun"]', 'full'],
    ['tags', 'notContains', 'grün', 'blank null plain'],
    ['tags', 'notEquals', 'red', 'blank null'],
    ['tags', 'notIn', '["grun", "x"]', 'blank null plain'],
    ['tags', 'containsAll', '["RED", "grun"]', 'full'],
    ['tags', 'containsAll', 'red', 'full plain'],
    ['tags', 'containsAll', '[]', 'blank full null plain'],
    ['tags', 'isEmpty', '', 'blank null'],
    ['tags', 'isNotEmpty', '', 'full plain'],
    ['scores', 'contains', '2.5', 'full'],
    ['scores', 'containsAll', '[1, "2.5"]', 'full'],
    ['watchers', 'contains', '@me', 'full'],
    ['watchers', 'containsAll', `["@me", "${bob}"]`, 'full'],
    ['watchers', 'notContains', '@me', 'blank null plain'],
  ]))

test('dates are compared as dates, and today is in the time zone of the viewer', () =>
  holds([
    ['due', 'equals', '2026-07-02', 'full'],
    ['due', 'equals', '@today', 'full'],
    ['due', 'equals', '@now', 'full'],
    ['due', 'equals', '@yesterday+1d', 'full'],
    ['due', 'equals', '@today-1w', 'plain'],
    ['due', 'in', '["@today", "@TODAY-7d"]', 'full plain'],
    ['due', 'equals', '2026-07-01T12:30Z', 'full'],
    ['due', 'notEquals', '@today', 'blank null plain'],
    ['due', 'greaterThan', '2026-06-25', 'full'],
    ['due', 'greaterOrEqual', '2026-06-25', 'full plain'],
    ['due', 'lessThan', '@today', 'plain'],
    ['due', 'lessOrEqual', '@today', 'full plain'],
    ['due', 'between', '@startOfWeek..@endOfWeek', 'full'],
    ['due', 'between', '@startOfMonth..@endOfMonth', 'full'],
    ['due', 'between', '@startOfMonth-1m..@startOfMonth-1d', 'plain'],
    ['due', 'between', '@startOfYear..@endOfYear', 'full plain'],
    ['due', 'between', '..@today-1d', 'plain'],
    ['due', 'greaterThan', '@today-1y', 'full plain'],
    ['due', 'withinLast', 'P7D', 'full plain'],
    ['due', 'withinLast', 'P6D', 'full'],
    ['due', 'withinLast', 'PT13H', 'full'],
    ['due', 'withinNext', 'P1M', 'full'],
    ['due', 'olderThan', 'P6D', 'plain'],
    ['due', 'olderThan', 'P1W', ''],
    ['due', 'laterThan', 'PT0S', ''],
    ['due', 'greaterThan', '@today-999999y', 'full plain'],
    ['due', 'lessThan', '@today+999999y+999999y', 'full plain'],
    ['due', 'isEmpty', '', 'blank null'],
  ]))

test('an instant is compared with the whole day in the time zone of the viewer', () =>
  holds([
    ['opened', 'equals', '2026-07-02', 'full'],
    ['opened', 'equals', '@today', 'full'],
    ['opened', 'equals', '@yesterday', 'plain'],
    ['opened', 'in', '["@today", "@yesterday"]', 'full plain'],
    ['opened', 'notEquals', '@today', 'blank null plain'],
    ['opened', 'equals', '2026-07-01T12:00:00Z', 'full'],
    ['opened', 'equals', '2026-07-02T00:00', 'full'],
    ['opened', 'equals', '2026-07-01T14:00:00.000+02:00', 'full'],
    ['opened', 'equals', '2026-07-01T11:59:59.999Z', 'plain'],
    ['opened', 'greaterThan', '2026-07-01', 'full'],
    ['opened', 'greaterOrEqual', '2026-07-01', 'full plain'],
    ['opened', 'lessThan', '2026-07-02', 'plain'],
    ['opened', 'lessOrEqual', '2026-07-02', 'full plain'],
    ['opened', 'between', '2026-07-01..2026-07-01', 'plain'],
    ['opened', 'between', '@now-13h..@now', 'full plain'],
    ['opened', 'between', '@today+0h..', 'full'],
    ['opened', 'withinLast', 'PT12H30M', 'full'],
    ['opened', 'withinLast', 'P1D', 'full plain'],
    ['opened', 'withinNext', 'P1D', ''],
    ['opened', 'olderThan', 'PT12H30M', 'plain'],
    ['opened', 'olderThan', 'P9999Y', ''],
    ['opened', 'laterThan', 'P999999999Y', ''],
    ['opened', 'greaterOrEqual', '0001-01-01', 'full plain'],
    ['opened', 'lessOrEqual', '9999-12-31', 'full plain'],
    ['opened', 'lessThan', '@today+273734y+73d', 'full plain'], // the last day that Temporal knows
    ['opened', 'inWorkingTime', clock, 'full plain'],
    ['opened', 'notInWorkingTime', clock, 'blank null'],
    ['opened', 'isNotEmpty', '', 'full plain'],
  ]))

test('an unknown time zone is UTC', async () => {
  assert.equal(
    await matching(one('opened', 'equals', '@yesterday'), { ...viewer, timezone: 'Mars/Olympus' }),
    'full plain',
  )
})

test('a pattern ignores case but not accents', () =>
  holds([
    ['title', 'matches', '^PRINTER', 'plain'],
    ['title', 'matches', '[0]', 'full'],
    ['title', 'matches', '\\bfire\\b|\\d+%', 'full plain'],
    ['title', 'matches', 'cafe', ''],
    ['title', 'matches', 'café$', 'full'],
    ['title', 'matches', '^$', 'blank'],
    ['title', 'notMatches', '(?i)(?P<what>printer) .* fire', 'blank full null'],
  ]))

test('an operator that needs an event is false in a filter', async () => {
  for (const operator of ['changed', 'changedTo', 'changedFrom', 'notChanged'] as const) {
    await inert([['title', operator, 'x', 'operator event-only']])
  }
})

test('a path that does not exist is empty, and no other operator holds', async () => {
  assert.equal(await matching(one('nowhere', 'isEmpty')), 'blank full null plain')
  assert.equal(await matching(one('nowhere', 'isNotEmpty')), '')
  assert.equal(await matching(one('nowhere', 'notEquals', 'x')), '')
  assert.equal(check(one('nowhere', 'isEmpty'), vocabulary)[0]?.code, 'unknown-path')
})

test('an operator that does not apply is inert', () =>
  inert([
    ['points', 'contains', '1', 'operator operator-does-not-apply'],
    ['title', 'greaterThan', '1', 'operator operator-does-not-apply'],
    ['title', 'containsAll', 'a', 'operator operator-does-not-apply'],
    ['due', 'inWorkingTime', clock, 'operator operator-does-not-apply'],
    ['due', 'notMatches', 'a', 'operator operator-does-not-apply'],
    ['area', 'memberOf', staff, 'operator operator-does-not-apply'],
    ['tags', 'memberOf', staff, 'operator operator-does-not-apply'],
    ['tags', 'between', '1..2', 'operator operator-does-not-apply'],
    ['points', 'withinLast', 'P1D', 'operator operator-does-not-apply'],
    ['owner', 'under', ada, 'operator operator-does-not-apply'],
    ['points', 'search', 'x', 'operator operator-does-not-apply'],
  ]))

test('a right side that cannot be parsed is inert, even if the operator is negated', () => {
  const cases: [string, ConditionOperator, string][] = [
    ['points', 'notEquals', 'abc'],
    ['points', 'equals', ''],
    ['points', 'equals', 'NaN'],
    ['points', 'equals', '0x1f'],
    ['points', 'equals', '1e1000'],
    ['points', 'in', '[1, "abc"]'],
    ['points', 'in', '[1, [2]]'],
    ['points', 'notIn', '[null]'],
    ['points', 'between', '..'],
    ['points', 'between', '5'],
    ['spent', 'equals', 'P1M'],
    ['open', 'equals', 'maybe'],
    ['owner', 'equals', 'ada'],
    ['owner', 'memberOf', '@me'],
    ['area', 'under', '["x"]'],
    ['due', 'equals', 'tomorrow'],
    ['due', 'equals', '2026-02-30'],
    ['due', 'equals', '0000-01-01'],
    ['due', 'equals', '+012026-01-01'],
    ['due', 'lessThan', '@currentCycle'],
    ['due', 'notEquals', '@today+3x'],
    ['due', 'withinLast', '-P7D'],
    ['due', 'withinLast', '7'],
    ['opened', 'equals', '2026-01-01T25:00Z'],
    ['opened', 'inWorkingTime', 'office'],
    ['title', 'equals', 'a\0b'],
    ['title', 'notContains', '["a\\u0000b"]'],
    ['title', 'search', 'a\0b'],
  ]
  return inert(cases.map(([left, operator, right]) => [left, operator, right, 'rightSide unreadable-right-side']))
})

test('a finding points at the part at fault', () => {
  const groups = [
    { condition: [] },
    {
      condition: [
        { leftSide: 'title', rightSide: 'x', operator: operatorCode.equals },
        { leftSide: 'nowhere', rightSide: 'x', operator: 77 },
      ],
    },
  ]
  assert.deepEqual(check(groups, vocabulary), [
    { path: '/1/condition/1/leftSide', code: 'unknown-path', message: 'no such field here' },
    { path: '/1/condition/1/operator', code: 'unknown-operator', message: 'no such operator' },
  ])
})

test('conditions beyond fifty, and patterns beyond ten, are inert', async () => {
  const many = (n: number, operator: number, rightSide: string) => [
    { condition: Array.from({ length: n }, () => ({ leftSide: 'title', operator, rightSide })) },
  ]
  assert.equal(await matching(many(50, 2, 'fire')), 'plain')
  assert.deepEqual(
    check(many(51, 2, 'fire'), vocabulary).map(({ path, code }) => `${path} ${code}`),
    ['/0/condition/50/operator too-many-conditions'],
  )
  assert.equal(await matching(many(10, 16, 'fire')), 'plain')
  assert.equal(await matching(many(11, 16, 'fire')), '')
  assert.equal(check(many(11, 16, 'fire'), vocabulary)[0]?.code, 'too-many-patterns')
})
