import { type Board, type BoardCards, call } from '@gantry/sdk'
import { gantry } from '../../../kernel/data/client.ts'
import { keepList, keptList } from '../../../kernel/data/kept/offline.ts'
import { put, type Stored } from '../../../kernel/data/records/store.ts'
import { timeNow } from '../../../kernel/data/time-now.ts'
import type { BoardState } from './board-state.ts'
import { boardNow, failBoard, openBoard, putBoard, setBase, useBoard } from './board-store.ts'

const firstPage = 50
const nextPage = 200
const maxPage = 1000

/** The code of `sortMode` for boards whose cards have no order of their own. */
const sortedByField = 1

let quickFilter = ''

/** Loads the first cards of each column. A board with lanes is loaded whole: a lane has cards of every rank. */
export async function loadBoard(board: Board, filters: readonly string[]): Promise<void> {
  const isAsked = asks.running === [board.id, ...filters].join()
  quickFilter = filters.join(',')
  if (isAsked) return
  openBoard(board.id, board.sortMode === sortedByField ? board.sortField : '')
  await Promise.all([showKept(board.id), fetchBoard(board.id, firstPage)])
}

/** The name under which the first cards of a board are kept in the browser. */
const nameOf = (boardId: string) => ['board cards', boardId, quickFilter]

/** Shows the cards as they were last, until the service has answered. */
async function showKept(boardId: string): Promise<void> {
  const own = asks.latest + 1
  const answer = await keptList<BoardCards>(nameOf(boardId))
  if (answer && own === asks.latest && !boardNow()) putBoard(boardId, stateOf(answer), 0)
}

/** Asks for the board again, with as many cards as were loaded. */
export async function reloadBoard(): Promise<void> {
  const { boardId } = useBoard.getState()
  const loaded = Math.max(firstPage, ...(boardNow()?.columns.map(({ ids }) => ids.length) ?? []))
  if (boardId) await fetchBoard(boardId, Math.min(maxPage, loaded))
}

const asks = { latest: 0, running: '' }

async function fetchBoard(boardId: string, limit: number): Promise<void> {
  const own = ++asks.latest
  const askedAt = timeNow()
  asks.running = [boardId, ...quickFilter.split(',').filter(Boolean)].join()
  try {
    const answer = await call(gantry, 'GET /board/{id}/cards', { path: { id: boardId }, query: queryOf({ limit }) })
    if (own !== asks.latest) return // A later question was about another board, or other filters.
    putBoard(boardId, stateOf(answer), askedAt)
    keepList(nameOf(boardId), answer)
    const { boardId: open } = useBoard.getState()
    if (answer.swimlaneField !== '' && open === boardId) await loadRest()
  } catch (error) {
    if (own === asks.latest) failBoard(error)
  } finally {
    if (own === asks.latest) asks.running = ''
  }
}

const queryOf = <T extends object>(query: T) => ({
  include: 'clock,subItems',
  ...query,
  ...(quickFilter === '' ? {} : { quickFilter }),
})

async function loadRest(): Promise<void> {
  for (const { id } of boardNow()?.columns ?? [])
    while (boardNow()?.columns.some(column => column.id === id && column.next)) await loadMore(id, maxPage)
}

function stateOf({ columnField, swimlaneField, swimlanes, columns }: BoardCards): BoardState {
  const laneOf = new Map<string, string>()
  return {
    columnField,
    laneField: swimlaneField,
    lanes: swimlanes,
    columns: columns.map(column => ({ ...column, ids: keep(column.cards, laneOf) })),
    laneOf,
  }
}

/** Puts the cards into the record store; the board has their ids. */
function keep(cards: BoardCards['columns'][number]['cards'], laneOf: Map<string, string>): string[] {
  return cards.map(({ swimlane, ...card }) => {
    put(card as unknown as Stored) // A card is an item with fewer properties.
    laneOf.set(card.id, swimlane)
    return card.id
  })
}

const loading = new Set<string>()

/** Loads the next page of a column. */
export async function loadMore(columnId: string, limit = nextPage): Promise<void> {
  const { boardId, base } = useBoard.getState()
  const column = base?.columns.find(({ id }) => id === columnId)
  if (!column?.next || loading.has(columnId)) return
  loading.add(columnId)
  const own = asks.latest
  try {
    const query = queryOf({ column: columnId, cursor: column.next, limit })
    const answer = await call(gantry, 'GET /board/{id}/cards', { path: { id: boardId }, query })
    const [page] = answer.columns
    if (!page || own !== asks.latest) return
    const laneOf = new Map(base?.laneOf)
    const ids = keep(page.cards, laneOf)
    setBase(now => ({
      ...now,
      laneOf,
      columns: now.columns.map(each =>
        each.id === columnId
          ? { ...each, next: page.next, ids: [...each.ids, ...ids.filter(id => !each.ids.includes(id))] }
          : each,
      ),
    }))
  } finally {
    loading.delete(columnId)
  }
}
