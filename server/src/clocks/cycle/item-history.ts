import { type Field, fieldsOf } from '../../containers/field/field.ts'
import { isValueFault, readFieldValue } from '../../containers/field/field-value.ts'
import { kindCode } from '../../desk/annotation/annotation.ts'
import { isAutomatic } from '../../desk/ticket/conversation-state.ts'
import { tickets } from '../../desk/ticket/ticket.ts'
import { items } from '../../items/item/item.ts'
import { restingStates } from '../../items/item-process/item-process.ts'
import { isClosed } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import type { Kind } from '../../kernel/kinds.ts'
import type { Definition } from './clock-definition.ts'
import { type Answers, ask, type Snapshot } from './condition-answers.ts'
import type { Moment, Order, Standing } from './cycle.ts'

/** The event that keeps an order: what somebody asked of a clock by hand, or a rule. */
export const orderKind = 'clock.ordered'

interface EventRow {
  id: Id
  at: Date
  kind: string
  entity: string
  itemId: Id
  actorKind: string
  changes: Changes
}

interface SaidRow {
  id: Id
  at: Date
  itemId: Id
  actorKind: string
  said: number
  headers: Record<string, unknown> | null
}

interface Row {
  id: Id
  item: Record<string, unknown>
  ticket: Record<string, unknown> | null
  processId: Id | null
}

/** What happened to items, each with how it stood after every moment; `since` is the event from which on it matters. */
export async function momentsOf(
  ctx: Context,
  itemIds: readonly Id[],
  all: readonly Definition[],
  since: ReadonlyMap<Id, Id>,
): Promise<Map<Id, Moment[]>> {
  const { tenantId } = ctx.caller
  const from = itemIds.map(id => since.get(id) ?? null)
  const wanted = JSON.stringify(itemIds.map((id, i) => ({ id, from: from[i] })))
  const rows =
    await ctx.sql<Row>`select i.id, to_jsonb(i) as item, to_jsonb(f) as ticket, coalesce(i.process_id, c.default_process_id) as "processId"
    from item i left join ticket f on f.tenant_id = i.tenant_id and f.id = i.id
      left join container c on c.tenant_id = i.tenant_id and c.id = i.container_id
    where i.tenant_id = ${tenantId} and i.id = any(${itemIds}::uuid[])`
  const events =
    await ctx.sql<EventRow>`select e.id, e.at, e.kind, e.entity, e.record_id as "itemId", e.actor_kind as "actorKind", e.changes
    from jsonb_to_recordset(${wanted}::jsonb) as w(id uuid, "from" uuid)
    join event e on e.tenant_id = ${tenantId} and e.record_id = w.id and e.entity in ('Item', 'Ticket') and (w."from" is null or e.id >= w."from")
    where e.kind = ${orderKind} or e.kind not like 'clock.%' order by e.id`
  const said =
    await ctx.sql<SaidRow>`select e.id, e.at, a.item_id as "itemId", e.actor_kind as "actorKind", coalesce((e.changes -> 'kind' ->> 'to')::int, a.kind) as said, a.mail -> 'headers' as headers
    from jsonb_to_recordset(${wanted}::jsonb) as w(id uuid, "from" uuid)
    join annotation a on a.tenant_id = ${tenantId} and a.item_id = w.id and a.merged_from is null
    join event e on e.tenant_id = ${tenantId} and e.record_id = a.id and e.kind in ('annotation.replied', 'annotation.requesterReplied') and (w."from" is null or e.id >= w."from")
    order by e.id`
  const fields = await fieldsOf(ctx)
  const ofItem = Map.groupBy(events, each => each.itemId)
  const saidOf = Map.groupBy(said, each => each.itemId)
  const stories = rows.map(row => storyOf(row, ofItem.get(row.id) ?? [], saidOf.get(row.id) ?? []))
  const snapshots = stories.flatMap(each => each.snapshots)
  const answers = await ask(ctx, all, snapshots, kept => keptValues(fields, kept))
  const resting = await restingIn(ctx, snapshots)
  const found = new Map<Id, Moment[]>()
  for (const story of stories) found.set(story.id, standing(story, answers, resting))
  return found
}

interface Told {
  id: Id
  at: number
  snapshot: Snapshot
  said?: 'message' | 'reply' | 'update'
  order?: Order
}

interface Story {
  id: Id
  snapshots: Snapshot[]
  told: Told[]
}

/** Takes the item back along its events: how it stood after each of them. */
function storyOf(row: Row, events: readonly EventRow[], said: readonly SaidRow[]): Story {
  let now: Snapshot = { item: row.item, ticket: row.ticket ?? {}, processId: row.processId ?? '' }
  const snapshots: Snapshot[] = [now]
  const after = new Map<Id, Snapshot>()
  for (const event of events.toReversed()) {
    after.set(event.id, now)
    if (event.kind === orderKind) continue
    const before = event.entity === 'Item' ? itemBefore(now, event.changes) : facetBefore(now, event.changes)
    if (before === now) continue
    now = before
    snapshots.push(now)
  }
  const moments = [...events.map(event => ({ event })), ...said.map(each => ({ each }))].sort((a, b) =>
    idOf(a) < idOf(b) ? -1 : 1,
  )
  const told: Told[] = []
  let current = now
  let last = 0
  for (const moment of moments) {
    if ('event' in moment) current = after.get(moment.event.id) ?? current
    const { id, at } = 'event' in moment ? moment.event : moment.each
    last = Math.max(last, at.getTime())
    told.push({ id, at: last, snapshot: current, ...('event' in moment ? orderOf(moment.event) : saidBy(moment.each)) })
  }
  return { id: row.id, snapshots, told: withoutAbsence(told) }
}

