import { everyone, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Input, operation, type Reply, type Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { readWhole } from '../../kernel/schema/whole-number.ts'
import { nothing, sql } from '../../kernel/sql.ts'
import type { Live } from './live.ts'
import type { LiveEvent } from './log/live-event.ts'
import { type LogPosition, parsePosition } from './log-position.ts'
import type { StreamRequest } from './sse-connection.ts'

/** Permits everybody to follow events as they are committed; each caller receives those of the records they may see. */
const followLive = permission('live.read', everyone)

/** The maximum of events in a reply that is not a stream. */
const maxAtOnce = 1000

export const followQuery: Record<string, Schema> = {
  after: {
    type: 'string',
    description:
      'The `seq` of the last event that was seen; the header `Last-Event-ID` has the same meaning. Without either the stream starts now.',
  },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: maxAtOnce,
    description: 'The maximum of events. The answer ends after the events that exist now.',
  },
}

export const streamSchema: Schema = { type: 'string', contentMediaType: 'text/event-stream' }

/**
 * Reads where to start and how long to go on. A client that accepts `text/event-stream` and names no limit receives
 * events until it disconnects.
 */
export function readStreamRange({ query, headers }: Input): {
  after: LogPosition | undefined
  limit: number | undefined
} {
  const last = headers['last-event-id']
  const after = last ? parsePosition(last, 'Last-Event-ID') : parsePosition(query.after)
  const isStream = /\btext\/event-stream\b/.test(String(headers.accept ?? ''))
  return { after, limit: readWhole('limit', query.limit, 1, maxAtOnce) ?? (isStream ? undefined : maxAtOnce) }
}

const stream = operation({
  permission: followLive,
  placed: true,
  mode: 'read',
  summary: 'Follow events',
  description:
    'The events of the records that the caller may see, as they are committed, in the order of the log, each once: server-sent events whose `id` is the position in the log and whose `data` is `{seq, type, entity, recordId, version, containerId, changeSetId, actor, at, changes}`, named as in the log; `kind` and `actorId` are former names of `type` and `actor.id`. `version` is that of the record after the change: a client that holds the version before can apply `changes` (omitted if it is long). `containerId` is the container that the record is or belongs to, or that of its item; it is omitted if there is none that the caller sees. With `Accept: text/event-stream` the answer goes on until the client disconnects; otherwise, and with `limit`, it ends after the events that exist now. A client that reconnects with `Last-Event-ID` or `after` misses no event and receives none twice. Two named messages take the place of many events, unless `limit` or `recordId` is given: `bulk` `{changeSetId, count, entities, containerIds}` for a change set of more than 200 records, with the numbers of those that the caller sees by kind (without `containerIds` if there are more than 100), and `reset` if more than 5,000 events lie between, after which the client reads its records again. In addition to the log there are notices with a name and without an id, which are not repeated for clients that missed them: `viewing.changed` `{itemId, userId, name, state}`, `timer.changed`, `inbox.changed`, and `session.changed` `{changed}` with `rights`, `preferences`, `unread` or `ended`.',
  query: {
    ...followQuery,
    types: { type: 'string', description: 'Only events of these types: `item.created,item.updated`.' },
    entity: { type: 'string', description: 'Only events of these kinds of records: `Item,Time`.' },
    recordId: { type: 'string', description: 'Only events of this record.' },
    containerId: { type: 'string', description: 'Only events of this container and its content.' },
  },
  reply: { status: 200, schema: streamSchema, description: 'The events, as server-sent events.' },
  async run(ctx, input) {
    const entities = words(input.query.entity)
    const types = words(input.query.types)
    const recordId = idGiven(input.query.recordId)
    const range = readStreamRange(input)
    return streamReply(ctx, {
      ...range,
      ...(entities || types || recordId
        ? {
            concerns: (event: LiveEvent) =>
              (!entities || entities.includes(event.entity.toLowerCase())) &&
              (!types || types.includes(event.kind.toLowerCase())) &&
              (!recordId || event.recordId === recordId),
          }
        : {}),
      ...(entities ? { concernsKind: (entity: string) => entities.includes(entity.toLowerCase()) } : {}),
      // Those who follow one record want its events, and a limited reply is one of a sequence that misses nothing.
      folds: recordId === undefined && types === undefined && range.limit === undefined,
      containerId: idGiven(input.query.containerId),
      wantsNotices: (entity, about) =>
        recordId === (recordId && about) &&
        !input.query.containerId &&
        !types &&
        (entities?.includes(entity.toLowerCase()) ?? true),
      where: sql`${entities ? sql`and lower(e.entity) = any(${entities})` : nothing} ${types ? sql`and lower(e.kind) = any(${types})` : nothing} ${recordId ? sql`and e.record_id = ${recordId}::uuid` : nothing}`,
    })
  },
})

declare module '../../kernel/context.ts' {
  interface Services {
    live: Live
  }
}

/** The reply that streams events of the log until the client disconnects. */
export function streamReply({ services }: Context, follow: StreamRequest): Reply {
  return {
    takeOver: ({ request, reply, caller, operation }) =>
      services.live.follow(request, reply, caller, operation, follow),
  }
}

function words(text: unknown): string[] | undefined {
  return typeof text === 'string' && text !== '' ? text.toLowerCase().split(',') : undefined
}

/** An id that is malformed matches nothing. */
function idGiven(text: unknown): Id | undefined {
  if (text === undefined || text === '') return undefined
  return isId(text) ? String(text).toLowerCase() : '00000000-0000-0000-0000-000000000000'
}

export const routes: Routes = { 'GET /event/stream': stream }
