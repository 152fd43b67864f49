import { migrate } from '../../platform/migrate.ts'
import { checkMasterKey, openSecrets } from '../../platform/secrets.ts'
import { proveLogs } from './audit-command.ts'
import type { CommandInput } from './command-input.ts'
import { options, withDatabase } from './command-input.ts'

/** Checks what an installation needs, and reports what is missing. */
export async function doctor({ settings, url, words }: CommandInput): Promise<string> {
  const { audit, heads } = options(words, { audit: { type: 'boolean' }, heads: { type: 'string' } })
  if (audit) return await withDatabase(url, database => proveLogs(database, settings, heads))
  const pending = await migrate(url)
  return await withDatabase(url, async database => {
    const [server] = await database.crossTenantSql<{
      version: string
    }>`select current_setting('server_version') as version`
    const [count] = await database.crossTenantSql<{
      tenants: number
    }>`select count(*)::int as tenants from tenant where not deleted`
    await checkMasterKey(database.crossTenantSql, openSecrets(settings))
    return [
      `node        ${process.version}`,
      `PostgreSQL  ${server?.version} (${settings.databaseUrl ? 'external' : `embedded, in ${settings.dataDir}`})`,
      `schema      ${pending.length === 0 ? 'up to date' : `was behind; migrated ${pending.join(', ')}`}`,
      `tenants     ${count?.tenants}`,
      'master key  matches the database',
      'no problem found',
    ].join('\n')
  })
}
