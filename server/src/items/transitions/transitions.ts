import { type Edge, mayPass, type Relation, stateText, waysBetween } from '../../containers/workflow/workflow.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Fault, fault, type Refusal, RuleBroken } from '../../kernel/refusal.ts'
import type { Item } from '../item/item.ts'
import { beginningIn, requiredFields } from '../item-process/initial-values.ts'
import {
  type Holding,
  holds,
  type ItemProcess,
  isFilled,
  missingIn,
  nameOf,
  pathOf,
  processOf,
} from '../item-process/item-process.ts'
import type { Law, Verdict } from '../validation/validation.ts'
import { relationOf, watchedBy } from './caller-relation.ts'
import { type Asked, openGuards } from './transition-guards.ts'

/**
 * An item goes from state to state along the ways of its process only: if there is one, if somebody like the caller may
 * take it, if its guard holds, and if nothing is missing on arrival.
 */
export const lawOfTransitions: Law = {
  // How a new item begins is told from its draft alone.
  watchesNew: async () => false,
  async judge(ctx, passages) {
    const verdicts: Verdict[] = []
    const bound = passages.flatMap(({ before, after, force }) => (before && !force ? [{ before, after }] : []))
    for (const [processId, group] of Map.groupBy(bound, ({ after }) => after.processId)) {
      const process = await processOf(ctx, processId)
      if (!process.binds) continue
      const suspects = [...(await against(ctx, process, group)).keys()]
      if (suspects.length === 0) continue
      // Before something is refused because of what is remembered, it is looked up afresh.
      const refusals = await against(ctx, await processOf(ctx, processId, true), suspects)
      for (const [{ after }, refusal] of refusals) verdicts.push({ id: after.id, refusal })
    }
    return verdicts
  },
}

/** A passage of an item that was there before. */
interface Journey {
  before: Item
  after: Item
}

/** A change of state. */
export interface Move {
  fieldId: string
  from: string
  to: string
}

async function against(
  ctx: Context,
  process: ItemProcess,
  journeys: readonly Journey[],
): Promise<Map<Journey, Refusal>> {
  const seen = await itemsSeen(ctx, process, journeys)
  const asked = new Map<Edge, Asked & { itemIds: Id[] }>()
  for (const journey of journeys) {
    for (const move of enters(journey) ? [] : movesOf(process, journey)) {
      for (const edge of waysOf(process, move) ?? []) {
        const known = asked.get(edge) ?? { edge, itemIds: [] }
        asked.set(edge, known)
        known.itemIds.push(journey.after.id)
      }
    }
  }
  const open = await openGuards(ctx, [...asked.values()])
  const watched = await watchedBy(
    ctx,
    process,
    journeys.map(each => each.after.id),
  )
  const refusals = new Map<Journey, Refusal>()
  for (const journey of journeys) {
    const { before, after } = journey
    const holding = seen.get(after.id) ?? holdingOf(after)
    const passing: Passing = {
      relation: relationOf(ctx.caller, before, watched),
      opens: edge => open.get(asked.get(edge))?.has(after.id) ?? false,
    }
    const refusal = enters(journey) ? beginningIn(process, holding) : refusalOf(process, journey, holding, passing)
    if (refusal) refusals.set(journey, refusal)
  }
  return refusals
}

/** Coming from another process, an item begins in this one as a new one would. */
const enters = ({ before, after }: Journey) => before.processId !== after.processId

function movesOf(process: ItemProcess, { before, after }: Journey): Move[] {
  return [...process.states.keys()].flatMap(fieldId => {
    const [from, to] = [before, after].map(item => stateText(holds(holdingOf(item), fieldId)))
    return from === undefined || to === undefined || from === to ? [] : [{ fieldId, from, to }]
  })
}

export function waysOf({ states }: ItemProcess, { fieldId, from, to }: Move): readonly Edge[] | undefined {
  return waysBetween(states.get(fieldId) ?? new Map(), from, to)
}

