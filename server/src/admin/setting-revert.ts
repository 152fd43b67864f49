import type { Context } from '../kernel/context.ts'
import type { Changes } from '../kernel/events.ts'
import type { Id } from '../kernel/id.ts'
import { fault, RuleBroken } from '../kernel/refusal.ts'
import { mask } from '../platform/secrets.ts'

interface SettingVersion {
  id: Id
  version: number
}

/** What of a setting must change so that it is what it was at a version: told by the events since. */
export async function valuesAt(ctx: Context, { id, version: now }: SettingVersion, version: number): Promise<object> {
  const refuse = (code: string, message: string) =>
    new RuleBroken(code, message, [fault(['version'], code, message, version)])
  if (version > now) throw refuse('unknown-version', `the last version is ${now}`)
  const events = await ctx.sql<{ changes: Changes }>`select changes from event
    where tenant_id = ${ctx.caller.tenantId} and record_id = ${id} and entity = 'AppSetting' order by xact desc, id desc limit ${now - version}`
  if (events.length < now - version) throw refuse('unknown-version', 'the log no longer knows what it was')
  const was: Record<string, unknown> = {}
  for (const { changes } of events) for (const [property, { from }] of Object.entries(changes)) was[property] = from
  delete was.deleted
  if (was.value === mask) throw refuse('secret-not-kept', 'what a secret was is kept nowhere: give it anew')
  return was
}
