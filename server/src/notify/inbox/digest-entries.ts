import { itemVisibility } from '../../items/item/item.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { subjectVisible } from './inbox.ts'

/** The part of an inbox entry that a digest mail shows. */
export interface DueEntry {
  id: Id
  subject: string
  subjectId: Id
  containerId: Id | ''
  key: string
  title: string
  reason: number
  events: string[]
  count: number
  text: string
}

/** Which of the entries that wait for a mail. */
export const which = {
  all: raw('e.mail_due is not null'),
  urgent: raw('e.mail_due is not null and e.mail_urgent'),
}

/**
 * Takes the entries off the queue of mails, and returns those to be mailed. A second process that does the same waits here, and
 * finds none.
 */
export async function claimEntries(
  ctx: Context,
  caller: Caller,
  userId: Id,
  some: Sql,
  max: number,
): Promise<DueEntry[]> {
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<{ id: Id }>`update inbox_entry e set mail_due = null, mail_urgent = false
    where e.tenant_id = ${tenantId} and e.user_id = ${userId} and ${some} returning e.id`
  const due = await mailableEntries(ctx, caller, userId, sql`e.id = any(${rows.map(row => row.id)}::uuid[])`, max)
  await ctx.sql`update inbox_entry set mailed_at = ${ctx.now} where tenant_id = ${tenantId} and id = any(${due.map(each => each.id)}::uuid[])`
  return due
}

/**
 * Returns the entries that are still unread, not archived, not snoozed and visible to the user. A confidential item is named
 * by its key alone, because mails are sent unencrypted and are kept.
 */
export async function mailableEntries(
  ctx: Context,
  caller: Caller,
  userId: Id,
  some: Sql,
  max: number,
): Promise<DueEntry[]> {
  return await ctx.sql<DueEntry>`select e.id, e.subject, e.subject_id as "subjectId", coalesce(i.container_id::text, '') as "containerId", coalesce(i.key, '') as key,
      case when i.visibility = ${itemVisibility.confidential} then '' else coalesce(i.title, '') end as title, e.reason, e.events, e.count, e.text
    from inbox_entry e left join item i on e.subject = 'Item' and i.tenant_id = ${ownTenant} and i.id = e.subject_id
    where e.tenant_id = ${ctx.caller.tenantId} and e.user_id = ${userId} and ${some} and e.unread and not e.archived
      and (e.snoozed_until is null or e.snoozed_until <= ${ctx.now}) and ${subjectVisible(caller, raw('e'))}
    order by e.updated, e.id limit ${max}`
}
