import type { Item, ListedItem } from '@gantry/sdk'
import { say } from './messages.ts'

/** How many of the items that an item consists of are closed: `2/5`. Lists and boards bring it. */
export function SubItems({ item }: { item: Item & Pick<ListedItem, 'subItems'> }) {
  const { subItems } = item
  if (!subItems || subItems.all === 0) return null
  const { done, all } = subItems
  const text = say.subItems(done, all)
  return (
    <span className="tag num sub" role="img" aria-label={text} title={text}>
      {done}/{all}
    </span>
  )
}
