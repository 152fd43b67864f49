import type { Item } from '@gantry/sdk'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useOffer } from '../kernel/commands/keys.ts'
import { ItemBar } from './item/frame/item-bar.tsx'
import { ItemView } from './item/item.tsx'
import { useItem } from './item/use-item.ts'
import { say } from './messages.ts'
import { goToNeighbour } from './neighbours.ts'

const route = getRouteApi('/item/$key')

/** An item as a page of its own. */
export function ItemPage() {
  const { key } = route.useParams()
  const { item } = useItem(key)
  const navigate = useNavigate()
  useNeighbourKeys(item)
  return (
    <div className="item-page" data-where="item">
      <header className="bar">
        {item ? <ItemBar item={item} onDeleted={() => void navigate({ to: '/' })} /> : <h1>{key}</h1>}
      </header>
      <ItemView itemKey={key} frame="page" />
    </div>
  )
}

/** J and K go through the list that the item was opened from. */
function useNeighbourKeys(item: Item | undefined): void {
  const navigate = useNavigate()
  const id = item?.id
  const commands = useMemo(() => {
    const go = (by: number) => () => {
      const next = id && goToNeighbour(id, by)
      if (next) void navigate({ to: '/item/$key', params: { key: next.key ?? next.id }, replace: true })
    }
    return [
      { id: 'item.next', title: say.next, keys: 'j', where: 'item', run: go(1) },
      { id: 'item.previous', title: say.previous, keys: 'k', where: 'item', run: go(-1) },
    ]
  }, [id, navigate])
  useOffer(commands)
}
