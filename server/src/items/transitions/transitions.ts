import { type Edge, mayPass, type Relation, stateText, waysBetween } from '../../containers/workflow/workflow.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Fault, fault, type Refusal, RuleBroken } from '../../kernel/refusal.ts'
import type { Item } from '../item/item.ts'
import { requiredFields, startRefusal } from '../item-process/initial-values.ts'
import {
  fieldValue,
  type ItemProcess,
  type ItemValues,
  isFilled,
  missingFields,
  nameOf,
  pathOf,
  processOf,
} from '../item-process/item-process.ts'
import type { ItemValidator, ValidationResult } from '../validation/item-change.ts'
import { relationOf, watchedBy } from './caller-relation.ts'
import { type GuardQuery, passedGuards } from './transition-guards.ts'

/**
 * An item may change its state only if its process has such a transition, the caller may perform it, its guard holds, and
 * all fields that the new state requires are filled in.
 */
export const transitionValidator: ItemValidator = {
  // The initial state of a new item is validated with its draft.
  appliesToNew: async () => false,
  async validate(ctx, changes) {
    const results: ValidationResult[] = []
    const bound = changes.flatMap(({ before, after, force }) => (before && !force ? [{ before, after }] : []))
    for (const [processId, group] of Map.groupBy(bound, ({ after }) => after.processId)) {
      const process = await processOf(ctx, processId)
      if (!process.binds) continue
      const suspects = [...(await refusalsOf(ctx, process, group)).keys()]
      if (suspects.length === 0) continue
      // The cached value may be stale: it is reloaded before anything is refused because of it.
      const refusals = await refusalsOf(ctx, await processOf(ctx, processId, true), suspects)
      for (const [{ after }, refusal] of refusals) results.push({ id: after.id, refusal })
    }
    return results
  },
}

/** A change of an existing item. */
interface ExistingItemChange {
  before: Item
  after: Item
}

/** A change of state. */
export interface StateChange {
  fieldId: string
  from: string
  to: string
}

async function refusalsOf(
  ctx: Context,
  process: ItemProcess,
  changes: readonly ExistingItemChange[],
): Promise<Map<ExistingItemChange, Refusal>> {
  const seen = await storedValuesOf(ctx, process, changes)
  const asked = new Map<Edge, GuardQuery & { itemIds: Id[] }>()
  for (const change of changes) {
    for (const move of enters(change) ? [] : movesOf(process, change)) {
      for (const edge of edgesFor(process, move) ?? []) {
        const known = asked.get(edge) ?? { edge, itemIds: [] }
        asked.set(edge, known)
        known.itemIds.push(change.after.id)
      }
    }
  }
  const open = await passedGuards(ctx, [...asked.values()])
  const watched = await watchedBy(
    ctx,
    process,
    changes.map(each => each.after.id),
  )
  const refusals = new Map<ExistingItemChange, Refusal>()
  for (const change of changes) {
    const { before, after } = change
    const current = seen.get(after.id) ?? itemValues(after)
    const passing: TransitionCaller = {
      relation: relationOf(ctx.caller, before, watched),
      opens: edge => open.get(asked.get(edge))?.has(after.id) ?? false,
    }
    const refusal = enters(change) ? startRefusal(process, current) : refusalOf(process, change, current, passing)
    if (refusal) refusals.set(change, refusal)
  }
  return refusals
}

/** An item that comes from another process is validated like a new one. */
const enters = ({ before, after }: ExistingItemChange) => before.processId !== after.processId

function movesOf(process: ItemProcess, { before, after }: ExistingItemChange): StateChange[] {
  return [...process.states.keys()].flatMap(fieldId => {
    const [from, to] = [before, after].map(item => stateText(fieldValue(itemValues(item), fieldId)))
    return from === undefined || to === undefined || from === to ? [] : [{ fieldId, from, to }]
  })
}

export function edgesFor({ states }: ItemProcess, { fieldId, from, to }: StateChange): readonly Edge[] | undefined {
  return waysBetween(states.get(fieldId) ?? new Map(), from, to)
}

/** The relation of the caller to the item, and the guards that hold. */
interface TransitionCaller {
  relation: Relation
  opens: (edge: Edge) => boolean
}

