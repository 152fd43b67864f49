import { type ContainerFilter, call } from '@gantry/sdk'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { attempt } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { useLiveList } from '../../kernel/data/live/live-list.ts'
import { remember } from '../../kernel/data/undo.ts'
import { say } from './messages.ts'

const keyOf = (containerId: string) => ['ContainerFilter', containerId]

export const filtersQuery = (containerId: string) =>
  queryOptions({
    queryKey: keyOf(containerId),
    queryFn: ({ signal }) =>
      call(gantry, 'GET /container/{containerId}/filter', {
        path: { containerId },
        query: { limit: 100, sort: 'name' },
        signal,
      }),
  })

/** The saved filters of a container that this person sees. */
export function useFilters(containerId: string): readonly ContainerFilter[] | undefined {
  const { data } = useQuery(filtersQuery(containerId))
  useLiveList(keyOf(containerId), { entity: 'ContainerFilter', containerId })
  return data
}

/** How many items each filter finds, asked for while they are shown. */
export function useFilterCount({ id, containerId }: ContainerFilter, isShown: boolean): number | undefined {
  const { data } = useQuery({
    queryKey: ['filter-count', id],
    enabled: isShown,
    staleTime: 10_000,
    queryFn: ({ signal }) =>
      call(gantry, 'GET /container/{containerId}/filter/{filterId}/count', {
        path: { containerId, filterId: id },
        signal,
      }),
  })
  return data?.count
}

/** What can be done with a saved filter. Each can be undone. */
export function useFilterActions(containerId: string) {
  const client = useQueryClient()
  const refetch = () => client.invalidateQueries({ queryKey: keyOf(containerId) })
  return {
    refetch,
    update: (filter: ContainerFilter, values: Partial<Pick<ContainerFilter, 'criteria' | 'groupBy'>>) =>
      attempt(async () => {
        const { changeSet } = await call(gantry, 'PATCH /container/{containerId}/filter/{filterId}', {
          path: { containerId, filterId: filter.id },
          body: values,
        }).withResponse()
        remember(changeSet, say.saved(filter.name))
        await refetch()
      }),
    remove: (filter: ContainerFilter) =>
      attempt(async () => {
        const { changeSet } = await call(gantry, 'DELETE /container/{containerId}/filter/{filterId}', {
          path: { containerId, filterId: filter.id },
        }).withResponse()
        remember(changeSet, say.deleted(filter.name))
        await refetch()
      }),
  }
}
