import type { Item } from '@gantry/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { ItemPeek } from '../../items/item/frame/later-peek.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { later } from '../../kernel/later.tsx'
import { Gone } from '../../kernel/problems/problem-screen.tsx'
import { Skeleton } from '../../kit/kit.tsx'
import { ContainerList } from '../container-list/container-list.tsx'
import { ListBar } from '../container-list/list-bar.tsx'
import { BoardBar } from './board-bar.tsx'
import { ContainerHead } from './container-head.tsx'
import { shownBoard, useBoards } from './use-boards.ts'

export { askForContainer } from './ask-for-container.ts'

const Board = later(async () => (await import('../board/board.tsx')).Board)

const NoBoard = later(async () => (await import('./no-board.tsx')).NoBoard)

const route = getRouteApi('/container/$key')

/** A container: its items as a list or a board, and one of them beside it. */
export function ContainerPage() {
  const { key } = route.useParams()
  const {
    view,
    board: chosen,
    quick = '',
  } = route.useSearch({
    select: ({ view, board, quick }) => ({ view, board, quick }),
    structuralSharing: true,
  })
  const navigate = route.useNavigate()
  const { containers } = useSession()
  const container = containers.find(each => each.key === key)
  const open = useCallback(
    (item: Item) => navigate({ search: previous => ({ ...previous, peek: item.key ?? item.id }), replace: true }),
    [navigate],
  )
  const boards = useBoards(container?.id)
  if (!container) return <Gone />
  const board = shownBoard(boards ?? [], container.id, chosen)
  const quickFilters = quick.split(',').filter(id => board?.quickFilters.some(each => each.id === id))
  return (
    <>
      <ContainerHead container={container} boards={boards ?? []} board={view ? board : undefined} />
      {view && board && <BoardBar board={board} container={container} quickFilters={quickFilters} />}
      {!view && <ListBar key={container.id} container={container} />}
      <div className="split">
        {!view && <ContainerList key={container.id} container={container} onOpen={open} />}
        {view && !boards && <Skeleton />}
        {view && boards && !board && <NoBoard container={container} />}
        {view && board && <Board board={board} containerId={container.id} quickFilters={quickFilters} onOpen={open} />}
        <Peek onMove={open} />
      </div>
    </>
  )
}

/** The item that the address names. It is read here, so that opening an item renders neither the list nor the bars. */
function Peek({ onMove }: { onMove: (item: Item) => void }) {
  const peek = route.useSearch({ select: search => search.peek })
  const navigate = route.useNavigate()
  if (!peek) return null
  const close = () => navigate({ search: ({ peek: _, ...rest }) => rest, replace: true })
  return <ItemPeek itemKey={peek} onMove={onMove} onClose={close} />
}
