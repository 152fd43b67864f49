import { call, type Event, type Item } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { gantry } from '../../kernel/data/client.ts'

/** What a change set did to one record. */
export interface ChangedRecord {
  id: string
  entity: string
  verb: 'created' | 'deleted' | 'restored' | 'updated'
  /** The key of an item. */
  key?: string | undefined
  name: string
  changes: Readonly<Record<string, { from?: unknown; to?: unknown }>>
}

const maxNamed = 100

/** The records of a change set, with their names. */
export function useChangedRecords(changeId: string) {
  return useQuery({
    queryKey: ['change-records', changeId],
    queryFn: async ({ signal }): Promise<ChangedRecord[]> => {
      const { events } = await call(gantry, 'GET /change/{id}', { path: { id: changeId }, signal })
      const records = recordsOf(events)
      const ids = records.filter(({ entity }) => entity === 'Item').slice(0, maxNamed)
      const query = { id: ids.map(({ id }) => id).join(','), fields: 'key,title', limit: maxNamed }
      const items = ids.length > 0 ? await call(gantry, 'GET /item', { query, signal }) : []
      const byId = new Map(items.map(item => [item.id, item]))
      return records.map(record => named(record, byId.get(record.id)))
    },
  })
}

const named = (record: ChangedRecord, item: Item | undefined): ChangedRecord =>
  item ? { ...record, key: item.key, name: item.title ?? record.name } : record

/** One entry for each record, with everything that happened to it in the set. */
export function recordsOf(events: readonly Event[]): ChangedRecord[] {
  return [...Map.groupBy(events, ({ recordId }) => recordId)].flatMap(([id, own]) => {
    const [first] = own
    if (!first || first.entity === 'Change') return []
    const changes = Object.assign({}, ...own.map(event => event.changes)) as ChangedRecord['changes'] // as `changes` is documented
    return { id, entity: first.entity, verb: verbOf(own), name: nameIn(changes) || first.entity, changes }
  })
}

function verbOf(events: readonly Event[]): ChangedRecord['verb'] {
  const verbs = events.map(({ type }) => type.slice(type.lastIndexOf('.') + 1))
  return (['created', 'deleted', 'restored'] as const).find(each => verbs.includes(each)) ?? 'updated'
}

function nameIn(changes: ChangedRecord['changes']): string {
  const { from, to } = changes.title ?? changes.name ?? {}
  const name = to ?? from
  return typeof name === 'string' ? name : ''
}
