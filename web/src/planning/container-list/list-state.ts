import type { SessionState } from '@gantry/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type Column, defaultColumns, type ListView } from '../../items/list/columns.ts'
import type { Criteria } from '../../items/list/list-query.ts'
import { useContainerProperties } from '../../items/properties/properties.tsx'
import { parseConditions, printConditions } from '../../kernel/conditions/condition-text.ts'
import type { Conditions } from '../../kernel/conditions/conditions.ts'
import { setPreferences, usePreferences } from '../../kernel/data/session/preferences.ts'
import { fromFilter } from '../filters/criteria.ts'
import { useFilters } from '../filters/use-filters.ts'
import type { ListSearch } from './list-search.ts'

const route = getRouteApi('/container/$key')

export type SeenContainer = SessionState['containers'][number]

const noConditions: Conditions = []

/** The state of a container's list: the address and the saved filter say which items, the preferences how they look. */
export function useListState(container: SeenContainer) {
  const search = route.useSearch({ select: ({ peek: _, ...rest }) => rest, structuralSharing: true })
  const navigate = route.useNavigate()
  const { lists = {} } = usePreferences()
  const view: ListView = lists[container.id] ?? {}
  const properties = useContainerProperties(container.processIds)
  const filters = useFilters(container.id)
  const filter = filters?.find(({ id }) => id === search.filter)
  // What the address says itself goes before what the filter says.
  const { where, q, sort, group, closed } = { ...(filter ? fromFilter(filter) : {}), ...search }
  const criteria = useMemo(
    () => criteriaOf(container.id, { where, q, sort, group, closed }, view.group),
    [container.id, where, q, sort, group, closed, view.group],
  )
  const setSearch = useCallback(
    (values: ListChange) => navigate({ search: previous => changed(previous, values), replace: true }),
    [navigate],
  )
  const setView = (values: ListView) =>
    void setPreferences({ lists: { ...lists, [container.id]: { ...view, ...values } } })
  return {
    criteria,
    properties,
    filters: filters ?? [],
    filter,
    /** A filter that the address names is on its way. */
    isLoading: search.filter !== undefined && filters === undefined,
    /** The list shows something else than the filter stores, or conditions that no filter stores. */
    isChanged: filter
      ? ['where', 'q', 'sort', 'group', 'closed'].some(name => name in search)
      : (where ?? '') !== '' || (q ?? '') !== '',
    columns: view.columns ?? defaultColumns,
    setColumns: (columns: readonly Column[]) => setView({ columns }),
    setConditions: useCallback(
      // Without conditions the list is that of the container again.
      (next: Conditions) =>
        void setSearch(next.length > 0 ? { where: printConditions(next) } : { where: undefined, filter: undefined }),
      [setSearch],
    ),
    setSearch,
    setGroup: (path: string) => {
      if (filter) void setSearch({ group: path })
      else {
        setView({ group: path })
        void setSearch({ group: undefined })
      }
    },
  }
}

/** Which items the list of a container has; `usual` is the grouping where nothing else is said. */
export function criteriaOf(containerId: string, said: ListChange, usual = 'status'): Criteria {
  const { where = '', q = '', sort = 'rank', group = usual, closed = false } = said
  return {
    containerId,
    conditions: where === '' ? noConditions : parseConditions(where),
    text: q,
    includeClosed: closed,
    sort,
    group: group === 'none' ? '' : group,
  }
}

export type ListState = ReturnType<typeof useListState>

type ListChange = { [K in keyof ListSearch]?: ListSearch[K] | undefined }

/** Parameters that say nothing are not in the address. */
function changed<T extends ListSearch>(previous: T, values: ListChange): T {
  const says = ([, value]: [string, unknown]) => value !== undefined && value !== ''
  return Object.fromEntries(Object.entries({ ...previous, ...values }).filter(says)) as T // fewer of the same parameters
}
