import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type Metric,
  Registry,
} from 'prom-client'
import type { Database } from '../kernel/database.ts'
import type { Observe } from '../kernel/http/http-options.ts'

/** The metrics of this process, or of all that share the port. */
export interface Metrics {
  observe: Observe
  contentType: string
  text: () => Promise<string>
}

/** Opens the metrics of a process. `ofAll` returns those of all processes, where there are several. */
export function openMetrics({
  database,
  figures = [],
  ofAll,
}: {
  database: Database
  figures?: readonly Metric[]
  ofAll?: () => Promise<string>
}): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const figure of figures) registry.registerMetric(figure)
  if (ofAll) {
    // With several processes the first one collects the metrics of all and sums them.
    AggregatorRegistry.setRegistries([registry])
    new AggregatorRegistry()
  }
  new Gauge({
    name: 'gantry_database_connections',
    help: 'Connections of the pool.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(database.stats())) this.set({ state }, count)
    },
  })
  return {
    observe: requestMetrics(registry),
    contentType: registry.contentType,
    text: ofAll ?? (() => registry.metrics()),
  }
}

/** A histogram for each route and status would be megabytes, so durations are by method, and counts by kind of record. */
function requestMetrics(registry: Registry): Observe {
  const seconds = new Histogram({
    name: 'gantry_request_seconds',
    help: 'Time from the request of an operation to its answer.',
    labelNames: ['method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const total = new Counter({
    name: 'gantry_requests_total',
    help: 'Requests of operations by kind of record.',
    labelNames: ['kind', 'status'],
    registers: [registry],
  })
  const spent = new Counter({
    name: 'gantry_requests_seconds_total',
    help: 'Time that was spent on requests of operations by kind of record.',
    labelNames: ['kind'],
    registers: [registry],
  })
  return (method, route) => {
    const kind = kindOf(route)
    return (code, took) => {
      const status = `${Math.floor(code / 100)}xx`
      seconds.observe({ method, status }, took)
      total.inc({ kind, status })
      spent.inc({ kind }, took)
    }
  }
}

/** Returns the part of a route that names its kind: `item` of `/api/item/:id/history`. */
function kindOf(route: string): string {
  return route.split('/')[2] ?? ''
}
