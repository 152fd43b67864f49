import { join } from 'node:path'
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'
import { listedFiles } from './contents.ts'
import { loadBackup } from './load.ts'
import type { Manifest } from './manifest.ts'
import { checkKey, intoDataDirectory, restoreFiles, type TargetSettings } from './restore-target.ts'
import { verifyBackup } from './verify.ts'

/** What a restore did. */
interface RestoreResult {
  manifest: Manifest
  files: number
  /** The migrations that came after the backup. */
  migrated: string[]
}

/** Restores a backup into an empty data directory, or an empty external database and an empty folder of files. */
export async function restoreBackup(from: string, settings: TargetSettings): Promise<RestoreResult> {
  const manifest = await verifyBackup(from)
  checkKey(settings, manifest.masterKeyCheck)
  return await intoDataDirectory(settings, async () => {
    const files = await restoreFiles(join(from, 'files'), settings.dataDir, namesOf(from))
    const migrated = await withTarget(settings, url => loadBackup(url, from, manifest))
    return { manifest, files, migrated }
  })
}

async function* namesOf(from: string): AsyncGenerator<string> {
  for await (const { file } of listedFiles(from)) yield file
}

async function withTarget<T>({ databaseUrl, dataDir }: TargetSettings, work: (url: string) => Promise<T>): Promise<T> {
  if (databaseUrl) return await work(databaseUrl)
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => {} })
  try {
    return await work(embedded.url)
  } finally {
    await embedded.stop()
  }
}
