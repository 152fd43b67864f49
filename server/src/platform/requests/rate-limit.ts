import type { FastifyReply } from 'fastify'
import type { Caller } from '../../kernel/access.ts'
import type { Id } from '../../kernel/id.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Allowance, Allowances } from './allowances.ts'

// All processes of a node count together. A process takes a hundredth of the limit at a time, so that hardly any request
// waits for the process that counts. What a process has taken and not used is the only error.

interface Tenant {
  /** The requests that this process may still answer. */
  own: number
  /** What the last allowance said. */
  last: Allowance
  /** No request is answered before, because nothing is left; ms. */
  refusedUntil: number
  asking: Promise<void> | undefined
}

const maxTenants = 10_000

/** Limits the requests per minute of a tenant; further ones are refused with the time to wait. 0 means no limit. */
export function openRateLimit(
  perMinute: number,
  allowances: Allowances,
  now: () => number = Date.now,
): (caller: Caller, reply: FastifyReply) => void | Promise<void> {
  const tenants = new Map<Id, Tenant>()

  function tenantOf(tenantId: Id): Tenant {
    let tenant = tenants.get(tenantId)
    if (!tenant) {
      if (tenants.size >= maxTenants) tenants.delete(tenants.keys().next().value ?? '')
      tenant = { own: 0, last: { granted: 0, left: 0, wait: 0 }, refusedUntil: 0, asking: undefined }
      tenants.set(tenantId, tenant)
    }
    return tenant
  }

  async function takeMore(tenantId: Id, tenant: Tenant, limit: number): Promise<void> {
    try {
      tenant.last = await allowances.take(tenantId, limit, Math.max(1, Math.floor(limit / 100)))
      tenant.own += tenant.last.granted
      if (tenant.last.granted === 0) tenant.refusedUntil = now() + Math.min(1000, 60_000 / limit)
    } finally {
      tenant.asking = undefined
    }
  }

  async function countAfterMore(tenantId: Id, tenant: Tenant, limit: number, reply: FastifyReply): Promise<void> {
    // Several requests may wait for the same allowance, which may be too small for all of them.
    do {
      tenant.asking ??= takeMore(tenantId, tenant, limit)
      await tenant.asking
    } while (tenant.own < 1 && tenant.last.granted > 0)
    count(tenant, limit, reply)
  }

  function count(tenant: Tenant, limit: number, reply: FastifyReply): void {
    const { left, wait } = tenant.last
    const isRefused = tenant.own < 1
    if (!isRefused) tenant.own -= 1
    const more = left + tenant.own
    reply.header('ratelimit-policy', `"tenant";q=${limit};w=60`)
    reply.header('ratelimit', `"tenant";r=${more};t=${more > 0 ? 0 : wait}`)
    if (isRefused)
      throw new Refusal(429, 'too-many-requests', 'the tenant has reached its limit of requests; try again later', {
        headers: { 'retry-after': String(Math.max(1, wait)) },
      })
  }

  return ({ tenantId, requestsPerMinute }, reply) => {
    const limit = requestsPerMinute || perMinute
    if (limit === 0) return
    const tenant = tenantOf(tenantId)
    if (tenant.own >= 1 || tenant.refusedUntil > now()) return count(tenant, limit, reply)
    return countAfterMore(tenantId, tenant, limit, reply)
  }
}
