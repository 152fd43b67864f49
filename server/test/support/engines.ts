import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openHouseEngines } from '../../src/app/engines.ts'
import type { Engines, EnginesOptions } from '../../src/engine/dispatch/dispatch.ts'
import { allDispatched } from '../../src/engine/dispatch/log-reader.ts'
import { openSecrets } from '../../src/platform/secrets.ts'
import { readSettings } from '../../src/platform/settings.ts'
import type { House } from './people.ts'

export interface Running extends Engines {
  /** Comes back when all that was committed has been handed out and nothing is due or being done any more. */
  settle(patience?: number): Promise<void>
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
  const made = openHouseEngines(settings, {
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
    async settle(patience = 10_000) {
      const late = Date.now() + patience
      // What a job leaves behind between the two questions is seen by asking once more.
      for (let quiet = 0; ; ) {
        // In this order: what is handed out in between is then seen as a job.
        const dispatched = await allDispatched(database)
        const [row] = await database.crossTenantSql<{ open: boolean }>`
          select exists (select 1 from errand where run_at <= now() or worker is not null) as open`
        quiet = dispatched && !row?.open ? quiet + 1 : 0
        if (quiet === 2) return
        if (quiet > 0) continue
        if (Date.now() > late) throw new Error('the engines did not come to rest')
        await sleep(15)
      }
    },
  }
}
