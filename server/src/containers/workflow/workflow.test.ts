import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { statusCategory } from '../status-category.ts'
import { workflowFindings } from '../workflow-findings.ts'
import {
  demandsAt,
  type Graph,
  graphOf,
  initialOf,
  mayPass,
  type PseudoGroup,
  stateText,
  type WorkflowStep,
  waysBetween,
} from './workflow.ts'

const state = (id: string, value: string, next: string, more: Partial<WorkflowStep> = {}): WorkflowStep => ({
  id,
  fieldId: 'status',
  value,
  next,
  userGroup: [],
  ...more,
})
const field = (fieldId: string, more = {}) => ({ fieldId, order: 0, required: false, ...more })
const statesOf = (graph: Graph) => graph.states.get('status') ?? new Map()

describe('the transitions between states', () => {
  const cases: [what: string, steps: WorkflowStep[], from: string, to: string, ways: string[] | undefined][] = [
    ['by the value', [state('a', 'New', 'Open'), state('b', 'Open', '')], 'New', 'Open', ['a']],
    ['by the id of an entry', [state('a', 'New', 'b'), state('b', 'Open', '')], 'New', 'Open', ['a']],
    [
      'several, with commas',
      [state('a', 'New', 'b, Done'), state('b', 'Open', ''), state('c', 'Done', '')],
      'New',
      'Done',
      ['a'],
    ],
    [
      'a value with a comma in it',
      [state('a', 'New', 'Done, or so'), state('b', 'Done, or so', '')],
      'New',
      'Done, or so',
      ['a'],
    ],
    ['anywhere', [state('a', 'New', '*')], 'New', 'Elsewhere', ['a']],
    ['an end', [state('a', 'New', ''), state('b', 'Open', '')], 'New', 'Open', []],
    ['not there', [state('a', 'New', 'Open'), state('b', 'Open', ''), state('c', 'Done', '')], 'New', 'Done', []],
    ['from where no entry is, it is free', [state('a', 'New', 'Open')], 'Lost', 'Done', undefined],
    [
      'several entries are several ways',
      [state('a', 'New', 'Open'), state('b', 'New', 'Open'), state('c', 'Open', '')],
      'New',
      'Open',
      ['a', 'b'],
    ],
    ['a next that leads nowhere is no way', [state('a', 'New', 'Gone')], 'New', 'Gone', []],
    [
      'states of another field are none of this one',
      [state('a', 'New', 'x'), state('x', 'High', '', { fieldId: 'level' })],
      'New',
      'High',
      [],
    ],
  ]
  for (const [what, steps, from, to, ways] of cases) {
    test(what, () => {
      assert.deepEqual(
        waysBetween(statesOf(graphOf(steps, [])), from, to)?.map(each => each.stepId),
        ways,
      )
    })
  }
})

test('a workflow without entries restricts nothing', () => {
  assert.equal(graphOf([], []).states.size, 0)
  assert.equal(graphOf([state('a', 'x', '', { fieldId: '' })], []).states.size, 0)
})

test('several entries with the same value form one state', () => {
  const graph = graphOf(
    [
      state('a', 'New', 'Open', { category: statusCategory.unstarted, initial: true, requires: ['title'] }),
      state('b', 'New', 'Done', { name: 'Fresh', color: 'red', requires: ['points', 'title'], pausesClock: true }),
      state('c', 'Open', ''),
    ],
    [field('owner', { requiredAt: ['b', 'c'] })],
  )
  const [fresh, open] = [...statesOf(graph).values()]
  assert.deepEqual(
    [fresh?.name, fresh?.color, fresh?.category, fresh?.initial, fresh?.pausesClock],
    ['Fresh', 'red', statusCategory.unstarted, true, true],
  )
  assert.deepEqual(fresh?.demands, ['title', 'points', 'owner'])
  assert.deepEqual([open?.name, open?.category, open?.demands], ['Open', undefined, ['owner']])
  assert.equal(initialOf(statesOf(graph))?.value, 'New')
  assert.equal(initialOf(statesOf(graphOf([state('a', 'New', '')], []))), undefined)
})

test('the required fields are those of the process and those of the state', () => {
  const graph = graphOf(
    [state('a', 'New', ''), state('b', 'Done', '', { requires: ['resolution'] })],
    [field('title', { required: true }), field('points', { requiredAt: ['b'] })],
  )
  assert.deepEqual(
    demandsAt(graph, () => 'New'),
    ['title'],
  )
  assert.deepEqual(
    demandsAt(graph, () => 'Done'),
    ['title', 'resolution', 'points'],
  )
  assert.deepEqual(
    demandsAt(graph, () => undefined),
    ['title'],
  )
})

describe('who may perform a transition', () => {
  const team = '0198c0de-0000-7000-8000-000000000000'
  const cases: [userGroup: string[], groups: string[], is: PseudoGroup[], passes: boolean][] = [
    [[], [], [], true],
    [[team], [], ['@everyone'], false],
    [[team], [team], ['@everyone'], true],
    [[team, '@author'], [], ['@everyone', '@author'], true],
    [['@assignee'], [], ['@everyone', '@author'], false],
    [['@everyone'], [], ['@everyone'], true],
    [['@nobody'], [], ['@everyone'], false],
  ]
  for (const [userGroup, groups, is, passes] of cases) {
    test(`${userGroup.join(' ') || 'nobody named'} for ${[...groups, ...is].join(' ') || 'anybody'}`, () => {
      assert.equal(mayPass(userGroup, { groups, is: new Set(is) }), passes)
    })
  }
})

test('a state is compared as text, and a list is never a state', () => {
  assert.deepEqual(['New', 3, true, null, undefined, ['a'], { a: 1 }].map(stateText), [
    'New',
    '3',
    'true',
    '',
    '',
    undefined,
    undefined,
  ])
})

const found = (...workflow: WorkflowStep[]) => workflowFindings(workflow).map(({ path, code }) => `${path} ${code}`)

test('next is empty, a wildcard, or ids and values of entries', () => {
  assert.deepEqual(
    found(state('a', 'New', 'b'), state('b', 'Open', 'Done, New'), state('c', 'Done', ''), state('d', 'Lost', '*')),
    [],
  )
})

test('a value may contain a comma', () => {
  assert.deepEqual(found(state('a', 'Done, or nearly', ''), state('b', 'Open', 'Done, or nearly')), [])
})

test('each unknown target of next is a finding', () => {
  assert.deepEqual(found(state('a', 'New', 'b, Gone,,New')), [
    '/workflow/0/next dangling-next',
    '/workflow/0/next dangling-next',
  ])
})

test('an unknown pseudo-group and an entry without a field are findings', () => {
  const userGroup = ['@assignee', '@nobody', '0198c0de-0000-7000-8000-000000000000']
  assert.deepEqual(found(state('a', 'New', '', { userGroup }), state('b', 'Open', '', { fieldId: '' })), [
    '/workflow/0/userGroup/1 unknown-group',
    '/workflow/1/fieldId no-field',
  ])
})

test('an unknown category, a second initial state and an unknown step are findings', () => {
  assert.deepEqual(
    found(state('a', 'New', '', { initial: true }), state('b', 'Open', '', { initial: true, category: 9 })),
    ['/workflow/1/category unknown-code', '/workflow/1/initial second-initial'],
  )
  const fields = [field('points', { requiredAt: ['a', 'z'], hiddenFor: ['@ghosts'] })]
  assert.deepEqual(
    workflowFindings([state('a', 'New', '')], fields).map(({ path }) => path),
    ['/fields/0/requiredAt/1', '/fields/0/hiddenFor/0'],
  )
})
