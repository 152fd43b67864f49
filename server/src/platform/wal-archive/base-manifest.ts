import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { UnusableBackup } from '../backup/unusable-backup.ts'

const shape = Type.Object({
  gantry: Type.Literal('base'),
  format: Type.Literal(1),
  version: Type.String(),
  /** The major version of PostgreSQL; another one cannot read the files. */
  postgres: Type.String(),
  system: Type.String(),
  started: Type.String(),
  /** From here on every moment can be restored. */
  stopped: Type.String(),
  /** The first segment of the log that a recovery needs. */
  firstSegment: Type.String(),
  masterKeyCheck: Type.Union([Type.String(), Type.Null()]),
  folders: Type.Array(Type.String()),
  /** The files of the cluster, in the order in which their contents follow each other in one compressed file. */
  files: Type.Array(Type.Object({ name: Type.String(), bytes: Type.Integer() })),
  sha256: Type.String(),
})

/** What a base backup holds. */
export type BaseManifest = Static<typeof shape>

const manifestName = 'base.json'

export async function writeBaseManifest(folder: string, manifest: BaseManifest): Promise<void> {
  const text = JSON.stringify({ ...manifest, hash: hashOf(manifest) }, null, 1)
  await writeFile(join(folder, manifestName), `${text}\n`, { flag: 'wx', mode: 0o600, flush: true })
}

/** Reads what a base backup holds; throws when it was changed or is damaged. */
export async function readBaseManifest(folder: string): Promise<BaseManifest> {
  const damaged = new UnusableBackup(`the base backup ${folder} is damaged, or of a newer version`)
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw damaged
  })
  const { hash, ...manifest }: Record<string, unknown> = JSON.parse(text)
  if (!Value.Check(shape, manifest) || hash !== hashOf(manifest)) throw damaged
  return manifest
}

const hashOf = (manifest: object) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
