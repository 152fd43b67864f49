import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { keepNewest, listBackups, writeFolder } from './backup-folder.ts'
import { writeCompressed } from './compressed-file.ts'
import { tableFile, writeFileList } from './contents.ts'
import { type CopyTarget, filesIn, pathOf, sizeOf, storeFile } from './file-copies.ts'
import { type Manifest, programVersion, type TableEntry, writeManifest } from './manifest.ts'
import { masterKeyCheckOf, type Snapshot, withSnapshot } from './snapshot.ts'
import { UnusableBackup } from './unusable-backup.ts'
import { verifyTables } from './verify.ts'

/** What is backed up, and where to. */
interface BackupInput {
  url: string
  dataDir: string
  /** The folder of all backups. */
  to: string
  /** How many backups stay; all if undefined. */
  keep?: number | undefined
}

/** What a backup did. */
export interface BackupResult {
  path: string
  manifest: Manifest
  /** Files that the backup before did not have. */
  newFiles: number
  removed: string[]
}

/**
 * Writes a backup of database and files while the service goes on, and reads it again before it gets its name. Files come
 * first: what the later snapshot of the database refers to beyond them has just been uploaded, and nobody removes it.
 */
export async function createBackup({ url, dataDir, to, keep }: BackupInput): Promise<BackupResult> {
  const before = (await listBackups(to)).at(-1)
  const live = join(dataDir, 'files')
  const { path, manifest, newFiles } = await writeFolder(to, async draft => {
    const target: CopyTarget = { to: join(draft, 'files'), checked: before && join(to, before, 'files') }
    await mkdir(join(draft, 'tables'), { mode: 0o700 })
    await mkdir(target.to, { mode: 0o700 })
    let newFiles = 0
    for await (const file of filesIn(live)) if ((await storeFile(file, live, target)) === 'copied') newFiles++
    const { files, ...facts } = await withSnapshot(url, snapshot => dump(snapshot, draft))
    const copies = await completeFiles(files, live, target)
    const listed = await writeFileList(draft, copies.sizes)
    const manifest: Manifest = {
      ...facts,
      files: {
        count: copies.sizes.size,
        size: [...copies.sizes.values()].reduce((sum, size) => sum + size, 0),
        bytes: listed.bytes,
        sha256: listed.sha256,
      },
      missingFiles: copies.missing,
    }
    await verifyTables(draft, manifest)
    await writeManifest(draft, manifest)
    return { manifest, newFiles: newFiles + copies.copied }
  })
  const removed = keep === undefined ? [] : await keepNewest(to, keep)
  return { path, manifest, newFiles, removed }
}

type Facts = Omit<Manifest, 'files' | 'missingFiles'>

async function dump(snapshot: Snapshot, draft: string): Promise<Facts & { files: Set<string> }> {
  const facts = await factsOf(snapshot)
  const tables: TableEntry[] = []
  for (const table of snapshot.tables) {
    const { bytes, rows } = snapshot.rowsOf(table)
    const { lines, ...content } = await writeCompressed(tableFile(draft, table.name), bytes)
    if (lines !== rows())
      throw new UnusableBackup(`the server sent ${rows()} rows of ${table.name}, and ${lines} were written`)
    tables.push({ name: table.name, columns: table.columns, rows: lines, ...content })
  }
  return { ...facts, tables, files: await snapshot.files() }
}

async function factsOf(snapshot: Snapshot): Promise<Omit<Facts, 'tables'>> {
  const { client } = snapshot
  const { rows } = await client.query<{ at: Date; postgres: string; known: boolean; hasBase: boolean }>(
    `select now() as at, current_setting('server_version') as postgres, to_regclass('migration') is not null as known,
       to_regproc('log_base') is not null as "hasBase"`,
  )
  const [server] = rows
  if (!server?.known) throw new UnusableBackup('the database has no data of Gantry yet')
  const text = async (statement: string) =>
    (await client.query<{ value: string }>(statement)).rows.map(row => row.value)
  const [logBase = ''] = server.hasBase ? await text('select log_base()::text as value') : []
  return {
    gantry: 'backup',
    format: 1,
    version: programVersion,
    postgres: server.postgres,
    created: server.at.toISOString(),
    migrations: await text('select name as value from migration order by name'),
    logBase,
    masterKeyCheck: await masterKeyCheckOf(snapshot),
  }
}

/** Copies the files of the snapshot that are not there yet, and removes those that no row refers to. */
async function completeFiles(wanted: Set<string>, live: string, target: CopyTarget) {
  const sizes = new Map<string, number>()
  let [copied, missing] = [0, 0]
  for await (const file of filesIn(target.to)) if (!wanted.has(file)) await rm(join(target.to, pathOf(file)))
  for (const file of [...wanted].sort()) {
    const path = join(target.to, pathOf(file))
    if ((await sizeOf(path)) === undefined && (await storeFile(file, live, target)) === 'copied') copied++
    const size = await sizeOf(path)
    if (size === undefined) missing++
    else sizes.set(file, size)
  }
  return { sizes, copied, missing }
}
