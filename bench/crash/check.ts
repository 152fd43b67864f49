import pg from 'pg'
import { type Content, digestOf, type Row, timesPerItem } from './rows.ts'

interface Stored {
  id: string
  row: string
  title: string
  description: string
  status: string
  priority: number
  tags: string[]
  version: number
  deleted: boolean
  fields: Record<string, string | number>
  typed: { key: string; text: string | null; number: number | null }[]
  times: (Content['times'][number] & { id: string; events: string[] })[]
  events: string[]
}

// Reads the tables as their owner, without row level security, and does not rely on the service's own replies.
const stored = `
  select i.id, i.meta ->> 'row' as row, i.title, i.description, i.status, i.priority, i.version,
    array(select l.name from unnest(i.labels) with ordinality u(id, n) join label l on l.tenant_id = i.tenant_id and l.id = u.id order by u.n) as tags, i.deleted,
    coalesce((select jsonb_object_agg(f.key, v.value) from jsonb_each(i.fields) v join field f on f.tenant_id = i.tenant_id and f.id = v.key::uuid), '{}') as fields,
    coalesce((select json_agg(json_build_object('key', f.key, 'text', v.text_value, 'number', v.number_value))
      from item_value v join field f on f.tenant_id = v.tenant_id and f.id = v.field_id where v.tenant_id = i.tenant_id and v.item_id = i.id), '[]') as typed,
    coalesce((select json_agg(json_build_object('id', t.id, 'date', t.date, 'minutes', t.minutes, 'note', t.note, 'billable', t.billable, 'externalId', t.external_id,
        'events', (select coalesce(json_agg(e.kind), '[]') from event e where e.tenant_id = t.tenant_id and e.record_id = t.id)))
      from time t where t.tenant_id = i.tenant_id and t.item_id = i.id and not t.deleted), '[]') as times,
    coalesce((select json_agg(e.kind) from event e where e.tenant_id = i.tenant_id and e.record_id = i.id), '[]') as events
  from item i where i.meta ->> 'row' = any($1)`

interface StoredReply {
  key: string
  id: string | null
}

const storedReplies = `select key, body::jsonb ->> 'id' as id from idempotency where key = any($1)`

// Events must refer to existing records, and no row may refer to a missing one.
const orphans = `
  select e.kind, e.record_id::text as record from event e
  where e.kind = 'item.created' and not exists (select 1 from item i where i.tenant_id = e.tenant_id and i.id = e.record_id)
    or e.kind = 'time.created' and not exists (select 1 from time t where t.tenant_id = e.tenant_id and t.id = e.record_id)
  limit 20`

export interface Checked {
  violations: string[]
  /** Rows that are stored although their reply was lost: how often the kill came between commit and reply. */
  storedUnknown: number
}

/** Compares the journal of the client with the tables. `complete` says that every row must have been stored. */
export async function check(owner: pg.Client, rows: readonly Row[], complete = false): Promise<Checked> {
  const { rows: items } = await owner.query<Stored>(stored, [rows.map(row => row.name)])
  const byRow = Map.groupBy(items, item => item.row)
  const { rows: replies } = await owner.query<StoredReply>(storedReplies, [rows.flatMap(row => row.key ?? [])])
  const byKey = Map.groupBy(replies, reply => reply.key)
  const violations: string[] = []
  let storedUnknown = 0
  for (const row of rows) {
    const report = (what: string) => violations.push(`${row.name} (${row.state}): ${what}`)
    const found = byRow.get(row.name) ?? []
    if (row.refusal) report(`was refused: ${row.refusal}`)
    if (found.length > 1) report(`is stored ${found.length} times`)
    if (found.length === 0 && (complete || row.state === 'acknowledged')) report('is lost')
    if (found.length > 0 && row.state === 'unsent') report('is stored although it was never sent')
    if (row.state === 'unknown') storedUnknown += found.length
    if (row.key) for (const fault of storedReplyFaults(row, byKey.get(row.key) ?? [], found, complete)) report(fault)
    for (const item of found) {
      if (row.id !== undefined && item.id !== row.id) report(`is stored as ${item.id}, but the reply named ${row.id}`)
      for (const fault of faultsOf(item, row)) report(fault)
    }
  }
  const { rows: orphaned } = await owner.query<{ kind: string; record: string }>(orphans)
  for (const { kind, record } of orphaned) violations.push(`an event ${kind} refers to ${record}, which does not exist`)
  return { violations, storedUnknown }
}

/** An item is stored completely or not at all, with exactly one event for each part. */
function* faultsOf(item: Stored, { digest, body }: Row): Generator<string> {
  if (item.times.length !== timesPerItem) yield `has ${item.times.length} entries of time instead of ${timesPerItem}`
  if (digestOf({ ...item, values: item.fields, times: item.times }) !== digest) yield 'differs from what was sent'
  for (const { key, value } of body.Field) {
    const typed = item.typed.filter(each => each.key === key)
    const stored = typed[0]?.number ?? typed[0]?.text
    if (typed.length !== 1 || String(stored).toLowerCase() !== String(value).toLowerCase())
      yield `has ${typed.length} typed values of ${key}: ${stored}`
  }
  if (item.typed.length !== body.Field.length) yield `has ${item.typed.length} typed values, not ${body.Field.length}`
  if (item.events.join() !== 'item.created')
    yield `has the events ${item.events.join(', ') || '(none)'}, not one item.created`
  for (const { id, events } of item.times)
    if (events.join() !== 'time.created')
      yield `its time ${id} has the events ${events.join(', ') || '(none)'}, not one time.created`
  if (item.version !== 1) yield `has the version ${item.version}, so sending it again changed it`
  if (item.deleted) yield 'is deleted'
}

/** The stored reply and its effect were one transaction: neither exists without the other. */
function* storedReplyFaults(
  row: Row,
  replies: readonly StoredReply[],
  items: readonly Stored[],
  complete: boolean,
): Generator<string> {
  if (replies.length > 1) yield `has ${replies.length} stored replies`
  if (replies.length === 0 && (complete || row.state === 'acknowledged')) yield 'has no stored reply'
  if (replies.length !== items.length) yield `has ${replies.length} stored replies and ${items.length} items`
  if (replies[0] && items[0] && replies[0].id !== items[0].id)
    yield `has a stored reply about ${replies[0].id}, not about ${items[0].id}`
}

/** Connects as the owner, without row level security, for the duration of the work. */
export async function asOwner<T>(url: string, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: url })
  owner.on('error', () => {})
  await owner.connect()
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
}
