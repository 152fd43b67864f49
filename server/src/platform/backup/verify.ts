import { join } from 'node:path'
import { contentOf } from './compressed-file.ts'
import { fileListIn, listedFiles, tableFile } from './contents.ts'
import { hashOf, pathOf, sizeOf } from './file-copies.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { UnusableBackup } from './unusable-backup.ts'

/** Reads a whole backup from the disk and compares it with its manifest; returns the manifest, or throws. */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  await verifyTables(folder, manifest)
  for await (const { file } of listedFiles(folder)) {
    const path = join(folder, 'files', pathOf(file))
    if ((await hashOf(path)) !== file.slice(-64)) throw damaged(path)
  }
  return manifest
}

/** Compares rows, sizes and hashes of the tables, and the number and sizes of the files. */
export async function verifyTables(folder: string, { tables, files }: Manifest): Promise<void> {
  for (const { name, rows, bytes, sha256 } of tables) {
    const found = await contentOf(tableFile(folder, name)).catch(unreadable(tableFile(folder, name)))
    if (found.lines !== rows || found.bytes !== bytes || found.sha256 !== sha256) throw damaged(tableFile(folder, name))
  }
  const list = await contentOf(fileListIn(folder)).catch(unreadable(fileListIn(folder)))
  if (list.lines !== files.count || list.sha256 !== files.sha256) throw damaged(fileListIn(folder))
  for await (const { file, size } of listedFiles(folder)) {
    const path = join(folder, 'files', pathOf(file))
    if ((await sizeOf(path)) !== size) throw damaged(path)
  }
}

const damaged = (path: string) => new UnusableBackup(`the backup is damaged: ${path} is not what the manifest says`)

const unreadable = (path: string) => (error: unknown) => {
  throw new UnusableBackup(
    `the backup is damaged: ${path} cannot be read (${error instanceof Error ? error.message : error})`,
  )
}
