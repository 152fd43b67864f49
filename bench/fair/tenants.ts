import pg from 'pg'
import { mint } from '../../server/src/admin/api-key.ts'
import { users } from '../../server/src/admin/user/user.ts'
import { createTenant } from '../../server/src/app/seed-tenant.ts'
import { tenantCaller } from '../../server/src/identity/tenant-caller.ts'
import { openDatabase } from '../../server/src/kernel/database.ts'
import { seedItems, seedWords } from '../growth/seed.ts'
import { createTenantBase } from '../growth/tenant-base.ts'
import type { Service } from '../service.ts'

/** A tenant with items, and the key of a plain member. */
export interface SeededTenant {
  key: string
  mark: string
}

/** Seeds two tenants alike. */
export async function prepareTenants(
  service: Service,
  items: number,
): Promise<{ flooding: SeededTenant; other: SeededTenant }> {
  const url = service.databaseUrl()
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await seedWords(owner)
  const database = openDatabase({ url, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  const create = async (name: string, mark: string): Promise<SeededTenant> => {
    const { RawKey, tenantId } = await createTenant(database, { name, email: `${mark}@example.com`, keyName: 'bench' })
    const { id } = await database.transaction(tenantCaller(tenantId), ctx =>
      users.create(ctx, { name: 'Bea', role: 3 }),
    )
    const key = await database.transaction(tenantCaller(tenantId, id), ctx => mint(ctx, { name: 'bench' }))
    const base = await createTenantBase(owner, {
      base: service.base,
      adminKey: RawKey,
      tenantId,
      memberId: id,
      mark,
    })
    await seedItems(owner, base, 0, items)
    return { key: key.RawKey, mark }
  }
  const made = { flooding: await create('Flooding', 'bb0'), other: await create('Other', 'aa0') }
  await database.close()
  await owner.query('vacuum (analyze)')
  await owner.end()
  return made
}
