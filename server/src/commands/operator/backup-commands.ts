import { resolve } from 'node:path'
import { type BackupResult, createBackup } from '../../platform/backup/backup.ts'
import type { Manifest } from '../../platform/backup/manifest.ts'
import { restoreBackup } from '../../platform/backup/restore.ts'
import { verifyBackup } from '../../platform/backup/verify.ts'
import type { Settings } from '../../platform/settings.ts'
import type { CommandInput, OfflineInput } from './command-input.ts'
import { options } from './command-input.ts'
import { help, UsageError } from './usage.ts'

export async function backup({ settings, url, words }: CommandInput): Promise<string> {
  const { to = settings.backupDir, keep } = options(words, { to: { type: 'string' }, keep: { type: 'string' } })
  if (!to) throw new UsageError(`backup needs --to, or the setting BACKUP_DIR\n\n${help}`)
  const made = await createBackup({ url, dataDir: settings.dataDir, to: resolve(to), keep: readKeep(keep) })
  return describeBackup(made, settings)
}

/** How many backups stay. */
function readKeep(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--keep must be a whole number from 1, not "${text}"`)
  return Number(text)
}

function describeBackup({ path, manifest, newFiles, removed }: BackupResult, { masterKey, dataDir }: Settings): string {
  const { files, missingFiles } = manifest
  return [
    `backup     ${path}`,
    ...contentsOf(manifest, ` (${newFiles} new)`),
    'verified   rows and checksums of all tables, checksums of new files',
    ...(removed.length > 0 ? [`removed    ${removed.join(', ')}`] : []),
    ...(missingFiles > 0
      ? [
          `WARNING    ${missingFiles} of ${files.count + missingFiles} files are not in ${dataDir}: their bytes are lost`,
        ]
      : []),
    `NOT INSIDE the master key (${masterKey ? 'MASTER_KEY' : `${dataDir}/master.key`}) and the settings of the environment.`,
    '           Keep them in another place: without the key a restore is refused, and no stored secret can be opened.',
  ].join('\n')
}

function contentsOf({ tables, files, created, migrations }: Manifest, more = ''): string[] {
  const [rows, bytes] = [
    tables.reduce((sum, each) => sum + each.rows, 0),
    tables.reduce((sum, each) => sum + each.bytes, 0),
  ]
  return [
    `as of      ${created}, schema ${migrations.at(-1)}`,
    `database   ${tables.length} tables, ${rows} rows, ${megabytes(bytes)}`,
    `files      ${files.count}${more}, ${megabytes(files.size)}`,
  ]
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

export async function verifyBackupCommand({ words }: OfflineInput): Promise<string> {
  const { from } = options(words, { from: { type: 'string' } })
  if (!from) throw new UsageError(`backup verify needs --from\n\n${help}`)
  const manifest = await verifyBackup(resolve(from))
  return [...contentsOf(manifest), 'verified   rows and checksums of all tables, checksums of all files'].join('\n')
}

export async function restore({ settings, words }: OfflineInput): Promise<string> {
  const { from } = options(words, { from: { type: 'string' } })
  if (!from) throw new UsageError(`restore needs --from\n\n${help}`)
  const { manifest, files, migrated } = await restoreBackup(resolve(from), settings)
  return [
    `restored   ${from}`,
    ...contentsOf(manifest),
    `verified   rows of all tables, ${files} files by their checksums`,
    ...(migrated.length > 0 ? [`migrated   ${migrated.join(', ')}`] : []),
    'Start the service with the same settings as before.',
  ].join('\n')
}
