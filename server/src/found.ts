import { randomBytes } from 'node:crypto'
import { mint } from './admin/api-key.ts'
import { found, slugFor } from './admin/tenant.ts'
import { users } from './admin/user.ts'
import { storePassword } from './admin/user-password.ts'
import { makeInbox } from './containers/container.ts'
import { makeLinkTypes } from './items/link/link-type.ts'
import { tenantCaller } from './kernel/auth/tenant-caller.ts'
import type { Database } from './kernel/database.ts'
import { type Id, newId } from './kernel/id.ts'

export interface Founded {
  tenantId: Id
  userId: Id
  email: string
  password: string
  RawKey: string
}

/** Makes a tenant with its first super admin, all in one transaction. What it returns is shown once and kept nowhere. */
export async function foundTenant(
  database: Database,
  { name, email, keyName }: { name: string; email: string; keyName: string },
): Promise<Founded> {
  const tenantId = newId()
  const userId = newId()
  const password = randomBytes(15).toString('base64url')
  const [taken] = await database.atDoor`select 1 from tenant where slug = ${slugFor(name, false)}`
  const founder = tenantCaller(tenantId, userId)
  const key = await database.transaction(founder, async ctx => {
    await found(ctx, { name, slug: slugFor(name, taken !== undefined) })
    await users.create(
      ctx,
      { name: email.split('@')[0] ?? email, email, superAdmin: true, active: true, role: 6 },
      { id: userId },
    )
    await storePassword(ctx, userId, password)
    await makeInbox(ctx)
    await makeLinkTypes(ctx)
    return await mint(ctx, { name: keyName })
  })
  return { tenantId, userId, email, password, RawKey: key.RawKey }
}
