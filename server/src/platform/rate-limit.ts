import type { FastifyReply } from 'fastify'
import type { Caller } from '../kernel/access.ts'
import { Refusal } from '../kernel/refusal.ts'

/** Limits the requests per minute of a tenant in this process; further ones are refused with the time to wait. */
export function openRateLimit(perMinute: number): (caller: Caller, reply: FastifyReply) => void {
  if (perMinute === 0) return () => {}
  const buckets = new Map<string, { left: number; at: number }>()
  return ({ tenantId }, reply) => {
    const now = Date.now()
    const bucket = buckets.get(tenantId) ?? { left: perMinute, at: now }
    buckets.set(tenantId, bucket)
    bucket.left = Math.min(perMinute, bucket.left + ((now - bucket.at) * perMinute) / 60_000)
    bucket.at = now
    const wait = Math.ceil(((1 - bucket.left) * 60) / perMinute)
    reply.header('ratelimit-policy', `"tenant";q=${perMinute};w=60`)
    reply.header('ratelimit', `"tenant";r=${Math.max(0, Math.floor(bucket.left - 1))};t=${Math.max(0, wait)}`)
    if (bucket.left < 1)
      throw new Refusal(429, 'too-many-requests', 'the tenant has reached its limit of requests; try again later', {
        headers: { 'retry-after': String(Math.max(1, wait)) },
      })
    bucket.left -= 1
  }
}
