import type { Id } from '../../kernel/id.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Job } from './claims.ts'

/** The maxima of one process. */
interface LoadLimits {
  /** Concurrent jobs, in total and of one tenant. Those that wait for a foreign host are not among them: they cost nothing. */
  atOnce: number
  perTenant: number
}

/** Concurrent jobs that wait for a foreign host, in total and of one tenant. */
const maxCalls = 512
const maxCallsOfTenant = 64

/** Concurrent jobs of one group. A group begins with one, and each success allows one more. */
const maxOfGroup = 16

/** Concurrent jobs of a tenant whose groups fail; less than the calls of a tenant to one host, so one is left for others. */
const maxProbes = 4

/** For how many groups the process remembers that they succeed. */
const maxKnown = 500

/** How many jobs a process can claim: of tenants and groups that are not listed, the most. */
export interface Room {
  free: number
  perTenant: number
  probes: number
  tenants: Readonly<Record<Id, { free: number; probes: number }>>
  /** By tenant and group: how many run, and how many may. */
  groups: Readonly<Record<string, { running: number; most: number }>>
}

export type Load = ReturnType<typeof openLoad>

/** Keeps what a worker runs at the moment, and how much each group may run. */
export function openLoad({ atOnce, perTenant }: LoadLimits) {
  const running = new Set<Job>()
  /** The jobs that wait for a foreign host. */
  const calling = new Set<Job>()
  const called = new WeakSet<Job>()
  const allowed = new Map<string, number>()

  function learn(job: Job, most: number): void {
    const key = keyOf(job)
    allowed.delete(key) // inserted again at the end, so that the first entry is the least recently used
    if (most > 1) allowed.set(key, most)
    const [oldest] = allowed.keys()
    if (allowed.size > maxKnown && oldest !== undefined) allowed.delete(oldest)
  }

  const free = () => Math.min(atOnce - running.size + calling.size, maxCalls - calling.size)
  function room(): Room {
    const tenants: Record<Id, { free: number; probes: number }> = {}
    for (const [tenantId, jobs] of Map.groupBy(running, job => job.tenantId)) {
      const calls = jobs.filter(job => calling.has(job)).length
      const probes = maxProbes - jobs.filter(job => job.probe).length
      tenants[tenantId] = { free: Math.min(perTenant - jobs.length + calls, maxCallsOfTenant - calls), probes }
    }
    const groups: Record<string, { running: number; most: number }> = {}
    for (const [key, most] of allowed) groups[key] = { running: 0, most }
    for (const [key, jobs] of Map.groupBy(running, keyOf))
      groups[key] = { running: jobs.length, most: allowed.get(key) ?? 1 }
    return { free: free(), perTenant, probes: maxProbes, tenants, groups }
  }

  return {
    begin: (job: Job) => void running.add(job),
    end: (job: Job) => void running.delete(job),
    isIdle: () => running.size === 0,
    /** The client for the calls of a job: while one lasts, the job does not count as work of this process. */
    countCalls(job: Job, outbound: Outbound): Outbound {
      async function counted<T>(call: Promise<T>): Promise<T> {
        calling.add(job)
        called.add(job)
        return await call.finally(() => calling.delete(job))
      }
      return {
        ...outbound,
        call: request => counted(outbound.call(request)),
        ask: request => counted(outbound.ask(request)),
      }
    },
    hasCalled: (job: Job) => called.has(job),
    succeeded: (job: Job) => learn(job, Math.min(maxOfGroup, (allowed.get(keyOf(job)) ?? 1) + 1)),
    failed: (job: Job) => learn(job, 1),
    isFull: () => free() <= 0,
    room,
    /** Whether due jobs may wait for the end of others, because the process, a tenant or a group runs as many as it may. */
    isCrowded(): boolean {
      const { free, tenants, groups } = room()
      return (
        free <= 0 ||
        Object.values(tenants).some(each => each.free <= 0 || each.probes < maxProbes) ||
        Object.values(groups).some(each => each.running >= each.most)
      )
    },
  }
}

const keyOf = ({ tenantId, group }: Job) => `${tenantId} ${group}`
