import { redaction } from '../containers/redaction/redaction.ts'
import type { Database } from '../kernel/database.ts'
import { openHttp } from '../kernel/http/http.ts'
import { NotFound } from '../kernel/refusal.ts'
import { diskOf } from '../platform/disk/disk.ts'
import { mountHealth, mountMetrics } from '../platform/health.ts'
import type { Metrics } from '../platform/metrics.ts'
import { readForm } from '../platform/requests/form.ts'
import { idempotently } from '../platform/requests/idempotency.ts'
import type { Settings } from '../platform/settings.ts'
import { log } from './console.ts'

/** Serves `/healthz`, `/readyz` and `/metrics`, and nothing else, on a port of their own. */
export async function serveHealth(
  port: number,
  { settings, database, metrics }: { settings: Settings; database: Database; metrics: Metrics },
) {
  const app = openHttp({
    database: database.serving({ redaction }),
    log,
    baseUrl: () => settings.baseUrl,
    idempotently,
    readForm,
    bodyLimit: settings.bodyLimit,
    authenticate: async () => {
      throw new NotFound('address')
    },
  })
  mountHealth(app, database, diskOf(settings))
  mountMetrics(app, metrics)
  await app.listen({ port, host: settings.host })
  return app
}
