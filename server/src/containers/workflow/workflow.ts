import { Type } from 'typebox'
import type { Id } from '../../kernel/id.ts'
import { AnyJson, Integer, Mentions, Text, Texts } from '../../kernel/schema/values.ts'
import { ConditionGroups } from '../../language/conditions/conditions.ts'
import { Code } from '../../records/code-table.ts'
import type { Entry } from '../../records/input/entries.ts'
import { statusCategories } from '../status-category.ts'

// The workflow of a process as pure functions: its states, the transitions between them, who may perform them, and the
// fields that must be filled in. The user and the values of the item are parameters.

/** A field of the process. */
export const processField = {
  fieldId: Text(60, { minLength: 1 }),
  order: Integer(),
  required: Type.Boolean(),
}

/** The optional properties of a field; those without a value are left out of replies. */
export const processFieldMore = {
  requiredAt: Texts(500, 100),
  readOnlyFor: Mentions('UserGroup', 100, 60),
  hiddenFor: Mentions('UserGroup', 100, 60),
  default: AnyJson,
}

/** A state (`fieldId` = `value`), the states that follow it (`next`), and who may go there (`userGroup`). */
export const step = {
  id: Text(100),
  fieldId: Text(60),
  value: Text(500),
  next: Text(4000),
  userGroup: Mentions('UserGroup', 100, 60),
}

/** The optional properties of a state and of its transitions (`conditionGroup`). */
export const stepMore = {
  name: Text(200),
  color: Text(30),
  category: Code(statusCategories),
  initial: Type.Boolean(),
  requires: Texts(100, 60),
  conditionGroup: ConditionGroups,
  pausesClock: Type.Boolean(),
  screenId: Text(60),
}

export type ProcessField = Entry<typeof processField> & Partial<Entry<typeof processFieldMore>>
export type WorkflowStep = Entry<typeof step> & Partial<Entry<typeof stepMore>>

/** A transition out of a state: its targets, who may perform it, and its guard. */
export interface Edge {
  stepId: string
  /** Whether this value is one of its targets. */
  to: ReadonlySet<string> | 'anywhere'
  userGroup: readonly string[]
  guard: ConditionGroups
}

export interface State {
  value: string
  stepId: string
  name: string
  color: string
  category: number | undefined
  initial: boolean
  pausesClock: boolean
  screenId: string
  /** The fields that must be filled in while an item is in it. */
  demands: readonly string[]
  edges: readonly Edge[]
}

/** The states of one field, by their value. */
export type States = ReadonlyMap<string, State>

/** The requirements of a process for its items. */
export interface Graph {
  states: ReadonlyMap<string, States>
  /** The fields that must be filled in in every state. */
  required: readonly string[]
}

export const freeGraph: Graph = { states: new Map(), required: [] }

/** The graph of a normalised process, whose entries name fields by their id. */
export function graphOf(workflow: readonly WorkflowStep[], fields: readonly ProcessField[]): Graph {
  const named = workflow.filter(each => each.fieldId !== '')
  const states = new Map<string, States>()
  for (const [fieldId, steps] of Map.groupBy(named, each => each.fieldId)) {
    const byValue = Map.groupBy(steps, each => each.value)
    const called = namesFor(steps)
    states.set(fieldId, new Map([...byValue].map(([value, same]) => [value, stateOf(value, same, called, fields)])))
  }
  return { states, required: fields.filter(each => each.required).map(each => each.fieldId) }
}

/** Several entries with the same value form one state with several transitions. */
function stateOf(
  value: string,
  same: readonly WorkflowStep[],
  called: ReadonlyMap<string, string>,
  fields: readonly ProcessField[],
): State {
  const first = <K extends keyof WorkflowStep>(property: K) => same.map(each => each[property]).find(each => each)
  const ids = new Set(same.map(each => each.id))
  const demanded = fields.filter(({ requiredAt = [] }) => requiredAt.some(id => ids.has(id)))
  return {
    value,
    stepId: same[0]?.id ?? '',
    name: first('name') ?? value,
    color: first('color') ?? '',
    category: same.map(each => each.category).find(each => each !== undefined),
    initial: same.some(each => each.initial),
    pausesClock: same.some(each => each.pausesClock),
    screenId: first('screenId') ?? '',
    demands: [...new Set([...same.flatMap(each => each.requires ?? []), ...demanded.map(each => each.fieldId)])],
    edges: same.flatMap(({ id, next, userGroup, conditionGroup = [] }) => {
      const to = targetsOf(next, called)
      return to === 'anywhere' || to.size > 0 ? [{ stepId: id, to, userGroup, guard: conditionGroup }] : []
    }),
  }
}

/** The names of the values of a field: the value itself, or the id of an entry. */
function namesFor(steps: readonly WorkflowStep[]): ReadonlyMap<string, string> {
  return new Map([
    ...steps.map(each => [each.value, each.value] as const),
    ...steps.map(each => [each.id, each.value] as const),
  ])
}

function targetsOf(next: string, called: ReadonlyMap<string, string>): Edge['to'] {
  const named = namesIn(next, called)
  if (named.includes('*')) return 'anywhere'
  return new Set(named.flatMap(each => called.get(each) ?? []))
}

/** The ids and values that `next` names; a value may contain a comma. */
export function namesIn(next: string, known: { has(name: string): boolean }): string[] {
  if (known.has(next)) return next === '' ? [] : [next]
  return next
    .split(',')
    .map(each => each.trim())
    .filter(Boolean)
}

/**
 * The transitions from one value to another; undefined if the graph does not know the current value, which then
 * restricts nothing.
 */
export function waysBetween(states: States, from: string, to: string): readonly Edge[] | undefined {
  return states.get(from)?.edges.filter(edge => edge.to === 'anywhere' || edge.to.has(to))
}

/** The initial state of items that are created without one. */
export function initialOf(states: States): State | undefined {
  return [...states.values()].find(each => each.initial)
}

/** The fields that must be filled in in the current states of an item. */
export function demandsAt(graph: Graph, at: (fieldId: string) => string | undefined): string[] {
  const demanded = new Set(graph.required)
  for (const [fieldId, states] of graph.states) {
    for (const each of states.get(at(fieldId) ?? '')?.demands ?? []) demanded.add(each)
  }
  return [...demanded]
}

/** The text form of a state's value; a list is never a state. */
export function stateText(value: unknown): string | undefined {
  if (value === null || value === undefined) return ''
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
}

/** Groups without members, which stand for the relation of a user to the item or the tenant. */
export const pseudoGroups = [
  '@author',
  '@assignee',
  '@requester',
  '@watcher',
  '@everyone',
  '@staff',
  '@requesters',
  '@superAdmins',
] as const

export type PseudoGroup = (typeof pseudoGroups)[number]

/** The groups and pseudo-groups of a user. */
export interface Relation {
  groups: readonly Id[]
  is: ReadonlySet<PseudoGroup>
}

/** Whether a user is in one of the groups; an empty list admits everybody. */
export function mayPass(userGroup: readonly string[], { groups, is }: Relation): boolean {
  if (userGroup.length === 0) return true
  return userGroup.some(each => groups.includes(each)) || [...is].some(each => userGroup.includes(each))
}
