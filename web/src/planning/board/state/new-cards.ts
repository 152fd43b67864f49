import type { Item } from '@gantry/sdk'
import { useEffect } from 'react'
import { useAllNew } from '../../../kernel/data/records/new-records.ts'
import { showNewCards, useBoard } from './board-store.ts'

/** Shows the items that were made in this browser, by whatever form, until the service has them. */
export function useNewCards(boardId: string, containerIds: readonly string[]): void {
  const askedAt = useBoard(board => board.askedAt)
  const items = useAllNew<Item>('Item', askedAt)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another board begins without them
  useEffect(() => {
    const isHere = ({ containerId }: Item) => containerIds.length === 0 || containerIds.includes(containerId ?? '')
    showNewCards(items.filter(isHere))
  }, [boardId, items, containerIds])
}
