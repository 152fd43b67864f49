import { type Field, fieldsOf, isValueFault, readFieldValue } from '../../containers/field/field.ts'
import { annotationKind, isAutomatic } from '../../desk/annotation/annotation.ts'
import { restingStates } from '../../items/item-process/item-process.ts'
import { isClosed } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'
import type { ClockDefinition } from './clock-definition.ts'
import { answerConditions, type ConditionAnswers } from './condition-answers.ts'
import type { ClockCommand, ItemMoment, ItemState } from './cycle.ts'
import { customValues, type ItemSnapshot, isGone, processIdOf, snapshotBefore } from './item-snapshot.ts'
import { planClocks } from './plan-clocks.ts'

/** The kind of the event that stores a command to a clock. */
export const commandEventKind = 'clock.ordered'

interface ItemRow {
  id: Id
  item: Record<string, unknown>
  ticket: Record<string, unknown> | null
  processId: Id | null
  containerCrmId: Id | null
}

interface EventRow {
  id: Id
  at: Date
  kind: string
  entity: string
  itemId: Id
  changes: Changes
}

interface MessageRow {
  id: Id
  at: Date
  itemId: Id
  actorKind: string
  annotationKind: number
  headers: Record<string, unknown> | null
  reachesNobody: boolean
}

/** The moments of items in the order of time, each with the state of the item after it; `since` is the first event that is needed. */
export async function momentsOf(
  ctx: Context,
  itemIds: readonly Id[],
  definitions: readonly ClockDefinition[],
  since: ReadonlyMap<Id, Id>,
): Promise<Map<Id, ItemMoment[]>> {
  const wanted = JSON.stringify(itemIds.map(id => ({ id, from: since.get(id) ?? null })))
  const rows = await itemRows(ctx, itemIds)
  const eventsOf = Map.groupBy(await eventRows(ctx, wanted), each => each.itemId)
  const messagesOf = Map.groupBy(await messageRows(ctx, wanted), each => each.itemId)
  const histories = rows.map(row => historyOf(row, eventsOf.get(row.id) ?? [], messagesOf.get(row.id) ?? []))
  const fields = await fieldsOf(ctx)
  const snapshots = histories.flatMap(each => each.snapshots)
  const answers = await answerConditions(ctx, definitions, snapshots, each => fieldRows(fields, each))
  const pausesClocks = await pausingStates(ctx, snapshots)
  const planClockOf = await planClocks(ctx, snapshots)
  return new Map(
    histories.map(({ id, entries }) => [
      id,
      entries.map(({ snapshot, ...entry }) => ({
        ...entry,
        itemState: {
          ...itemStateOf(snapshot, answers),
          paused: pausesClocks(snapshot),
          planClockId: planClockOf(snapshot),
        },
      })),
    ]),
  )
}

async function itemRows(ctx: Context, itemIds: readonly Id[]): Promise<ItemRow[]> {
  return await ctx.sql<ItemRow>`select i.id, to_jsonb(i) as item, to_jsonb(f) as ticket, coalesce(i.process_id, c.default_process_id) as "processId", c.crm_id as "containerCrmId"
    from item i left join ticket f on f.tenant_id = ${ownTenant} and f.id = i.id
      left join container c on c.tenant_id = ${ownTenant} and c.id = i.container_id
    where i.tenant_id = ${ctx.caller.tenantId} and i.id = any(${itemIds}::uuid[])`
}

async function eventRows(ctx: Context, wanted: string): Promise<EventRow[]> {
  return await ctx.sql<EventRow>`select e.id, e.at, e.kind, e.entity, e.record_id as "itemId", e.changes
    from jsonb_to_recordset(${wanted}::jsonb) as w(id uuid, "from" uuid)
    join event e on e.tenant_id = ${ctx.caller.tenantId} and e.record_id = w.id and e.entity in ('Item', 'Ticket') and (w."from" is null or e.id >= w."from")
    where e.kind = ${commandEventKind} or e.kind not like 'clock.%' order by e.id`
}

async function messageRows(ctx: Context, wanted: string): Promise<MessageRow[]> {
  const { tenantId } = ctx.caller
  return await ctx.sql<MessageRow>`select e.id, e.at, a.item_id as "itemId", e.actor_kind as "actorKind", coalesce((e.changes -> 'kind' ->> 'to')::int, a.kind) as "annotationKind", a.mail -> 'headers' as headers, a.reaches_nobody as "reachesNobody"
    from jsonb_to_recordset(${wanted}::jsonb) as w(id uuid, "from" uuid)
    join annotation a on a.tenant_id = ${tenantId} and a.item_id = w.id and a.merged_from is null
    join event e on e.tenant_id = ${tenantId} and e.record_id = a.id and e.kind in ('annotation.replied', 'annotation.requesterReplied') and (w."from" is null or e.id >= w."from")
    order by e.id`
}

