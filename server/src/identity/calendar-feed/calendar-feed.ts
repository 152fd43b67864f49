import { createHash, randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { permission, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, isId, newId } from '../../kernel/id.ts'
import { bodyOf, operation, type Routes } from '../../kernel/operation.ts'
import { NotFound, RuleBroken } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Name } from '../../kernel/schema/values.ts'

// The addresses of calendar feeds. Who knows one reads the calendar without signing in, so that each is a credential: shown once,
// stored as a digest, revoked by the user and with the user. What a feed contains is in plan/calendar-feed.

const manageFeeds = permission('user.calendarFeed', staff, { credential: true })

const maxPerUser = 50

const shown: Record<string, Schema> = {
  id: { type: 'string' },
  name: { type: 'string' },
  created: { type: 'string', format: 'date-time' },
  lastUsed: { type: ['string', 'null'], format: 'date-time', description: 'To the hour.' },
}
const feedSchema: Schema = { type: 'object', title: 'CalendarFeed', properties: shown, required: Object.keys(shown) }
const freshSchema: Schema = {
  type: 'object',
  title: 'FreshCalendarFeed',
  properties: {
    ...shown,
    url: { type: 'string', description: 'The address for the calendar program. Only this response contains it.' },
  },
  required: [...Object.keys(shown), 'url'],
}

interface CalendarFeed {
  id: Id
  name: string
  created: string
  lastUsed: string | null
}

const create = operation({
  permission: manageFeeds,
  mode: 'write',
  unrepeatable: true,
  summary: 'Create a calendar feed',
  description: `Returns an address (\`/calendar/….ics\`) by which calendar programs read what is planned for the caller: allocations, leave and due items, as iCalendar. It needs no sign-in, so that it must be kept secret; it shows what the caller may see at that time, and ends with the caller's account. At most ${maxPerUser} (422 \`too-many-feeds\`).`,
  body: bodyOf(Type.Object({ name: Name(120) }, { additionalProperties: false }), { name: 'Phone' }),
  reply: { status: 201, schema: freshSchema, description: 'The feed, with `url`.' },
  refusals: [422],
  async run(ctx, { body }) {
    const { tenantId, userId } = ctx.caller
    // Two requests at once would not see each other's feeds.
    await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`calendar feeds of ${userId}`}, 0))`
    if ((await feedsOf(ctx)).length >= maxPerUser)
      throw new RuleBroken('too-many-feeds', `a user has at most ${maxPerUser} calendar feeds; revoke one first`)
    const token = randomBytes(32).toString('base64url')
    const feed = { id: newId(), name: body.name, created: ctx.now.toISOString(), lastUsed: null }
    await ctx.sql`insert into calendar_feed (tenant_id, id, user_id, name, digest, created)
      values (${tenantId}, ${feed.id}, ${userId}, ${feed.name}, ${digestOf(token)}::bytea, ${ctx.now})`
    await noteFeed(ctx, 'user.calendarFeedCreated', userId)
    return { body: { ...feed, url: `${ctx.services.baseUrl}/calendar/${token}.ics` } }
  },
})

const list = operation({
  permission: manageFeeds,
  mode: 'read',
  summary: 'List the calendar feeds of the caller',
  description: 'The feeds of the caller, without their addresses.',
  reply: { status: 200, schema: { type: 'array', items: feedSchema }, description: 'The feeds, oldest first.' },
  async run(ctx) {
    return { body: await feedsOf(ctx) }
  },
})

const revoke = operation({
  permission: manageFeeds,
  mode: 'write',
  summary: 'Revoke a calendar feed',
  description: 'The address of the feed is not valid any more.',
  reply: { status: 204, description: 'The feed is revoked.' },
  refusals: [404],
  async run(ctx, { params }) {
    const { feedId = '' } = params
    const { tenantId, userId } = ctx.caller
    const [gone] = isId(feedId)
      ? await ctx.sql`delete from calendar_feed
          where tenant_id = ${tenantId} and user_id = ${userId} and id = ${feedId} returning 1`
      : []
    if (!gone) throw new NotFound()
    await noteFeed(ctx, 'user.calendarFeedRevoked', userId)
    return {}
  },
})

async function feedsOf(ctx: Context): Promise<CalendarFeed[]> {
  return await ctx.sql<CalendarFeed>`select f.id, f.name, f.created, f.last_used as "lastUsed" from calendar_feed f
    where f.tenant_id = ${ctx.caller.tenantId} and f.user_id = ${ctx.caller.userId} order by f.created, f.id`
}

async function noteFeed(ctx: Context, kind: string, userId: Id): Promise<void> {
  await appendEvents(ctx, [{ kind, entity: 'User', recordId: userId, changes: {} }])
}

/** Revokes all feeds of a user who leaves. */
export async function revokeFeedsOf(ctx: Context, userId: Id): Promise<void> {
  const gone = await ctx.sql`delete from calendar_feed
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId} returning 1`
  for (const _each of gone) await noteFeed(ctx, 'user.calendarFeedRevoked', userId)
}

/** Whose feed it is. */
interface FeedOwner {
  tenantId: Id
  feedId: Id
  userId: Id
}

/** Finds the feed of an address; undefined if it is malformed, unknown or revoked. */
export async function feedOwner({ crossTenantSql }: Database, token: string): Promise<FeedOwner | undefined> {
  // The whole secret is looked up by its digest, so that the time it takes tells nothing about it.
  if (!/^[\w-]{43}$/.test(token)) return undefined
  const [row] = await crossTenantSql<FeedOwner>`select tenant_id as "tenantId", id as "feedId", user_id as "userId"
    from calendar_feed where digest = ${digestOf(token)}::bytea`
  return row
}

/** Notes that a feed was read; once an hour is enough to see which ones are in use. */
export async function noteFeedUse(ctx: Context, feedId: Id): Promise<void> {
  await ctx.sql`update calendar_feed set last_used = ${ctx.now}
    where tenant_id = ${ctx.caller.tenantId} and id = ${feedId} and (last_used is null or last_used < ${ctx.now}::timestamptz - interval '1 hour')`
}

// 256 random bits cannot be guessed, so a fast hash is enough.
const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()

export const routes: Routes = {
  'GET /user/me/calendar-feed': list,
  'POST /user/me/calendar-feed': create,
  'DELETE /user/me/calendar-feed/:feedId': revoke,
}
