import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { DataDirectory } from './data-directory.ts'

/** The connection parameters that are kept from one start to the next. */
export interface ConnectionRecord {
  password: string
  /** Directory of the Unix socket; empty where PostgreSQL listens on TCP. */
  socketDirectory: string
  port: number
}

/** Reads the record of this data directory; undefined if it is missing or damaged. */
export function readConnectionRecord({ connectionRecord: memory }: DataDirectory): ConnectionRecord | undefined {
  try {
    const { password, socketDirectory, port }: Record<string, unknown> = JSON.parse(readFileSync(memory, 'utf8'))
    if (typeof password !== 'string' || typeof socketDirectory !== 'string' || typeof port !== 'number')
      return undefined
    return { password, socketDirectory, port }
  } catch {
    return undefined
  }
}

export function newConnectionRecord(): ConnectionRecord {
  return { password: randomBytes(24).toString('base64url'), socketDirectory: '', port: 0 }
}

export function writeConnectionRecord({ connectionRecord: memory }: DataDirectory, what: ConnectionRecord): void {
  writeFileSync(`${memory}.new`, `${JSON.stringify(what, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(`${memory}.new`, memory)
}
