import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { kind } from '../../../kernel/kinds.ts'
import type { Finding } from '../../../kernel/record/record.ts'
import { ownTenant } from '../../../kernel/sql.ts'
import type { ConditionGroups } from '../../../language/conditions/conditions.ts'
import { interval as intervalCode, limiter as limiterCode, minLimiterCap } from '../notification-codes.ts'

/** The properties of a notification that a saved report makes useless or depends on. */
interface ReportNotification {
  savedReportId: Id
  conditionGroup: ConditionGroups
  groupBy: string
  interval: number
  limiter: number
  schedule: string
  recipientUserGroup: readonly Id[]
}

/** Reports what has no effect on a notification that sends a saved report, and the groups that get nothing. */
export async function reportFindings(ctx: Context, record: ReportNotification): Promise<Finding[]> {
  const { conditionGroup, groupBy, limiter, interval, schedule } = record
  const useless = [
    ['conditionGroup', conditionGroup.length > 0, 'the saved report has conditions of its own'],
    ['groupBy', groupBy !== '', 'the saved report has groups of its own'],
    ['limiter', limiter > limiterCode.none && limiter < minLimiterCap, 'a saved report is always sent as a whole'],
    ['interval', interval === intervalCode.onGain && schedule === '', 'a saved report is sent at fixed times only'],
  ] as const
  const findings = useless
    .filter(([, is]) => is)
    .map(([property, , message]) => ({ path: `/${property}`, code: 'no-effect', message }))
  const unshared = await unsharedGroups(ctx, record)
  return [
    ...findings,
    ...unshared.map(i => ({
      path: `/recipientUserGroup/${i}`,
      code: 'not-shared',
      message: 'the saved report is not shared with this group; a member gets it only if it is shared otherwise',
    })),
  ]
}

/** The places of the groups with which, or with a group around which, the saved report is not shared. */
async function unsharedGroups(
  ctx: Context,
  { savedReportId, recipientUserGroup }: ReportNotification,
): Promise<number[]> {
  const saved = await kind('SavedReport').find(ctx, savedReportId)
  const shared = saved ? Reflect.get(saved, 'shared') : []
  const rows = await ctx.sql<{ id: Id }>`
    with recursive around as (
      select g.id as start, g.id, g.parent_id from user_group g
        where g.tenant_id = ${ctx.caller.tenantId} and not g.deleted and g.id = any(${recipientUserGroup}::uuid[])
      union select a.start, g.id, g.parent_id from user_group g join around a on g.id = a.parent_id
        where g.tenant_id = ${ownTenant} and not g.deleted)
    select distinct start as id from around where id = any(${shared}::uuid[])`
  const reached = new Set(rows.map(row => row.id))
  return recipientUserGroup.flatMap((id, i) => (reached.has(id) ? [] : [i]))
}
