import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { loadBackup } from '../../platform/backup/load.ts'
import { UnusableBackup } from '../../platform/backup/unusable-backup.ts'
import { verifyBackup } from '../../platform/backup/verify.ts'
import { startEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts'
import type { Settings } from '../../platform/settings.ts'
import { baseFor, isArchive, recover } from '../../platform/wal-archive/recover.ts'
import { withDatabase } from './command-input.ts'
import { exportTenantTo, importTenantFrom } from './tenant-transfer.ts'

/** A tenant of a backup or an archive, and the tenant that it becomes. */
export interface TenantRestore {
  from: string
  at: Date | undefined
  tenant: string
  as: string
  email?: string | undefined
}

/**
 * Restores one tenant beside the others: the whole database is restored into a scratch server, the tenant is exported there as
 * of the moment, and imported into the live database as a new tenant.
 */
export async function restoreTenant(
  settings: Settings,
  { from, at, tenant, as, email }: TenantRestore,
  live: <T>(work: (url: string) => Promise<T>) => Promise<T>,
) {
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 })
  const scratch = await mkdtemp(join(settings.dataDir, 'scratch-'))
  try {
    const file = join(scratch, 'tenant.ndjson')
    const superAdmin = await withScratch(from, scratch, at, async url => {
      await withDatabase(url, async database => {
        const to = createWriteStream(file, { mode: 0o600 })
        // The bytes of files are in a folder of the same name there.
        await exportTenantTo(database, { ...settings, dataDir: from }, { slug: tenant, files: true, to })
        await finished(to.end())
      })
      return await superAdminOf(url, tenant)
    })
    return await live(url =>
      withDatabase(url, database =>
        importTenantFrom(database, settings, { file, slug: as, name: as, email: email ?? superAdmin }),
      ),
    )
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function withScratch<T>(
  from: string,
  dataDir: string,
  at: Date | undefined,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const base = isArchive(from) ? await baseFor(from, at) : undefined
  const manifest = base ? undefined : await verifyBackup(from)
  const database = base
    ? await recover(from, base, { dataDir, at })
    : await startEmbeddedPostgres({ dataDir, log: () => {} })
  try {
    if (manifest) await loadBackup(database.url, from, manifest)
    return await work(database.url)
  } finally {
    await database.stop()
  }
}

/** The super admin who gets the credentials of the copy, unless the operator names another address. */
async function superAdminOf(url: string, slug: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ email: string }>(
      `select u.email from "user" u join tenant t on t.tenant_id = u.tenant_id
       where t.slug = $1 and not t.deleted and u.super_admin and u.active and not u.deleted and u.email <> '' order by u.created, u.id limit 1`,
      [slug],
    )
    if (!rows[0]) throw new UnusableBackup(`${slug} has no active super admin: name one with --email`)
    return rows[0].email
  } finally {
    await client.end()
  }
}
