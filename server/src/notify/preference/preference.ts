import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'
import type { ChannelChoice } from './channels.ts'

/** How long the digest mail waits after the first unread entry; `daily` sends it at 08:00 in the user's time zone. */
export const digestInterval = { none: 0, quarter: 1, hourly: 2, daily: 3 } as const

/** The most that a limit of mails per day can be. */
export const maxMailsPerDay = 200

export interface Preference {
  digest: number
  quietHours: boolean
  /** The most notification mails on a day; null is the limit of the tenant. */
  mailsPerDay: number | null
  events: ChannelChoice[]
}

/** A user who can be notified, with their preference. */
export interface NotifiedUser extends Preference {
  userId: Id
  name: string
  email: string
  timezone: string
  workingHours: string
  /** The user has an address and has not turned off mail. */
  wantsMail: boolean
}

export const defaultPreference: Preference = {
  digest: digestInterval.quarter,
  quietHours: true,
  mailsPerDay: null,
  events: [],
}

/** Returns the active users among the given ids. */
export async function notifiedUsers(ctx: Context, userIds: readonly Id[]): Promise<Map<Id, NotifiedUser>> {
  const rows = await ctx.sql<NotifiedUser>`
    select u.id as "userId", u.name, u.email, coalesce(nullif(u.timezone, ''), nullif(t.timezone, ''), 'UTC') as timezone, u.working_hours as "workingHours",
      u.notifications and u.email <> '' as "wantsMail", coalesce(p.digest, ${defaultPreference.digest}) as digest, coalesce(p.quiet_hours, true) as "quietHours", p.mails_per_day as "mailsPerDay", coalesce(p.events, '[]') as events
    from "user" u join tenant t on t.tenant_id = u.tenant_id left join notification_preference p on p.tenant_id = ${ownTenant} and p.user_id = u.id
    where u.tenant_id = ${ctx.caller.tenantId} and u.id = any(${userIds}::uuid[]) and u.active and not u.deleted`
  return new Map(rows.map(row => [row.userId, row]))
}

/** Merges the patch into the preference of a user. */
export async function updatePreference(ctx: Context, userId: Id, patch: Partial<Preference>): Promise<void> {
  const [known] =
    await ctx.sql<Preference>`select digest, quiet_hours as "quietHours", mails_per_day as "mailsPerDay", events from notification_preference
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId} for update`
  const { digest, quietHours, mailsPerDay, events } = { ...defaultPreference, ...known, ...patch }
  await ctx.sql`insert into notification_preference (tenant_id, user_id, digest, quiet_hours, mails_per_day, events, updated)
    values (${ctx.caller.tenantId}, ${userId}, ${digest}, ${quietHours}, ${mailsPerDay}, ${JSON.stringify(events)}::jsonb, ${ctx.now})
    on conflict (tenant_id, user_id) do update set digest = excluded.digest, quiet_hours = excluded.quiet_hours, mails_per_day = excluded.mails_per_day, events = excluded.events, updated = excluded.updated`
}
