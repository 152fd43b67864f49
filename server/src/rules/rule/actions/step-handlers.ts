import { Temporal } from 'temporal-polyfill'
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
import { isInstant } from '../../../kernel/schema/formats.ts'
import { mailState } from '../../../mail/outbound-mail/outbound-mail.ts'
import { isOverQuota, queueMail } from '../../../mail/queue-mail.ts'
import { notify as notifyPeople } from '../../../notify/inbox/inbox.ts'
import { ask, needed } from '../../approval/approval.ts'
import { LoopLimitReached } from '../engine/loop-limits.ts'
import type { ActionResult } from '../log/log.ts'
import { readDuration } from '../triggers/interval.ts'
import type { ActionContext } from './action-context.ts'
import { objectOf, textOf } from './action-text.ts'
import { addressesOf, groupsNamed, usersOf } from './people.ts'

type StepResult = Omit<ActionResult, 'id' | 'actionType'>
type StepHandler = (work: ActionContext, action: Action) => Promise<StepResult>

const itemOwner = 3

/** What the actions do that are more than a change of the item's properties. */
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
  if (body.trim() === '') return { note: 'there was nothing to say' }
  const said = await createAnnotation(work.ctx, { itemId: await work.itemId(), kind, body, bodyFormat: format })
  return { after: said.id }
}

/** A new item: a child of this one, linked with it, or free; in the same container unless it names another. */
async function createItem(work: ActionContext, { value }: Action): Promise<StepResult> {
  const { relation, linkType, ...given } = objectOf(await work.render(value))
  const item = await work.item()
  const near = {
    ...(item ? { containerId: item.containerId } : {}),
    ...(relation === 'child' && item ? { parentId: item.id } : {}),
  }
  const draft = await draftItem(work.ctx, readItem({ ...near, ...given }, true))
  const [made] = await createItems(work.ctx, [draft])
  if (!made) throw new RuleBroken('not-made', 'the item was there already, or its container is gone')
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
  return fresh ? { after: made.id } : { note: 'they were linked already' }
}

async function addWatcher(work: ActionContext, { value }: Action): Promise<StepResult> {
  const ownerId = await work.itemId()
  const groups = await groupsNamed(work, value)
  const made: Id[] = []
  for (const who of [
    ...(await usersOf(work, value)).map(userId => ({ userId })),
    ...groups.map(userGroupId => ({ userGroupId })),
  ]) {
    const begun = await createWatch(work.ctx, { ...who, owner: itemOwner, ownerId }, watchReason.rule)
    if (begun.made) made.push(begun.watch.id)
  }
  return made.length > 0 ? { after: made } : { note: 'they watch it already' }
}

async function removeWatcher(work: ActionContext, { value }: Action): Promise<StepResult> {
  const { ctx } = work
  const who = [...(await usersOf(work, value)), ...(await groupsNamed(work, value))]
  const rows = await ctx.sql<{
    id: Id
  }>`select id from watch where tenant_id = ${ctx.caller.tenantId} and owner = ${itemOwner} and owner_id = ${await work.itemId()}
    and not deleted and (user_id = any(${who}::uuid[]) or user_group_id = any(${who}::uuid[]))`
  for (const { id } of rows) await removeWatch(ctx, id)
  return rows.length > 0 ? { before: rows.map(row => row.id), after: [] } : { note: 'they did not watch it' }
}

/** Every time is an entry of its own, even if it looks like another. */
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

function clockAction(order: (ctx: ActionContext['ctx'], itemId: Id, clockId: Id, reason?: string) => Promise<void>) {
  return async (work: ActionContext, { value }: Action): Promise<StepResult> => {
    const clockId = String((await work.render(value)) ?? '').toLowerCase()
    if (!isId(clockId)) throw new RuleBroken('no-such-clock', `there is no clock ${clockId}`)
    await order(work.ctx, await work.itemId(), clockId, `rule ${work.rule.name}`)
    return { after: clockId }
  }
}

/** Mail that a rule sends is counted; the quota of an item is a loop limit. */
async function sendMail(work: ActionContext, { value }: Action): Promise<StepResult> {
  const words = await textOf(work, objectOf(value))
  const to = await addressesOf(work, objectOf(value).to)
  if (to.length === 0) return { note: 'there is nobody to write to' }
  const { itemId } = work.occurrence
  const item = await work.item()
  const mail = await queueMail(work.ctx, {
    ...{ to, subject: words.subject || item?.title || work.rule.name, text: words.text, html: words.html, auto: true },
    anyAddress: true,
    ...(itemId ? { itemId } : {}),
    ...(words.templateId ? { templateId: words.templateId } : {}),
  })
  if (isOverQuota(mail)) throw new LoopLimitReached(`mail: ${mail.lastError}`)
  if (mail.state === mailState.suppressed) return { note: `the mail is not sent: ${mail.lastError}` }
  return { after: { mailId: mail.id, to } }
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
  return people.length > 0 ? { after: people } : { note: 'there is nobody to tell' }
}

/** Asks a group; what is to follow is written down as it is, and filled in when it happens. */
async function requestApproval(work: ActionContext, { value }: Action): Promise<StepResult> {
  const { quorum = 0, onApprove, onReject, ...words } = objectOf(value)
  const { groupId = '', text = '', until = '' } = await work.render(words)
  const group = String(groupId).toLowerCase()
  if (!isId(group)) throw new RuleBroken('no-such-group', 'it names no group to be asked')
  if (!Number.isInteger(quorum) || Number(quorum) < 0 || Number(quorum) > 1000)
    throw new RuleBroken('unreadable-quorum', 'the quorum must be a whole number from 0 to 1000')
  const { approval, fresh } = await ask(work.ctx, {
    ...{ itemId: await work.itemId(), groupId: group, quorum: Number(quorum), text: String(text).slice(0, 2000) },
    ...{ onApprove, onReject, until: untilOf(work, String(until)) },
    ...{ askedBy: await askerOf(work), ruleId: work.rule.id },
  })
  if (!fresh) return { note: 'it has asked, and waits for the answer' }
  return { after: { approvalId: approval.id, groupId: group, quorum: needed(approval) } }
}

/** A moment, or how long from now. */
function untilOf({ ctx, rule, principal }: ActionContext, text: string): string | null {
  if (text.trim() === '') return null
  const wait = readDuration(text.trim())
  if (!wait) {
    if (isInstant(text.trim())) return text.trim()
    throw new RuleBroken('unreadable-until', `${text} is neither a moment nor a duration`)
  }
  const now = Temporal.Instant.fromEpochMilliseconds(ctx.now.getTime())
  return now
    .toZonedDateTimeISO(rule.timezone || principal.timezone)
    .add(wait)
    .toInstant()
    .toString()
}

/** Whose change asks: who did it, or who began the chain that it is part of. Nobody where it came by itself. */
async function askerOf({ ctx, occurrence }: ActionContext): Promise<Id> {
  const { tenantId } = ctx.caller
  const root = occurrence.cause?.root ?? ''
  const [row] = isId(root)
    ? await ctx.sql<{ id: Id; kind: string }>`select e.actor_id as id, e.actor_kind as kind from event e
        where e.tenant_id = ${tenantId} and e.change_set_id = ${root} order by e.xact, e.id limit 1`
    : [{ id: occurrence.actorId, kind: occurrence.actorKind }]
  if (!row || row.kind === 'rule') return ''
  const [known] = await ctx.sql`select 1 from "user" where tenant_id = ${tenantId} and id = ${row.id} and not deleted`
  return known ? row.id : ''
}
