import { after } from 'node:test'
import { openAppEngines } from '../../src/app/engines.ts'
import type { Engines, EnginesOptions } from '../../src/engine/dispatch/dispatch.ts'
import { allDispatched } from '../../src/engine/dispatch/log-reader.ts'
import { tenantStatus } from '../../src/kernel/access.ts'
import type { OutboundOptions } from '../../src/platform/outbound/outbound.ts'
import { openSecrets } from '../../src/platform/secrets.ts'
import { readSettings } from '../../src/platform/settings.ts'
import { asOwner } from './database/database.ts'
import { isShared, type Person, type TestService } from './people.ts'
import { until } from './until.ts'

export interface Running extends Engines {
  /** Resolves when all committed events have been dispatched and no job is due or running. */
  settle(): Promise<void>
}

/**
 * Runs the engines on the database of a test service until the end of the test file. `env` as for the service. On the shared
 * service they find the events and jobs of this file's tenants only.
 */
export async function engines(
  home: Pick<TestService, 'database' | 'dataDir'> & Partial<TestService>,
  env: Record<string, string> = {},
  pace: NonNullable<EnginesOptions['pace']> = {},
  outboundLimits: OutboundOptions['limits'] = {},
): Promise<Running> {
  const { database, dataDir } = home
  if (home.databaseUrl && home.ada && (await isShared(home.databaseUrl)))
    await retireEarlier(home.databaseUrl, home.ada)
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: dataDir,
    BASE_URL: 'http://gantry.localhost',
    MAIL_DNS: 'off',
    ...env,
  })
  const log = (line: Record<string, unknown>) => process.env.SHOW_LOG && console.error(line)
  const made = openAppEngines(settings, {
    database,
    secrets: openSecrets(settings),
    log,
    jobs: false,
    pace: { poll: 200, ...pace },
    outboundLimits,
  })
  made.start()
  after(() => made.stop())
  return {
    ...made,
    // The check is repeated, because a job may enqueue another between the two queries.
    settle: () => until(async () => (await isQuiet(database)) && (await isQuiet(database))),
  }
}

async function isQuiet(database: TestService['database']): Promise<boolean> {
  // The order matters: an event that is dispatched between the two queries is then counted as a job.
  const dispatched = await allDispatched(database)
  const [row] = await database.crossTenantSql<{ open: boolean }>`
    select exists (select 1 from queued_job e where e.worker is not null or e.run_at <= now() and not exists (
      select 1 from failing_group f where f.tenant_id = e.tenant_id and f.job_group = e.job_group and f.resume_at > now())) as open`
  return dispatched && row?.open === false
}

const retired = new Set<string>()

/**
 * Suspends the tenants of earlier files and takes their events and jobs from the engines: nobody waits for them any more. A file that
 * starts engines twice does it once.
 */
async function retireEarlier(databaseUrl: string, { tenantId }: Person): Promise<void> {
  if (retired.has(tenantId)) return
  retired.add(tenantId)
  await asOwner(
    databaseUrl,
    undefined,
    `with own as (select created from tenant where id = $1),
      earlier as (update tenant t set status = ${tenantStatus.suspended} from own where t.created < own.created and t.status = ${tenantStatus.active})
      delete from queued_job where tenant_id in (select t.id from tenant t, own where t.created < own.created)`,
    [tenantId],
  )
  await asOwner(
    databaseUrl,
    undefined,
    `update dispatch d set xact = e.xact, id = e.id
      from (select e.xact, e.id from event e join tenant t on t.id = e.tenant_id
        where t.created < (select created from tenant where id = $1) order by e.xact desc, e.id desc limit 1) e
      where d.name = 'log' and (e.xact, e.id) > (d.xact, d.id)`,
    [tenantId],
  )
}
