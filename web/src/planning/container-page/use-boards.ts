import { type Board, call, codes } from '@gantry/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { gantry } from '../../kernel/data/client.ts'
import { onChanges } from '../../kernel/data/live.ts'

const queryKey = ['Board']

/** The boards that show a container; undefined until they are known. */
export function useBoards(containerId: string | undefined): Board[] | undefined {
  const client = useQueryClient()
  useEffect(
    () =>
      onChanges(events => {
        if (events.some(({ entity }) => entity === 'Board')) void client.invalidateQueries({ queryKey })
      }),
    [client],
  )
  return useQuery({
    queryKey,
    queryFn: () => call(gantry, 'GET /board', { query: { limit: 200, sort: 'name' } }),
    select: boards => boards.filter(board => containerId !== undefined && shows(board, containerId)),
  }).data
}

const shows = ({ containerIds, owner, ownerId }: Board, containerId: string) =>
  containerIds.includes(containerId) || (owner === codes.owner.container && ownerId === containerId)

const nameOf = (containerId: string) => `board.${containerId}`

/** The board that this browser showed last for a container. */
export const lastBoard = (containerId: string): string | null => localStorage.getItem(nameOf(containerId))

export const rememberBoard = (containerId: string, boardId: string): void =>
  localStorage.setItem(nameOf(containerId), boardId)
