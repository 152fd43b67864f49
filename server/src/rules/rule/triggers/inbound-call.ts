import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import { items } from '../../../items/item/item.ts'
import { tenantStatus } from '../../../kernel/access.ts'
import type { Database } from '../../../kernel/database.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import { NotFound, Refusal } from '../../../kernel/refusal.ts'
import { liveRules } from '../engine/live-rules.ts'
import { pass } from '../engine/pass.ts'
import { trigger } from '../rule-codes.ts'
import { digestOf, requestedOccurrence } from './manual-run.ts'

const maxBytes = 64 * 1024

/**
 * Mounts the route by which foreign systems trigger a rule. It is not an operation, because the caller has no session: the
 * secret in the path is the only credential. A wrong secret, a rule that is inactive or has another trigger, and an unknown
 * rule get the same answer, so that rules cannot be probed.
 */
export function mountRuleCalls(app: FastifyInstance, database: Database, perMinute: number): void {
  const limitRate = rateLimiter(perMinute)
  app.post<{ Params: { id: string; secret: string } }>(
    '/api/rule/:id/call/:secret',
    { bodyLimit: maxBytes },
    async (request, reply) => {
      const { id, secret } = request.params
      limitRate(`${request.ip} ${id.slice(0, 36)}`)
      const tenantId = await tenantFor(database, id.toLowerCase(), secret)
      if (!tenantId) throw new NotFound()
      const body: unknown = request.body ?? {}
      await database.transaction(tenantCaller(tenantId), async ctx => {
        const rule = (await liveRules(ctx)).all.find(
          each => each.id === id.toLowerCase() && each.trigger === trigger.call,
        )
        const [tenant] =
          await ctx.sql`select 1 from tenant where tenant_id = ${tenantId} and status = ${tenantStatus.active} and not deleted`
        if (!rule || !tenant) throw new NotFound()
        const named = body !== null && typeof body === 'object' ? String(Reflect.get(body, 'itemId') ?? '') : ''
        const item = isId(named) ? await items.find(ctx, named) : undefined
        await pass(ctx, [rule], requestedOccurrence(ctx, 'rule.called', item?.id ?? null, { call: body }), {
          waited: true,
        })
      })
      return reply.header('cache-control', 'no-store').code(202).send({ accepted: true })
    },
  )
}

async function tenantFor({ crossTenantSql }: Database, ruleId: string, secret: string): Promise<Id | undefined> {
  const [row] = isId(ruleId)
    ? await crossTenantSql<{
        tenantId: Id
        digest: Buffer
      }>`select tenant_id as "tenantId", digest from rule_call where rule_id = ${ruleId}`
    : []
  const given = digestOf(secret)
  return timingSafeEqual(given, row?.digest ?? Buffer.alloc(given.length)) && row ? row.tenantId : undefined
}

/** Limits the calls per minute, counted in this process. */
function rateLimiter(perMinute: number): (key: string) => void {
  const counts = new Map<string, { count: number; until: number }>()
  return key => {
    const now = Date.now()
    if (counts.size > 10_000) for (const [each, { until }] of counts) if (until <= now) counts.delete(each)
    const known = counts.get(key)
    const count = known && known.until > now ? known : { count: 0, until: now + 60_000 }
    counts.set(key, count)
    if (++count.count > perMinute)
      throw new Refusal(429, 'too-many-requests', 'too many calls; retry in a minute', {
        headers: { 'retry-after': String(Math.max(1, Math.ceil((count.until - now) / 1000))) },
      })
  }
}
