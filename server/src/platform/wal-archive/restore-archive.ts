import { join } from 'node:path'
import { storeFile } from '../backup/file-copies.ts'
import { checkKey, intoDataDirectory, requireKey, type TargetSettings } from '../backup/restore-target.ts'
import { masterKeyCheckOf, withSnapshot } from '../backup/snapshot.ts'
import { UnusableBackup } from '../backup/unusable-backup.ts'
import { migrate } from '../database/migrate.ts'
import { type Base, baseFor, recover } from './recover.ts'
import { placesIn } from './wal-archive.ts'

/** What a restore from the archive did. */
interface ArchiveRestored {
  base: Base
  migrated: string[]
  files: number
  /** Files that rows refer to, and that the archive does not have. */
  missing: string[]
}

/** Restores the embedded database as of a moment, or of the end of the archive, into an empty data directory. */
export async function restoreArchive(
  archive: string,
  settings: TargetSettings,
  at: Date | undefined,
): Promise<ArchiveRestored> {
  if (settings.databaseUrl)
    throw new UnusableBackup('an archive of the log is restored into the embedded database: unset DATABASE_URL')
  const base = await baseFor(archive, at)
  if (base.manifest.masterKeyCheck !== null) requireKey(settings)
  const { dataDir } = settings
  return await intoDataDirectory(settings, async () => {
    const database = await recover(archive, base, { dataDir, at })
    try {
      const migrated = await migrate(database.url)
      const { wanted, sealed } = await withSnapshot(database.url, async snapshot => ({
        wanted: await snapshot.files(),
        sealed: await masterKeyCheckOf(snapshot),
      }))
      // The key may have been rotated after the base backup, so the one of the moment counts.
      checkKey(settings, sealed)
      return { base, migrated, ...(await bringFiles(archive, dataDir, wanted)) }
    } finally {
      await database.stop()
    }
  })
}

async function bringFiles(archive: string, dataDir: string, wanted: Set<string>) {
  const [from, to] = [placesIn(archive).files, join(dataDir, 'files')]
  const missing: string[] = []
  for (const file of wanted) if ((await storeFile(file, from, { to })) === 'missing') missing.push(file)
  return { files: wanted.size - missing.length, missing }
}
