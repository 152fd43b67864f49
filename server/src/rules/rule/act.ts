import type { Item } from '../../items/item/item.ts'
import { items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { complete } from '../../kernel/entries.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { endpoint } from '../../notify/hook/endpoint.ts'
import { call } from './calls.ts'
import { type Deeds, deeds } from './deeds.ts'
import type { Standing } from './evaluate.ts'
import type { Deed } from './log.ts'
import type { Occurrence } from './occurrence.ts'
import { type Action, actionValue, type Rule } from './rule.ts'
import { openTexts } from './texts.ts'
import { changes, Wishes } from './wishes.ts'

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
    if (changes(action.actionType)) {
      wishes ??= new Wishes(work, await demandItem(work))
      await wishes.take(action)
    } else {
      await settle()
      const deed = (deeds as Deeds)[action.actionType]
      const { id, actionType } = action
      done.push({ id, actionType, ...(deed ? await deed(work, action) : { note: 'this action is not done here' }) })
    }
  }
  await settle()
  for (const each of complete(endpoint, standing.rule.actionEndpoint))
    if (each.active) done.push(...(await call(work, each)))
  return done
}

export function actionsOf({ actionValue: actions }: Pick<Rule, 'actionValue'>): Action[] {
  return complete(actionValue, actions).filter(each => each.active)
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
