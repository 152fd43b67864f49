import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quotedSetting, settingsFile } from '../embedded-postgres/cluster/postgres-conf.ts'
import type { EmbeddedOptions } from '../embedded-postgres/embedded-postgres.ts'
import type { Settings } from '../settings.ts'

// The archive of the embedded database's log (WAL): base backups of the cluster, and every segment of the log that was
// written since. Together they give the database back as of any moment. The bytes of files are there as well.

/** How old a change can get before it is in the archive; seconds. */
const maxDelay = 60

/** The archive cannot be used by this installation; the message says why and what to do. */
class UnsuitableArchive extends Error {}

/** The places in an archive. */
export const placesIn = (archive: string) => ({
  identity: join(archive, 'archive.json'),
  segments: join(archive, 'wal'),
  bases: join(archive, 'base'),
  files: join(archive, 'files'),
  /** The log has a gap after the last base backup: a new one is needed before a restore is possible again. */
  gap: join(archive, 'base-needed'),
})

/** The options with which every start of the embedded database archives its log, if the operator wants that. */
export function embeddedOptions(
  { dataDir, walArchive }: Pick<Settings, 'dataDir' | 'walArchive'>,
  log: (line: string) => void,
): EmbeddedOptions {
  if (!walArchive) return { dataDir, log }
  const places = placesIn(walArchive)
  for (const folder of [walArchive, places.segments, places.bases, places.files])
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  refuseForeignArchive(walArchive, dataDir)
  const command = commandOf('store-segment.ts', places.segments, '%p', '%f')
  // A folder that nobody has claimed is new, or another disk in the place of the old one.
  if (!existsSync(places.identity) || !wasArchiving(dataDir, command))
    writeFileSync(places.gap, '', { mode: 0o600, flush: true })
  return {
    dataDir,
    log,
    settings: { archive_mode: 'on', archive_command: command, archive_timeout: String(maxDelay) },
    folders: [places.segments],
  }
}

/** The command by which a recovery gets the segments of an archive. */
export const recoveryCommand = (archive: string) => commandOf('load-segment.ts', placesIn(archive).segments, '%f', '%p')

/** Notes to which database the archive belongs; called when the database runs. */
export function claimArchive(archive: string, dataDir: string): void {
  const { identity } = placesIn(archive)
  const system = systemOf(dataDir)
  if (existsSync(identity) || !system) return
  writeFileSync(identity, `${JSON.stringify({ gantry: 'wal-archive', system })}\n`, {
    flag: 'wx',
    mode: 0o600,
    flush: true,
  })
}

/** Whether the next start has to make a base backup. */
export const needsBase = (archive: string) => existsSync(placesIn(archive).gap)

export const closeGap = (archive: string) => rmSync(placesIn(archive).gap, { force: true })

/** Logs of two databases have segments of the same names. */
function refuseForeignArchive(archive: string, dataDir: string): void {
  const { identity } = placesIn(archive)
  if (!existsSync(identity)) return
  const { system }: { system?: string } = JSON.parse(readFileSync(identity, 'utf8'))
  if (system !== systemOf(dataDir))
    throw new UnsuitableArchive(
      `WAL_ARCHIVE ${archive} belongs to another database than the one in ${dataDir}: restore from it, or choose an empty folder`,
    )
}

/** The number that a cluster got when it was created: the first eight bytes of its control file. */
export function systemOf(dataDir: string): string | undefined {
  const control = join(dataDir, 'postgres', 'global', 'pg_control')
  return existsSync(control) ? String(readFileSync(control).readBigUInt64LE(0)) : undefined
}

/** The configuration of the last start tells whether it archived to the same place. */
function wasArchiving(dataDir: string, command: string): boolean {
  const conf = join(dataDir, 'postgres', settingsFile)
  return existsSync(conf) && readFileSync(conf, 'utf8').includes(quotedSetting(command))
}

/** PostgreSQL runs the command in a shell, and replaces %p and %f. */
function commandOf(script: string, ...words: string[]): string {
  const path = fileURLToPath(new URL(script, import.meta.url))
  return [process.execPath, path, ...words].map(word => (/^%[pf]$/.test(word) ? `"${word}"` : quoted(word))).join(' ')
}

function quoted(word: string): string {
  const literal = word.replaceAll('%', '%%')
  return process.platform === 'win32' ? `"${literal}"` : `'${literal.replaceAll("'", `'\\''`)}'`
}
