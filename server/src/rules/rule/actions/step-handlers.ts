import {
  pauseClock,
  resetClock,
  resumeClock,
  startClock,
  stopClock,
  switchClock,
} from '../../../clocks/item-clock/clock-commands.ts'
import type { Action, ActionsThat } from '../../../containers/action/action.ts'
import { annotationKind } from '../../../desk/annotation/annotation.ts'
import { createAnnotation } from '../../../desk/annotation/create-annotation.ts'
import { merge } from '../../../desk/merge/merge.ts'
import { createWatch, removeWatch, watchReason } from '../../../desk/watch/watch.ts'
import { changeItem } from '../../../items/change/change.ts'
import { createItems, draftItem } from '../../../items/create/create.ts'
import { items } from '../../../items/item/item.ts'
import { readItem } from '../../../items/item-body/item-body.ts'
import { makeLink } from '../../../items/link/link.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import { RuleBroken } from '../../../kernel/refusal.ts'
import { plainText } from '../../../language/markup.ts'
import { mailState } from '../../../mail/outbound-mail/outbound-mail.ts'
import { isOverQuota } from '../../../mail/queue-mail.ts'
import { isUrgent, mailWithinBudget } from '../../../notify/budget/budget.ts'
import { notify as notifyPeople } from '../../../notify/inbox/inbox.ts'
import { ownerKind } from '../../../records/references/owner.ts'
import { LoopLimitReached } from '../engine/loop-limits.ts'
import type { ActionContext, StepResult } from './action-context.ts'
import { requestApproval } from './approval-request.ts'
import { createFromTemplate } from './create-from-template.ts'
import { addressesOf, groupsNamed, usersOf } from './people.ts'
import { objectOf, textOf } from './text/action-text.ts'

type StepHandler = (work: ActionContext, action: Action) => Promise<StepResult>

/** The handlers of the actions that are more than a change of the item's properties. */
export const stepHandlers: Readonly<Record<ActionsThat<{ runs: 'step' }>, StepHandler>> = {
  addNote: (work, action) => annotate(work, action, annotationKind.note),
  reply: (work, action) => annotate(work, action, annotationKind.reply),
  createItem,
  link,
  addWatcher,
  removeWatcher,
  logTime,
  clockStart: clockAction(startClock),
  clockPause: clockAction(pauseClock),
  clockResume: clockAction(resumeClock),
  clockStop: clockAction(stopClock),
  clockReset: clockAction(resetClock),
  clockSwitch: clockAction(switchClock),
  sendMail,
  notify,
  async delete(work) {
    const gone = await items.remove(work.ctx, await work.itemId())
    return { before: false, after: gone.deleted }
  },
  async mergeInto(work, { value }) {
    const into = await work.render(String(value ?? ''))
    return { after: (await merge(work.ctx, await work.itemId(), into)).key }
  },
  requestApproval,
}

async function annotate(work: ActionContext, { value }: Action, kind: number): Promise<StepResult> {
  const { body, format } = await textOf(work, value)
  if (body.trim() === '') return { note: 'the text is empty' }
  const annotation = await createAnnotation(work.ctx, { itemId: await work.itemId(), kind, body, bodyFormat: format })
  return { after: annotation.id }
}

/** Creates an item, or the items of a template, optionally as a child of this one or linked with it; in the same container unless another is given. */
async function createItem(work: ActionContext, { value }: Action): Promise<StepResult> {
  // A rule creates an item at each run, so that its text cannot name the id of one.
  const rendered = objectOf(await work.render(value))
  if (rendered.templateId) return await createFromTemplate(work, rendered)
  const { relation, linkType, id: _id, ...given } = rendered
  const item = await work.item()
  const defaults = {
    ...(item ? { containerId: item.containerId } : {}),
    ...(relation === 'child' && item ? { parentId: item.id } : {}),
  }
  const draft = await draftItem(work.ctx, readItem({ ...defaults, ...given }, true))
  const [made] = await createItems(work.ctx, [draft])
  if (!made) throw new RuleBroken('not-made', 'the item exists already, or its container was deleted')
  if (item && (relation === 'linked' || linkType))
    await makeLink(work.ctx, { fromId: item.id, toId: made.id, type: String(linkType ?? '') })
  return { after: made.key }
}

async function link(work: ActionContext, { value }: Action): Promise<StepResult> {
  const { type = '', to = '' } = objectOf(await work.render(value))
  const { link: made, fresh } = await makeLink(work.ctx, {
    fromId: await work.itemId(),
    toId: String(to),
    type: String(type),
  })
  return fresh ? { after: made.id } : { note: 'the items are already linked' }
}

