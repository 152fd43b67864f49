import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { answerLimits, openLimits } from './shared-limits.ts'
import { type FromWorker, maxWait, type Question, send } from './worker-messages.ts'

/** The worker processes that live. */
export function livingWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter(each => each !== undefined)
}

/** Answers what workers ask the first process. */
export function openWorkerAnswers(slowRequests: number) {
  const aggregate = new AggregatorRegistry()
  const limits = answerLimits(openLimits(slowRequests))
  const waiting = new Map<number, () => void>()
  let numbers = 0

  /** Resolves when a worker has cleared its cache, or the time for it is over. */
  function forgetIn(worker: Worker, tenantId: string): Promise<void> {
    return new Promise(done => {
      const number = ++numbers
      const late = setTimeout(done, maxWait)
      waiting.set(number, () => {
        clearTimeout(late)
        waiting.delete(number)
        done()
      })
      send(worker, { forget: tenantId, number })
    })
  }

  async function answerOf(worker: Worker, question: { ask: number } & Question): Promise<string> {
    if ('metrics' in question) return await aggregate.clusterMetrics().catch(() => '')
    if (!('forget' in question)) return await limits.answer(worker, question.ask, question)
    const others = livingWorkers().filter(each => each !== worker)
    await Promise.all(others.map(each => forgetIn(each, question.forget)))
    return ''
  }

  return {
    async onMessage(worker: Worker, message: FromWorker): Promise<void> {
      if (typeof message !== 'object') return
      if ('forgot' in message) waiting.get(message.forgot)?.()
      else if ('left' in message) limits.leave(worker, message.left)
      else if ('ask' in message) send(worker, { answer: message.ask, text: await answerOf(worker, message) })
    },
    gone: limits.gone,
  }
}
