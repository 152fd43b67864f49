import { after } from 'node:test'
import { openAppEngines } from '../../src/app/engines.ts'
import type { Engines, EnginesOptions } from '../../src/engine/dispatch/dispatch.ts'
import { allDispatched } from '../../src/engine/dispatch/log-reader.ts'
import { openSecrets } from '../../src/platform/secrets.ts'
import { readSettings } from '../../src/platform/settings.ts'
import type { House } from './people.ts'
import { until } from './until.ts'

export interface Running extends Engines {
  /** Comes back when all that was committed has been handed out and nothing is due or being done any more. */
  settle(): Promise<void>
}

/** The engines at work on a house; they end with the test file. `env` as for the service. */
export async function engines(
  { database, dataDir }: Pick<House, 'database' | 'dataDir'>,
  env: Record<string, string> = {},
  pace: NonNullable<EnginesOptions['pace']> = {},
): Promise<Running> {
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: dataDir,
    BASE_URL: 'http://gantry.test',
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
  })
  made.start()
  after(() => made.stop())
  return {
    ...made,
    // What a job leaves behind between the two questions is seen by asking once more.
    settle: () => until(async () => (await isQuiet(database)) && (await isQuiet(database))),
  }
}

async function isQuiet(database: House['database']): Promise<boolean> {
  // In this order: what is handed out in between is then seen as a job.
  const dispatched = await allDispatched(database)
  const [row] = await database.crossTenantSql<{ open: boolean }>`
    select exists (select 1 from errand where run_at <= now() or worker is not null) as open`
  return dispatched && row?.open === false
}
