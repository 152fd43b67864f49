import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { mask } from '../../platform/secrets.ts'

interface SettingVersion {
  id: Id
  version: number
}

/** The changes that restore an earlier version of a setting, computed from the events since that version. */
export async function valuesAt(ctx: Context, { id, version: now }: SettingVersion, version: number): Promise<object> {
  const refuse = (code: string, message: string) =>
    new RuleBroken(code, message, [fault(['version'], code, message, version)])
  if (version > now) throw refuse('unknown-version', `the latest version is ${now}`)
  const events = await ctx.sql<{ changes: Changes }>`select changes from event
    where tenant_id = ${ctx.caller.tenantId} and record_id = ${id} and entity = 'AppSetting' order by version desc nulls last limit ${now - version}`
  if (events.length < now - version) throw refuse('unknown-version', 'the log no longer contains this version')
  const was: Record<string, unknown> = {}
  for (const { changes } of events) for (const [property, { from }] of Object.entries(changes)) was[property] = from
  delete was.deleted
  if (was.value === mask)
    throw refuse('secret-not-kept', 'earlier values of a secret are not stored; set the value again')
  return was
}
