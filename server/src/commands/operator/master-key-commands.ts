import { setTimeout as sleep } from 'node:timers/promises'
import { type ResealReport, resealAll } from '../../app/reseal.ts'
import type { Database } from '../../kernel/database.ts'
import { dropOldKeys, prependKey } from '../../platform/master-key/master-key.ts'
import { checkMasterKey, openSecrets, type Secrets } from '../../platform/secrets.ts'
import type { CommandInput } from './command-input.ts'
import { options, withDatabase } from './command-input.ts'
import { UsageError } from './usage.ts'

/**
 * Makes a new master key, unless there is one that has not sealed everything yet, and seals everything with it while the
 * service runs. It can be interrupted at any point and repeated.
 */
export async function rotateMasterKey({ settings, url, words }: CommandInput): Promise<string> {
  options(words, {})
  const secrets = openSecrets(settings)
  return await withDatabase(url, async database => {
    await checkMasterKey(database.crossTenantSql, secrets)
    if (secrets.ring.all().length === 1) {
      if (secrets.ring.source === 'environment') throw new UsageError(addToEnvironment)
      prependKey(settings.dataDir)
    }
    const report = await resealAll(database, secrets)
    // A transaction that began before may still commit a value that the old key sealed.
    await earlierTransactions(database)
    const rest = await resealAll(database, secrets)
    return [
      `${report.resealed + rest.resealed} values are sealed with the new key now`,
      ...hints(rest),
      nextStep(secrets),
    ].join('\n')
  })
}

/** Removes the older keys, unless some value still needs one of them. */
export async function dropMasterKeys({ settings, url, words }: CommandInput): Promise<string> {
  options(words, {})
  const secrets = openSecrets(settings)
  return await withDatabase(url, async database => {
    await checkMasterKey(database.crossTenantSql, secrets)
    const report = await resealAll(database, secrets, { dryRun: true })
    if (report.resealed > 0)
      throw new Error(`${report.resealed} values are sealed with an older key; run master-key rotate first`)
    if (secrets.ring.all().length === 1) return ['there is only one key', ...hints(report)].join('\n')
    if (secrets.ring.source === 'environment')
      return ['no value needs the older keys: remove all but the first from MASTER_KEY', ...hints(report)].join('\n')
    dropOldKeys(settings.dataDir)
    return ['the older keys are dropped', ...hints(report)].join('\n')
  })
}

const addToEnvironment =
  'MASTER_KEY has one key: add a new one after it on every node, then move it to the front on every node, then run this again'

function hints({ unreadable }: ResealReport): string[] {
  return unreadable === 0 ? [] : [`${unreadable} values cannot be opened with any of the keys; they must be set again`]
}

const nextStep = ({ ring }: Secrets) =>
  ring.source === 'file'
    ? 'the old key is still in master.key, for links in mails that were sent before; drop it with master-key drop'
    : 'when all nodes have the new key, check with master-key drop whether the old one can go'

/** Waits until every transaction that has begun to write before now has ended. */
async function earlierTransactions({ crossTenantSql }: Database): Promise<void> {
  const [now] = await crossTenantSql<{ number: string }>`select pg_current_xact_id()::text as number`
  for (;;) {
    const [row] = await crossTenantSql<{
      over: boolean
    }>`select pg_snapshot_xmin(pg_current_snapshot()) > ${now?.number}::xid8 as over`
    if (row?.over) return
    await sleep(100)
  }
}
