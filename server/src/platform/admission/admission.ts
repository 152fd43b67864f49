import type pg from 'pg'
import type { ContextOptions } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Connection } from '../../kernel/postgres/connection-pool.ts'
import type { Admission } from '../../kernel/postgres/transaction.ts'
import { Refusal, Unavailable } from '../../kernel/refusal.ts'
import { FairQueue, QueueFull } from './fair-queue.ts'
import { openRequestCosts, type RequestCost } from './request-cost.ts'
import type { SlowSlots } from './slow-slots.ts'
import { openSlowTime } from './slow-time.ts'

// A statement cannot be interrupted for another tenant, so a tenant must not get everything while nobody else asks. It
// never has all connections of a process, and its slow requests wait for slots; those that only read yield the processors
// to all others.

interface AdmissionOptions {
  /** Database connections of this process. */
  connections: number
  /** How many requests may wait for one. */
  queueSize: number
  /** How many processors this process has for its statements; 1 if undefined. */
  processors?: number
  slowSlots: SlowSlots
  /** Connections for slow requests that only read; without it, they use those of the others. */
  slowPool?: pg.Pool | undefined
  /** How long a request may wait for a connection; ms. */
  maxWait?: number
  now?: () => number
}

/** A request that may take a connection: from this pool, or the usual one. */
interface Entered {
  leave: () => void
  pool?: pg.Pool | undefined
}

type Operation = NonNullable<ContextOptions['operation']>
type Admitted = Entered | Promise<Entered>

/** A tenant is alone if no other one has sent a request to this process for so long; ms. */
const aloneAfter = 60_000

/** Shares the connections of a process between tenants. */
export function openAdmission(options: AdmissionOptions): Admission {
  const {
    connections,
    queueSize,
    slowSlots,
    slowPool,
    processors = 1,
    maxWait = 5000,
    now = () => performance.now(),
  } = options
  const queue = new FairQueue({ slots: connections, maxWaiting: queueSize, maxWait })
  const costOf = openRequestCosts()
  const slowTime = openSlowTime(now)
  /** Connections that one tenant leaves to the others. */
  const share = connections - Math.max(1, Math.floor(connections * 0.3))
  let last: Id | undefined
  let changed = now()

  function isAlone(tenantId: Id, at: number): boolean {
    if (last !== tenantId) {
      last = tenantId
      changed = at
    }
    return at - changed > aloneAfter
  }

  function quickly(tenantId: Id, cost: RequestCost | undefined, at: number): Admitted {
    const waiting = queue.enter(tenantId, slowTime.isExceeded(tenantId) ? 1 : share)
    const entered = (began: number): Entered => {
      cost?.begin()
      const { inside } = queue
      const leave = () => {
        // Many at a time share the processors, which makes none of them a slow one.
        const crowd = Math.max(1, (inside + queue.inside) / 2 / processors)
        queue.leave(tenantId)
        if (!cost) return
        const taken = (now() - began) / crowd
        cost.end(taken)
        slowTime.add(tenantId, taken)
      }
      return { leave }
    }
    return waiting ? waiting.then(() => entered(now())) : entered(at)
  }

  async function slowly(tenantId: Id, operation: Operation, cost: RequestCost, alone: boolean): Promise<Entered> {
    const leaveSlot = await slowSlots.enter(tenantId, alone)
    // There are as many slow connections as slots. A request that writes would hold its locks longer on one of them.
    const pool = operation.mode === 'read' ? slowPool : undefined
    try {
      if (!pool) await queue.enter(tenantId, share)
    } catch (error) {
      leaveSlot()
      throw error
    }
    const began = now()
    const leave = () => {
      if (!pool) queue.leave(tenantId)
      leaveSlot()
      cost.end(now() - began)
    }
    return { leave, pool }
  }

  async function afterTrial(known: Promise<void>, tenantId: Id, operation: Operation): Promise<Entered> {
    await known
    return await enter(tenantId, operation)
  }

  function enter(tenantId: Id, operation: Operation | undefined): Admitted {
    const at = now()
    const alone = isAlone(tenantId, at)
    if (!operation) return quickly(tenantId, undefined, at)
    const cost = costOf(operation, tenantId)
    const known = cost.untilKnown()
    if (known) return afterTrial(known, tenantId, operation)
    return cost.isSlow ? slowly(tenantId, operation, cost, alone) : quickly(tenantId, cost, at)
  }

  return {
    async connect(pool, tenantId, operation) {
      let entered: Entered
      try {
        const admitted = enter(tenantId, operation)
        entered = 'leave' in admitted ? admitted : await admitted
      } catch (error) {
        throw toRefusal(error)
      }
      try {
        return leaving(await (entered.pool ?? pool).connect(), entered.leave)
      } catch (error) {
        entered.leave()
        throw error
      }
    },
    waiting: () => queue.waiting,
  }
}

/** The pool gives a connection a new `release` each time. */
function leaving(connection: Connection, leave: () => void): Connection {
  const release = connection.release.bind(connection)
  connection.release = broken => {
    release(broken)
    leave()
  }
  return connection
}

function toRefusal(error: unknown): unknown {
  if (!(error instanceof QueueFull)) return error
  if (!error.ownFault) return new Unavailable()
  return new Refusal(
    429,
    'too-many-requests',
    'slow requests of the tenant take turns, and too many wait; try again later',
    {
      headers: { 'retry-after': '5' },
    },
  )
}
