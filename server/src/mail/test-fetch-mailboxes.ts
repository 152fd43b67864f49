import { after } from 'node:test'
import type { House } from '../../test/support/people.ts'
import { openServices } from '../app/services.ts'
import { readSettings } from '../platform/settings.ts'
import { openMailFetching } from './fetch-mailboxes.ts'

/** The reading of mailboxes on a house, hurried, not begun; it ends with the test file. `env` as for the service. */
export function fetchingFor(home: Pick<House, 'database' | 'dataDir'>, env: Record<string, string>) {
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: home.dataDir,
    BASE_URL: 'http://gantry.test',
    MAIL_DNS: 'off',
    ...env,
  })
  const database = home.database.serving(openServices(settings))
  const pace = { look: 100, poll: 300, lease: 3000 }
  const fetching = openMailFetching({ database, log: () => {}, pace })
  after(() => fetching.stop())
  return { fetching, database, settings }
}
