import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { isCallableUrl } from './message/callable-url.ts'
import type { Notification } from './notification.ts'

const recipientKinds = ['user', 'email', 'endpoint', 'slack', 'teams'] as const

/** A user, mail address or URL that gets the result of a run. */
export interface NotificationRecipient {
  kind: (typeof recipientKinds)[number]
  /** The id of a user, a mail address, or the host of a URL. */
  to: string
}

/** Reads the recipients in the payload of a job. */
export function readRecipients(value: unknown): NotificationRecipient[] {
  return (Array.isArray(value) ? value : []).flatMap(each => {
    const kind = recipientKinds.find(known => known === Reflect.get(Object(each), 'kind'))
    return kind ? [{ kind, to: String(Reflect.get(Object(each), 'to')) }] : []
  })
}

/** Returns each recipient once, also one in two groups, or in a group and in the list of addresses. */
export async function recipientsOf(ctx: Context, notification: Notification): Promise<NotificationRecipient[]> {
  const people = await usersOf(ctx, notification)
  const known = new Set(people.map(each => each.email))
  const emails = [...new Set(notification.recipientEmail.map(each => each.toLowerCase()))].filter(
    each => !known.has(each),
  )
  const refused = await refusedBy(ctx, notification.id)
  const mails: NotificationRecipient[] = [
    ...people.filter(({ email }) => !refused.has(email)).map(({ id }) => ({ kind: 'user' as const, to: id })),
    ...emails.filter(each => !refused.has(each)).map(to => ({ kind: 'email' as const, to })),
  ]
  const { recipientEndpoint: endpoint, recipientSlackId: slack, recipientMsTeamsId: teams } = notification
  const urls = [
    ['endpoint', endpoint],
    ['slack', slack],
    ['teams', teams],
  ] as const
  const calls = urls.flatMap(([kind, url]) => (isCallableUrl(url) ? [{ kind, to: new URL(url).host }] : []))
  return [...mails, ...calls]
}

async function usersOf(ctx: Context, { recipientUserGroup }: Notification): Promise<{ id: Id; email: string }[]> {
  const { tenantId } = ctx.caller
  return await ctx.sql<{ id: Id; email: string }>`
    with recursive inside as (
      select g.id, g.members from user_group g where g.tenant_id = ${tenantId} and not g.deleted and g.id = any(${recipientUserGroup}::uuid[])
      union select g.id, g.members from user_group g join inside i on g.parent_id = i.id where g.tenant_id = ${tenantId} and not g.deleted)
    select u.id, lower(u.email) as email from "user" u
    where u.tenant_id = ${tenantId} and u.active and not u.deleted and u.id in (select unnest(members) from inside) order by u.id`
}

/** The addresses that have unsubscribed from a notification. */
export async function refusedBy(ctx: Context, id: Id): Promise<Set<string>> {
  const rows = await ctx.sql<{
    address: string
  }>`select address from notification_refusal where tenant_id = ${ctx.caller.tenantId} and notification_id = ${id}`
  return new Set(rows.map(row => row.address))
}
