import { Type } from 'typebox'
import type { Context } from '../kernel/context.ts'
import { type Expect, expectVersion, type Finding, type Stored, type Values } from '../kernel/record/record.ts'
import { fault, Invalid } from '../kernel/refusal.ts'
import { resource } from '../kernel/resource.ts'
import { Count, Email, LongText, Parts, Text, Texts } from '../kernel/schema/values.ts'
import { Code, codeTableOfCodes } from '../records/code-table.ts'
import { breaksLine } from './address.ts'
import { spoofPolicies } from './mail-message/authenticity/authenticity.ts'
import { messageLimits } from './mail-message/parsing/size-limits.ts'
import { domainFaults, senderFaults, subjectFaults } from './stop-list/stop-list-faults.ts'

/** Which messages get an automatic reply; the codes of `autoReplyPolicy`. */
export const autoReplyPolicy = { newTickets: 0, everyMessage: 1, nobody: 2 } as const

/** What is kept of HTML; the codes of `htmlPolicy`. */
export const htmlPolicy = { cleaned: 0, textOnly: 1 } as const

/** What a quota counts: the mails about one item, or all of the tenant. */
export const quotaScope = { item: 0, tenant: 1 } as const

const shape = {
  signature: LongText(),
  domainStopList: Texts(1000, 253),
  subjectStopList: Texts(1000, 500),
  maxMessageBytes: Type.Integer({
    minimum: 0,
    maximum: messageLimits.bytes,
    description: 'Larger messages are refused; 0 is 25 MiB.',
  }),
  allowedAttachmentTypes: Texts(100, 100),
  defaultFrom: Email,
  replyMarker: Text(200),
  autoReplyPolicy: Code(codeTableOfCodes('mail.autoReplyPolicy', autoReplyPolicy), {
    description:
      'Which messages get an automatic reply from the template of the mailbox: 0 those that open a ticket · 1 all · 2 none.',
  }),
  autoReplyMinutes: Type.Integer({
    minimum: 1,
    maximum: 525_600,
    default: 60,
    description: 'The minutes within which an address gets at most one automatic reply.',
  }),
  loopQuotas: Parts(
    {
      scope: Code(codeTableOfCodes('mail.loopQuotas.scope', quotaScope)),
      count: Count(1_000_000),
      minutes: Count(525_600, 1),
    },
    ['count', 'minutes'],
    50,
  ),
  trustedSenders: Texts(1000, 254),
  mailRecipientDomains: Texts(1000, 253),
  bounceSuppressDays: Type.Integer({ minimum: 0, maximum: 3650, default: 60 }),
  followUpDays: Type.Integer({
    minimum: 0,
    maximum: 3650,
    description: 'For how many days a message reopens a closed ticket; 0 uses the setting `ticket.reopenDays`.',
  }),
  htmlPolicy: Code(codeTableOfCodes('mail.htmlPolicy', htmlPolicy), {
    description: 'How the HTML of incoming mail is stored: 0 sanitized · 1 as plain text.',
  }),
  trackOpens: Type.Boolean(),
  spoofPolicy: Code(codeTableOfCodes('mail.spoofPolicy', spoofPolicies), {
    description:
      'Which mail that fails DMARC goes to quarantine: 0 if the policy of its domain is reject · 1 also if it is quarantine · 2 none; the mail is only marked.',
  }),
  demandProof: Type.Boolean({
    description: 'Mail from a domain that publishes nothing (SPF, DKIM, DMARC) is treated as mail from a stranger.',
  }),
}

export type MailGeneral = Stored<typeof shape>
export type MailGeneralValues = Values<typeof shape>

/** The mail settings of a tenant: one record, whose id is that of the tenant. */
export const mailGeneral = resource('MailGeneral', {
  about:
    'The settings for all mail of the tenant: the signature, the stop lists, limits and policies. An entry of `subjectStopList` is a text that the subject contains, or a pattern between slashes: `/out of office/`. `mailRecipientDomains` lists the domains (with their subdomains) to which automatic mail may be sent if the address belongs to no user; an empty list allows all domains.',
  shape,
  check: checkMailGeneral,
  findings: mailGeneralFindings,
})

