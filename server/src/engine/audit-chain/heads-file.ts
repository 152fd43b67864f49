import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Id } from '../../kernel/id.ts'
import type { ChainHead } from './chain-head.ts'

/** A seal that must be in the chain of a tenant. */
export interface KnownSeal {
  tenantId: Id
  seal: number
  hash: string
}

/** The file with the end of each chain, which is not in the database, so that shortening a chain there does not change it. */
export const headsFile = (dataDir: string) => join(dataDir, 'audit-heads.jsonl')

/** Replaces the ends of these chains in the file. */
export async function writeHeads(dataDir: string, heads: readonly ChainHead[]): Promise<void> {
  if (heads.length === 0) return
  const file = headsFile(dataDir)
  const known = new Map((await readHeads(file)).map(each => [each.tenantId, each]))
  for (const { tenantId, last, hash } of heads) if (last > 0) known.set(tenantId, { tenantId, seal: last, hash })
  const draft = `${file}.new`
  await writeFile(draft, [...known.values()].map(each => `${JSON.stringify(each)}\n`).join(''), {
    mode: 0o600,
    flush: true,
  })
  await rename(draft, file)
}

/** Reads the file, or a copy of it. An installation that has sealed nothing yet has none. */
export async function readHeads(file: string, { mustExist = false } = {}): Promise<KnownSeal[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && !mustExist) return ''
    throw error
  })
  return text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map((line): KnownSeal => JSON.parse(line))
}
