import { resolve } from 'node:path'
import { type BackupResult, createBackup } from '../../platform/backup/backup.ts'
import type { Manifest } from '../../platform/backup/manifest.ts'
import { verifyBackup } from '../../platform/backup/verify.ts'
import type { Settings } from '../../platform/settings.ts'
import { keepNewestBases } from '../../platform/wal-archive/archive-retention.ts'
import { createBase } from '../../platform/wal-archive/base-backup.ts'
import type { CommandInput, OfflineInput } from './command-input.ts'
import { options } from './command-input.ts'
import { help, UsageError } from './usage.ts'

export async function backup({ settings, url, words }: CommandInput): Promise<string> {
  const {
    to = settings.backupDir,
    keep,
    base,
  } = options(words, { to: { type: 'string' }, keep: { type: 'string' }, base: { type: 'boolean' } })
  if (base) return await baseBackup(settings, url, readKeep(keep))
  if (!to) throw new UsageError(`backup needs --to, or the setting BACKUP_DIR\n\n${help}`)
  const made = await createBackup({ url, dataDir: settings.dataDir, to: resolve(to), keep: readKeep(keep) })
  return describeBackup(made, settings)
}

async function baseBackup({ dataDir, walArchive, ...settings }: Settings, url: string, keep: number | undefined) {
  if (!walArchive) throw new UsageError(`backup --base needs the setting WAL_ARCHIVE\n\n${help}`)
  const { path, manifest } = await createBase({ url, dataDir, archive: walArchive })
  const removed = keep === undefined ? [] : await keepNewestBases(walArchive, keep)
  return [
    `base       ${path}`,
    `restores   any moment from ${manifest.stopped} on, with the log that is archived after it`,
    'verified   checksums of all files of the cluster',
    ...(removed.length > 0 ? [`removed    ${removed.join(', ')}, and the log that only they needed`] : []),
    ...keptApart({ ...settings, dataDir }),
  ].join('\n')
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
    ...keptApart({ masterKey, dataDir }),
  ].join('\n')
}

const keptApart = ({ masterKey, dataDir }: Pick<Settings, 'masterKey' | 'dataDir'>) => [
  `NOT INSIDE the master key (${masterKey ? 'MASTER_KEY' : `${dataDir}/master.key`}) and the settings of the environment.`,
  '           Keep them in another place: without the key a restore is refused, and no stored secret can be opened.',
]

/** The lines that say what a backup holds. */
export function contentsOf({ tables, files, created, migrations }: Manifest, more = ''): string[] {
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
