import { type Action, actionKind, actionShape, type ValueKind } from '../../containers/action/action.ts'
import type { Item } from '../../items/item/item.ts'
import { items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { complete } from '../../kernel/entries.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { endpoint } from '../../notify/hook/endpoint.ts'
import { call } from './calls.ts'
import { stepHandlers } from './deeds.ts'
import type { Standing } from './evaluate.ts'
import type { Deed } from './log.ts'
import type { Occurrence } from './occurrence.ts'
import { patchHandlers } from './patch-handlers.ts'
import type { Rule } from './rule.ts'
import { openTexts } from './texts.ts'
import { Wishes } from './wishes.ts'

/** A rule at work: who it is, what it works upon, and what it has done. */
export interface Work extends Standing {
  /** The rule's own context: its rights, and a change set of its own. */
  ctx: Context
  occurrence: Occurrence
  /** The item as it is at this moment; undefined where the occurrence is about none. */
  item(): Promise<Item | undefined>
  /** The same, where there must be one. */
  itemId(): Promise<Id>
  /** A value of an action, with what templates in it say filled in. */
  written<T>(value: T): Promise<T>
  /** The same for whatever is done again: a mail, a call. */
  key: string
}

/** Does all that a rule says, or throws: what changes the item is one change as long as nothing else comes between. */
export async function perform(ctx: Context, standing: Standing, occurrence: Occurrence): Promise<Deed[]> {
  const done: Deed[] = []
  const work = workOn(ctx, standing, occurrence)
  let wishes: Wishes | undefined
  const settle = async () => {
    const pending = wishes
    wishes = undefined
    if (pending) done.push(...(await pending.write()))
  }
  for (const action of actionsOf(standing.rule)) {
    const kind = actionKind(action.actionType)
    if (kind?.runs === 'patch') {
      wishes ??= new Wishes(work, await demandItem(work))
      await patchHandlers[kind.name](wishes, action, await work.written(action.value))
    } else {
      await settle()
      const { id, actionType } = action
      done.push({ id, actionType, ...(await performStep(work, action, kind)) })
    }
  }
  await settle()
  for (const each of complete(endpoint, standing.rule.actionEndpoint))
    if (each.active) done.push(...(await call(work, each)))
  return done
}

/** What is noted of an action whose code has no entry in the table, or none that is performed. */
export const notPerformed = 'this action is not done here'

async function performStep(work: Work, action: Action, kind: StepKind | undefined): Promise<Partial<Deed>> {
  if (kind?.runs === 'step') return await stepHandlers[kind.name](work, action)
  return { note: kind?.runs === 'veto' ? 'only what happens before the commit can be refused' : notPerformed }
}

type StepKind = Exclude<ValueKind, { runs: 'patch' }>

export function actionsOf({ actionValue: actions }: Pick<Rule, 'actionValue'>): Action[] {
  return complete(actionShape, actions).filter(each => each.active)
}

/** What a rule needs to work upon an occurrence. */
export function workOn(ctx: Context, standing: Standing, occurrence: Occurrence): Work {
  const item = async () =>
    occurrence.itemId === null ? undefined : ((await items.find(ctx, occurrence.itemId)) as Item | undefined)
  const texts = openTexts(ctx, standing, occurrence, item)
  const work: Work = {
    ...standing,
    ctx,
    occurrence,
    item,
    itemId: async () => (await demandItem(work)).id,
    written: texts,
    key: newId(),
  }
  return work
}

async function demandItem({ item }: Pick<Work, 'item'>): Promise<Item> {
  const found = await item()
  if (!found) throw new RuleBroken('no-item', 'there is no item that it could act upon')
  return found
}

/** Whether anything came of it. */
export function changedSomething(done: readonly Deed[]): boolean {
  return done.some(each => each.after !== undefined)
}
