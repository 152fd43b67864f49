import type { Item } from '@gantry/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { ItemPeek } from '../../items/item/frame/later-peek.ts'
import { say } from '../../items/messages.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { later } from '../../kernel/later.tsx'
import { Empty, Skeleton } from '../../kit/kit.tsx'
import { ContainerList } from '../container-list/container-list.tsx'
import { ListBar } from '../container-list/list-bar.tsx'
import { BoardBar } from './board-bar.tsx'
import { ContainerHead } from './container-head.tsx'
import { NoBoard } from './no-board.tsx'
import { shownBoard, useBoards } from './use-boards.ts'

export { askForContainer } from './ask-for-container.ts'

const Board = later(async () => (await import('../board/board.tsx')).Board)

const route = getRouteApi('/container/$key')

/** A container: its items as a list or a board, and one of them beside it. */
export function ContainerPage() {
  const { key } = route.useParams()
  const { peek, view, board: chosen, quick = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const { containers } = useSession()
  const container = containers.find(each => each.key === key)
  const open = useCallback(
    (item: Item) => navigate({ search: previous => ({ ...previous, peek: item.key ?? item.id }), replace: true }),
    [navigate],
  )
  const boards = useBoards(container?.id)
  if (!container) return <Empty title={say.gone} />
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
        {peek && (
          <ItemPeek
            itemKey={peek}
            onMove={open}
            onClose={() => navigate({ search: ({ peek: _, ...rest }) => rest, replace: true })}
          />
        )}
      </div>
    </>
  )
}
