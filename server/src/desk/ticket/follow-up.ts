import { Type } from 'typebox'
import { changeItem } from '../../items/change/change.ts'
import { createItems, draftItem } from '../../items/create/create.ts'
import { type Item, items } from '../../items/item/item.ts'
import { linkAsRelated } from '../../items/link/link.ts'
import { isClosed } from '../../items/status.ts'
import type { Context } from '../../kernel/context.ts'
import { withSystemAuthority } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { setting, settingOf } from '../../platform/setting.ts'
import { statusBeforeClosing } from './reopen.ts'
import { changeFacet, type Facet, tickets } from './ticket.ts'

const day = 24 * 60 * 60 * 1000

const reopenDays = setting('ticket.reopenDays', {
  schema: Type.Number({ minimum: 0, maximum: 36_500 }),
  default: 7,
  scopes: ['tenant', 'container'],
  description:
    'For how many days after it was closed a ticket opens again when its requester writes; later, another follows it.',
})

/**
 * Where a message of the requester belongs: into the ticket, which opens again if it was closed lately, else into
 * another that follows it. The requester has no say over items, so this happens by itself.
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
  warnings.push(`${item.key} was closed too long ago; ${followUp.key} follows it`)
  return await ticketForMessage(ctx, followUp.id, warnings)
}

/** Opens an item again where it stood before, and takes it out of the archive. */
export async function reopen(ctx: Context, itemId: Id, more: { force: boolean } = { force: true }): Promise<Item> {
  return await changeItem(
    ctx,
    itemId,
    { patch: { ...(await statusBeforeClosing(ctx, itemId)), resolution: '', archived: false }, warnings: [] },
    more,
  )
}

async function canReopen(ctx: Context, { closedAt, containerId }: Item): Promise<boolean> {
  const days = (await mailFollowUpDays(ctx)) ?? (await settingOf(ctx, reopenDays, { containerId }))
  return closedAt === null || ctx.now.getTime() - Date.parse(closedAt) <= days * day
}

/** What the general settings of mail say about it, if anything. */
async function mailFollowUpDays(ctx: Context): Promise<number | undefined> {
  const [row] = await ctx.sql<{ days: number }>`select follow_up_days as days from mail_general
    where tenant_id = ${ctx.caller.tenantId} and follow_up_days > 0 and not deleted`
  return row?.days
}

/** The ticket that follows this one; the same for every later message. */
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
  await changeFacet(ctx, made.id, { ...kept, waitingOn: 0 })
  await changeFacet(ctx, item.id, { followUpId: made.id })
  await linkAsRelated(ctx, item.id, made.id)
  return made
}
