import { own } from '../../kernel/own.ts'
import { joinEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts'
import { migrate } from '../../platform/migrate.ts'
import type { Settings } from '../../platform/settings.ts'
import type { CommandInput } from './command-input.ts'
import { doctor } from './doctor.ts'
import { createKey, rotateKeys } from './key-commands.ts'
import { listSettings, setSetting, unsetSetting } from './setting-commands.ts'
import { createTenantCommand, exportTenant, importTenant, operateTenant } from './tenant-commands.ts'
import { help, UsageError } from './usage.ts'

/** Runs the operator's commands. They work while the service runs, with the embedded and with an external database. */
export async function runOperatorCommand(settings: Settings, verb: string, words: string[]): Promise<void> {
  const command = ['tenant', 'key', 'signing-key', 'setting'].includes(verb) ? `${verb} ${words.shift() ?? ''}` : verb
  const act = own(commands, command)
  if (!act) throw new UsageError(help)
  const embedded = settings.databaseUrl
    ? undefined
    : await joinEmbeddedPostgres({ dataDir: settings.dataDir, log: () => {} })
  const url = settings.databaseUrl ?? embedded?.url ?? ''
  try {
    const lines = await act({ settings, url, words })
    if (lines !== undefined) process.stdout.write(`${lines}\n`)
  } finally {
    await embedded?.stop()
  }
}

const commands: Record<string, (task: CommandInput) => Promise<string | undefined>> = {
  'tenant create': createTenantCommand,
  'tenant operate': operateTenant,
  'tenant export': exportTenant,
  'tenant import': importTenant,
  'key create': createKey,
  'signing-key rotate': rotateKeys,
  'setting list': listSettings,
  'setting set': setSetting,
  'setting unset': unsetSetting,
  migrate: async ({ url }) => {
    const done = await migrate(url)
    return done.length === 0 ? 'the database is up to date' : `migrated ${done.join(', ')}`
  },
  doctor,
}