interface HistoryEntry extends Omit<ItemMoment, 'itemState'> {
  snapshot: ItemSnapshot
}

interface ItemHistory {
  id: Id
  snapshots: ItemSnapshot[]
  entries: HistoryEntry[]
}

/** Undoes the events of an item one by one, from the newest to the oldest, to know how the item was after each of them. */
function historyOf(row: ItemRow, events: readonly EventRow[], messages: readonly MessageRow[]): ItemHistory {
  let snapshot: ItemSnapshot = {
    item: row.item,
    ticket: row.ticket ?? {},
    processId: row.processId ?? '',
    containerCrmId: row.containerCrmId ?? '',
  }
  const snapshots = [snapshot]
  const after = new Map<Id, ItemSnapshot>()
  for (const event of events.toReversed()) {
    after.set(event.id, snapshot)
    if (event.kind === commandEventKind) continue
    const before = snapshotBefore(snapshot, event.entity, event.changes)
    if (before === snapshot) continue
    snapshot = before
    snapshots.push(snapshot)
  }
  const happened = [
    ...events.map(each => ({ id: each.id, at: each.at, what: commandOf(each) })),
    ...messages.map(each => ({ id: each.id, at: each.at, what: messageOf(each) })),
  ].sort((a, b) => (a.id < b.id ? -1 : 1))
  const entries: HistoryEntry[] = []
  let last = 0
  for (const { id, at, what } of happened) {
    snapshot = after.get(id) ?? snapshot
    last = Math.max(last, at.getTime())
    entries.push({ id, at: last, snapshot, ...what })
  }
  return { id: row.id, snapshots, entries: withoutAbsence(entries) }
}

/** An item that came back counts as never gone: while it was merged or deleted, the snapshot before that is used. */
function withoutAbsence(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const lastPresent = entries.findLastIndex(each => !isGone(each.snapshot))
  let present: ItemSnapshot | undefined
  return entries.map((each, i) => {
    if (!isGone(each.snapshot)) present = each.snapshot
    return i < lastPresent && present ? { ...each, snapshot: present } : each
  })
}

const verbs: readonly ClockCommand['verb'][] = ['start', 'pause', 'resume', 'stop', 'reset', 'switch']

function commandOf({ kind, changes }: EventRow): { command?: ClockCommand } {
  if (kind !== commandEventKind) return {}
  const text = (property: string) => String(changes[property]?.to ?? '')
  const verb = verbs.find(each => each === text('verb'))
  if (!verb) return {}
  const to = text('to')
  return { command: { verb, clockId: text('clockId'), reason: text('reason'), ...(to ? { to } : {}) } }
}

function messageOf({
  annotationKind: kind,
  actorKind,
  headers,
  reachesNobody,
}: MessageRow): Pick<ItemMoment, 'message'> {
  if (reachesNobody || isAutomatic(actorKind, headers)) return {}
  if (kind === annotationKind.message) return { message: 'message' }
  if (kind === annotationKind.reply || kind === annotationKind.resolution) return { message: 'reply' }
  return kind === annotationKind.update ? { message: 'update' } : {}
}

function itemStateOf(snapshot: ItemSnapshot, answers: ConditionAnswers): Omit<ItemState, 'paused' | 'planClockId'> {
  const { item, ticket } = snapshot
  const answer = answers.get(snapshot)
  return {
    created: Date.parse(String(item.created)),
    containerId: String(item.container_id),
    closed: isClosed(Number(item.status_category)),
    gone: isGone(snapshot),
    waitingOn: Number(ticket.waiting_on ?? 0),
    holds: (clockId, condition) => answer?.holds(clockId, condition) ?? !condition.endsWith('!'),
    startInstant: clockId => answer?.startInstant(clockId),
  }
}

/** Whether a snapshot is in a workflow state that pauses clocks. */
async function pausingStates(
  ctx: Context,
  snapshots: readonly ItemSnapshot[],
): Promise<(snapshot: ItemSnapshot) => boolean> {
  const ids = new Set(snapshots.map(processIdOf).filter(id => id !== ''))
  const states = new Map<Id, { fieldId: string; value: string }[]>()
  for (const id of ids) states.set(id, await restingStates(ctx, id))
  return snapshot =>
    (states.get(processIdOf(snapshot)) ?? []).some(({ fieldId, value }) => {
      const current = fieldId === 'status' ? snapshot.item.status : customValues(snapshot)[fieldId]
      return String(current ?? '').toLowerCase() === value.toLowerCase()
    })
}

/** The rows of `item_value` that the custom values of a snapshot would have. */
function fieldRows(fields: readonly Field[], snapshot: ItemSnapshot): Record<string, unknown>[] {
  const values = customValues(snapshot)
  return fields.flatMap(field => {
    if (values[field.id] === undefined) return []
    const value = readFieldValue(field, values[field.id])
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
