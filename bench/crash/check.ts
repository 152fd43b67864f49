import pg from 'pg'
import { type Content, digestOf, type Row, timesEach } from './rows.ts'

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

interface Kept {
  key: string
  id: string | null
}

const kept = `select key, body::jsonb ->> 'id' as id from idempotency where key = any($1)`

// Events must refer to existing records, and no row may refer to a missing one.
const orphans = `
  select e.kind, e.record_id::text as record from event e
  where e.kind = 'item.created' and not exists (select 1 from item i where i.tenant_id = e.tenant_id and i.id = e.record_id)
    or e.kind = 'time.created' and not exists (select 1 from time t where t.tenant_id = e.tenant_id and t.id = e.record_id)
  limit 20`

export interface Checked {
  violations: string[]
  /** Rows without an answer that are stored all the same: how often the kill fell between commit and answer. */
  storedUnknown: number
}

/** Holds the journal against the tables. `complete` when every row has been acknowledged in the end. */
export async function check(owner: pg.Client, rows: readonly Row[], complete = false): Promise<Checked> {
  const { rows: items } = await owner.query<Stored>(stored, [rows.map(row => row.name)])
  const byRow = Map.groupBy(items, item => item.row)
  const { rows: answers } = await owner.query<Kept>(kept, [rows.flatMap(row => row.key ?? [])])
  const byKey = Map.groupBy(answers, answer => answer.key)
  const violations: string[] = []
  let storedUnknown = 0
  for (const row of rows) {
    const tell = (what: string) => violations.push(`${row.name} (${row.state}): ${what}`)
    const found = byRow.get(row.name) ?? []
    if (row.refusal) tell(`was refused: ${row.refusal}`)
    if (found.length > 1) tell(`is stored ${found.length} times`)
    if (found.length === 0 && (complete || row.state === 'acknowledged')) tell('is lost')
    if (found.length > 0 && row.state === 'unsent') tell('is stored, and was never sent')
    if (row.state === 'unknown') storedUnknown += found.length
    if (row.key) for (const fault of keptFaults(row, byKey.get(row.key) ?? [], found, complete)) tell(fault)
    for (const item of found) {
      if (row.id !== undefined && item.id !== row.id) tell(`is stored as ${item.id}, and was told as ${row.id}`)
      for (const fault of faultsOf(item, row)) tell(fault)
    }
  }
  const { rows: hanging } = await owner.query<{ kind: string; record: string }>(orphans)
  for (const { kind, record } of hanging) violations.push(`an event ${kind} tells of ${record}, which is not there`)
  return { violations, storedUnknown }
}

/** An item is stored completely or not at all, with exactly one event for each part. */
function* faultsOf(item: Stored, { digest, body }: Row): Generator<string> {
  if (item.times.length !== timesEach) yield `has ${item.times.length} entries of time, not ${timesEach}`
  if (digestOf({ ...item, values: item.fields, times: item.times }) !== digest) yield 'is not what was sent'
  for (const { key, value } of body.Field) {
    const typed = item.typed.filter(each => each.key === key)
    const kept = typed[0]?.number ?? typed[0]?.text
    if (typed.length !== 1 || String(kept).toLowerCase() !== String(value).toLowerCase())
      yield `has ${typed.length} typed values of ${key}: ${kept}`
  }
  if (item.typed.length !== body.Field.length) yield `has ${item.typed.length} typed values, not ${body.Field.length}`
  if (item.events.join() !== 'item.created')
    yield `has the events ${item.events.join(', ') || '(none)'}, not one item.created`
  for (const { id, events } of item.times)
    if (events.join() !== 'time.created')
      yield `its time ${id} has the events ${events.join(', ') || '(none)'}, not one time.created`
  if (item.version !== 1) yield `has the version ${item.version}: sending it again has changed it`
  if (item.deleted) yield 'is deleted'
}

/** The stored reply and its effect were one transaction: neither exists without the other. */
function* keptFaults(row: Row, kept: readonly Kept[], items: readonly Stored[], complete: boolean): Generator<string> {
  if (kept.length > 1) yield `its key is kept ${kept.length} times`
  if (kept.length === 0 && (complete || row.state === 'acknowledged')) yield 'its key is not kept'
  if (kept.length !== items.length) yield `has ${kept.length} kept answers and ${items.length} items`
  if (kept[0] && items[0] && kept[0].id !== items[0].id)
    yield `its kept answer tells of ${kept[0].id}, not of ${items[0].id}`
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
