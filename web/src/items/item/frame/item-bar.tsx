import type { Item } from '@gantry/sdk'
import { Link } from '@tanstack/react-router'
import { ChevronRight, Copy, Ellipsis } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useMemo, useState } from 'react'
import { useOffer } from '../../../kernel/commands/keys.ts'
import { useSession } from '../../../kernel/data/session/session.ts'
import { notify } from '../../../kernel/data/undo.ts'
import { Button } from '../../../kit/kit.tsx'
import { deleteItem } from '../../item-actions.ts'
import { setConfidential } from '../item-acts.ts'
import { say } from '../messages.ts'
import { useItemRef } from '../use-item-search.ts'
import { Watchers } from '../watchers.tsx'
import { useCan } from './open-item.ts'

/** Where the item is, who watches it, and what can be done with all of it. */
export function ItemBar({ item, onDeleted }: { item: Item; onDeleted?: () => void }) {
  const copy = async () => {
    await navigator.clipboard.writeText(`${location.origin}/item/${item.key}`)
    notify(say.linkCopied)
  }
  return (
    <>
      <ItemPath item={item} />
      <Button look="icon" aria-label={say.copyLink} onClick={() => void copy()}>
        <Copy className="ic" />
      </Button>
      <span className="grow" />
      {!item.deleted && <Watchers itemId={item.id} />}
      <ItemActions item={item} onDeleted={onDeleted} />
    </>
  )
}

/** What can be done with an item as a whole, of what this person may do. */
function ItemActions({ item, onDeleted }: { item: Item; onDeleted: (() => void) | undefined }) {
  const can = useCan(item.id)
  const [open, setOpen] = useState(false)
  const isOffered = !item.deleted && (can.update || can.delete)
  useOffer(
    useMemo(
      () =>
        isOffered ? [{ id: 'item.menu', title: say.actions, keys: '.', where: 'item', run: () => setOpen(true) }] : [],
      [isOffered],
    ),
  )
  if (!isOffered) return null
  return (
    <DropdownMenu.Root open={open} onOpenChange={setOpen}>
      <DropdownMenu.Trigger className="btn btn-ghost btn-icon" aria-label={say.actions}>
        <Ellipsis className="ic" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end">
          {can.update && (
            <DropdownMenu.CheckboxItem
              className={`it ${item.visibility ? 'is-on' : ''}`}
              checked={Boolean(item.visibility)}
              onSelect={() => void setConfidential(item, !item.visibility)}
            >
              {say.confidential}
            </DropdownMenu.CheckboxItem>
          )}
          {can.delete && (
            <DropdownMenu.Item
              className="it"
              onSelect={() => void deleteItem(item).then(done => done && onDeleted?.())}
            >
              {say.delete}
            </DropdownMenu.Item>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function ItemPath({ item }: { item: Item }) {
  const { containers } = useSession()
  const container = containers.find(({ id }) => id === item.containerId)
  const parent = useItemRef(item.parentId)
  return (
    <nav className="crumb" aria-label={say.path}>
      {container && (
        <>
          <Link to="/container/$key" params={{ key: container.key }} className="cut">
            <bdi>{container.name}</bdi>
          </Link>
          <ChevronRight className="ic ic-s" aria-hidden="true" />
        </>
      )}
      {parent?.key && (
        <>
          <Link to="/item/$key" params={{ key: parent.key }} className="cut" title={parent.title}>
            {parent.key}
          </Link>
          <ChevronRight className="ic ic-s" aria-hidden="true" />
        </>
      )}
      <Link to="/item/$key" params={{ key: item.key ?? item.id }} className="key mid">
        {item.key}
      </Link>
    </nav>
  )
}
