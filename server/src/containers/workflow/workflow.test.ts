import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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

describe('the ways between states', () => {
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

test('no entries make no graph', () => {
  assert.equal(graphOf([], []).states.size, 0)
  assert.equal(graphOf([state('a', 'x', '', { fieldId: '' })], []).states.size, 0)
})

test('a state is what its entries say together', () => {
  const graph = graphOf(
    [
      state('a', 'New', 'Open', { category: 1, initial: true, requires: ['title'] }),
      state('b', 'New', 'Done', { name: 'Fresh', color: 'red', requires: ['points', 'title'], pausesClock: true }),
      state('c', 'Open', ''),
    ],
    [field('owner', { requiredAt: ['b', 'c'] })],
  )
  const [fresh, open] = [...statesOf(graph).values()]
  assert.deepEqual(
    [fresh?.name, fresh?.color, fresh?.category, fresh?.initial, fresh?.pausesClock],
    ['Fresh', 'red', 1, true, true],
  )
  assert.deepEqual(fresh?.demands, ['title', 'points', 'owner'])
  assert.deepEqual([open?.name, open?.category, open?.demands], ['Open', undefined, ['owner']])
  assert.equal(initialOf(statesOf(graph))?.value, 'New')
  assert.equal(initialOf(statesOf(graphOf([state('a', 'New', '')], []))), undefined)
})

test('what must be filled in is what is always required, and what the state asks', () => {
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

describe('who may pass', () => {
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

test('a state is written as text, and a list is none', () => {
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

test('next is empty, anything, or the ids and values of entries', () => {
  assert.deepEqual(
    found(state('a', 'New', 'b'), state('b', 'Open', 'Done, New'), state('c', 'Done', ''), state('d', 'Lost', '*')),
    [],
  )
})

test('a value may hold a comma', () => {
  assert.deepEqual(found(state('a', 'Done, or nearly', ''), state('b', 'Open', 'Done, or nearly')), [])
})

test('a next that leads nowhere is told for each target', () => {
  assert.deepEqual(found(state('a', 'New', 'b, Gone,,New')), [
    '/workflow/0/next dangling-next',
    '/workflow/0/next dangling-next',
  ])
})

test('a pseudo-group that nobody is in and a state of no field are told', () => {
  const userGroup = ['@assignee', '@nobody', '0198c0de-0000-7000-8000-000000000000']
  assert.deepEqual(found(state('a', 'New', '', { userGroup }), state('b', 'Open', '', { fieldId: '' })), [
    '/workflow/0/userGroup/1 unknown-group',
    '/workflow/1/fieldId no-field',
  ])
})

test('a category without meaning, a second beginning and a step that is not there are told', () => {
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
