import { call } from '@gantry/sdk'
import {
  type Query,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import { gantry } from '../../kernel/data/client.ts'
import { useLiveList } from '../../kernel/data/live/live-list.ts'
import { useAskedAt } from '../../kernel/data/live/queries.ts'
import { useNew } from '../../kernel/data/records/new-records.ts'
import { put, type Stored, type Values } from '../../kernel/data/records/store.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import type { Property } from '../../kernel/fields/fields.ts'
import { shownError } from '../../kernel/problems/shown-error.ts'
import { openItems } from '../catalogue.ts'
import { say } from '../messages.ts'
import { type Criteria, inGroup, pageSize, propertiesOf, searchBody, sumsBody } from './list-query.ts'
import { type Rank, useTakenRanks, useWaitingRanks, withRanks } from './rank/ranks.ts'
import { type GroupSums, type Layout, nameOf, type Section, sectionsOf, withAdded } from './sections.ts'

/** The sections of a list with their counts and sums. */
export function useSections(criteria: Criteria, property: Property | undefined) {
  const { timezone } = useSession().user
  const { data, error, isLoading, refetch } = useQuery(sumsQuery(criteria, timezone))
  useLiveList(listsOf(criteria.containerId), {
    entity: 'Item',
    containerId: criteria.containerId,
    properties: propertiesOf(criteria),
  })
  const useAdded = (askedAt: number) => useNew<Stored & Values>('Item', 'containerId', criteria.containerId, askedAt)
  const added = useAdded(useAskedAt(keyOf(criteria)))
  const uncounted = useAdded(useAskedAt(keyOf(criteria, 'sums')))
  const sections = useMemo(() => {
    const known = sectionsOf((data?.rows ?? []) as readonly GroupSums[], property, say.none)
    const all = withAdded(known, { added, uncounted }, criteria.group, property, say.none)
    return all.filter(({ count }) => count > 0)
  }, [data, property, added, uncounted, criteria.group])
  return { sections, error: shownError({ data, error }), isLoading, refetch }
}

const sumsQuery = (criteria: Criteria, timezone: string) =>
  queryOptions({
    queryKey: keyOf(criteria, 'sums'),
    queryFn: ({ signal }) =>
      call(gantry, 'POST /insight/query', { body: sumsBody(criteria, openItems, timezone), signal }),
  })

/** So many sections fill most screens. */
const firstSections = 2

/** Asks for the sums and the first items of a list, before something shows it. `grouping` is undefined if it has no groups. */
export async function askForList(
  queries: QueryClient,
  criteria: Criteria,
  timezone: string,
  grouping: Promise<Property | undefined>,
): Promise<void> {
  const ask = (section: Pick<Section, 'value'>) => void queries.prefetchQuery(pageQuery(criteria, section, ''))
  const sums = queries.fetchQuery(sumsQuery(criteria, timezone))
  if (criteria.group === '') ask({ value: undefined })
  const [{ rows }, property] = await Promise.all([sums, grouping])
  if (criteria.group === '' || !property) return
  for (const section of sectionsOf(rows as readonly GroupSums[], property, '').slice(0, firstSections)) ask(section)
}

/** What is known of all lists of a container. */
export const listsOf = (containerId: string | null | undefined): QueryKey => ['items', containerId]
const keyOf = (criteria: Criteria, ...rest: string[]): QueryKey => [...listsOf(criteria.containerId), criteria, ...rest]

/** Whether a list is in the order of the ranks. */
function isRankedList([, , criteria]: QueryKey): boolean {
  return typeof criteria === 'object' && criteria !== null && 'sort' in criteria && criteria.sort === 'rank'
}

interface Page {
  ids: readonly string[]
  next: string | undefined
}

const isPage = (data: unknown): data is Page => typeof data === 'object' && data !== null && 'ids' in data

/** Two pages beyond what is seen. */
const ahead = 2 * pageSize

/** The ids of each section as far as they are loaded: to the lines that are seen, and two pages more. */
export function usePages(criteria: Criteria, sections: readonly Section[], layout: Layout, from: number, to: number) {
  const client = useQueryClient()
  const known = useRef(new Map<string, readonly string[]>())
  const parts = sections.map(section => ({ section, part: layout.partOf(section, from, to + ahead) }))
  const wanted = parts.flatMap(({ section, part }) =>
    part.to > 0 ? pagesOf(client, criteria, section, Math.ceil(part.to / pageSize)) : [],
  )
  const results = useQueries({ queries: wanted.map(({ section, cursor }) => pageQuery(criteria, section, cursor)) })
  const error = results.map(shownError).find(Boolean)
  const stamp = results.map(each => each.dataUpdatedAt).join()
  const name = JSON.stringify(criteria)
  const ranks = useRanks(client, criteria)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stamp stands for the pages in the cache
  const ids = useMemo(() => {
    const chains = sections.map(section => chainOf(client, criteria, section).flatMap(page => page.ids))
    const answered = new Set(chains.flat())
    const all = new Map(
      sections.map((section, at) => {
        const pages = chains[at] ?? []
        const added = (section.added ?? []).filter(id => !answered.has(id))
        const loaded = [...added, ...pages]
        // While a page is fetched again, the items behind it stay where they were.
        const before = known.current.get(name + nameOf(section)) ?? []
        const rest = before.slice(loaded.length, section.count)
        const seen = new Set(loaded)
        const whole = loaded.length < section.count ? [...loaded, ...rest.filter(id => !seen.has(id))] : loaded
        known.current.set(name + nameOf(section), whole)
        return [section, withRanks(whole, ranks)] as const
      }),
    )
    return all
  }, [client, sections, name, stamp, ranks])
  return { ids, error }
}

/** The ranks that wait, for a list in their order. Those that the service has taken are kept in its pages until it is asked again. */
function useRanks(client: QueryClient, { containerId, sort }: Criteria): readonly Rank[] {
  const waiting = useWaitingRanks()
  const take = useCallback(
    (ranks: readonly Rank[]) => {
      const lists = { queryKey: listsOf(containerId), predicate: ({ queryKey }: Query) => isRankedList(queryKey) }
      client.setQueriesData(lists, (page: unknown) =>
        isPage(page) ? { ...page, ids: withRanks(page.ids, ranks) } : page,
      )
      // What is under way was asked for before, and may have the old order: it is asked for again.
      void client.refetchQueries({
        ...lists,
        predicate: each => lists.predicate(each) && each.state.fetchStatus === 'fetching',
      })
    },
    [client, containerId],
  )
  useTakenRanks(take)
  return sort === 'rank' ? waiting : noRanks
}

const noRanks: readonly Rank[] = []

/** The cursors of the pages of a section, as far as the pages before them are known. */
function pagesOf(client: QueryClient, criteria: Criteria, section: Section, count: number) {
  const chain = chainOf(client, criteria, section)
  const cursors = ['', ...chain.map(page => page.next)].slice(0, count)
  return cursors.flatMap(cursor => (cursor === undefined ? [] : [{ section, cursor }]))
}

function chainOf(client: QueryClient, criteria: Criteria, section: Section): Page[] {
  const pages: Page[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; cursor = pages.at(-1)?.next) {
    const page: Page | undefined = client.getQueryData(keyOf(criteria, nameOf(section), cursor))
    if (!page) break
    pages.push(page)
  }
  return pages
}

function pageQuery(criteria: Criteria, section: Pick<Section, 'value'>, cursor: string) {
  const more = section.value === undefined ? [] : [inGroup(criteria.group, section.value)]
  return {
    queryKey: keyOf(criteria, nameOf(section), cursor),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Page> => {
      const body = searchBody(criteria, more, cursor)
      const { answer, headers } = await call(gantry, 'POST /item/search', { body, signal }).withResponse()
      for (const item of answer) put(item)
      return { ids: answer.map(({ id }) => id), next: headers.get('x-next-cursor') ?? undefined }
    },
  }
}

/** So many items can be changed at once. */
const maxSelected = 5000

/** The ids of all items of a list, in its order and whether they are shown or not. */
export async function readAllIds(criteria: Criteria): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null && ids.length < maxSelected; ) {
    const body = searchBody(criteria, [], cursor)
    const { answer, headers } = await call(gantry, 'POST /item/search', { body }).withResponse()
    for (const item of answer) put(item)
    ids.push(...answer.map(({ id }) => id))
    cursor = headers.get('x-next-cursor')
  }
  return ids
}
