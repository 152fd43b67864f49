import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { writeFolder } from '../backup/backup-folder.ts'
import { writeFileList } from '../backup/contents.ts'
import { filesIn, pathOf, sizeOf, storeFile } from '../backup/file-copies.ts'
import { programVersion } from '../backup/manifest.ts'
import { UnusableBackup } from '../backup/unusable-backup.ts'
import { type BaseManifest, writeBaseManifest } from './base-manifest.ts'
import { clusterFiles } from './cluster-files.ts'
import { packCluster, verifyPacked } from './packed-cluster.ts'
import { claimArchive, closeGap, placesIn, systemOf } from './wal-archive.ts'

/** What a base backup is made of. */
interface BaseInput {
  url: string
  dataDir: string
  archive: string
}

/**
 * Copies the files of the running cluster into the archive, with the bytes of all files of users. The copy is of no single
 * moment; the log that the server writes meanwhile, and archives, makes it whole.
 */
export async function createBase({
  url,
  dataDir,
  archive,
}: BaseInput): Promise<{ path: string; manifest: BaseManifest }> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // a connection lost while idle; the statement reports it
  await client.connect()
  try {
    const made = await writeFolder(placesIn(archive).bases, async folder => {
      const facts = await factsOf(client, dataDir)
      await archiveFiles(dataDir, archive, folder)
      const manifest = await copyCluster(client, { dataDir, archive, folder, facts })
      await verifyPacked(folder, manifest)
      await writeBaseManifest(folder, manifest)
      return { manifest }
    })
    claimArchive(archive, dataDir) // the operator's command may be the first to write here, before any start
    closeGap(archive)
    return made
  } finally {
    await client.end()
  }
}

type Facts = Omit<BaseManifest, 'stopped' | 'firstSegment' | 'folders' | 'files' | 'sha256'>

async function factsOf(client: pg.Client, dataDir: string): Promise<Facts> {
  const { rows } = await client.query<{ postgres: string; at: Date; check: string | null; archiving: boolean }>(
    `select current_setting('archive_mode') = 'on' as archiving, current_setting('server_version_num')::int / 10000 || '' as postgres, clock_timestamp() as at,
       (select value #>> '{}' from installation where key = 'master-key-check') as check`,
  )
  if (!rows[0]?.archiving)
    throw new UnusableBackup('the running service was started without WAL_ARCHIVE: start it with it')
  return {
    gantry: 'base',
    format: 1,
    version: programVersion,
    postgres: rows[0]?.postgres ?? '',
    system: systemOf(dataDir) ?? '',
    started: rows[0]?.at.toISOString() ?? '',
    masterKeyCheck: rows[0]?.check ?? null,
  }
}

/** Copies the bytes that the archive does not have. Those that come later are archived when they arrive (platform/blobs.ts). */
async function archiveFiles(dataDir: string, archive: string, folder: string): Promise<void> {
  const [live, { files: to }] = [join(dataDir, 'files'), placesIn(archive)]
  const sizes = new Map<string, number>()
  for await (const file of filesIn(live)) {
    const size = await sizeOf(join(to, pathOf(file)))
    if (size === undefined) await storeFile(file, live, { to })
    sizes.set(file, size ?? 0)
  }
  await writeFileList(folder, sizes)
}

async function copyCluster(
  client: pg.Client,
  { dataDir, archive, folder, facts }: { dataDir: string; archive: string; folder: string; facts: Facts },
): Promise<BaseManifest> {
  const cluster = join(dataDir, 'postgres')
  const { rows: begun } = await client.query<{ segment: string }>(
    `select pg_walfile_name(pg_backup_start('gantry', true)) as segment`,
  )
  const { folders, files: names } = await clusterFiles(cluster)
  await copyFile(join(dataDir, 'postgres.json'), join(folder, 'postgres.json'))
  let [segment, stopped] = ['', new Date(0)]
  const contents = await packCluster(folder, {
    cluster,
    names,
    async last() {
      const { rows } = await client.query<{ label: string; segment: string; at: Date }>(
        'select labelfile as label, pg_walfile_name(lsn) as segment, clock_timestamp() as at from pg_backup_stop(false)',
      )
      const [{ label, ...end } = { label: '', segment, at: stopped }] = rows
      segment = end.segment
      stopped = end.at
      return { name: 'backup_label', text: label }
    },
  })
  await archived(client, archive, segment)
  return { ...facts, stopped: stopped.toISOString(), firstSegment: begun[0]?.segment ?? '', folders, ...contents }
}

/** Waits for the last segment that the base backup needs; gives up when the server fails to archive repeatedly. */
async function archived(client: pg.Client, archive: string, segment: string): Promise<void> {
  const failures = async () => {
    const { rows } = await client.query<{ count: number }>('select failed_count::int as count from pg_stat_archiver')
    return rows[0]?.count ?? 0
  }
  const before = await failures()
  while (!existsSync(join(placesIn(archive).segments, `${segment}.zst`))) {
    if ((await failures()) - before >= 3)
      throw new UnusableBackup(`PostgreSQL cannot write its log to ${archive}; the reason is in postgres.log`)
    await sleep(100)
  }
}
