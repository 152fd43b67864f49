import { call, type Item } from '@gantry/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { isOpen, shapeOf } from '../../items/catalogue.ts'
import { gantry } from '../../kernel/data/client.ts'
import { put } from '../../kernel/data/records/store.ts'
import { useRecents } from '../../kernel/data/session/recents.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { dayText, today } from '../../kernel/dates/days.ts'
import { StatusIcon } from '../../kit/icons.tsx'
import { say } from '../messages.ts'
import { useHitRow } from './hit-rows.tsx'
import type { Scope } from './local-rows.tsx'
import { fit, markedParts, ranked } from './rank.ts'
import type { Mode, Row } from './row.ts'

const fields = 'key,title,status,statusCategory,closedAt,containerId,processId,version'
/** What the service is asked for. */
const kindsOf: Partial<Record<Mode, string>> = {
  all: 'item,annotation,document,user,container,filter,board,crm,file',
  labels: 'item',
  people: 'user',
  places: 'container,filter,board',
}
const found = 20
const shownRecents = 8

interface Wanted {
  mode: Mode
  needle: string
  scope: Scope | undefined
  open: boolean
  onScope: (scope: Scope) => void
}

/** Items: those of a scope, those opened last, and what the service finds while somebody types. */
export function useItemRows({ mode, needle, scope, open, onScope }: Wanted): { rows: Row[]; isSearching: boolean } {
  const rowOf = useItemRow(needle)
  const inScope = useScoped(open ? scope : undefined)
  const recents = useRecentItems(open)
  const asks = open && !scope && needle.length > 0 && kindsOf[mode] !== undefined
  const { data: hits = [], isFetching } = useQuery({
    queryKey: ['search', mode, needle],
    enabled: asks,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(gantry, 'GET /search', { query: { q: needle, kind: kindsOf[mode], limit: found }, signal }),
  })
  const hitRow = useHitRow(needle, onScope)
  if (scope) return { rows: ranked(needle, inScope.map(rowOf), ({ title }) => title, found), isSearching: false }
  if (needle === '')
    return { rows: mode === 'all' ? recents.slice(0, shownRecents).map(rowOf) : [], isSearching: false }
  if (!asks) return { rows: [], isSearching: false }
  const known = recents.filter(({ key = '', title = '' }) => fit(needle, `${key} ${title}`) > 0).map(rowOf)
  const told = hits.map(hitRow)
  const ids = new Set(told.map(({ id }) => id))
  return { rows: [...known.filter(({ id }) => !ids.has(id)), ...told].slice(0, found), isSearching: isFetching }
}

function useScoped(scope: Scope | undefined): Item[] {
  const { data = [] } = useQuery({
    queryKey: ['palette-scope', scope?.query],
    enabled: scope !== undefined,
    queryFn: async ({ signal }) => {
      const items = await call(gantry, 'GET /item', {
        query: { ...scope?.query, fields, sort: '-updated', limit: 50 },
        signal,
      })
      for (const item of items) put(item)
      return items
    },
  })
  return scope ? data : []
}

function useRecentItems(open: boolean): Item[] {
  const keys = useRecents()
  const { data = [] } = useQuery({
    queryKey: ['recent', keys],
    enabled: open && keys.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { key: keys.join(','), fields, limit: keys.length }
      const items = await call(gantry, 'GET /item', { query, signal })
      for (const item of items) put(item)
      return items.toSorted((one, other) => keys.indexOf(one.key ?? '') - keys.indexOf(other.key ?? ''))
    },
  })
  return data
}

function useItemRow(needle: string): (item: Item) => Row {
  const navigate = useNavigate()
  const { user, containers } = useSession()
  return item => {
    const { id, key = id, title = '', statusCategory, status = '', closedAt } = item
    const place = containers.find(each => each.id === item.containerId)?.name
    return {
      id: `item ${id}`,
      group: 'items',
      title,
      parts: markedParts(title, needle),
      itemKey: key,
      icon: <StatusIcon shape={shapeOf(statusCategory)} label={status} />,
      meta:
        closedAt && !isOpen(statusCategory) ? (
          say.doneOn(dayText(closedAt.slice(0, 10), today(user.timezone)))
        ) : (
          <bdi>{place}</bdi>
        ),
      item: { id, key, title },
      run: () => void navigate({ to: '/item/$key', params: { key } }),
    }
  }
}
