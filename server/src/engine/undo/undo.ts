import type { TProperties } from 'typebox'
import { contributors, everyone, managers, may, narrowedTo, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents, eventJson } from '../../kernel/events.ts'
import { type Id, isId } from '../../kernel/id.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { eventSchema } from '../../kernel/record/history.ts'
import type { Stored } from '../../kernel/record/record.ts'
import { NotFound, Refusal } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { raw } from '../../kernel/sql.ts'
import { changeSetEntity, visibleEvents } from '../event-visibility.ts'
import { builtOn } from './built-on.ts'
import { type ChangeSetEvent, changedSince, type Reversal, reversals, type UndoConflict } from './reversal.ts'

/** Undoes the changes to records of one kind, or returns the conflicts that prevent it. */
export type Undoer = (ctx: Context, given: readonly Reversal[], changeSetId: Id) => Promise<UndoConflict[]>

/** Permits reading and undoing the change sets of other people. */
const readChange = permission('change.read', everyone)
const othersChanges = narrowedTo(managers, readChange)
const maxRecords = 5000
const maxConflicts = 100

interface ChangeSet {
  id: Id
  at: string
  actor: { id: Id; kind: string }
  events: (ChangeSetEvent & { seq: string })[]
  /** The events whose records the caller may see. */
  shown: (ChangeSetEvent & { seq: string })[]
}

type LoggedEvent = { seq: string; at: string; type: string; actor: ChangeSet['actor'] } & Omit<ChangeSetEvent, 'kind'>

/** Returns a change set to the person who made it, or to a manager who sees some of its records. */
async function changeSetOf(ctx: Context, id: Id): Promise<ChangeSet> {
  const { tenantId } = ctx.caller
  const kinds = isId(id)
    ? await ctx.sql<{
        entity: string
      }>`select distinct entity from event where tenant_id = ${tenantId} and change_set_id = ${id}`
    : []
  if (kinds.length === 0) throw new NotFound('change')
  const visible = visibleEvents(
    ctx.caller,
    raw('e'),
    kinds.map(each => each.entity),
  )
  const rows = await ctx.sql<{
    event: LoggedEvent
    shown: boolean
  }>`select ${eventJson} as event, ${visible} as shown from event e
    where e.tenant_id = ${tenantId} and e.change_set_id = ${id} order by e.xact, e.id limit ${maxRecords * 4}`
  const first = rows[0]?.event
  const events = rows.map(({ event }) => ({ ...event, kind: event.type }))
  const shown = events.filter((_, i) => rows[i]?.shown)
  const isReader = may(ctx.caller, othersChanges) && seesRecord(shown)
  if (!first || (first.actor.id !== ctx.caller.userId && !isReader)) throw new NotFound('change')
  return { id, at: first.at, actor: first.actor, events, shown }
}

function seesRecord(shown: readonly ChangeSetEvent[]): boolean {
  return shown.some(({ entity }) => entity !== changeSetEntity)
}

/** Returns the change set that undid this one last, unless that was undone itself. */
async function undoneBy(ctx: Context, id: Id): Promise<Id | null> {
  const [row] = await ctx.sql<{ by: Id }>`select change_set_id as by from event
    where tenant_id = ${ctx.caller.tenantId} and record_id = ${id} and kind = ${undone} order by xact desc, id desc limit 1`
  if (!row) return null
  // When the undo was undone, the original change is in effect again.
  return (await undoneBy(ctx, row.by)) === null ? row.by : null
}

const undone = 'change.undone'

const schema: Schema = {
  type: 'object',
  title: 'Change',
  properties: {
    id: { type: 'string' },
    at: { type: 'string', format: 'date-time' },
    actor: {
      type: 'object',
      properties: { id: { type: 'string' }, kind: { type: 'string' } },
      required: ['id', 'kind'],
    },
    records: { type: 'integer', description: 'The number of changed records.' },
    undoneBy: { type: ['string', 'null'], description: 'The change set that undid this one, or null.' },
    events: { type: 'array', items: eventSchema },
  },
  required: ['id', 'at', 'actor', 'records', 'undoneBy', 'events'],
}

const read = operation({
  permission: readChange,
  mode: 'read',
  summary: 'Read a change set',
  description:
    'Every write returns the header `Change-Set`. This operation returns the events of that change set, as far as the caller may see the records. The person who made it can read it, and managers can. If the caller sees none of the records, the answer is 404.',
  reply: { status: 200, schema, description: 'The change set.' },
  refusals: [404],
  async run(ctx, { params }) {
    const { id, at, actor, shown } = await changeSetOf(ctx, params.id ?? '')
    if (!seesRecord(shown)) throw new NotFound('change')
    const records = new Set(shown.map(each => `${each.entity} ${each.recordId}`)).size
    return { body: { id, at, actor, records, undoneBy: await undoneBy(ctx, id), events: shown.map(withoutKind) } }
  },
})

