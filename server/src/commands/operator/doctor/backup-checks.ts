import { join } from 'node:path'
import { listBackups, timeOfBackup } from '../../../platform/backup/backup-folder.ts'
import { readManifest } from '../../../platform/backup/manifest.ts'
import type { Settings } from '../../../platform/settings.ts'
import { needsBase, placesIn } from '../../../platform/wal-archive/wal-archive.ts'
import { type Check, type CheckResult, type DatabaseCheck, ok, problem, warning } from './finding.ts'
import { messageOf } from './machine-checks.ts'

const hour = 3_600_000

export const backupCheck: Check = { name: 'backup', run: backups }
export const archiveCheck: DatabaseCheck = { name: 'archive', run: archive }

const makeOne = 'run "gantry backup" every day (docs/operating/backup.md)'

async function backups({ backupDir, walArchive }: Settings): Promise<CheckResult[]> {
  if (!backupDir)
    return [
      walArchive
        ? ok('BACKUP_DIR is not set; the log is archived')
        : warning('BACKUP_DIR is not set, so nobody knows whether there are backups', makeOne),
    ]
  const name = (await listBackups(backupDir)).at(-1)
  if (!name) return [problem(`${backupDir} has no backup`, makeOne)]
  try {
    await readManifest(join(backupDir, name))
  } catch (error) {
    return [problem(messageOf(error), makeOne)]
  }
  return [aged(`the newest of ${backupDir}`, timeOfBackup(name), { late: 26 * hour, tooLate: 7 * 24 * hour }, makeOne)]
}

function aged(
  what: string,
  at: Date,
  { late, tooLate }: { late: number; tooLate: number },
  advice: string,
): CheckResult {
  const age = Date.now() - at.getTime()
  const text = `${what} is ${age < 48 * hour ? `${Math.round(age / hour)} hours` : `${Math.round(age / hour / 24)} days`} old`
  if (age > tooLate) return problem(text, advice)
  return age > late ? warning(text, advice) : ok(text)
}

async function archive(
  { walArchive }: Settings,
  { client }: Parameters<DatabaseCheck['run']>[1],
): Promise<CheckResult[]> {
  if (!walArchive) return []
  const { rows } = await client.query<{ on: boolean; failing: boolean; last: Date | null; failed: string | null }>(
    `select current_setting('archive_mode') = 'on' as on, last_archived_time as last, last_failed_wal as failed,
       coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing from pg_stat_archiver`,
  )
  const [state] = rows
  if (!state?.on)
    return [problem('the service was started without WAL_ARCHIVE', 'start it again with the same settings')]
  if (state.failing)
    return [problem(`${state.failed} cannot be archived in ${walArchive}`, 'the reason is in postgres.log of DATA_DIR')]
  const base = (await listBackups(placesIn(walArchive).bases)).at(-1)
  const makeBase = 'run "gantry backup --base --keep 2" every week'
  if (needsBase(walArchive) || !base)
    return [
      problem('a base backup is missing: nothing since can be restored', 'run "gantry backup --base", or start again'),
    ]
  const log = ok(state.last ? `the log is archived up to ${state.last.toISOString()}` : 'the log is archived')
  return [
    log,
    aged('the newest base backup', timeOfBackup(base), { late: 8 * 24 * hour, tooLate: 35 * 24 * hour }, makeBase),
  ]
}
