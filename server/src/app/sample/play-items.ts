import { itemPriority } from '../../containers/item-property/priority.ts'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { createAnnotation } from '../../desk/annotation/create-annotation.ts'
import { channel } from '../../desk/channel.ts'
import { tickets } from '../../desk/ticket/ticket.ts'
import { changeAll } from '../../items/change/change.ts'
import { createItems, draftItem } from '../../items/create/create.ts'
import type { ItemPatch } from '../../items/item-body/item-body.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { SampleWorld } from './make-places.ts'
import { statesOf } from './rows/sample-processes.ts'
import { labelNames, people, sampleLabel } from './rows/sample-texts.ts'
import { type Act, inOrder, loader, type PlayedItem, personNamed, together } from './sample-acts.ts'
import { dayOf, workday } from './sample-moments.ts'

/** What items refer to: the places, the cycles by number, and the items by the ids of their rows. */
interface Scene {
  world: SampleWorld
  now: Date
  cycleIds: readonly Id[]
  itemIds: Map<string, Id>
}

/**
 * Lets the weeks pass: everything is done in the order of time, by the person who does it, and at the moment at which it is done,
 * so that history, clocks, burndowns and reports are those of work that was done. Returns the ids of the items by those of their rows.
 */
export async function playItems(
  ctx: Context,
  world: SampleWorld,
  cycleIds: readonly Id[],
  acts: readonly Act[],
): Promise<Map<string, Id>> {
  const scene: Scene = { world, now: ctx.now, cycleIds, itemIds: new Map() }
  for (const group of together(inOrder(acts))) {
    const [{ at, who }] = group
    const actor = who ? { userId: world.people[who], name: people[who].name } : {}
    await perform(ctx.derive({ now: at, caller: { ...ctx.caller, ...actor } }), scene, group)
  }
  return scene.itemIds
}

async function perform(ctx: Context, scene: Scene, group: readonly Act[]): Promise<void> {
  await createAll(
    ctx,
    scene,
    group.flatMap(act => (act.does === 'create' ? [act.item] : [])),
  )
  await changeAll(
    ctx,
    group.flatMap(act =>
      act.does === 'change' && act.item.itemId
        ? [{ id: act.item.itemId, read: { patch: act.patch, warnings: [] } }]
        : [],
    ),
  )
  for (const act of group) {
    if (act.does === 'turn') await act.run(ctx)
    if (act.does === 'comment') await comment(ctx, scene, act)
  }
}

async function createAll(ctx: Context, scene: Scene, created: readonly PlayedItem[]): Promise<void> {
  const drafts = []
  for (const item of created) drafts.push(await draftItem(ctx, { patch: patchOf(scene, item), warnings: [] }))
  if (drafts.length > 0) await createItems(ctx, drafts)
  for (const [i, { id }] of drafts.entries()) {
    const item = created[i]
    if (!item) continue
    item.itemId = id
    if (item.id) scene.itemIds.set(item.id, id)
    const asking = personNamed(item.requester)
    if (asking) await makeTicket(ctx, id, { userId: scene.world.people[asking], name: people[asking].name })
  }
}

function patchOf({ world, now, cycleIds, itemIds }: Scene, item: PlayedItem): ItemPatch {
  const { language, containers, crmId } = world
  const personId = (text: string | undefined) => {
    if (text === loader) return world.loaderId
    const who = personNamed(text)
    return who ? world.people[who] : ''
  }
  const assignee = personId(item.assignee)
  const [state] = item.steps
  return {
    containerId: containers[item.place],
    title: item.title[language],
    status: new Map(statesOf(item.place)).get(state?.state ?? '')?.name[language] ?? '',
    priority: itemPriority[isPriority(item.priority) ? item.priority : 'medium'],
    assignees: assignee ? [assignee] : [],
    estimateMinutes: item.estimate ?? 0,
    points: item.points ?? 0,
    Tags: [...item.labels.map(each => labelNames[each]?.[language] ?? each), sampleLabel],
    ...(item.requester ? { requesterId: personId(item.requester), crmId } : {}),
    ...(item.cycle ? { cycleId: cycleIds[item.cycle - 1] ?? '' } : {}),
    ...(item.parent ? { parentId: itemIds.get(item.parent) ?? '' } : {}),
    ...(item.due === undefined ? {} : { dueDate: workday(dayOf(now), item.due).toString() }),
  }
}

const isPriority = (text: string | undefined): text is keyof typeof itemPriority =>
  text !== undefined && text in itemPriority

async function makeTicket(ctx: Context, id: Id, requester: { userId: Id; name: string }): Promise<void> {
  await tickets.create(ctx, { requester, channel: channel.portal, lastRequesterAt: ctx.now.toISOString() }, { id })
}

const kinds: Readonly<Record<string, number>> = {
  m: annotationKind.message,
  r: annotationKind.reply,
  n: annotationKind.note,
}

async function comment(ctx: Context, { world }: Scene, { item, said }: Act & { does: 'comment' }): Promise<void> {
  if (!item.itemId) return
  await createAnnotation(ctx, {
    itemId: item.itemId,
    kind: kinds[said.kind] ?? annotationKind.note,
    body: said.text[world.language],
    via: channel.portal,
  })
}
