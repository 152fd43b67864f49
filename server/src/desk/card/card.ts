import { items } from '../../items/item/item.ts'
import type { ItemParts } from '../../items/item-parts.ts'
import { may, narrowedTo, staff } from '../../kernel/access.ts'
import { readFacts, rightsOn } from './item-rights.ts'
import { storedClocks } from './stored-clocks.ts'
import { countSubItems } from './sub-items.ts'

/** What was promised to a requester is known to staff only. */
const readClocks = narrowedTo(staff, items.permissions.read)

/** Reads `clock`, `can` and `subItems` of items that the caller sees, each for all of them at once. */
export const itemParts: ItemParts = async (ctx, wanted, itemIds) => {
  const { caller } = ctx
  const facts = await readFacts(ctx, itemIds)
  const timed = wanted.has('clock') ? facts.filter(each => may(caller, readClocks, each)).map(each => each.id) : []
  const clocks = timed.length > 0 ? await storedClocks(ctx, timed) : new Map()
  const clocksOf = new Map(timed.map(id => [id, { clock: clocks.get(id) ?? [] }]))
  const counted = wanted.has('subitems') ? await countSubItems(ctx, itemIds) : undefined
  return new Map(
    facts.map(each => [
      each.id,
      {
        ...clocksOf.get(each.id),
        ...(wanted.has('can') ? { can: rightsOn(caller, each) } : {}),
        ...(counted ? { subItems: counted.get(each.id) ?? { all: 0, done: 0 } } : {}),
      },
    ]),
  )
}
