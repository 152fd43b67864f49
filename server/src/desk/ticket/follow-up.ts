import { Type } from 'typebox'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import { changeItem } from '../../items/change/change.ts'
import { createItems, draftItem } from '../../items/create/create.ts'
import { type Item, items } from '../../items/item/item.ts'
import { linkAsRelated } from '../../items/link/link.ts'
import { isClosed } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { setting, settingOf } from '../../platform/setting.ts'
import { statusBeforeClosing } from './reopen.ts'
import { changeFacet, type Facet, tickets, waitingParty } from './ticket.ts'

const day = 24 * 60 * 60 * 1000

const reopenDays = setting('ticket.reopenDays', {
  schema: Type.Number({ minimum: 0, maximum: 36_500 }),
  default: 7,
  scopes: ['tenant', 'container'],
  description:
    'The number of days after closing in which a requester’s message reopens the ticket; later messages create a follow-up ticket.',
})

/**
 * The ticket that receives a requester’s message: the ticket itself, reopened if it was closed recently, else its
 * follow-up ticket. The system acts here because requesters may not change items.
 */
export async function ticketForMessage(ctx: Context, itemId: Id, warnings: string[]): Promise<Id> {
  const system = withSystemAuthority(ctx)
  const item = await items.get(system, itemId, { lock: true })
  if (!isClosed(item.statusCategory)) return item.id
  if (await canReopen(ctx, item)) {
    await reopen(system, item.id)
    return item.id
  }
  const followUp = await findOrCreateFollowUp(system, item)
  warnings.push(`${item.key} was closed too long ago; the message was stored in its follow-up ${followUp.key}`)
  return await ticketForMessage(ctx, followUp.id, warnings)
}

/** Reopens an item with the status it had before, and takes it out of the archive. */
export async function reopen(ctx: Context, itemId: Id, more: { force: boolean } = { force: true }): Promise<Item> {
  return await changeItem(
    ctx,
    itemId,
    { patch: { ...(await statusBeforeClosing(ctx, itemId)), resolution: '', archived: false }, warnings: [] },
    more,
  )
}

/** Whether the item was closed recently enough for its requester to reopen it. */
export async function canReopen(
  ctx: Context,
  { closedAt, containerId }: Pick<Item, 'closedAt' | 'containerId'>,
): Promise<boolean> {
  const days = (await mailFollowUpDays(ctx)) ?? (await settingOf(ctx, reopenDays, { containerId }))
  return closedAt === null || ctx.now.getTime() - Date.parse(closedAt) < days * day
}

/** The number of days in the mail settings, which override the setting above. */
async function mailFollowUpDays(ctx: Context): Promise<number | undefined> {
  const [row] = await ctx.sql<{ days: number }>`select follow_up_days as days from mail_general
    where tenant_id = ${ctx.caller.tenantId} and follow_up_days > 0 and not deleted`
  return row?.days
}

/** The follow-up ticket, which is created once and receives every later message. */
async function findOrCreateFollowUp(ctx: Context, item: Item): Promise<{ id: Id; key: string }> {
  const facet = await tickets.find(ctx, item.id)
  const known = facet?.followUpId ? await items.find(ctx, facet.followUpId) : undefined
  if (known) return known
  const draft = await draftItem(ctx, {
    patch: {
      title: item.title,
      containerId: item.containerId,
      areaId: item.areaId,
      requesterId: item.requesterId,
      crmId: item.crmId,
      priority: item.priority,
      visibility: item.visibility,
      restrictedTo: item.restrictedTo,
      Meta: { followUpOf: item.id },
    },
    warnings: [],
  })
  const [made] = await createItems(ctx, [draft])
  if (!made) throw new Error('a new item was not stored')
  const kept: Partial<Facet> = facet
    ? {
        requester: facet.requester,
        cc: facet.cc,
        queueGroupId: facet.queueGroupId,
        language: facet.language,
        channel: facet.channel,
        mailboxId: facet.mailboxId,
      }
    : {}
  await changeFacet(ctx, made.id, { ...kept, waitingOn: waitingParty.ours })
  await changeFacet(ctx, item.id, { followUpId: made.id })
  await linkAsRelated(ctx, item.id, made.id)
  return made
}
