import type { FastifyInstance } from 'fastify'
import type { Database } from '../kernel/database.ts'
import { Unavailable } from '../kernel/refusal.ts'
import type { Disk } from './disk/disk.ts'
import type { Metrics } from './metrics.ts'

/** Mounts liveness and readiness for operators and their tools. */
export function mountHealth(app: FastifyInstance, database: Database, disk: Pick<Disk, 'free' | 'least'>): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    // The disk first: when it is full, the database may not respond for that reason.
    const free = disk.least > 0 ? await disk.free() : Number.POSITIVE_INFINITY
    if (free < disk.least)
      throw new Unavailable(
        `the disk of the data directory is almost full: ${Math.floor(free / mebibyte)} MiB are free`,
      )
    await database.crossTenantSql`select 1`.catch(() => {
      throw new Unavailable('the database does not respond')
    })
    return { status: 'ready' }
  })
}

const mebibyte = 1024 * 1024

/** Mounts the metrics. They need no credential and tell what an installation is used for, so they have a port of their own. */
export function mountMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()))
}
