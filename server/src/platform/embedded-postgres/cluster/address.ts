import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionRecord } from '../data-directory/connection-record.ts'
import type { DataDirectory } from '../data-directory/data-directory.ts'
import { type AsUser, chownTo } from './as-user.ts'

export const owner = 'gantry_owner'
export const database = 'gantry'

const defaultPort = 5432
// The size of the kernel's field for a socket path, without the terminating zero.
const longestSocketPath = process.platform === 'darwin' ? 103 : 107

/** Decides where PostgreSQL listens: on a Unix socket, or on Windows on a loopback port. */
export async function chooseAddress(
  directory: DataDirectory,
  memory: ConnectionRecord,
  user: AsUser,
): Promise<ConnectionRecord> {
  if (process.platform === 'win32') return { ...memory, socketDirectory: '', port: await freePort(memory.port) }
  const socket = socketDirectory(directory, memory, user)
  chownTo(user, socket)
  return { ...memory, socketDirectory: socket, port: defaultPort }
}

/** The URL that both `pg` and libpq (psql, pgbench) accept, and that `new URL()` can parse. */
export function urlOf({ password, socketDirectory, port }: ConnectionRecord, name = database): string {
  const host = socketDirectory ? encodeURIComponent(socketDirectory) : `127.0.0.1:${port}`
  return `postgres://${owner}:${password}@${host}/${name}`
}

function socketDirectory({ socket }: DataDirectory, memory: ConnectionRecord, user: AsUser): string {
  if (fits(socket)) {
    mkdirSync(socket, { recursive: true, mode: 0o700 })
    return socket
  }
  if (isPrivate(memory.socketDirectory, user)) return memory.socketDirectory
  const roomy = [tmpdir(), '/tmp'].find(parent => existsSync(parent) && fits(join(parent, 'gantry-XXXXXX')))
  const fresh = mkdtempSync(join(roomy ?? '/tmp', 'gantry-'))
  chmodSync(fresh, 0o700)
  return fresh
}

function fits(path: string): boolean {
  return Buffer.byteLength(join(path, `.s.PGSQL.${defaultPort}`)) <= longestSocketPath
}

/** A recorded directory under /tmp may have been deleted and created again by another user. */
function isPrivate(path: string, user: AsUser): boolean {
  if (!path || !fits(path)) return false
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found?.isDirectory() || (found.mode & 0o077) !== 0) return false
  return found.uid === process.getuid?.() || found.uid === user.owner?.uid
}

/** Returns the recorded port if it is free, otherwise any free port. */
function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', error => (wanted === 0 ? reject(error) : resolve(freePort(0))))
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      const port = address !== null && typeof address === 'object' ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
