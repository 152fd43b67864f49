import { isDeepStrictEqual } from 'node:util'
import { type Action, actionKind, actionShape, type ValueKind } from '../../../containers/action/action.ts'
import { type LockedItem, lockItems } from '../../../items/change/change.ts'
import { type Item, items } from '../../../items/item/item.ts'
import type { Context } from '../../../kernel/context.ts'
import { newId } from '../../../kernel/id.ts'
import { RuleBroken } from '../../../kernel/refusal.ts'
import { endpoint } from '../../../notify/endpoint.ts'
import { complete } from '../../../records/input/entries.ts'
import type { ActingRule } from '../engine/evaluate.ts'
import type { Occurrence } from '../engine/occurrence.ts'
import type { ActionResult } from '../log/log.ts'
import type { Rule } from '../rule-shape.ts'
import type { ActionContext } from './action-context.ts'
import { PatchBuilder } from './item-patch.ts'
import { enqueueCalls } from './outbound-call.ts'
import { patchHandlers } from './patch-handlers.ts'
import { stepHandlers } from './step-handlers.ts'
import { templateRenderer } from './text/template-renderer.ts'

/** What the actions of a rule did. */
interface Performed {
  readonly actions: ActionResult[]
  /** The properties of the item that changed; undefined if anything may have. */
  readonly changed: ReadonlySet<string> | undefined
}

/** The work of a rule that begins with a change of its item: the item is locked, without waiting for it. */
export function prepare(ctx: Context, acting: ActingRule, occurrence: Occurrence): ActionContext {
  const work = actionContext(ctx, acting, occurrence)
  const [first] = actionsOf(acting.rule)
  if (first && actionKind(first.actionType)?.runs === 'patch') work.lock().catch(() => {}) // awaited by `perform`
  return work
}

/** Performs all actions of a rule, or throws. Consecutive actions on properties of the item are written as one change. */
export async function perform(
  ctx: Context,
  acting: ActingRule,
  occurrence: Occurrence,
  work = actionContext(ctx, acting, occurrence),
): Promise<Performed> {
  const done: ActionResult[] = []
  let changed: Set<string> | undefined = new Set()
  let patch: PatchBuilder | undefined
  const writePatch = async () => {
    const pending = patch
    patch = undefined
    if (!pending) return
    done.push(...(await pending.write()))
    changed = changed?.union(pending.changed)
  }
  for (const action of actionsOf(acting.rule)) {
    const kind = actionKind(action.actionType)
    if (kind?.runs === 'patch') {
      patch ??= await lockedPatch(work)
      await patchHandlers[kind.name](patch, action, await work.render(action.value))
    } else {
      await writePatch()
      const { id, actionType } = action
      done.push({ id, actionType, ...(await performStep(work, action, kind)) })
      work.changed()
      changed = undefined
    }
  }
  await writePatch()
  for (const each of complete(endpoint, acting.rule.actionEndpoint))
    if (each.active) done.push(...(await enqueueCalls(work, each)))
  return { actions: done, changed }
}

async function lockedPatch(work: ActionContext): Promise<PatchBuilder> {
  const locked = await work.lock()
  return new PatchBuilder(work, locked.item, locked)
}

/** The note of an action whose code is unknown or cannot be performed. */
export const notPerformed = 'this action is not supported here'

async function performStep(
  work: ActionContext,
  action: Action,
  kind: StepKind | undefined,
): Promise<Partial<ActionResult>> {
  if (kind?.runs === 'step') return await stepHandlers[kind.name](work, action)
  return { note: kind?.runs === 'veto' ? 'a change can be refused only before the commit' : notPerformed }
}

type StepKind = Exclude<ValueKind, { runs: 'patch' }>

export function actionsOf({ actionValue: actions }: Pick<Rule, 'actionValue'>): Action[] {
  return complete(actionShape, actions).filter(each => each.active)
}

/** The context in which the actions of a rule are performed. */
export function actionContext(ctx: Context, acting: ActingRule, occurrence: Occurrence): ActionContext {
  const { item, lock, changed } = currentItem(ctx, occurrence)
  const work: ActionContext = {
    ...acting,
    ctx,
    occurrence,
    item,
    lock,
    changed,
    itemId: async () => (await requireItem(work)).id,
    render: templateRenderer(ctx, acting, occurrence, item),
    key: newId(),
  }
  return work
}

/** Reads the item again only after an action may have changed it; it is the same object for as long as it is the same. */
function currentItem(ctx: Context, { itemId }: Occurrence): Pick<ActionContext, 'item' | 'lock' | 'changed'> {
  let known: { item: Item | undefined } | undefined
  let isCurrent = false
  /** The item as it was locked, until it changes. */
  let locking: Promise<LockedItem> | undefined
  const lockNow = async (): Promise<LockedItem> => {
    const locked = itemId === null ? undefined : (await lockItems(ctx, [itemId])).get(itemId)
    if (!locked) throw noItem()
    learn(locked.item)
    return locked
  }
  const learn = (item: Item | undefined) => {
    if (!known || !isDeepStrictEqual(item, known.item)) known = { item }
    isCurrent = true
    return known.item
  }
  return {
    async item() {
      if (isCurrent || itemId === null) return known?.item
      return learn(await items.find(ctx, itemId))
    },
    lock() {
      locking ??= lockNow()
      return locking
    },
    changed() {
      isCurrent = false
      locking = undefined
    },
  }
}

async function requireItem({ item }: Pick<ActionContext, 'item'>): Promise<Item> {
  const found = await item()
  if (!found) throw noItem()
  return found
}

const noItem = () => new RuleBroken('no-item', 'the action needs an item, and there is none')

/** Whether any of the actions changed something. */
export function changedSomething(done: readonly ActionResult[]): boolean {
  return done.some(each => each.after !== undefined)
}
