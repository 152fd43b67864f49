import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConnectionRecord } from '../data-directory/connection-record.ts'

/**
 * The file in the cluster that is written at every start; postgresql.conf includes it, and ALTER SYSTEM overrides it.
 */
export const settingsFile = 'gantry.conf'

type PostgresSettings = Readonly<Record<string, string>>

// For a small host; fsync, full_page_writes and synchronous_commit keep PostgreSQL's own durable defaults.
const defaults: PostgresSettings = {
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  max_connections: '100',
  random_page_cost: '1.1',
  wal_compression: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

/** Writes the configuration that PostgreSQL reads at its start. */
export function writePostgresConf(cluster: string, memory: ConnectionRecord, settings: PostgresSettings): void {
  const lines = Object.entries({ ...defaults, ...settings, ...listening(memory) }).map(
    ([name, value]) => `${name} = ${quotedSetting(value)}\n`,
  )
  const text = `# Written by Gantry at every start: use ALTER SYSTEM for settings of your own.\n${lines.join('')}`
  const path = join(cluster, settingsFile)
  // The file is recreated, not overwritten: as root we must not follow a link that PostgreSQL's user has put there.
  rmSync(path, { force: true })
  // Readable by others, because PostgreSQL may run as another user; the directory around it is closed.
  writeFileSync(path, text, { mode: 0o644, flag: 'wx' })
}

function listening({ socketDirectory, port }: ConnectionRecord): PostgresSettings {
  return {
    port: String(port),
    listen_addresses: socketDirectory ? '' : '127.0.0.1',
    // The setting is a list: the inner quotes prevent a comma in the path from splitting it.
    unix_socket_directories: socketDirectory && `"${socketDirectory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  }
}

/** A value as it is written in the configuration. */
export function quotedSetting(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
