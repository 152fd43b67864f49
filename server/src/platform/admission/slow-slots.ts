import type { Id } from '../../kernel/id.ts'
import { FairQueue } from './fair-queue.ts'

/** Slots for the slow requests of all processes of a node: few, so that processors stay free for the quick ones. */
export interface SlowSlots {
  /** Resolves when the request may run, with the function to call when it has. A tenant has half of them, or all if it is alone. */
  enter(tenantId: Id, alone: boolean): Promise<() => void>
}

/** How many slow requests may wait, and how long; ms. */
const maxWaiting = 1000
const maxWait = 5000

/** The slots of one process, or of all that ask it. */
export function openSlowSlots(slots: number): SlowSlots {
  const queue = new FairQueue({ slots, maxWaiting, maxWait })
  const half = Math.max(1, Math.floor(slots / 2))
  return {
    async enter(tenantId, alone) {
      await queue.enter(tenantId, alone ? slots : half)
      return () => queue.leave(tenantId)
    },
  }
}
