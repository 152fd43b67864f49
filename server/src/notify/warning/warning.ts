import { callerInContext } from '../../identity/authority.ts'
import { may, maySomewhere } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { mailPurpose, mailState } from '../../mail/outbound-mail/outbound-mail.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { unsubscribeLink } from '../../mail/unsubscribe.ts'
import { takeMail } from '../budget/mail-limit.ts'
import { eventLabel, eventTopic, reasonText, responsibleReason } from '../event-labels.ts'
import { writeEntries } from '../inbox/write-entries.ts'
import { countMail, type MessageSource } from '../noise/count-messages.ts'
import { channelsFor } from '../preference/channels.ts'
import { type NotifiedUser, notifiedUsers } from '../preference/preference.ts'

/** A failure of something that runs unattended, such as a hook or a mailbox. */
interface WarningInput {
  entity: string
  recordId: Id
  /** The user responsible for the record. The super admins are warned if there is none who is active and may see it. */
  ownerId: Id | ''
  /** The name of the event, such as `hook.disabled`, by which users choose their channels. */
  event: string
  /** When the failure began: each failure is reported once. */
  since: Date
  /** What happened, in one line. */
  headline: string
  /** The known facts and possible remedies. They must never contain payloads or secrets. */
  details: readonly string[]
  itemIds?: readonly Id[]
}

/** The kinds of records that users are warned about without watching them. */
export const warnedEntities = ['Rule', 'Hook', 'Mailbox', 'Tenant'] as const

const source: MessageSource = { kind: 'warning', id: '' }

/** Warns the user responsible for a record, in the inbox and by a separate mail, because they may not look into the inbox for long. */
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
    source,
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

/** At most this many super admins are warned of one failure. */
const maxInCharge = 20

async function inChargeOf(ctx: Context, { entity, ownerId }: WarningInput): Promise<Id[]> {
  const { permissions, placed } = kind(entity)
  const owner = isId(ownerId) ? await callerInContext(ctx, ownerId, []) : undefined
  if (owner && (placed ? maySomewhere : may)(owner, permissions.read)) return [owner.userId]
  const rows = await ctx.sql<{ id: Id }>`select id from "user"
    where tenant_id = ${ctx.caller.tenantId} and super_admin and active and not deleted order by id limit ${maxInCharge}`
  return rows.map(row => row.id)
}

async function mail(ctx: Context, reader: NotifiedUser, { event, headline, details }: WarningInput): Promise<void> {
  const { userId, email } = reader
  const key = [userId, event, ''].join(' ')
  const claim = { tenantId: ctx.caller.tenantId, topic: eventTopic, address: email, key }
  const stop = unsubscribeLink(ctx.services.secrets, ctx.services.baseUrl, claim)
  const foot = `${reasonText(responsibleReason)}. No more mail about this (${eventLabel(event)}): ${stop}`
  const queued = await queueMail(ctx, {
    to: [email],
    subject: headline.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, 300),
    text: [headline, ...details, '', foot].join('\n'),
    auto: true,
    purpose: mailPurpose.notification,
    list: { id: `warning.${ctx.caller.tenantId}`, topic: eventTopic, key },
  })
  await countMail(ctx, queued, source)
  await takeMail(ctx, reader, true)
}

const day = 24 * 3600 * 1000

/** Returns the start of the UTC day, so that a recurring failure is reported once a day. */
export const startOfDay = (moment: Date): Date => new Date(Math.floor(moment.getTime() / day) * day)

/** Warns the super admins that the tenant has reached its daily limit of mails to strangers. */
export async function warnOfMailLimit(ctx: Context, limit: number): Promise<void> {
  await warn(ctx, {
    entity: 'Tenant',
    recordId: ctx.caller.tenantId,
    ownerId: '',
    event: 'mail.limited',
    since: startOfDay(ctx.now),
    headline: `No more mail is sent to external addresses: ${limit} were sent within a day`,
    details: [
      'Rules, notifications and watches have reached the daily limit of mails to addresses that belong to no user. Further mails are stored and not sent:',
      `${ctx.services.baseUrl}/api/mail/outbound?state=${mailState.suppressed}`,
      'The operator can raise the quota strangerMailsPerDay; mailRecipientDomains in the mail settings lists the domains to which such mail may be sent.',
    ],
  })
}
