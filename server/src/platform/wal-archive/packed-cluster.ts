import { createHash } from 'node:crypto'
import { copyFile, type FileHandle, mkdir, open, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { contentOf, readCompressed, writeCompressed } from '../backup/compressed-file.ts'
import { UnusableBackup } from '../backup/unusable-backup.ts'
import type { BaseManifest } from './base-manifest.ts'

// A cluster has more than a thousand small files, so a base backup holds their contents one after another in one file.

type PackedFiles = BaseManifest['files']

const packed = (folder: string) => join(folder, 'cluster.zst')

/** Packs files of a running cluster, and at the end a text that `last` returns when all of them have been read. */
export async function packCluster(
  folder: string,
  {
    cluster,
    names,
    last,
  }: { cluster: string; names: readonly string[]; last: () => Promise<{ name: string; text: string }> },
): Promise<{ files: PackedFiles; sha256: string }> {
  const files: PackedFiles = []
  async function* contents(): AsyncGenerator<Buffer> {
    for (const name of names) {
      let bytes = 0
      for await (const chunk of contentIn(join(cluster, name))) {
        bytes += chunk.length
        yield chunk
      }
      files.push({ name, bytes })
    }
    const { name, text } = await last()
    const chunk = Buffer.from(text)
    files.push({ name, bytes: chunk.length })
    yield chunk
  }
  const { sha256 } = await writeCompressed(packed(folder), contents())
  return { files, sha256 }
}

/** A table may be dropped at this moment: the log says so, and an empty file does no harm. */
async function* contentIn(path: string): AsyncGenerator<Buffer> {
  const handle = await open(path).catch(error => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!handle) return
  try {
    const { size } = await handle.stat()
    while (true) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(Math.min(1 << 16, size + 1)))
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

/** Reads a base backup again and compares it with its manifest. */
export async function verifyPacked(folder: string, { files, sha256 }: BaseManifest): Promise<void> {
  const found = await contentOf(packed(folder)).catch(() => undefined)
  if (found?.sha256 !== sha256 || found.bytes !== files.reduce((sum, { bytes }) => sum + bytes, 0))
    throw new UnusableBackup(`the base backup is damaged: ${packed(folder)} is not what the manifest says`)
}

/** Creates the cluster of a base backup in a data directory; its next start replays the log. */
export async function unpackCluster(folder: string, manifest: BaseManifest, dataDir: string): Promise<void> {
  const cluster = join(dataDir, 'postgres')
  await mkdir(cluster, { mode: 0o700 })
  for (const name of manifest.folders) await mkdir(join(cluster, name), { recursive: true, mode: 0o700 })
  const rest = [...manifest.files]
  const hash = createHash('sha256')
  let current = await create(cluster, rest.shift())
  for await (const chunk of readCompressed(packed(folder))) {
    hash.update(chunk)
    for (let at = 0; at < chunk.length; ) {
      while (current && current.left === 0) current = await next(current.handle, cluster, rest)
      if (!current) break
      const part = chunk.subarray(at, at + current.left)
      await current.handle.writeFile(part)
      current.left -= part.length
      at += part.length
    }
  }
  while (current) current = await next(current.handle, cluster, rest)
  if (hash.digest('hex') !== manifest.sha256) throw new UnusableBackup(`${packed(folder)} was changed meanwhile`)
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 })
  await copyFile(join(folder, 'postgres.json'), join(dataDir, 'postgres.json'))
}

async function next(handle: FileHandle, cluster: string, rest: PackedFiles) {
  await handle.close()
  return await create(cluster, rest.shift())
}

async function create(cluster: string, file: PackedFiles[number] | undefined) {
  if (!file) return undefined
  const path = join(cluster, file.name)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  return { handle: await open(path, 'wx', 0o600), left: file.bytes }
}
