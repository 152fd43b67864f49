import cluster from 'node:cluster'
import { allocatorSettings, heapOptions } from '../platform/heap.ts'
import type { Settings } from '../platform/settings.ts'
import { livingWorkers, openWorkerAnswers } from './worker-answers.ts'
import { type FromWorker, send } from './worker-messages.ts'

// Several processes share the port. When one of them changes permissions, all clear their caches before the change is
// answered; and each can ask for the metrics of all, and for its part of the limits.

/** How long workers may take to stop; ms. */
const stopWait = 10_000

/** The worker processes, as the first process sees them. */
interface Workers {
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
  cluster.setupPrimary({ execArgv: [...process.execArgv, ...heapOptions(heapLimit)] })
  const answers = openWorkerAnswers(slowRequests)
  const database = Promise.withResolvers<string>()
  let stopping = false

  /** The worker starts to serve as soon as it knows the database, now or later; resolves when it serves. */
  function start(onLoaded = () => {}): Promise<void> {
    return new Promise((ready, failed) => {
      const worker = cluster.fork(allocatorSettings)
      void database.promise.then(url => send(worker, { begin: url }))
      worker.on('message', (message: FromWorker) => {
        if (message === 'loaded') onLoaded()
        else if (message === 'ready') ready()
        else void answers.onMessage(worker, message)
      })
      worker.on('exit', (code, signal) => {
        const how = signal ? `signal ${signal}` : `exit code ${code}`
        answers.gone(worker)
        failed(new Error(`a worker process ended with ${how}`))
        if (stopping) return
        log({
          level: 'error',
          error: `worker process ${worker.process.pid} ended with ${how}; a new one is started`,
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
      const [worker] = livingWorkers()
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
      const workers = livingWorkers()
      const gone = Promise.all(workers.map(worker => new Promise(resolve => worker.on('exit', resolve))))
      for (const worker of workers) send(worker, 'stop')
      const late = setTimeout(() => {
        for (const worker of livingWorkers()) worker.process.kill('SIGKILL')
      }, stopWait)
      await gone
      clearTimeout(late)
    },
  }
}