function withoutKind({ kind: _kind, ...event }: ChangeSetEvent): object {
  return event
}

const answerSchema: Schema = {
  type: 'object',
  title: 'Undone',
  properties: {
    undone: { type: 'string', description: 'The change set that was undone.' },
    records: { type: 'integer' },
  },
  required: ['undone', 'records'],
}

/** Undoes a whole change set if it is of a kind that has its own way of undoing, and returns whether it did. */
type ChangeSetUndoer = (ctx: Context, events: readonly ChangeSetEvent[]) => Promise<boolean>

/**
 * The operations on change sets. `undoers` covers the kinds that are stored in more than one row; `whole` covers the
 * change sets that cannot be undone record by record.
 */
export function changeRoutes(undoers: Readonly<Record<string, Undoer>>, whole: readonly ChangeSetUndoer[]): Routes {
  const undo = operation({
    permission: permission('change.undo', contributors),
    mode: 'write',
    summary: 'Undo a change set',
    description:
      'Reverses a creation, an update, a bulk change, a deletion, a move or a merge exactly: all of it or nothing. If somebody changed the same property since, or refers to a record that the set created (`usedBy`), the answer is 409 with the list of `conflicts`. The caller needs the right to change each record. The undo is a change set itself, and can be undone.',
    reply: { status: 200, schema: answerSchema, description: 'The undone change set.' },
    refusals: [404, 409, 422],
    async run(ctx, { params }) {
      const { id, events } = await changeSetOf(ctx, params.id ?? '')
      // The lock serialises concurrent undos of one change set, so the second one finds it undone.
      await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`undo ${id}`}, 0))`
      if ((await undoneBy(ctx, id)) !== null)
        throw new Refusal(409, 'already-undone', 'this change set was undone already')
      const all = reversals(events).filter(each => kindNamed(each.entity) !== undefined)
      if (all.length > maxRecords)
        throw new Refusal(422, 'too-many-records', `at most ${maxRecords} records can be undone at once`)
      const conflicts: UndoConflict[] = []
      const parts = (await undoneAtOnce(ctx, whole, events)) ? [] : all
      for (const [entity, group] of Map.groupBy(parts, each => each.entity))
        conflicts.push(...(await (undoers[entity] ?? undoRecords)(ctx, group, id)))
      if (conflicts.length > 0)
        throw new Refusal(409, 'undo-conflict', 'the records were changed or used since', {
          extra: { conflicts: conflicts.slice(0, maxConflicts) },
        })
      await appendEvents(ctx, [{ kind: undone, entity: changeSetEntity, recordId: id, changes: {} }])
      return { body: { undone: id, records: all.length } }
    },
  })
  return { 'GET /change/:id': read, 'POST /change/:id/undo': undo }
}

/** Whether one of these undid the whole change set. */
async function undoneAtOnce(
  ctx: Context,
  whole: readonly ChangeSetUndoer[],
  events: readonly ChangeSetEvent[],
): Promise<boolean> {
  for (const undo of whole) if (await undo(ctx, events)) return true
  return false
}

/**
 * Undoes changes to a kind that is stored as one row per record: its create, update, remove and restore reverse each
 * other.
 */
export async function undoRecords(ctx: Context, given: readonly Reversal[], changeSetId: Id): Promise<UndoConflict[]> {
  const conflicts: UndoConflict[] = []
  const kept = Map.groupBy(await builtOn(ctx, given, changeSetId), each => each.recordId)
  for (const reversal of given) {
    const { entity, recordId } = reversal
    const kind = kindNamed(entity)
    const record = await kind?.find(ctx, recordId, { deleted: true, lock: true })
    if (!kind || !record) conflicts.push({ entity, recordId, property: 'id' })
    else if (reversal.created) {
      if (record.deleted) continue
      const since = kept.get(recordId)
      if (since) conflicts.push(...since)
      else await kind.remove(ctx, recordId)
    } else conflicts.push(...(await undoChange(ctx, kind, record, reversal)))
  }
  return conflicts
}

async function undoChange(
  ctx: Context,
  kind: Kind,
  record: Stored<TProperties>,
  reversal: Reversal,
): Promise<UndoConflict[]> {
  const { entity, recordId, deleted, properties } = reversal
  for (const property of properties.keys()) if (!kind.byProperty.has(property)) properties.delete(property)
  const conflicts = changedSince(reversal, property => Reflect.get(record, property))
  if (deleted !== undefined && deleted !== record.deleted)
    conflicts.push({ entity, recordId, property: 'deleted', expected: deleted, current: record.deleted })
  if (conflicts.length > 0) return conflicts
  if (deleted === true) await kind.restore(ctx, recordId)
  const values = Object.fromEntries([...properties].map(([property, { from }]) => [property, from]))
  if (Object.keys(values).length > 0) await kind.update(ctx, recordId, values)
  if (deleted === false) await kind.remove(ctx, recordId)
  return []
}
