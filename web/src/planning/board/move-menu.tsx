import { useQuery } from '@tanstack/react-query'
import { DropdownMenu } from 'radix-ui'
import { create } from 'zustand'
import { heldItem } from '../../items/held-item.ts'
import { say } from '../messages.ts'
import { focusCard } from './card-focus.ts'
import { ColumnIcon, nameOf as columnName } from './column-head.tsx'
import { otherColumn } from './state/board-state.ts'
import { useBoard } from './state/board-store.ts'
import { fetchWays, nameOf } from './state/hold-cards.ts'
import { moveToTop } from './state/move-cards.ts'
import { whyNot } from './state/refusals.ts'

/** The cards that the menu is open for. */
const useMoveMenu = create<{ ids: readonly string[] }>(() => ({ ids: [] }))

export const openMoveMenu = (ids: readonly string[]): void => useMoveMenu.setState({ ids })
const close = () => useMoveMenu.setState({ ids: [] })

/** The menu “Move to…”: the columns, with the reasons of those that refuse. It exists once for the board. */
export function MoveMenu() {
  const ids = useMoveMenu(state => state.ids)
  return ids.length > 0 && <OpenMenu key={ids.join()} ids={ids} />
}

function OpenMenu({ ids }: { ids: readonly string[] }) {
  const [first = ''] = ids
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={open => !open && close()}>
      <DropdownMenu.Trigger asChild>
        <span className="menu-anchor" ref={element => placeBeside(element, first)} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align="start"
          sideOffset={4}
          aria-label={`${say.moveTo} ${nameOf(ids)}`}
          onCloseAutoFocus={event => {
            event.preventDefault()
            focusCard(first)
          }}
        >
          <Columns ids={ids} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function Columns({ ids }: { ids: readonly string[] }) {
  const board = useBoard(state => state.board)
  const { data: ways = new Map() } = useQuery({
    queryKey: ['ways', ...ids],
    staleTime: 0,
    gcTime: 0,
    queryFn: () => fetchWays(ids),
  })
  if (!board) return null
  return board.columns
    .filter(({ id }) => id !== otherColumn)
    .map(column => {
      const isHere = ids.every(id => column.ids.includes(id))
      const why = whyNot({ ids, ways }, column, board.columnField, heldItem)
      return (
        <DropdownMenu.Item
          key={column.id}
          className={`it ${isHere ? 'is-on' : ''} ${why ? 'is-off' : ''}`}
          // Not `disabled`: the keys go there, too, and the reason is read.
          aria-disabled={why !== undefined}
          onSelect={event => {
            if (why) event.preventDefault()
            else if (!isHere) moveToTop(ids, column.id)
          }}
        >
          <ColumnIcon column={column} />
          <span className="grow">
            <bdi>{columnName(column)}</bdi>
            {why && <span className="meta it-why">{why}</span>}
          </span>
        </DropdownMenu.Item>
      )
    })
}

function placeBeside(anchor: HTMLElement | null, id: string): void {
  const box = document.querySelector(`[data-card="${id}"]`)?.getBoundingClientRect()
  if (!box || !anchor) return
  anchor.style.left = `${box.left}px`
  anchor.style.top = `${box.top}px`
  anchor.style.width = `${box.width}px`
  anchor.style.height = `${box.height}px`
}
