import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '../../kernel/database.ts'
import { refuseUnfinishedRestore } from '../../platform/backup/restore-target.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { joinEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts'
import type { Settings } from '../../platform/settings.ts'
import { embeddedOptions } from '../../platform/wal-archive/wal-archive.ts'
import { help, UsageError } from './usage.ts'

/** The input of a command that works without the database: the settings, and the words after its name. */
export interface OfflineInput {
  settings: Settings
  words: string[]
}

/** The input of a command on the database. */
export interface CommandInput extends OfflineInput {
  url: string
}

/** Runs work on the external database, or on the embedded one, which is started if no service runs. */
export async function withDatabaseUrl<T>(settings: Settings, work: (url: string) => Promise<T>): Promise<T> {
  refuseUnfinishedRestore(settings.dataDir)
  if (settings.databaseUrl) return await work(settings.databaseUrl)
  const embedded = await joinEmbeddedPostgres(embeddedOptions(settings, () => {}))
  try {
    return await work(embedded.url)
  } finally {
    await embedded.stop()
  }
}

/** Runs work on the migrated database, with a few connections that are closed afterwards. */
export async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  await migrate(url)
  return await onDatabase(url, work)
}

/** The same without a migration, for commands that change nothing. */
export async function onDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Reads the options of a command; an unknown one is refused with the usage. */
export function options<
  O extends Parameters<typeof parseArgs>[0] extends infer C
    ? C extends { options?: infer P }
      ? NonNullable<P>
      : never
    : never,
>(words: string[], known: O) {
  try {
    return parseArgs({ args: words, options: known }).values as Record<string, string | undefined> & { json?: boolean }
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${help}`)
  }
}
