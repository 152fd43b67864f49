import type { FastifyInstance } from 'fastify'
import type { Database } from '../kernel/database.ts'
import { Unavailable } from '../kernel/refusal.ts'
import type { Metrics } from './metrics.ts'

/** Mounts liveness and readiness for operators and their tools. */
export function mountHealth(app: FastifyInstance, database: Database): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await database.crossTenantSql`select 1`.catch(() => {
      throw new Unavailable('the database does not respond')
    })
    return { status: 'ready' }
  })
}

/** Mounts the metrics. They need no credential and tell what an installation is used for, so they have a port of their own. */
export function mountMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()))
}
