import { resolve } from 'node:path'
import { restoreBackup } from '../../platform/backup/restore.ts'
import type { Settings } from '../../platform/settings.ts'
import { isArchive } from '../../platform/wal-archive/recover.ts'
import { restoreArchive } from '../../platform/wal-archive/restore-archive.ts'
import { contentsOf } from './backup-commands.ts'
import { type OfflineInput, options, withDatabaseUrl } from './command-input.ts'
import { restoreTenant, type TenantRestore } from './tenant-restore.ts'
import { help, UsageError } from './usage.ts'

/** Restores a backup, an archive as of a moment, or one tenant of either beside the others. */
export async function restore({ settings, words }: OfflineInput): Promise<string> {
  const { from, at, tenant, as, email } = options(words, {
    from: { type: 'string' },
    at: { type: 'string' },
    tenant: { type: 'string' },
    as: { type: 'string' },
    email: { type: 'string' },
  })
  if (!from) throw new UsageError(`restore needs --from\n\n${help}`)
  if (!tenant !== !as) throw new UsageError(`restore needs --tenant and --as together\n\n${help}`)
  const folder = resolve(from)
  const moment = readMoment(at)
  if (moment && !isArchive(folder))
    throw new UsageError(`--at needs an archive of the log (WAL_ARCHIVE), and ${folder} is none`)
  if (tenant && as) return await oneTenant(settings, { from: folder, at: moment, tenant, as, email })
  const lines = isArchive(folder) ? await wholeArchive(settings, folder, moment) : await wholeBackup(settings, folder)
  return [...lines, 'Start the service with the same settings as before.'].join('\n')
}

/** Without a time zone nobody could tell which moment is meant. */
function readMoment(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime()) || !/T.*(Z|[+-]\d\d:\d\d)$/.test(text))
    throw new UsageError(`--at must be a time with its zone, such as 2026-11-16T14:05:00Z, not "${text}"`)
  if (moment > new Date()) throw new UsageError(`--at ${text} is in the future`)
  return moment
}

async function wholeBackup(settings: Settings, folder: string): Promise<string[]> {
  const { manifest, files, migrated } = await restoreBackup(folder, settings)
  return [
    `restored   ${folder}`,
    ...contentsOf(manifest),
    `verified   rows of all tables, ${files} files by their checksums`,
    ...migratedLine(migrated),
  ]
}

async function wholeArchive(settings: Settings, folder: string, at: Date | undefined): Promise<string[]> {
  const { base, migrated, files, missing } = await restoreArchive(folder, settings, at)
  return [
    `restored   ${folder}`,
    `as of      ${at?.toISOString() ?? 'the end of the archive'}, from the base backup of ${base.manifest.stopped}`,
    `verified   the base backup, ${files} files by their checksums`,
    ...(missing.length > 0 ? [`WARNING    the bytes of ${missing.length} files are not in the archive`] : []),
    ...migratedLine(migrated),
  ]
}

const migratedLine = (migrated: string[]) => (migrated.length > 0 ? [`migrated   ${migrated.join(', ')}`] : [])

async function oneTenant(settings: Settings, input: TenantRestore): Promise<string> {
  const made = await restoreTenant(settings, input, work => withDatabaseUrl(settings, work))
  return [
    `tenant     ${made.tenantId}, ${input.as}${made.suspended ? ' (suspended)' : ''}`,
    `as of      ${input.at?.toISOString() ?? (isArchive(input.from) ? 'the end of the archive' : 'the backup')}`,
    `rows       ${Object.values(made.rows).reduce((sum, each) => sum + each, 0)}, files ${made.files}`,
    `e-mail     ${made.email}`,
    `password   ${made.password}`,
    `API key    ${made.RawKey}`,
    ...(made.setAnew.length > 0
      ? [`set again  ${made.setAnew.map(each => `${each.name} of ${each.ownerId}`).join(', ')}`]
      : []),
  ].join('\n')
}
