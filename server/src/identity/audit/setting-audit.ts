import type { Context } from '../../kernel/context.ts'
import type { Changes } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'
import { scopes, settingCalled } from '../../platform/setting.ts'
import { appendAudit } from './audit.ts'

interface StoredSetting {
  key: string
  value: unknown
  scope: number
  ownerId: string
}

interface SettingEvent extends StoredSetting {
  recordId: Id
  kind: string
  changes: Changes
}

/** Writes an entry for each change of a security setting in this change set, with the old and the new value. */
export async function appendSettingAudit(ctx: Context): Promise<void> {
  const events = await ctx.sql<SettingEvent>`
    select e.record_id as "recordId", e.kind, e.changes, s.key, s.value, s.scope, s.owner_id as "ownerId"
    from event e join app_setting s on s.tenant_id = ${ownTenant} and s.id = e.record_id
    where e.tenant_id = ${ctx.caller.tenantId} and e.change_set_id = ${ctx.changeSet} and e.entity = 'AppSetting' order by e.id desc`
  for (const ofOne of Map.groupBy(events, each => each.recordId).values())
    for (const { recordId, reason } of settingChanges(ofOne).toReversed())
      await appendAudit(ctx, {
        action: 'setting',
        reason,
        recordKind: 'AppSetting',
        recordId,
        changeSetId: ctx.changeSet,
      })
}

/** Describes the changes of one setting, from its newest event backwards; each event says what was there before. */
function settingChanges(events: readonly SettingEvent[]): { recordId: Id; reason: string }[] {
  const found: { recordId: Id; reason: string }[] = []
  let [after]: readonly (StoredSetting | undefined)[] = events
  for (const { recordId, kind, changes } of events) {
    if (!after) break
    const before = { ...after, ...Object.fromEntries(Object.entries(changes).map(([name, { from }]) => [name, from])) }
    const verb = kind.split('.')[1] ?? ''
    const reasons = transition(
      verb === 'created' || verb === 'restored' ? undefined : before,
      verb === 'deleted' ? undefined : after,
    )
    found.push(...reasons.map(reason => ({ recordId, reason })))
    after = before
  }
  return found
}

function transition(before: StoredSetting | undefined, after: StoredSetting | undefined): string[] {
  const keys = [...new Set([before?.key, after?.key])].filter(
    key => key !== undefined && settingCalled(key)?.security === true,
  )
  return keys.flatMap(key => {
    const [old, now] = [before, after].map(each => (each && each.key === key ? textOf(each) : 'not set'))
    return old === now ? [] : [`${key}: ${old} → ${now}`]
  })
}

function textOf({ value, scope, ownerId }: StoredSetting): string {
  return `${JSON.stringify(value)}${scope === scopes.tenant ? '' : ` (scope ${scope} ${ownerId})`}`
}
