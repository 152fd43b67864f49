import { inviteFirstUser } from '../admin/user/invitation/invitation.ts'
import { createTenant } from '../app/seed-tenant.ts'
import { openDatabase } from '../kernel/database.ts'
import type { Settings } from '../platform/settings.ts'
import { printLine } from './console.ts'
import { greet } from './first-credentials.ts'

/** Creates the first tenant, and says where its credentials are. */
export async function welcome(settings: Settings, url: string): Promise<void> {
  const database = openDatabase({ url, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  try {
    const credentials = await createTenant(database, {
      name: 'Gantry',
      email: 'admin@localhost',
      keyName: 'First key',
      operating: true,
    })
    const token = await inviteFirstUser(database, credentials.tenantId, credentials.userId)
    printLine(greet(settings, { ...credentials, token }, process.stdout.isTTY === true))
  } finally {
    await database.close()
  }
}