function checkMailGeneral(_ctx: Context, values: MailGeneralValues): void {
  const { domainStopList, subjectStopList, trustedSenders, allowedAttachmentTypes, replyMarker } = values
  const { mailRecipientDomains } = values
  const faults = [
    ...domainFaults(domainStopList, 'domainStopList'),
    ...subjectFaults(subjectStopList, 'subjectStopList'),
    ...senderFaults(trustedSenders, 'trustedSenders'),
    ...domainFaults(mailRecipientDomains, 'mailRecipientDomains'),
    ...allowedAttachmentTypes.flatMap((type, i) =>
      /^[\w.+-]+\/([\w.+-]+|\*)$/.test(type)
        ? []
        : [
            fault(
              ['allowedAttachmentTypes', i],
              'media-type',
              'must be a media type such as image/* or application/pdf',
              type,
            ),
          ],
    ),
    ...(breaksLine(replyMarker) ? [fault(['replyMarker'], 'line', 'must be one line')] : []),
  ]
  if (faults.length > 0) throw new Invalid(faults)
}

/** Lists the settings that are stored but have no effect. */
export async function mailGeneralFindings(general: MailGeneral, ctx: Context): Promise<Finding[]> {
  const found: Finding[] = []
  const add = (path: string, code: string, message: string) => found.push({ path, code, message })
  const { trackOpens, spoofPolicy, loopQuotas, defaultFrom } = general
  if (!isOneOf(autoReplyPolicy, general.autoReplyPolicy))
    add('/autoReplyPolicy', 'unknown-code', 'no automatic reply is sent')
  if (!isOneOf(htmlPolicy, general.htmlPolicy)) add('/htmlPolicy', 'unknown-code', 'HTML is sanitized, as with 0')
  if (!isOneOf(spoofPolicies, spoofPolicy)) add('/spoofPolicy', 'unknown-code', 'it works like 0')
  if (trackOpens) add('/trackOpens', 'not-supported', 'whether mail is opened is not tracked')
  for (const [i, { scope = 0 }] of loopQuotas.entries())
    if (!isOneOf(quotaScope, scope))
      add(`/loopQuotas/${i}/scope`, 'unknown-code', 'the quota has no effect; 0 is an item, 1 the tenant')
  const [known] = await ctx.sql`select 1 from mailbox where tenant_id = ${ctx.caller.tenantId} and not deleted
    and (lower(address) = lower(${defaultFrom}) or lower(${defaultFrom}) = any(select lower(a) from unnest(aliases) a))`
  if (defaultFrom !== '' && !known)
    add('/defaultFrom', 'unknown-address', 'no mailbox has this address, so nothing is sent from it')
  return found
}

const isOneOf = (codes: Readonly<Record<string, number>>, code: number): boolean => Object.values(codes).includes(code)

/** The settings in force: as stored, or the defaults. */
export async function mailSettings(ctx: Context): Promise<MailGeneralValues> {
  return (await mailGeneral.find(ctx, ctx.caller.tenantId)) ?? mailGeneral.completed({})
}

export async function readMailGeneral(ctx: Context): Promise<MailGeneral> {
  return (await mailGeneral.find(ctx, ctx.caller.tenantId)) ?? (await untouched(ctx))
}

/** The record before its first change: with the dates of the tenant, and version 0. */
async function untouched(ctx: Context): Promise<MailGeneral> {
  const { tenantId } = ctx.caller
  const [tenant] = await ctx.sql<{ created: Date; by: string }>`select created, created_by as by from tenant
    where tenant_id = ${tenantId} and id = ${tenantId}`
  const [at, by] = [tenant?.created.toISOString() ?? '', tenant?.by ?? '']
  return {
    entity: mailGeneral.entity,
    tenantId,
    id: tenantId,
    created: at,
    createdBy: by,
    updated: at,
    updatedBy: by,
    deleted: false,
    version: 0,
    ...mailGeneral.completed({}),
  }
}

export async function setMailGeneral(
  ctx: Context,
  values: Partial<MailGeneralValues>,
  expect: Expect,
): Promise<MailGeneral> {
  const { tenantId } = ctx.caller
  // Of two first writers at the same moment the second waits here, and then finds the record of the first.
  await ctx.sql`select 1 from tenant where tenant_id = ${tenantId} and id = ${tenantId} for no key update`
  if (await mailGeneral.find(ctx, tenantId)) return await mailGeneral.update(ctx, tenantId, values, { expect })
  expectVersion(await untouched(ctx), expect)
  return await mailGeneral.create(ctx, values, { id: tenantId })
}

/** Adds a sender to those whom the stop lists do not stop. */
export async function trustSender(ctx: Context, address: string): Promise<void> {
  const { trustedSenders } = await mailSettings(ctx)
  if (!trustedSenders.some(each => each.toLowerCase() === address.toLowerCase()))
    await setMailGeneral(ctx, { trustedSenders: [...trustedSenders, address] }, undefined)
}
