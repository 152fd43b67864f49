import { statfs } from 'node:fs/promises'
import type { ContextOptions } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import { isConnectionFault } from '../../kernel/postgres/sql-state.ts'
import type { Settings } from '../settings.ts'

/** The disk of the data directory. */
export interface Disk {
  /** The bytes that are free now. */
  free(): Promise<number>
  /** With fewer free bytes the service is not ready; 0 if it need not know. */
  least: number
  /** Whether so little is free that requests must not write. */
  isFull(): Promise<boolean>
}

/** How long an answer of `isFull` holds; ms. Nobody asks the file system for every request. */
const holds = 250

/**
 * Half of `MIN_FREE_BYTES` is reserved. PostgreSQL stops, for readers too, when it cannot begin a new file of its log (16 MiB),
 * so requests stop writing before it comes to that.
 */
export function diskOf(
  { dataDir, minFreeBytes: least }: Pick<Settings, 'dataDir' | 'minFreeBytes'>,
  free = () => statfs(dataDir).then(({ bavail, bsize }) => bavail * bsize),
): Disk {
  let [askedAt, answer] = [Number.NEGATIVE_INFINITY, Promise.resolve(false)]
  return {
    least,
    free,
    isFull() {
      if (least > 0 && performance.now() - askedAt > holds) {
        askedAt = performance.now()
        answer = free().then(
          bytes => bytes < least / 2,
          () => false, // the directory does not exist yet
        )
      }
      return answer
    },
  }
}

/** The error of the system for a full disk, which is answered with `storage-full`. */
export const diskFull = () => Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })

/**
 * The database of requests, if its files are on this disk: while the disk is full, requests that write are refused, and if
 * the database is down as well, the answer names the reason.
 */
export function onDisk(database: Database, disk: Disk): Database {
  async function run<T>(work: () => Promise<T>, { operation }: ContextOptions = {}): Promise<T> {
    if (operation && operation.mode !== 'read' && (await disk.isFull())) throw diskFull()
    return await work().catch(async error => {
      throw isConnectionFault(error) && (await disk.isFull()) ? diskFull() : error
    })
  }
  return {
    ...database,
    single: (caller, work, more) => run(() => database.single(caller, work, more), more),
    transaction: (caller, work, more) => run(() => database.transaction(caller, work, more), more),
    crossTenantSql: (strings, ...values) => run(() => database.crossTenantSql(strings, ...values)),
    serving: services => onDisk(database.serving(services), disk),
  }
}
