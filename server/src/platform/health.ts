import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../kernel/database.ts'
import { Unavailable } from '../kernel/refusal.ts'
import type { Metrics } from './metrics.ts'
import type { Settings } from './settings.ts'

/** The disk of the data directory: its free bytes now, and how many there must be. */
interface Disk {
  free(): Promise<number>
  least: number
}

export function diskOf({ dataDir, minFreeBytes }: Pick<Settings, 'dataDir' | 'minFreeBytes'>): Disk {
  return {
    least: minFreeBytes,
    async free() {
      const { bavail, bsize } = await statfs(dataDir)
      return bavail * bsize
    },
  }
}

/** Mounts liveness and readiness for operators and their tools. */
export function mountHealth(app: FastifyInstance, database: Database, disk: Disk): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await database.crossTenantSql`select 1`.catch(() => {
      throw new Unavailable('the database does not respond')
    })
    const free = disk.least > 0 ? await disk.free() : Number.POSITIVE_INFINITY
    if (free < disk.least)
      throw new Unavailable(
        `the disk of the data directory is almost full: ${Math.floor(free / mebibyte)} MiB are free`,
      )
    return { status: 'ready' }
  })
}

const mebibyte = 1024 * 1024

/** Mounts the metrics. They need no credential and tell what an installation is used for, so they have a port of their own. */
export function mountMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()))
}
