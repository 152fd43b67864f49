import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listBackups } from '../backup/backup-folder.ts'
import { UnusableBackup } from '../backup/unusable-backup.ts'
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'
import { type BaseManifest, readBaseManifest } from './base-manifest.ts'
import { unpackCluster, verifyPacked } from './packed-cluster.ts'
import { placesIn, recoveryCommand } from './wal-archive.ts'

/** A base backup of an archive. */
export interface Base {
  folder: string
  manifest: BaseManifest
}

/** Whether a folder is an archive of the log, and not a backup. */
export const isArchive = (folder: string) => existsSync(placesIn(folder).identity)

/** Finds the last base backup from which a moment can be reached, or the last one, and compares it with its manifest. */
export async function baseFor(archive: string, at: Date | undefined): Promise<Base> {
  const { bases } = placesIn(archive)
  const names = await listBackups(bases)
  let first: BaseManifest | undefined
  for (const name of names.reverse()) {
    const manifest = await readBaseManifest(join(bases, name))
    first = manifest
    if (at && new Date(manifest.stopped) > at) continue
    await verifyPacked(join(bases, name), manifest)
    return { folder: join(bases, name), manifest }
  }
  throw new UnusableBackup(
    first
      ? `the archive begins at ${first.stopped}, and ${at?.toISOString()} is before that`
      : `${archive} has no base backup`,
  )
}

/**
 * Creates the cluster of a base backup in a data directory and lets PostgreSQL replay the log up to a moment, or to its end.
 * Returns the running database. It follows the log of the base backup itself, so what was done after an earlier restore to a
 * moment before is reached only from a base backup that was made after that restore.
 */
export async function recover(archive: string, base: Base, { dataDir, at }: { dataDir: string; at: Date | undefined }) {
  await unpackCluster(base.folder, base.manifest, dataDir)
  try {
    return await startEmbeddedPostgres({
      dataDir,
      log: () => {},
      attempts: 1,
      settings: {
        restore_command: recoveryCommand(archive),
        recovery_target_timeline: 'current',
        recovery_target_action: 'promote',
        hot_standby: 'off',
        ...(at ? { recovery_target_time: at.toISOString().replace('T', ' ').replace('Z', '+00') } : {}),
      },
    })
  } catch (error) {
    throw asAnswer(error, at)
  }
}

function asAnswer(error: unknown, at: Date | undefined): unknown {
  const text = error instanceof Error ? error.message : String(error)
  if (/recovery ended before configured recovery target was reached/.test(text))
    return new UnusableBackup(`the archive ends before ${at?.toISOString()}, or a part of the log is missing in it`)
  return error
}