/** Who asks, and which guards hold for them. */
export interface Passing {
  relation: Relation
  opens: (edge: Edge) => boolean
}

/** Why a move is not open to somebody. */
export interface Reason {
  code: 'no-way' | 'group' | 'guard' | 'required'
  message: string
  /** One of these would do. */
  groups?: string[]
  /** All of these must be filled in. */
  fields?: string[]
}

export function reasonsAgainst(process: ItemProcess, move: Move, { relation, opens }: Passing): Reason[] {
  const ways = waysOf(process, move)
  if (!ways) return []
  if (ways.length === 0) return [{ code: 'no-way', message: 'no step leads there' }]
  const mine = ways.filter(({ userGroup }) => mayPass(userGroup, relation))
  if (mine.length === 0) {
    const groups = [...new Set(ways.flatMap(each => each.userGroup))]
    return [{ code: 'group', message: 'only certain groups may go there', groups }]
  }
  if (mine.some(opens)) return []
  return [{ code: 'guard', message: 'what the step asks of the item does not hold' }]
}

function refusalOf(process: ItemProcess, journey: Journey, holding: Holding, passing: Passing): Refusal | undefined {
  const moves = movesOf(process, journey)
  const missing = missingIn(process, holding).filter(
    // What was empty before is nobody's business until the item moves on.
    fieldId => moves.length > 0 || isFilled(holdingOf(journey.before), fieldId),
  )
  const faults = moves.flatMap(move =>
    reasonsAgainst(process, move, passing).map(reason => moveFault(process, move, reason)),
  )
  if (moves.length === 0 || (faults.length === 0 && missing.length === 0))
    return missing.length === 0 ? undefined : requiredFields(process, missing)
  return notAllowed(process, moves, [...faults, ...requiredFields(process, missing).faults], passing)
}

function moveFault(process: ItemProcess, { fieldId, to }: Move, { code, message, groups }: Reason): Fault {
  const who = groups ? `: ${groups.join(', ')}` : ''
  return fault(pathOf(process, fieldId), code, `${message}${who}`, to)
}

function notAllowed(process: ItemProcess, moves: readonly Move[], faults: readonly Fault[], passing: Passing): Refusal {
  const said = moves.map(({ fieldId, from, to }) => `${nameOf(process, fieldId)} from “${from}” to “${to}”`)
  const allowed = moves.flatMap(({ fieldId, from }) => targetsFrom(process, fieldId, from, passing.relation))
  return new RuleBroken('transition-not-allowed', `it may not change ${said.join(', ')}`, faults, { allowed })
}

/** Where somebody like this may go; what must be filled in and what guards ask is told on the way. */
function targetsFrom(process: ItemProcess, fieldId: string, from: string, relation: Relation) {
  return [...(process.states.get(fieldId)?.values() ?? [])].flatMap(({ value, name }) => {
    const way = waysOf(process, { fieldId, from, to: value })?.find(({ userGroup }) => mayPass(userGroup, relation))
    return value !== from && way ? [{ fieldId, value, name, stepId: way.stepId }] : []
  })
}

/** An item as people see it. */
export function holdingOf(item: Item): Holding {
  return { core: item, custom: Object.fromEntries(item.Field.map(each => [each.fieldId, each.value])) }
}

/** A value that the container does not show is there nonetheless: looked up where something seems to be missing. */
async function itemsSeen(ctx: Context, process: ItemProcess, journeys: readonly Journey[]): Promise<Map<Id, Holding>> {
  const lacking = journeys.filter(({ after }) =>
    missingIn(process, holdingOf(after)).some(each => process.custom.has(each)),
  )
  if (lacking.length === 0) return new Map()
  const ids = lacking.map(each => each.after.id)
  const rows = await ctx.sql<{ id: Id; fields: Record<Id, unknown> }>`select id, fields from item
    where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[])`
  const stored = new Map(rows.map(({ id, fields }) => [id, fields]))
  return new Map(lacking.map(({ after }) => [after.id, { core: after, custom: stored.get(after.id) ?? {} }]))
}
