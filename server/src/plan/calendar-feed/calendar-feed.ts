import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { readUserAccess } from '../../identity/authority.ts'
import { feedOwner, noteFeedUse } from '../../identity/calendar-feed/calendar-feed.ts'
import { networkOf, openAttemptLimit } from '../../identity/oauth/sign-in/attempt-limit.ts'
import { type Caller, tenantStatus } from '../../kernel/access.ts'
import type { Database } from '../../kernel/database.ts'
import { NotFound, Refusal } from '../../kernel/refusal.ts'
import { feedEvents } from './feed-events.ts'

/**
 * Mounts the calendars of users. It is not an operation, because calendar programs have no session: the secret in the path is
 * the only credential. An unknown and a revoked address, and that of a user who may not sign in, get the same answer. Each
 * request reads the rights of the user anew.
 */
export function mountCalendarFeeds(app: FastifyInstance, database: Database, perMinute: number): void {
  const [unknown, known] = [openAttemptLimit(perMinute), openAttemptLimit(perMinute)]
  app.get<{ Params: { file: string } }>('/calendar/:file', async (request, reply) => {
    const network = networkOf(request.ip)
    if (!unknown.take(network)) throw tooMany()
    const owner = await feedOwner(database, request.params.file.replace(/\.ics$/, ''))
    const caller = owner && (await callerOf(database, owner))
    if (!owner || !caller) throw new NotFound('calendar')
    // Services that read calendars for many people do so from few addresses.
    unknown.giveBack(network)
    if (!known.take(owner.feedId)) throw tooMany()
    // Few processes ever serve a calendar.
    const { iCalendar } = await import('./icalendar.ts')
    const text = await database.single(caller, async ctx => {
      await noteFeedUse(ctx, owner.feedId)
      return iCalendar(`Gantry: ${caller.name}`, await feedEvents(ctx))
    })
    const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
    reply.headers({ etag, 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' })
    if (String(request.headers['if-none-match'] ?? '').includes(etag)) return reply.code(304).send()
    return reply.type('text/calendar; charset=utf-8').send(text)
  })
}

const tooMany = () =>
  new Refusal(429, 'too-many-requests', 'too many requests; wait a minute', { headers: { 'retry-after': '60' } })

/** The user of a feed with their present rights; undefined if they may not sign in. */
async function callerOf(
  database: Database,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<Caller | undefined> {
  const access = await readUserAccess(database, tenantId, userId)
  if (!access || access.tenantStatus === tenantStatus.closing) return undefined
  const { name, timezone, authority } = access
  return { tenantId, userId, name, timezone, authority, kind: 'user', scopes: [] }
}
