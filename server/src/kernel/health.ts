import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from './database.ts'
import { Unavailable } from './refusal.ts'

/** What an operator and their tools look at: alive, ready, and how it goes. */
export function mountHealth(
  app: FastifyInstance,
  { database, metrics }: { database: Database; metrics?: () => Promise<string> },
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  if (metrics) {
    // One of several processes: its figures are handed to the first one on demand, which adds them up.
    AggregatorRegistry.setRegistries([registry])
    new AggregatorRegistry()
  }
  const seconds = new Histogram({
    name: 'gantry_request_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  new Gauge({
    name: 'gantry_database_connections',
    help: 'Connections of the pool.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(database.stats())) this.set({ state }, count)
    },
  })
  // The series of a route and a status is looked up once, not with every request.
  const series = new Map<string, ReturnType<typeof seconds.labels>>()
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const key = `${request.method} ${route} ${reply.statusCode}`
    const known = series.get(key) ?? seconds.labels(request.method, route, String(reply.statusCode))
    series.set(key, known)
    known.observe(reply.elapsedTime / 1000)
    done()
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await database.atDoor`select 1`.catch(() => {
      throw new Unavailable('the database does not answer')
    })
    return { status: 'ready' }
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await (metrics?.() ?? registry.metrics())),
  )
}
