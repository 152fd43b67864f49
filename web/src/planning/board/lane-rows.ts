import type { BoardState, ColumnState } from './state/board-state.ts'

/** A row of a board with lanes: the head of a lane, cards of its columns side by side, or its foot. */
export type LaneRow =
  | { kind: 'head'; key: string; lane: string; name: string; count: number; folded: boolean }
  | { kind: 'cards'; key: string; lane: string; ids: readonly (string | undefined)[] }
  | { kind: 'foot'; key: string; lane: string }

export function laneRows(
  { lanes, laneOf }: Pick<BoardState, 'lanes' | 'laneOf'>,
  columns: readonly Pick<ColumnState, 'ids'>[],
  folded: ReadonlySet<string>,
): LaneRow[] {
  const cells = columns.map(({ ids }) => Map.groupBy(ids, id => laneOf.get(id) ?? ''))
  return lanes.flatMap(({ value, name, count }): LaneRow[] => {
    const isFolded = folded.has(value)
    const head: LaneRow = { kind: 'head', key: `head ${value}`, lane: value, name, count, folded: isFolded }
    if (isFolded) return [head]
    const inLane = cells.map(each => each.get(value) ?? [])
    const height = Math.max(0, ...inLane.map(ids => ids.length))
    const rows = Array.from({ length: height }, (_, at): LaneRow => {
      return { kind: 'cards', key: `${value} ${at}`, lane: value, ids: inLane.map(ids => ids[at]) }
    })
    return [head, ...rows, { kind: 'foot', key: `foot ${value}`, lane: value }]
  })
}
