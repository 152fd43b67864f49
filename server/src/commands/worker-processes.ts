import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { notifyForget, onForget } from '../kernel/memory.ts'
import { allocatorSettings, heapOptions } from '../platform/heap.ts'
import type { Settings } from '../platform/settings.ts'
import { answerLimits, type LimitQuestion, openLimits, remoteLimits } from './shared-limits.ts'

// Several processes share the port. When one of them changes permissions, all clear their caches before the change is
// answered; and each can ask for the metrics of all, and for its part of the limits. Requests between processes carry a
// number, which the answer repeats.

type Question = { forget: string } | { metrics: true } | LimitQuestion
type FromWorker = 'loaded' | 'ready' | 'welcomed' | ({ ask: number } & Question) | { forgot: number } | { left: number }
type ToWorker =
  | 'stop'
  | { welcome: string }
  | { begin: string }
  | { answer: number; text: string }
  | { forget: string; number: number }

/** How long to wait for a process that does not answer; ms. */
const maxWait = 1000

/** The worker processes, as the first process sees them. */
export interface Workers {
  /** Lets one of them create the first tenant in this database, because workers have loaded the rooms. */
  welcome(url: string): Promise<void>
  /** Lets them serve this database; resolves when one does. */
  begin(url: string): Promise<void>
  stop(): Promise<void>
}

/** The first process: starts the workers, replaces one that died, and stops them all. */
export function superviseWorkers(
  { workers: count, slowRequests, heapLimit }: Pick<Settings, 'workers' | 'slowRequests' | 'heapLimit'>,
  log: (line: Record<string, unknown>) => void,
): Workers {
  const aggregate = new AggregatorRegistry()
  const limits = answerLimits(openLimits(slowRequests))
  cluster.setupPrimary({ execArgv: [...process.execArgv, ...heapOptions(heapLimit)] })
  const waiting = new Map<number, () => void>()
  const database = Promise.withResolvers<string>()
  let stopping = false
  let numbers = 0

  const others = (than?: Worker) =>
    Object.values(cluster.workers ?? {})
      .filter(each => each !== undefined)
      .filter(each => each !== than)

  /** Resolves when every worker but the sender has cleared its cache, or the time for it is over. */
  async function forget(tenantId: string, sender: Worker): Promise<void> {
    await Promise.all(
      others(sender).map(
        other =>
          new Promise<void>(done => {
            const number = ++numbers
            const late = setTimeout(done, maxWait)
            waiting.set(number, () => {
              clearTimeout(late)
              waiting.delete(number)
              done()
            })
            send(other, { forget: tenantId, number })
          }),
      ),
    )
  }

  async function onMessage(worker: Worker, message: FromWorker): Promise<void> {
    if (typeof message !== 'object') return
    if ('forgot' in message) waiting.get(message.forgot)?.()
    else if ('left' in message) limits.leave(worker, message.left)
    else send(worker, { answer: message.ask, text: await answerOf(worker, message) })
  }

  async function answerOf(worker: Worker, question: { ask: number } & Question): Promise<string> {
    if ('metrics' in question) return await aggregate.clusterMetrics().catch(() => '')
    if (!('forget' in question)) return await limits.answer(worker, question.ask, question)
    await forget(question.forget, worker)
    return ''
  }

  /** The worker starts to serve as soon as it knows the database, now or later; resolves when it serves. */
  function start(onLoaded = () => {}): Promise<void> {
    return new Promise((ready, failed) => {
      const worker = cluster.fork(allocatorSettings)
      void database.promise.then(url => send(worker, { begin: url }))
      worker.on('message', (message: FromWorker) => {
        if (message === 'loaded') onLoaded()
        else if (message === 'ready') ready()
        else if (typeof message === 'object' && ('ask' in message || 'forgot' in message || 'left' in message))
          void onMessage(worker, message)
      })
      worker.on('exit', (code, signal) => {
        limits.gone(worker)
        failed(new Error(`a worker process ended with ${how(code, signal)}`))
        if (stopping) return
        log({
          level: 'error',
          error: `worker process ${worker.process.pid} ended with ${how(code, signal)}; a new one is started`,
        })
        setTimeout(startAnother, 500)
      })
    })
  }

  function startAnother(): void {
    if (!stopping) start().catch(() => {}) // it is logged, and another one is started
  }

  // The others load later, so that the first one and the database have the processors: the service answers earlier.
  const first = start(() => {
    for (let others = count - 1; others > 0; others--) startAnother()
  })
  first.catch(() => {}) // reported by `begin`
  return {
    async welcome(url) {
      const [worker] = others()
      if (!worker) throw new Error('no worker process has started')
      send(worker, { welcome: url })
      await new Promise<void>((welcomed, failed) => {
        worker.on('message', message => message === 'welcomed' && welcomed())
        worker.on('exit', () => failed(new Error('the first tenant could not be created')))
      })
    },
    async begin(url) {
      database.resolve(url)
      await first
    },
    async stop() {
      stopping = true
      const gone = Promise.all(others().map(worker => new Promise(resolve => worker.on('exit', resolve))))
      for (const worker of others()) send(worker, 'stop')
      const late = setTimeout(() => {
        for (const worker of others()) worker.process.kill('SIGKILL')
      }, 10_000)
      await gone
      clearTimeout(late)
    },
  }
}

