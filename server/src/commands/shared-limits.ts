import type { Worker } from 'node:cluster'
import { QueueFull } from '../platform/admission/fair-queue.ts'
import { openSlowSlots, type SlowSlots } from '../platform/admission/slow-slots.ts'
import { type Allowance, type Allowances, openAllowances } from '../platform/requests/allowances.ts'

// What all processes of a node share is kept by the first one: how many requests a tenant has left in this minute, and the
// slots for slow requests.

/** What a process asks the first one. */
export type LimitQuestion = { allowance: string; perMinute: number; wanted: number } | { slow: string; alone: boolean }

/** What the processes of a node share. */
interface SharedLimits {
  allowances: Allowances
  slowSlots: SlowSlots
}

/** The limits of this process and of those that ask it. */
export function openLimits(slowRequests: number): SharedLimits {
  return { allowances: openAllowances(), slowSlots: openSlowSlots(slowRequests) }
}

/** Answers the questions of worker processes, in the first process. */
export function answerLimits({ allowances, slowSlots }: SharedLimits) {
  const inside = new Map<Worker, Map<number, () => void>>()

  async function answer(worker: Worker, number: number, question: LimitQuestion): Promise<string> {
    if ('allowance' in question)
      return JSON.stringify(await allowances.take(question.allowance, question.perMinute, question.wanted))
    try {
      const leave = await slowSlots.enter(question.slow, question.alone)
      if (!worker.isConnected()) leave()
      else inside.set(worker, (inside.get(worker) ?? new Map()).set(number, leave))
      return 'entered'
    } catch (error) {
      if (error instanceof QueueFull) return error.ownFault ? 'own' : 'all'
      throw error
    }
  }

  function leave(worker: Worker, number: number): void {
    inside.get(worker)?.get(number)?.()
    inside.get(worker)?.delete(number)
  }

  /** Frees the slots of a process that has ended. */
  function gone(worker: Worker): void {
    for (const each of inside.get(worker)?.values() ?? []) each()
    inside.delete(worker)
  }

  return { answer, leave, gone }
}

/** Sends a question to the first process: resolves with the answer and the number of the question. */
type Ask = (question: LimitQuestion, wait: number) => Promise<{ number: number; text: string }>

/** The limits as a worker process sees them: it asks the first process. */
export function remoteLimits(ask: Ask, tellLeft: (number: number) => void): SharedLimits {
  return {
    allowances: {
      async take(key, perMinute, wanted) {
        const { text } = await ask({ allowance: key, perMinute, wanted }, 1000)
        // A first process that does not answer must not stop the others.
        const unlimited: Allowance = { granted: wanted, left: 0, wait: 1 }
        return text ? JSON.parse(text) : unlimited
      },
    },
    slowSlots: {
      async enter(tenantId, alone) {
        const { number, text } = await ask({ slow: tenantId, alone }, 10_000)
        if (text !== 'entered') throw new QueueFull(text === 'own')
        return () => tellLeft(number)
      },
    },
  }
}
