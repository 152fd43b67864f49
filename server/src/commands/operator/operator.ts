import { own } from '../../kernel/own.ts'
import { migrate } from '../../platform/database/migrate.ts'
import type { Settings } from '../../platform/settings.ts'
import { backup, verifyBackupCommand } from './backup-commands.ts'
import { type CommandInput, type OfflineInput, withDatabaseUrl } from './command-input.ts'
import { doctor } from './doctor/doctor.ts'
import { createKey, rotateKeys } from './key-commands.ts'
import { dropMasterKeys, rotateMasterKey } from './master-key-commands.ts'
import { restore } from './restore-command.ts'
import { listSettings, setSetting, unsetSetting } from './setting-commands.ts'
import { createTenantCommand, exportTenant, importTenant, operateTenant } from './tenant-commands.ts'
import { help, UsageError } from './usage.ts'

/** Runs the operator's commands. They work while the service runs, with the embedded and with an external database. */
export async function runOperatorCommand(settings: Settings, verb: string, words: string[]): Promise<void> {
  const command = words[0] && !words[0].startsWith('-') ? `${verb} ${words.shift()}` : verb
  const offline = own(offlineCommands, command)
  const act = own(commands, command)
  if (!act && !offline) throw new UsageError(help)
  if (offline) return print(await offline({ settings, words }))
  print(await withDatabaseUrl(settings, async url => await act?.({ settings, url, words })))
}

function print(lines: string | undefined): void {
  if (lines !== undefined) process.stdout.write(`${lines}\n`)
}

/** Commands that no database is started for. */
const offlineCommands: Record<string, (task: OfflineInput) => Promise<string | undefined>> = {
  'backup verify': verifyBackupCommand,
  doctor,
  restore,
}

const commands: Record<string, (task: CommandInput) => Promise<string | undefined>> = {
  'tenant create': createTenantCommand,
  'tenant operate': operateTenant,
  'tenant export': exportTenant,
  'tenant import': importTenant,
  'key create': createKey,
  'signing-key rotate': rotateKeys,
  'master-key rotate': rotateMasterKey,
  'master-key drop': dropMasterKeys,
  'setting list': listSettings,
  'setting set': setSetting,
  'setting unset': unsetSetting,
  backup,
  migrate: async ({ url }) => {
    const done = await migrate(url)
    return done.length === 0 ? 'the database is up to date' : `migrated ${done.join(', ')}`
  },
}
