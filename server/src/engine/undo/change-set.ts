import { everyone, managers, may, narrowedTo, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { raw } from '../../kernel/sql.ts'
import { withChangesShown } from '../../records/amounts.ts'
import { eventJson } from '../../records/event-json.ts'
import { eventSchema } from '../../records/history.ts'
import { changeSetEntity, visibleEvents } from '../event-visibility.ts'
import type { ChangeSetEvent } from './reversal.ts'

/** Permits reading and undoing the change sets of other people. */
const readChange = permission('change.read', everyone)
const othersChanges = narrowedTo(managers, readChange)
/** The number of records of a change set that can be undone at once. */
export const maxRecords = 5000

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
export async function changeSetOf(ctx: Context, id: Id): Promise<ChangeSet> {
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
  }>`select ${eventJson()} as event, ${visible} as shown from event e
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
export async function undoneBy(ctx: Context, id: Id): Promise<Id | null> {
  const [row] = await ctx.sql<{ by: Id }>`select change_set_id as by from event
    where tenant_id = ${ctx.caller.tenantId} and record_id = ${id} and kind = ${undone} order by xact desc, id desc limit 1`
  if (!row) return null
  // When the undo was undone, the original change is in effect again.
  return (await undoneBy(ctx, row.by)) === null ? row.by : null
}

/** The kind of the event that an undo writes about the change set that it undid. */
export const undone = 'change.undone'

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

export const readChangeSet = operation({
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
    const events = shown.map(event => withoutKind(withChangesShown(ctx.caller, event)))
    return { body: { id, at, actor, records, undoneBy: await undoneBy(ctx, id), events } }
  },
})

function withoutKind({ kind: _kind, ...event }: ChangeSetEvent): object {
  return event
}
