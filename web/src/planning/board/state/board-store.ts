import { type Item, isProblem, type Transition } from '@gantry/sdk'
import { create } from 'zustand'
import { heldItem } from '../../../items/held-item.ts'
import { applyMove, type BoardState, type Move, type Weight, withNewCards } from './board-state.ts'
import { groupValue } from './card-values.ts'

// The board that is open. Like a record it has a base, as the service knows it, and moves on top of it that are not confirmed.

/** Cards in hand, and the ways that their workflows allow; undefined until the service has answered. */
export interface Held {
  ids: readonly string[]
  ways: ReadonlyMap<string, readonly Transition[]>
}

/** Where a card in hand would be put down. */
export interface Spot {
  column: string
  lane?: string | undefined
  /** The card beside the place, and its side. */
  id?: string | undefined
  edge?: 'top' | 'bottom' | undefined
}

interface OpenBoard {
  boardId: string
  /** The property by which cards are sorted; empty if they are ranked by hand. */
  sortField: string
  base: BoardState | undefined
  /** When it was asked for. */
  askedAt: number
  /** Cards that were made here and that the service does not have yet. */
  added: readonly Item[]
  pending: readonly Move[]
  /** The base with the new cards and the pending moves on it. */
  board: BoardState | undefined
  /** Why the board cannot be shown. */
  failed: unknown
  held: Held | undefined
  spot: Spot | undefined
  /** By card: why it could not be moved. */
  refused: ReadonlyMap<string, string>
  /** What a screen reader says next. */
  said: string
  foldedColumns: ReadonlySet<string>
  foldedLanes: ReadonlySet<string>
  /** The column, and the lane, in which somebody is adding a card. */
  adding: { column: string; lane?: string | undefined } | undefined
}

const nothing = {
  base: undefined,
  askedAt: 0,
  added: [],
  pending: [],
  board: undefined,
  failed: undefined,
  held: undefined,
  spot: undefined,
  refused: new Map<string, string>(),
  said: '',
  foldedColumns: new Set<string>(),
  foldedLanes: new Set<string>(),
  adding: undefined,
}

export const useBoard = create<OpenBoard>(() => ({ boardId: '', sortField: '', ...nothing }))

export const boardNow = (): BoardState | undefined => useBoard.getState().board

export const weightOf = (id: string): Weight => heldItem(id) ?? {}

/** Forgets the board that was open before. */
export function openBoard(boardId: string, sortField: string): void {
  if (useBoard.getState().boardId !== boardId) useBoard.setState({ boardId, ...nothing })
  useBoard.setState({ sortField })
}

export function failBoard(error: unknown): void {
  if (!isProblem(error) && !(error instanceof Error)) throw error
  useBoard.setState({ failed: error })
}

function shownOn(base: BoardState, { added, pending }: Pick<OpenBoard, 'added' | 'pending'>): BoardState {
  const cards = added.map(item => ({
    id: item.id,
    value: groupValue(item, base.columnField),
    lane: base.laneField === '' ? undefined : (groupValue(item, base.laneField) ?? ''),
  }))
  return pending.reduce((state, move) => applyMove(state, move, weightOf), withNewCards(base, cards, weightOf))
}

/** Shows cards that the service does not have yet. */
export function showNewCards(added: readonly Item[]): void {
  useBoard.setState(({ base, pending }) => ({ added, ...(base ? { board: shownOn(base, { added, pending }) } : {}) }))
}

/** Changes the board as the service knows it. */
export function setBase(change: (base: BoardState) => BoardState): void {
  useBoard.setState(({ base, added, pending }) => {
    const next = base && change(base)
    return next && next !== base ? { base: next, board: shownOn(next, { added, pending }) } : {}
  })
}

/** Shows a board that was loaded, with what is on its way. */
export function putBoard(boardId: string, base: BoardState, askedAt: number): void {
  useBoard.setState(state => {
    if (state.boardId !== boardId) return {}
    const folded = base.columns.filter(({ collapsed }) => collapsed).map(({ id }) => id)
    const isFirst = state.base === undefined
    return {
      base,
      askedAt,
      board: shownOn(base, state),
      failed: undefined,
      ...(isFirst ? { foldedColumns: new Set(folded) } : {}),
    }
  })
}

/** Shows the moves of a board that are not confirmed. */
export function setPending(boardId: string, pending: readonly Move[]): void {
  useBoard.setState(({ boardId: open, base, added, pending: before }) => {
    if (open !== boardId || (pending.length === 0 && before.length === 0)) return {}
    return { pending, ...(base ? { board: shownOn(base, { added, pending }) } : {}) }
  })
}

/** Ends a move, after which others wait: it is kept as a part of the board, or taken back. */
export function endMove(boardId: string, move: Move, pending: readonly Move[], outcome: 'kept' | 'refused'): void {
  useBoard.setState(({ boardId: open, base, added }) => {
    if (open !== boardId || !base) return {}
    const next = outcome === 'kept' ? applyMove(base, move, weightOf) : base
    return { pending, base: next, board: shownOn(next, { added, pending }) }
  })
}

export const isMoving = (id: string): boolean => useBoard.getState().pending.some(({ ids }) => ids.includes(id))

export function refuseCards(ids: readonly string[], why: string): void {
  useBoard.setState(({ refused }) => ({
    refused: new Map([...refused, ...ids.map(id => [id, why] as const)]),
    said: why,
  }))
}

/** Forgets why cards could not be moved: they are moved again. */
export const acceptCards = (ids: readonly string[]): void =>
  useBoard.setState(({ refused }) => ({ refused: withoutKeys(refused, ids) }))

export const announce = (said: string): void => useBoard.setState({ said })

const withoutKeys = (map: ReadonlyMap<string, string>, keys: readonly string[]) =>
  keys.some(key => map.has(key)) ? new Map([...map].filter(([key]) => !keys.includes(key))) : map

const toggled = (set: ReadonlySet<string>, value: string) => {
  const next = new Set(set)
  if (!next.delete(value)) next.add(value)
  return next
}

export const toggleColumn = (id: string): void =>
  useBoard.setState(({ foldedColumns }) => ({ foldedColumns: toggled(foldedColumns, id) }))

export const toggleLane = (value: string): void =>
  useBoard.setState(({ foldedLanes }) => ({ foldedLanes: toggled(foldedLanes, value) }))
