import { after } from 'node:test'
import type { House } from '../../test/support/people.ts'
import type { ContextOptions } from '../kernel/context.ts'
import { openBlobs } from '../platform/blobs.ts'
import { openSecrets } from '../platform/secrets.ts'
import { outboundRules, readSettings } from '../platform/settings.ts'
import { openFetching } from './fetching.ts'

/** The reading of mailboxes on a house, hurried, not begun; it ends with the test file. `env` as for the service. */
export function fetchingFor({ database, dataDir }: Pick<House, 'database' | 'dataDir'>, env: Record<string, string>) {
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: dataDir,
    BASE_URL: 'http://gantry.test',
    MAIL_DNS: 'off',
    ...env,
  })
  const context = {
    secrets: openSecrets(settings),
    blobs: openBlobs(settings),
    outbound: outboundRules(settings),
    baseUrl: settings.baseUrl,
  } satisfies ContextOptions
  const pace = { look: 100, poll: 300, lease: 3000 }
  const fetching = openFetching({ database, context, log: () => {}, pace })
  after(() => fetching.stop())
  return { fetching, context, settings }
}
