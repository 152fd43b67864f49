import { items } from '../../items/item/item.ts'
import type { ItemParts } from '../../items/item-parts.ts'
import { may, narrowedTo, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type ItemFacts, readFacts, rightsOn } from './item-rights.ts'
import { promisesTo, storedClocks } from './stored-clocks.ts'
import { countSubItems } from './sub-items.ts'

/** Staff see all clocks of an item; its requester sees what was promised to them. */
const readClocks = narrowedTo(staff, items.permissions.read)

/** Reads `clock`, `can` and `subItems` of items that the caller sees, each for all of them at once. */
export const itemParts: ItemParts = async (ctx, wanted, itemIds) => {
  const { caller } = ctx
  const facts = await readFacts(ctx, itemIds)
  const clocks = wanted.has('clock') ? await clocksOf(ctx, facts) : new Map()
  const counted = wanted.has('subitems') ? await countSubItems(ctx, itemIds) : undefined
  return new Map(
    facts.map(each => [
      each.id,
      {
        ...(wanted.has('clock') ? { clock: clocks.get(each.id) ?? [] } : {}),
        ...(wanted.has('can') ? { can: rightsOn(caller, each) } : {}),
        ...(counted ? { subItems: counted.get(each.id) ?? { all: 0, done: 0 } } : {}),
      },
    ]),
  )
}

async function clocksOf(ctx: Context, facts: readonly ItemFacts[]): Promise<Map<Id, unknown>> {
  const isStaff = (each: ItemFacts) => may(ctx.caller, readClocks, each)
  const [ofStaff, others] = [facts.filter(isStaff), facts.filter(each => !isStaff(each))]
  const idsOf = (some: readonly ItemFacts[]) => some.map(each => each.id)
  return new Map([...(await storedClocks(ctx, idsOf(ofStaff))), ...(await promisesTo(ctx, idsOf(others)))])
}
