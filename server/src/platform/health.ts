import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import type { Database } from '../kernel/database.ts'
import type { Observe } from '../kernel/http/http-options.ts'
import { Unavailable } from '../kernel/refusal.ts'

/** Mounts liveness, readiness and metrics for operators and their tools. */
export function mountHealth(
  app: FastifyInstance,
  {
    database,
    metrics,
    figures = [],
  }: { database: Database; metrics?: () => Promise<string>; figures?: readonly Metric[] },
): Observe {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const figure of figures) registry.registerMetric(figure)
  if (metrics) {
    // With several processes the first one collects the metrics of all and sums them.
    AggregatorRegistry.setRegistries([registry])
    new AggregatorRegistry()
  }
  const seconds = new Histogram({
    name: 'gantry_request_seconds',
    help: 'Time from the request of an operation to its answer.',
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
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await database.crossTenantSql`select 1`.catch(() => {
      throw new Unavailable('the database does not respond')
    })
    return { status: 'ready' }
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await (metrics?.() ?? registry.metrics())),
  )

  /** Returns the observer for the requests of one route; its series are looked up once per status. */
  return (method, route) => {
    const series = new Map<number, ReturnType<typeof seconds.labels>>()
    return (status, took) => {
      const known = series.get(status) ?? seconds.labels(method, route, String(status))
      series.set(status, known)
      known.observe(took)
    }
  }
}
