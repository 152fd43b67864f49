import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { newId } from '../../kernel/id.ts'
import { ensureDataDir } from '../data-dir/data-dir.ts'

/** The file with the master keys, one in each line, the one that seals first. */
export const fileOf = (dataDir: string) => join(dataDir, 'master.key')

/** The file appears under its name complete and atomically, so two processes at their first start use one key. */
export function makeKeyFile(dataDir: string, text: string): void {
  const file = fileOf(dataDir)
  const draft = writeDraft(dataDir, text)
  try {
    linkSync(draft, file)
    flushDirectory(dataDir)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Replaces the file atomically. */
export function writeKeyFile(dataDir: string, text: string): void {
  renameSync(writeDraft(dataDir, text), fileOf(dataDir))
  flushDirectory(dataDir)
}

function writeDraft(dataDir: string, text: string): string {
  ensureDataDir(dataDir)
  const draft = `${fileOf(dataDir)}.${newId()}`
  writeFileSync(draft, text, { flag: 'wx', mode: 0o600, flush: true })
  return draft
}

/** Without this a power cut could remove the key and leave the values that it sealed. */
function flushDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/**
 * A copied or restored file often has wider permissions. A file that this user may not change stays as the operator set
 * it.
 */
export function restrictAccess(file: string): void {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return
  try {
    chmodSync(file, 0o600)
  } catch {}
}
