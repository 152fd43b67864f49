import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import { openCallQueue } from './call-queue.ts'
import { openConnectionPools } from './connection-pools.ts'
import { OutboundFailure } from './failure.ts'
import { dnsResolver, guardedConnector, type Resolve } from './guarded-connector.ts'
import { defaultLimits, type OutboundLimits } from './limits.ts'
import type { OutboundCall, OutboundTransfer } from './outbound-call.ts'
import { isTransportHeader, normalizeAllowEntry, type OutboundRules, urlFault } from './rules.ts'
import { sendCall } from './send-call.ts'
import { sendTransfer, type TransferAnswer } from './send-transfer.ts'

export { type FailureReason, OutboundFailure } from './failure.ts'
export type { OutboundCall, OutboundTransfer } from './outbound-call.ts'
export { headerFault, isTransportHeader, type OutboundRules, type Relay, urlFault } from './rules.ts'
export type { TransferAnswer } from './send-transfer.ts'

/** The only client for addresses that tenants enter. It never reaches internal hosts. */
export interface Outbound {
  /** Throws `OutboundFailure` when there is no complete answer. Any status, including a redirect, is an answer. */
  call(request: OutboundCall): Promise<OutboundResult>
  /** The same with the body of the answer, for the few callers that need it. They never show the body unchanged. */
  ask(request: OutboundCall): Promise<OutboundAnswer>
  /** Sends or receives bytes of any length. The caller reads the body of the answer to its end, or destroys it. */
  transfer(request: OutboundTransfer): Promise<TransferAnswer>
  /** Accepts no more calls, waits a few seconds for the running ones, then aborts them. */
  close(): Promise<void>
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
  limits?: Partial<OutboundLimits>
  resolve?: Resolve
  ca?: string
}

export function openOutbound(options: OutboundOptions): Outbound {
  const limits = { ...defaultLimits, ...options.limits }
  const rules: OutboundRules = { ...options, allow: (options.allow ?? []).map(normalizeAllowEntry) }
  const resolve = options.resolve ?? dnsResolver()
  const hosts = openCallQueue({ ...limits, atOnce: limits.perHost })
  const tenants = openCallQueue({ ...limits, atOnce: limits.perTenant })
  const pools = openConnectionPools(() =>
    openAgent(limits, guardedConnector({ rules, resolve, timeout: limits.headers, ca: options.ca })),
  )
  const transferHosts = openCallQueue({ ...limits, atOnce: limits.transfers })
  const transferPools = openConnectionPools(() =>
    openAgent(
      { ...limits, perHost: limits.transfers, maxSize: -1, headers: limits.stall, body: limits.stall },
      guardedConnector({ rules, resolve, timeout: limits.headers, ca: options.ca }),
    ),
  )
  const running = new Set<Promise<unknown>>()
  let closed = false

  /** Sends the call when its host and its tenant have a free slot. */
  async function inTurn(request: OutboundCall, onChunk?: (chunk: Buffer) => unknown) {
    const host = checkedHost(request)
    return await hosts.run(host, () => tenants.run(request.tenantId, () => tracked(send(request, onChunk))))
  }

  function checkedHost({ tenantId, url, headers }: Pick<OutboundCall, 'tenantId' | 'url' | 'headers'>): string {
    const fault = urlFault(url, rules) ?? transportHeaderFault(headers)
    if (fault) throw new OutboundFailure('refused', fault)
    return `${tenantId} ${new URL(url).host}`
  }

  /** Gives the answer as soon as its head is there, and keeps its slot until the body has ended. */
  async function transferred(request: OutboundTransfer, answered: (answer: TransferAnswer) => void): Promise<void> {
    if (closed) throw new OutboundFailure('closed', 'the service is stopping')
    await transferPools.use(request.tenantId, async agent => {
      const answer = await sendTransfer(agent, request, limits)
      answered(answer)
      await finished(answer.body).catch(() => {}) // whoever reads the body learns of it
    })
  }

  async function send(request: OutboundCall, onChunk?: (chunk: Buffer) => unknown) {
    if (closed) throw new OutboundFailure('closed', 'the service is stopping')
    return await pools.use(request.tenantId, agent => sendCall(agent, request, limits, onChunk))
  }

  async function tracked<T>(call: Promise<T>): Promise<T> {
    running.add(call)
    try {
      return await call
    } finally {
      running.delete(call)
    }
  }

  return {
    async call(request) {
      const { status, ms, retryAfter } = await inTurn(request)
      return retryAfter === undefined ? { status, ms } : { status, ms, retryAfter }
    },
    async ask(request) {
      const chunks: Buffer[] = []
      const { status, type, etag, lastModified } = await inTurn(request, chunk => chunks.push(chunk))
      return { status, type, etag, lastModified, body: Buffer.concat(chunks) }
    },
    async transfer(request) {
      const host = checkedHost(request)
      return await new Promise((resolve, reject) => {
        transferHosts.run(host, () => tracked(transferred(request, resolve))).catch(reject)
      })
    },
    async close() {
      closed = true
      await Promise.race([Promise.allSettled(running), sleep(limits.closeGrace, undefined, { ref: false })])
      await Promise.all([pools.destroy(), transferPools.destroy()])
    },
  }
}

function openAgent(limits: OutboundLimits, connect: ReturnType<typeof guardedConnector>): Agent {
  return new Agent({
    connect,
    connections: limits.perHost,
    allowH2: false,
    maxResponseSize: limits.maxSize,
    maxHeaderSize: 16 * 1024,
    headersTimeout: limits.headers,
    bodyTimeout: limits.body,
  })
}

function transportHeaderFault(headers: Readonly<Record<string, string>> = {}): string | undefined {
  const name = Object.keys(headers).find(isTransportHeader)
  return name && `the header ${name} is set by the service itself`
}
