import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { UnusableBackup } from './unusable-backup.ts'

const manifestName = 'manifest.json'

const stored = { bytes: Type.Integer(), sha256: Type.String() }

const shape = Type.Object({
  gantry: Type.Literal('backup'),
  format: Type.Literal(1),
  /** The version of the program that wrote it, and of the server that it was read from. */
  version: Type.String(),
  postgres: Type.String(),
  /** The moment of the snapshot. */
  created: Type.String(),
  migrations: Type.Array(Type.String()),
  /** The base of the log's numbers, which is the body of a function. */
  logBase: Type.String(),
  /** A value sealed by the master key, by which a restore finds out whether it has the right one. */
  masterKeyCheck: Type.Union([Type.String(), Type.Null()]),
  tables: Type.Array(
    Type.Object({
      name: Type.String(),
      columns: Type.Array(Type.String()),
      rows: Type.Integer(),
      ...stored,
    }),
  ),
  /** The list of files, and the sum of their sizes. */
  files: Type.Object({ count: Type.Integer(), size: Type.Integer(), ...stored }),
  /** Files that rows refer to, and that the installation did not have. */
  missingFiles: Type.Integer(),
})

/** What a backup holds. It is written last, so a folder without it is no backup. */
export type Manifest = Type.Static<typeof shape>
export type TableEntry = Manifest['tables'][number]

/** The version of this program. */
export const programVersion: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = JSON.stringify({ ...manifest, hash: hashOf(manifest) }, null, 1)
  await writeFile(join(folder, manifestName), `${text}\n`, { flag: 'wx', mode: 0o600, flush: true })
}

/** Reads the manifest of a backup; throws when there is none, or when it was changed. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw new UnusableBackup(`${folder} is no backup: it has no ${manifestName}`)
  })
  const { hash, ...manifest } = parsed(text)
  if (!Value.Check(shape, manifest))
    throw new UnusableBackup(`the manifest of ${folder} is damaged, or of a newer version`)
  if (hash !== hashOf(manifest)) throw new UnusableBackup(`the manifest of ${folder} was changed or is damaged`)
  return manifest
}

/** The hash detects damage, not forgery. */
const hashOf = (manifest: object) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
