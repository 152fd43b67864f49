import { type Board, call, codes } from '@gantry/sdk'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { gantry } from '../../kernel/data/client.ts'
import { onChanges } from '../../kernel/data/live/live.ts'
import { fetchAgain } from '../../kernel/data/live/queries.ts'

const queryKey = ['Board']

export const boardsQuery = queryOptions({
  queryKey,
  queryFn: () => call(gantry, 'GET /board', { query: { limit: 200, sort: 'name' } }),
})

/** The boards that show a container; undefined until they are known. */
export function useBoards(containerId: string | undefined): Board[] | undefined {
  const client = useQueryClient()
  useEffect(
    () =>
      onChanges(events => {
        if (events.some(({ entity }) => entity === 'Board')) void fetchAgain(client, { queryKey })
      }),
    [client],
  )
  return useQuery({
    ...boardsQuery,
    select: boards => boards.filter(board => containerId !== undefined && shows(board, containerId)),
  }).data
}

/** The board that is shown of those that show a container: the one that the address names, or the last one. */
export function shownBoard(boards: readonly Board[], containerId: string, chosen: string | undefined) {
  const wanted = chosen ?? lastBoard(containerId)
  return boards.find(({ id }) => id === wanted) ?? boards[0]
}

export const shows = ({ containerIds, owner, ownerId }: Board, containerId: string) =>
  containerIds.includes(containerId) || (owner === codes.owner.container && ownerId === containerId)

const nameOf = (containerId: string) => `board.${containerId}`

/** The board that this browser showed last for a container. */
export const lastBoard = (containerId: string): string | null => localStorage.getItem(nameOf(containerId))

export const rememberBoard = (containerId: string, boardId: string): void =>
  localStorage.setItem(nameOf(containerId), boardId)
