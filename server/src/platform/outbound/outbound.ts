import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import type { Id } from '../../kernel/id.ts'
import { openCallQueue } from './call-queue.ts'
import { deadline } from './deadline.ts'
import { failureOf, OutboundFailure, tooLarge } from './failure.ts'
import { dnsResolver, guardedConnector, type Resolve } from './guarded-connector.ts'
import { retryAfterOf, validatorOf } from './response-headers.ts'
import { isTransportHeader, normalizeAllowEntry, type OutboundRules, urlFault } from './rules.ts'

export { type FailureReason, OutboundFailure } from './failure.ts'
export { headerFault, isTransportHeader, type OutboundRules, type Relay, urlFault } from './rules.ts'

/**
 * The only client for addresses that tenants enter. It never reaches internal hosts, and never reveals the response
 * body.
 */
export interface Outbound {
  /** Throws `OutboundFailure` when there is no complete answer. Any status, including a redirect, is an answer. */
  call(request: OutboundCall): Promise<OutboundResult>
  /** The same for the few callers that must read the body: they never show it unchanged. */
  ask(request: OutboundCall): Promise<OutboundAnswer>
  /** Accepts no more calls, waits a few seconds for the running ones, then aborts them. */
  close(): Promise<void>
}

export interface OutboundCall {
  tenantId: Id
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  /** The maximal size of the body, where it may exceed the default; at most 1 MiB. */
  maxBytes?: number
}

interface OutboundResult {
  status: number
  ms: number
  /** How long the host asks to wait before the next call; ms. */
  retryAfter?: number
}

interface OutboundAnswer {
  status: number
  type: string
  body: Buffer
  /** The validator of the answer; `''` if the host sent none or an invalid one. */
  etag: string
  lastModified: string
}

export interface OutboundOptions extends OutboundRules {
  limits?: Partial<typeof usualLimits>
  resolve?: Resolve
  ca?: string
}

const usualLimits = {
  /** Time limits: until the last header, for the body after it, and for the whole call; ms. */
  headers: 5000,
  body: 15_000,
  total: 20_000,
  /** The maximal size of the body in bytes: the default, and the upper bound. */
  size: 64 * 1024,
  longest: 1024 * 1024,
  /** The maximum of concurrent calls of one tenant: to one host, and in total. */
  perHost: 5,
  perTenant: 25,
  /** How many calls may wait for one host, and for how many ms. */
  waiting: 100,
  patience: 20_000,
  /** How long running calls may continue when the client closes; ms. */
  farewell: 5000,
}

/** The maximum of tenants whose connections are kept open. */
const maxPools = 200

export function openOutbound(options: OutboundOptions): Outbound {
  const limits = { ...usualLimits, ...options.limits }
  const rules: OutboundRules = { ...options, allow: (options.allow ?? []).map(normalizeAllowEntry) }
  const resolve = options.resolve ?? dnsResolver()
  const hosts = openCallQueue({ ...limits, atOnce: limits.perHost })
  const tenants = openCallQueue({ ...limits, atOnce: limits.perTenant })
  const pools = new Map<Id, Pool>()
  const running = new Set<Promise<unknown>>()
  let closed = false

  async function send(
    { tenantId, method, url, headers, body, maxBytes = limits.size }: OutboundCall,
    keep: (chunk: Buffer) => unknown = () => {},
  ): Promise<Omit<OutboundAnswer, 'body'> & { ms: number; retryAfter: number | undefined }> {
    if (closed) throw new OutboundFailure('closed', 'the service is stopping')
    const { origin, pathname, search } = new URL(url)
    const began = performance.now()
    const clock = deadline(limits)
    const pool = poolOf(tenantId)
    const most = Math.min(maxBytes, limits.longest)
    let status: number | undefined
    let length = 0
    try {
      const reply = await pool.agent.request({
        origin,
        path: pathname + search,
        method,
        headers: { ...headers, 'user-agent': 'Gantry' },
        body: body ?? null,
        signal: clock.signal,
      })
      status = reply.statusCode
      clock.bodyBegins()
      // Most callers do not need the body, so only its size is checked.
      for await (const chunk of reply.body) {
        length += chunk.length
        if (length > most) throw tooLarge(most)
        keep(chunk)
      }
      return {
        status,
        ms: Math.round(performance.now() - began),
        type: String(reply.headers['content-type'] ?? ''),
        etag: validatorOf(reply.headers.etag),
        lastModified: validatorOf(reply.headers['last-modified']),
        retryAfter: retryAfterOf(reply.headers['retry-after']),
      }
    } catch (error) {
      throw failureOf(error, status)
    } finally {
      clock.stop()
      pool.inUse--
    }
  }

  /** Each tenant has its own connections, so that neither headers nor TLS sessions are shared. */
  function poolOf(tenantId: Id): Pool {
    const pool = pools.get(tenantId) ?? { agent: openAgent(), inUse: 0 }
    pools.delete(tenantId) // reinserted at the end, so that the first entry is the least recently used
    pools.set(tenantId, pool)
    pool.inUse++
    if (pools.size > maxPools) closeOldest()
    return pool
  }

  function openAgent(): Agent {
    return new Agent({
      connect: guardedConnector({ rules, resolve, timeout: limits.headers, ca: options.ca }),
      connections: limits.perHost,
      allowH2: false,
      maxResponseSize: limits.longest,
      maxHeaderSize: 16 * 1024,
      headersTimeout: limits.headers,
      bodyTimeout: limits.body,
    })
  }

  function closeOldest(): void {
    const idle = [...pools].find(([, pool]) => pool.inUse === 0)
    if (!idle) return
    const [tenantId, { agent }] = idle
    pools.delete(tenantId)
    void agent.destroy()
  }

  async function inTurn<T>({ tenantId, url, headers }: OutboundCall, sending: () => Promise<T>): Promise<T> {
    const fault = urlFault(url, rules) ?? steering(headers)
    if (fault) throw new OutboundFailure('refused', fault)
    const place = `${tenantId} ${new URL(url).hostname}`
    return await hosts.run(place, () => tenants.run(tenantId, () => tracked(sending())))
  }

  return {
    async call(request) {
      const { status, ms, retryAfter } = await inTurn(request, () => send(request))
      return retryAfter === undefined ? { status, ms } : { status, ms, retryAfter }
    },
    async ask(request) {
      const chunks: Buffer[] = []
      const { status, type, etag, lastModified } = await inTurn(request, () =>
        send(request, chunk => chunks.push(chunk)),
      )
      return { status, type, etag, lastModified, body: Buffer.concat(chunks) }
    },
    async close() {
      closed = true
      await Promise.race([Promise.allSettled(running), sleep(limits.farewell, undefined, { ref: false })])
      await Promise.all([...pools.values()].map(pool => pool.agent.destroy()))
    },
  }

  async function tracked<T>(sending: Promise<T>): Promise<T> {
    running.add(sending)
    try {
      return await sending
    } finally {
      running.delete(sending)
    }
  }
}

interface Pool {
  agent: Agent
  inUse: number
}

function steering(headers: Readonly<Record<string, string>> = {}): string | undefined {
  const name = Object.keys(headers).find(isTransportHeader)
  return name && `the header ${name} is set by the service itself`
}