const idOf = (each: { event: EventRow } | { each: SaidRow }) => ('event' in each ? each.event.id : each.each.id)

function itemBefore(now: Snapshot, changes: Changes): Snapshot {
  const item = undone(items, now.item, changes)
  const custom = Object.entries(changes).filter(([property]) => property.startsWith('Field.'))
  if (custom.length === 0) return item === now.item ? now : { ...now, item }
  const fields = { ...(item.fields as Record<string, unknown>) }
  for (const [property, { from }] of custom) {
    if (from === null || from === undefined) delete fields[property.slice(6)]
    else fields[property.slice(6)] = from
  }
  return { ...now, item: { ...item, fields } }
}

function facetBefore(now: Snapshot, changes: Changes): Snapshot {
  const ticket = undone(tickets, now.ticket, changes)
  return ticket === now.ticket ? now : { ...now, ticket }
}

/** A row with its columns as they were before a change; a creation changes nothing that was there. */
function undone({ byProperty }: Kind, row: Record<string, unknown>, changes: Changes): Record<string, unknown> {
  let made = row
  for (const [property, change] of Object.entries(changes)) {
    const column = property === 'deleted' ? { column: 'deleted', type: 'boolean' } : byProperty.get(property)
    if (!column || !('from' in change)) continue
    made = { ...made, [column.column]: column.type === 'uuid' && change.from === '' ? null : change.from }
  }
  return made
}

/** An item that came back was never away: what was merged or deleted meanwhile counts as it stood before. */
function withoutAbsence(told: readonly Told[]): Told[] {
  const lastHere = told.findLastIndex(each => !isGone(each.snapshot))
  let here: Snapshot | undefined
  return told.map((each, i) => {
    if (!isGone(each.snapshot)) here = each.snapshot
    return i < lastHere && here ? { ...each, snapshot: here } : each
  })
}

const isGone = ({ item }: Snapshot) => item.deleted === true || (item.merged_into ?? null) !== null

function orderOf({ kind, changes }: EventRow): { order?: Order } {
  if (kind !== orderKind) return {}
  const text = (property: string) => String(changes[property]?.to ?? '')
  const to = text('to')
  return {
    order: {
      verb: text('verb') as Order['verb'],
      clockId: text('clockId'),
      reason: text('reason'),
      ...(to ? { to } : {}),
    },
  }
}

function saidBy({ said, actorKind, headers }: SaidRow): { said?: 'message' | 'reply' | 'update' } {
  if (isAutomatic(actorKind, headers)) return {}
  if (said === kindCode.message) return { said: 'message' }
  if (said === kindCode.reply || said === kindCode.resolution) return { said: 'reply' }
  return said === kindCode.update ? { said: 'update' } : {}
}

function standing({ told }: Story, answers: Answers, resting: Resting): Moment[] {
  return told.map(({ snapshot, ...moment }) => ({ ...moment, standing: standingOf(snapshot, answers, resting) }))
}

function standingOf(snapshot: Snapshot, answers: Answers, resting: Resting): Standing {
  const { item, ticket } = snapshot
  const given = answers.get(snapshot)
  return {
    created: Date.parse(String(item.created)),
    containerId: String(item.container_id),
    closed: isClosed(Number(item.status_category)),
    gone: isGone(snapshot),
    waitingOn: Number(ticket.waiting_on ?? 0),
    resting: resting(snapshot),
    holds: (clockId, condition) => given?.holds(clockId, condition) ?? !condition.endsWith('!'),
    began: clockId => given?.began(clockId),
  }
}

type Resting = (snapshot: Snapshot) => boolean

/** Whether an item, as it stood, was in a state of its process in which clocks rest. */
async function restingIn(ctx: Context, snapshots: readonly Snapshot[]): Promise<Resting> {
  const ids = new Set(snapshots.map(processIdOf).filter(id => id !== ''))
  const states = new Map<Id, { fieldId: string; value: string }[]>()
  for (const id of ids) states.set(id, await restingStates(ctx, id))
  return snapshot =>
    (states.get(processIdOf(snapshot)) ?? []).some(({ fieldId, value }) => {
      const { item } = snapshot
      const held = fieldId === 'status' ? item.status : (item.fields as Record<string, unknown>)[fieldId]
      return String(held ?? '').toLowerCase() === value.toLowerCase()
    })
}

const processIdOf = ({ item, processId }: Snapshot) => String(item.process_id ?? processId)

/** The typed copies of custom values, as they would be kept aside. */
function keptValues(fields: readonly Field[], held: Record<string, unknown>): Record<string, unknown>[] {
  return fields.flatMap(field => {
    if (held[field.id] === undefined) return []
    const value = readFieldValue(field, held[field.id])
    if (isValueFault(value)) return []
    return value.rows.map((each, n) => ({
      field_id: field.id,
      n,
      text_value: each.text,
      number_value: each.number,
      instant_value: each.instant,
      date_value: each.date,
      id_value: each.id,
    }))
  })
}