/** A reason why the caller may not perform a transition. */
export interface TransitionObstacle {
  code: 'no-way' | 'group' | 'guard' | 'required'
  message: string
  /** Membership in one of these groups is required. */
  groups?: string[]
  /** All of these must be filled in. */
  fields?: string[]
}

export function obstaclesTo(
  process: ItemProcess,
  move: StateChange,
  { relation, opens }: TransitionCaller,
): TransitionObstacle[] {
  const ways = edgesFor(process, move)
  if (!ways) return []
  if (ways.length === 0) return [{ code: 'no-way', message: 'the workflow has no such transition' }]
  const mine = ways.filter(({ userGroup }) => mayPass(userGroup, relation))
  if (mine.length === 0) {
    const groups = [...new Set(ways.flatMap(each => each.userGroup))]
    return [{ code: 'group', message: 'only members of certain groups may perform this transition', groups }]
  }
  if (mine.some(opens)) return []
  return [{ code: 'guard', message: 'the condition of the transition does not hold' }]
}

function refusalOf(
  process: ItemProcess,
  change: ExistingItemChange,
  current: ItemValues,
  passing: TransitionCaller,
): Refusal | undefined {
  const moves = movesOf(process, change)
  const missing = missingFields(process, current).filter(
    // A field that was empty before is refused only when the state changes.
    fieldId => moves.length > 0 || isFilled(itemValues(change.before), fieldId),
  )
  const faults = moves.flatMap(move =>
    obstaclesTo(process, move, passing).map(reason => moveFault(process, move, reason)),
  )
  if (moves.length === 0 || (faults.length === 0 && missing.length === 0))
    return missing.length === 0 ? undefined : requiredFields(process, missing)
  return notAllowed(process, moves, [...faults, ...requiredFields(process, missing).faults], passing)
}

function moveFault(
  process: ItemProcess,
  { fieldId, to }: StateChange,
  { code, message, groups }: TransitionObstacle,
): Fault {
  const who = groups ? `: ${groups.join(', ')}` : ''
  return fault(pathOf(process, fieldId), code, `${message}${who}`, to)
}

function notAllowed(
  process: ItemProcess,
  moves: readonly StateChange[],
  faults: readonly Fault[],
  passing: TransitionCaller,
): Refusal {
  const said = moves.map(({ fieldId, from, to }) => `${nameOf(process, fieldId)} from “${from}” to “${to}”`)
  const allowed = moves.flatMap(({ fieldId, from }) => targetsFrom(process, fieldId, from, passing.relation))
  return new RuleBroken('transition-not-allowed', `the item may not change ${said.join(', ')}`, faults, { allowed })
}

/** The states that this caller may move to, without regard to required fields and guards. */
function targetsFrom(process: ItemProcess, fieldId: string, from: string, relation: Relation) {
  return [...(process.states.get(fieldId)?.values() ?? [])].flatMap(({ value, name }) => {
    const way = edgesFor(process, { fieldId, from, to: value })?.find(({ userGroup }) => mayPass(userGroup, relation))
    return value !== from && way ? [{ fieldId, value, name, stepId: way.stepId }] : []
  })
}

/** The values of an item that its container shows. */
function itemValues(item: Item): ItemValues {
  return { core: item, custom: Object.fromEntries(item.Field.map(each => [each.fieldId, each.value])) }
}

/** Reads all stored values of items that seem to lack a required field, because a hidden value counts, too. */
async function storedValuesOf(
  ctx: Context,
  process: ItemProcess,
  changes: readonly ExistingItemChange[],
): Promise<Map<Id, ItemValues>> {
  const lacking = changes.filter(({ after }) =>
    missingFields(process, itemValues(after)).some(each => process.custom.has(each)),
  )
  if (lacking.length === 0) return new Map()
  const ids = lacking.map(each => each.after.id)
  const rows = await ctx.sql<{ id: Id; fields: Record<Id, unknown> }>`select id, fields from item
    where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[])`
  const stored = new Map(rows.map(({ id, fields }) => [id, fields]))
  return new Map(lacking.map(({ after }) => [after.id, { core: after, custom: stored.get(after.id) ?? {} }]))
}
