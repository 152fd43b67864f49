import { Type } from 'typebox'
import type { Id } from '../../kernel/id.ts'
import { AnyJson, Code, Mentions, Text, Texts } from '../../kernel/schema/values.ts'
import { ConditionGroups } from '../../language/conditions/conditions.ts'
import type { Entry } from '../../records/entries.ts'

// What a process says of the work in it, as pure decisions: which states there are, which ways lead from one to another,
// who may take them and what must be filled in on arrival. Who asks and what the item holds is brought by the caller.

/** A field of the process. */
export const processField = {
  fieldId: Text(60, { minLength: 1 }),
  order: Code(),
  required: Type.Boolean(),
}

/** What else may be said of a field; what is not said is not shown. */
export const processFieldMore = {
  requiredAt: Texts(500, 100),
  readOnlyFor: Mentions('UserGroup', 100, 60),
  hiddenFor: Mentions('UserGroup', 100, 60),
  default: AnyJson,
}

/** A state (`fieldId` = `value`), where one may go from it (`next`), and who may (`userGroup`). */
export const step = {
  id: Text(100),
  fieldId: Text(60),
  value: Text(500),
  next: Text(4000),
  userGroup: Mentions('UserGroup', 100, 60),
}

/** What else may be said of a state, and of the ways out of it (`conditionGroup`). */
export const stepMore = {
  name: Text(200),
  color: Text(30),
  category: Code(),
  initial: Type.Boolean(),
  requires: Texts(100, 60),
  conditionGroup: ConditionGroups,
  pausesClock: Type.Boolean(),
  screenId: Text(60),
}

export type ProcessField = Entry<typeof processField> & Partial<Entry<typeof processFieldMore>>
export type WorkflowStep = Entry<typeof step> & Partial<Entry<typeof stepMore>>

/** A way out of a state: where to, who may take it, and when. */
export interface Edge {
  stepId: string
  /** Whether this value lies at the end of it. */
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

/** All that a process asks of its items. */
export interface Graph {
  states: ReadonlyMap<string, States>
  /** The fields that must be filled in whatever the state. */
  required: readonly string[]
}

export const freeGraph: Graph = { states: new Map(), required: [] }

/** The graph of a process whose entries all name their fields in one way. */
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

/** Several entries of one value are one state with several ways out of it. */
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

/** How the values of a field can be called: by themselves, or by the id of an entry. */
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

/** The ids and values that `next` names; a value may itself hold a comma. */
export function namesIn(next: string, known: { has(name: string): boolean }): string[] {
  if (known.has(next)) return next === '' ? [] : [next]
  return next
    .split(',')
    .map(each => each.trim())
    .filter(Boolean)
}

/** The ways from one value to another; undefined if the graph does not know where one is, and so forbids nothing. */
export function waysBetween(states: States, from: string, to: string): readonly Edge[] | undefined {
  return states.get(from)?.edges.filter(edge => edge.to === 'anywhere' || edge.to.has(to))
}

/** Where new work begins if nobody says where. */
export function initialOf(states: States): State | undefined {
  return [...states.values()].find(each => each.initial)
}

/** The fields that must be filled in where an item stands. */
export function demandsAt(graph: Graph, at: (fieldId: string) => string | undefined): string[] {
  const demanded = new Set(graph.required)
  for (const [fieldId, states] of graph.states) {
    for (const each of states.get(at(fieldId) ?? '')?.demands ?? []) demanded.add(each)
  }
  return [...demanded]
}

/** How a state's value is written; a list is never a state. */
export function stateText(value: unknown): string | undefined {
  if (value === null || value === undefined) return ''
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined
}

/** Who somebody is to the item at hand, or to the tenant; not a group with members. */
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

/** What somebody is: the groups they belong to, and which of the pseudo-groups. */
export interface Relation {
  groups: readonly Id[]
  is: ReadonlySet<PseudoGroup>
}

/** Nobody named is everybody; else one of those named must fit. */
export function mayPass(userGroup: readonly string[], { groups, is }: Relation): boolean {
  if (userGroup.length === 0) return true
  return userGroup.some(each => groups.includes(each) || (is as ReadonlySet<string>).has(each))
}