async function addWatcher(work: ActionContext, { value }: Action): Promise<StepResult> {
  const ownerId = await work.itemId()
  const groups = await groupsNamed(work, value)
  const made: Id[] = []
  for (const who of [
    ...(await usersOf(work, value)).map(userId => ({ userId })),
    ...groups.map(userGroupId => ({ userGroupId })),
  ]) {
    const begun = await createWatch(work.ctx, { ...who, owner: ownerKind.item, ownerId }, watchReason.rule)
    if (begun.made) made.push(begun.watch.id)
  }
  return made.length > 0 ? { after: made } : { note: 'all of them watch the item already' }
}

async function removeWatcher(work: ActionContext, { value }: Action): Promise<StepResult> {
  const { ctx } = work
  const who = [...(await usersOf(work, value)), ...(await groupsNamed(work, value))]
  const rows = await ctx.sql<{
    id: Id
  }>`select id from watch where tenant_id = ${ctx.caller.tenantId} and owner = ${ownerKind.item} and owner_id = ${await work.itemId()}
    and not deleted and (user_id = any(${who}::uuid[]) or user_group_id = any(${who}::uuid[]))`
  for (const { id } of rows) await removeWatch(ctx, id)
  return rows.length > 0 ? { before: rows.map(row => row.id), after: [] } : { note: 'none of them watches the item' }
}

/** The external id keeps equal entries apart, which would otherwise be merged. */
async function logTime(work: ActionContext, { value }: Action): Promise<StepResult> {
  const { minutes, ...given } = objectOf(await work.render(value))
  const entry = {
    externalId: `rule ${work.key}`,
    date: work.ctx.now.toISOString().slice(0, 10),
    ...given,
    minutes: Number(minutes),
  }
  await changeItem(work.ctx, await work.itemId(), readItem({ Time: [entry] }, false))
  return { after: entry.minutes }
}

function clockAction(command: (ctx: ActionContext['ctx'], itemId: Id, clockId: Id, reason?: string) => Promise<void>) {
  return async (work: ActionContext, { value }: Action): Promise<StepResult> => {
    const clockId = String((await work.render(value)) ?? '').toLowerCase()
    if (!isId(clockId)) throw new RuleBroken('no-such-clock', `there is no clock ${clockId}`)
    await command(work.ctx, await work.itemId(), clockId, `rule ${work.rule.name}`)
    return { after: clockId }
  }
}

/** The mail quota of an item is a loop limit, so that rules and autoresponders cannot feed each other for ever. */
async function sendMail(work: ActionContext, { value }: Action): Promise<StepResult> {
  const message = await textOf(work, objectOf(value))
  const to = await addressesOf(work, objectOf(value).to)
  if (to.length === 0) return { note: 'there is no recipient' }
  const { itemId, kind } = work.occurrence
  const item = await work.item()
  const subject = message.subject || item?.title || work.rule.name
  const ruleId = work.rule.id
  const { mail, heldFor } = await mailWithinBudget(work.ctx, {
    mail: {
      ...{ to, subject, text: message.text, html: message.html, auto: true, anyAddress: true },
      ...(itemId ? { itemId } : {}),
      ...(message.templateId ? { templateId: message.templateId } : {}),
    },
    message: {
      source: { kind: 'rule', id: ruleId },
      itemIds: itemId ? [itemId] : [],
      subject,
      body: message.text || plainText(message.html),
    },
    mustNotWait: isUrgent(kind),
    neverHeldFor: item?.requesterId ? [item.requesterId] : [],
  })
  if (mail && isOverQuota(mail)) throw new LoopLimitReached(`mail: ${mail.lastError}`)
  const held = heldFor.map(({ userId }) => userId)
  const about = { ruleId, ...(itemId ? { itemId } : {}) }
  await notifyPeople(work.ctx, { to: held, text: subject, ...about, mailIsHeld: true })
  if (!mail) return { after: { held }, note: 'the mail waits for a digest: the limit of mails per day is reached' }
  if (mail.state === mailState.suppressed) return { note: `the mail is not sent: ${mail.lastError}` }
  return { after: { mailId: mail.id, to: mail.to, ...(held.length > 0 ? { held } : {}) } }
}

async function notify(work: ActionContext, { value }: Action): Promise<StepResult> {
  const { to, text } = objectOf(await work.render(value))
  const people = await usersOf(work, to)
  const { itemId } = work.occurrence
  await notifyPeople(work.ctx, {
    to: people,
    text: String(text ?? ''),
    ruleId: work.rule.id,
    ...(itemId ? { itemId } : {}),
  })
  return people.length > 0 ? { after: people } : { note: 'there is no recipient' }
}
