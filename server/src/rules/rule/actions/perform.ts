import { isDeepStrictEqual } from 'node:util'
import { type Action, actionKind, actionShape, type ValueKind } from '../../../containers/action/action.ts'
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

/** Performs all actions of a rule, or throws. Consecutive actions on properties of the item are written as one change. */
export async function perform(ctx: Context, acting: ActingRule, occurrence: Occurrence): Promise<ActionResult[]> {
  const done: ActionResult[] = []
  const work = actionContext(ctx, acting, occurrence)
  let patch: PatchBuilder | undefined
  const writePatch = async () => {
    const pending = patch
    patch = undefined
    if (pending) done.push(...(await pending.write()))
  }
  for (const action of actionsOf(acting.rule)) {
    const kind = actionKind(action.actionType)
    if (kind?.runs === 'patch') {
      patch ??= new PatchBuilder(work, await requireItem(work))
      await patchHandlers[kind.name](patch, action, await work.render(action.value))
    } else {
      await writePatch()
      const { id, actionType } = action
      done.push({ id, actionType, ...(await performStep(work, action, kind)) })
      work.changed()
    }
  }
  await writePatch()
  for (const each of complete(endpoint, acting.rule.actionEndpoint))
    if (each.active) done.push(...(await enqueueCalls(work, each)))
  return done
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
  const { item, changed } = currentItem(ctx, occurrence)
  const work: ActionContext = {
    ...acting,
    ctx,
    occurrence,
    item,
    changed,
    itemId: async () => (await requireItem(work)).id,
    render: templateRenderer(ctx, acting, occurrence, item),
    key: newId(),
  }
  return work
}

/** Reads the item again only after an action may have changed it; it is the same object for as long as it is the same. */
function currentItem(ctx: Context, { itemId }: Occurrence): Pick<ActionContext, 'item' | 'changed'> {
  let known: { item: Item | undefined } | undefined
  let isCurrent = false
  return {
    async item() {
      if (isCurrent || itemId === null) return known?.item
      const item = await items.find(ctx, itemId)
      if (!known || !isDeepStrictEqual(item, known.item)) known = { item }
      isCurrent = true
      return known.item
    },
    changed() {
      isCurrent = false
    },
  }
}

async function requireItem({ item }: Pick<ActionContext, 'item'>): Promise<Item> {
  const found = await item()
  if (!found) throw new RuleBroken('no-item', 'the action needs an item, and there is none')
  return found
}

/** Whether any of the actions changed something. */
export function changedSomething(done: readonly ActionResult[]): boolean {
  return done.some(each => each.after !== undefined)
}