const how = (code: number | null, signal: string | null) => (signal ? `signal ${signal}` : `exit code ${code}`)

/** A worker that dies at this moment needs no message. */
function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {})
}

const asked = new Map<number, (text: string) => void>()
let questions = 0

/** Sends a request to the first process; without an answer in time the result is empty. */
function ask(question: Question, wait = maxWait): Promise<{ number: number; text: string }> {
  const number = ++questions
  return new Promise(resolve => {
    const late = setTimeout(() => answered(number, ''), wait)
    asked.set(number, text => {
      clearTimeout(late)
      resolve({ number, text })
    })
    process.send?.({ ask: number, ...question })
  })
}

function answered(number: number, text: string): void {
  const resolve = asked.get(number)
  asked.delete(number)
  if (resolve) resolve(text)
  else if (text === 'entered') tellLeft(number) // nobody waits for the slot any more
}

function tellLeft(number: number): void {
  process.send?.({ left: number })
}

/** The limits that all processes share. */
export const limitsOfAll = remoteLimits(ask, tellLeft)

/** The metrics of all processes, summed. */
export async function metricsOfAll(): Promise<string> {
  return (await ask({ metrics: true }, 5000)).text
}

/** What a worker does with the database whose URL it receives. */
interface Work {
  welcome(url: string): Promise<void>
  /** Returns the function that stops it. */
  answer(url: string): Promise<() => Promise<void>>
}

/** One of several processes: works when it receives the database URL, stops when the first process says so or has ended. */
export function runAsWorker({ welcome, answer }: Work): void {
  let welcoming: Promise<void> | undefined
  let answering: Promise<() => Promise<void>> | undefined
  let ending = false
  const end = async () => {
    if (ending) return
    ending = true
    await welcoming
    await (await answering?.catch(() => undefined))?.()
    process.exit(0)
  }
  onForget((tenantId, heard) => (heard ? undefined : ask({ forget: tenantId })))
  process.on('message', async (message: ToWorker) => {
    if (message === 'stop') await end()
    else if (typeof message !== 'object') return
    else if ('welcome' in message) {
      welcoming = welcome(message.welcome)
      await welcoming
      process.send?.('welcomed')
    } else if ('begin' in message) {
      answering = answer(message.begin)
      await answering
      process.send?.('ready')
    } else if ('answer' in message) answered(message.answer, message.text)
    else if ('forget' in message) {
      await notifyForget(message.forget, true)
      process.send?.({ forgot: message.number })
    }
  })
  process.on('disconnect', () => void end())
  process.send?.('loaded')
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {}) // the first process decides when to stop
}
