import { createHash } from 'node:crypto'
import type { Context } from '../../kernel/context.ts'
import type { KeyedRequest } from '../../kernel/http/http-options.ts'
import { collected, type Operation, type Reply } from '../../kernel/operation.ts'
import { Conflict, fault, Invalid, Refusal } from '../../kernel/refusal.ts'

interface StoredReply {
  digest: string
  status: number
  headers: Record<string, string>
  body: string
}

/** Larger replies are not stored; the requests that have them identify their records themselves. */
const maxStoredLength = 4_000_000

/**
 * Runs a POST with an `Idempotency-Key` once: the reply is stored in the transaction of the effect, so that neither exists
 * without the other. A reply with a secret is not stored, and a repetition is refused.
 */
export async function idempotently(
  ctx: Context,
  { key, route, operation, url, body: given }: KeyedRequest,
  run: (ctx: Context) => Promise<Reply>,
): Promise<Reply> {
  if (key.length > 255 || !/^[\x21-\x7e]+$/.test(key))
    throw new Invalid([fault(['Idempotency-Key'], 'pattern', 'must have 1 to 255 visible characters')])
  const { tenantId, userId } = ctx.caller
  const digest = createHash('sha256')
    .update(JSON.stringify([url, canonical(given)]))
    .digest('base64url')
  const [lock] = await ctx.sql<{
    free: boolean
  }>`select pg_try_advisory_xact_lock(hashtextextended(${[tenantId, userId, route, key].join(' ')}, 0)) as free`
  if (!lock?.free)
    throw new Conflict('in-progress', 'a request with this Idempotency-Key is still running', { 'retry-after': '1' })
  const [kept] = await ctx.sql<StoredReply>`select digest, status, headers, body from idempotency
    where tenant_id = ${tenantId} and principal_id = ${userId} and route = ${route} and key = ${key} and at > ${new Date(ctx.now.getTime() - 86_400_000)}`
  if (kept) return replay(kept, digest, operation)
  const reply = await collected(await run(ctx), ctx)
  const body = operation.unrepeatable
    ? ''
    : (reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body)))
  if (body.length <= maxStoredLength) {
    const headers = {
      ...reply.headers,
      'change-set': ctx.changeSet,
      ...(reply.version === undefined ? {} : { etag: `"v${reply.version}"` }),
    }
    await ctx.sql`insert into idempotency (tenant_id, principal_id, route, key, at, digest, status, headers, body)
      values (${tenantId}, ${userId}, ${route}, ${key}, ${ctx.now}, ${digest}, ${reply.status ?? operation.reply.status}, ${JSON.stringify(headers)}::jsonb, ${body})
      on conflict (tenant_id, principal_id, route, key) do update set at = excluded.at, digest = excluded.digest, status = excluded.status, headers = excluded.headers, body = excluded.body`
  }
  return reply
}

function replay(kept: StoredReply, digest: string, operation: Operation): Reply {
  if (kept.digest !== digest)
    throw new Refusal(422, 'idempotency-key-reused', 'this Idempotency-Key was used with another body')
  if (operation.unrepeatable)
    throw new Conflict('not-repeatable', 'this request was completed before, and its answer is shown only once')
  return {
    status: kept.status,
    headers: { ...kept.headers, 'idempotency-replayed': 'true' },
    ...(kept.body === '' ? {} : { text: kept.body }),
  }
}

/** Sorts properties, because their order does not make another body. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, content]) => [key, canonical(content)]),
  )
}
