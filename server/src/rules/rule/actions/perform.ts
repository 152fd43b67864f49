import { type Action, actionKind, actionShape, type ValueKind } from '../../../containers/action/action.ts'
import type { Item } from '../../../items/item/item.ts'
import { items } from '../../../items/item/item.ts'
import type { Context } from '../../../kernel/context.ts'
import { newId } from '../../../kernel/id.ts'
import { RuleBroken } from '../../../kernel/refusal.ts'
import { endpoint } from '../../../notify/endpoint.ts'
import { complete } from '../../../records/entries.ts'
import type { ActingRule } from '../engine/evaluate.ts'
import type { Occurrence } from '../engine/occurrence.ts'
import type { ActionResult } from '../log/log.ts'
import type { Rule } from '../rule-shape.ts'
import type { ActionContext } from './action-context.ts'
import { PatchBuilder } from './item-patch.ts'
import { enqueueCalls } from './outbound-call.ts'
import { patchHandlers } from './patch-handlers.ts'
import { stepHandlers } from './step-handlers.ts'
import { templateRenderer } from './template-renderer.ts'

/** Does all that a rule says, or throws: what changes the item is one change as long as nothing else comes between. */
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
    }
  }
  await writePatch()
  for (const each of complete(endpoint, acting.rule.actionEndpoint))
    if (each.active) done.push(...(await enqueueCalls(work, each)))
  return done
}

/** What is noted of an action whose code has no entry in the table, or none that is performed. */
export const notPerformed = 'this action is not done here'

async function performStep(
  work: ActionContext,
  action: Action,
  kind: StepKind | undefined,
): Promise<Partial<ActionResult>> {
  if (kind?.runs === 'step') return await stepHandlers[kind.name](work, action)
  return { note: kind?.runs === 'veto' ? 'only what happens before the commit can be refused' : notPerformed }
}

type StepKind = Exclude<ValueKind, { runs: 'patch' }>

export function actionsOf({ actionValue: actions }: Pick<Rule, 'actionValue'>): Action[] {
  return complete(actionShape, actions).filter(each => each.active)
}

/** The context in which the actions of a rule are performed. */
export function actionContext(ctx: Context, acting: ActingRule, occurrence: Occurrence): ActionContext {
  const item = async () =>
    occurrence.itemId === null ? undefined : ((await items.find(ctx, occurrence.itemId)) as Item | undefined)
  const work: ActionContext = {
    ...acting,
    ctx,
    occurrence,
    item,
    itemId: async () => (await requireItem(work)).id,
    render: templateRenderer(ctx, acting, occurrence, item),
    key: newId(),
  }
  return work
}

async function requireItem({ item }: Pick<ActionContext, 'item'>): Promise<Item> {
  const found = await item()
  if (!found) throw new RuleBroken('no-item', 'there is no item that it could act upon')
  return found
}

/** Whether anything came of it. */
export function changedSomething(done: readonly ActionResult[]): boolean {
  return done.some(each => each.after !== undefined)
}
