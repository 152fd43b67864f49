import { after } from 'node:test'
import type { TestService } from '../../../test/support/people.ts'
import { openServices } from '../../app/services.ts'
import { readSettings } from '../../platform/settings.ts'
import { openMailFetching } from '../fetch-mailboxes.ts'

/** Opens the reading of mailboxes for a test service, with short intervals. It is not started, and it is stopped after the test file. */
export function fetchingFor(home: Pick<TestService, 'database' | 'dataDir'>, env: Record<string, string>) {
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: home.dataDir,
    BASE_URL: 'http://gantry.localhost',
    MAIL_DNS: 'off',
    ...env,
  })
  const database = home.database.serving(openServices(settings))
  const pace = { look: 100, poll: 300, lease: 3000 }
  const fetching = openMailFetching({ database, log: () => {}, pace })
  after(() => fetching.stop())
  return { fetching, database, settings }
}
