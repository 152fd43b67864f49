import { callerInContext } from '../../identity/authority.ts'
import { may, maySomewhere } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { mailPurpose } from '../../mail/outbound-mail/outbound-mail.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { unsubscribeLink } from '../../mail/unsubscribe.ts'
import { eventLabel, eventTopic, reasonText, responsibleReason } from '../event-labels.ts'
import { writeEntries } from '../inbox/write-entries.ts'
import { channelsFor } from '../preference/channels.ts'
import { type NotifiedUser, notifiedUsers } from '../preference/preference.ts'

/** Trouble with something that works by itself. */
interface WarningInput {
  entity: string
  recordId: Id
  /** Who answers for it; the super admins, if that is nobody who is still here and may see it. */
  ownerId: Id | ''
  /** The name of what happened, by which people choose whether they hear of it: `hook.disabled`. */
  event: string
  /** When the trouble began: of one trouble people are told once. */
  since: Date
  /** What happened, in one line. */
  headline: string
  /** What is known of it, and what can be done. Never what was sent, nor a secret. */
  details: readonly string[]
  itemIds?: readonly Id[]
}

/** What people can be warned of besides what they watch. */
export const warnedEntities = ['Rule', 'Hook', 'Mailbox', 'Tenant'] as const

/** Tells whoever answers for a record that it is in trouble: in the inbox, and by a mail of its own, since it may be long until they look. */
export async function warn(ctx: Context, warning: WarningInput): Promise<void> {
  if (!(await isFirst(ctx, warning))) return
  const { entity, recordId, event, headline, details, itemIds = [] } = warning
  const people = await inChargeOf(ctx, warning)
  const text = [headline, ...details].join('\n').slice(0, 1000)
  const { changeSet: changeSetId } = ctx
  const news = {
    subject: entity,
    subjectId: recordId,
    containerId: '',
    reason: responsibleReason,
    names: [event],
    changeSetId,
  }
  await writeEntries(
    ctx,
    people.map(userId => ({ ...news, userId, actorId: ctx.caller.userId, text, itemIds, mailedSeparately: true })),
  )
  for (const reader of (await notifiedUsers(ctx, people)).values())
    if (reader.email !== '' && channelsFor(reader.events, [event], '').mail) await mail(ctx, reader, warning)
}

async function isFirst(ctx: Context, { entity, recordId, event, since }: WarningInput): Promise<boolean> {
  const rows = await ctx.sql`insert into warning (tenant_id, entity, record_id, trouble, since, at)
    values (${ctx.caller.tenantId}, ${entity}, ${recordId}, ${event}, ${since}, ${ctx.now})
    on conflict (tenant_id, entity, record_id, trouble) do update set since = excluded.since, at = excluded.at where warning.since < excluded.since returning true`
  return rows.length > 0
}

/** More than these need not be told of one thing. */
const maxInCharge = 20

async function inChargeOf(ctx: Context, { entity, ownerId }: WarningInput): Promise<Id[]> {
  const { permissions, placed } = kind(entity)
  const owner = isId(ownerId) ? await callerInContext(ctx, ownerId, 'rule') : undefined
  if (owner && (placed ? maySomewhere : may)(owner, permissions.read)) return [owner.userId]
  const rows = await ctx.sql<{ id: Id }>`select id from "user"
    where tenant_id = ${ctx.caller.tenantId} and super_admin and active and not deleted order by id limit ${maxInCharge}`
  return rows.map(row => row.id)
}

async function mail(
  ctx: Context,
  { userId, email }: NotifiedUser,
  { event, headline, details }: WarningInput,
): Promise<void> {
  const key = [userId, event, ''].join(' ')
  const claim = { tenantId: ctx.caller.tenantId, topic: eventTopic, address: email, key }
  const stop = unsubscribeLink(ctx.services.secrets, ctx.services.baseUrl, claim)
  const foot = `${reasonText(responsibleReason)}. No more mail about this (${eventLabel(event)}): ${stop}`
  await queueMail(ctx, {
    to: [email],
    subject: headline.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 300),
    text: [headline, ...details, '', foot].join('\n'),
    auto: true,
    purpose: mailPurpose.notification,
    list: { id: `warning.${ctx.caller.tenantId}`, topic: eventTopic, key },
  })
}

const day = 24 * 3600 * 1000

/** The day that a moment lies in: what comes again all day long is told once. */
export const startOfDay = (moment: Date): Date => new Date(Math.floor(moment.getTime() / day) * day)

/** Tells the super admins that the tenant has reached its limit of mails to strangers. */
export async function warnOfMailLimit(ctx: Context, limit: number): Promise<void> {
  await warn(ctx, {
    entity: 'Tenant',
    recordId: ctx.caller.tenantId,
    ownerId: '',
    event: 'mail.limited',
    since: startOfDay(ctx.now),
    headline: `No more mail goes to addresses outside: ${limit} have gone out within a day`,
    details: [
      'Rules, notifications and watches have written to so many addresses of nobody here. What follows is kept and not sent:',
      `${ctx.services.baseUrl}/api/mail/outbound?state=4`,
      'The operator can raise the quota strangerMailsPerDay; mailRecipientDomains of the mail settings says where such mail may go.',
    ],
  })
}
