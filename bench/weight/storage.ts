import pg from 'pg'
import { firstKey, type Service } from '../service.ts'

/** What an item takes of one table or index, in bytes. */
export interface Share {
  table: string
  /** The index, or an empty text for the rows of the table with their long values. */
  index: string
  bytes: number
}

/** Creates items with one time entry each through the API, and returns what one of them takes, largest first. */
export async function storagePerItem(service: Service, items: number): Promise<Share[]> {
  const owner = new pg.Client({ connectionString: service.databaseUrl() })
  await owner.connect()
  const before = await sizes(owner)
  for (let made = 0; made < items; made += batch) await createItems(service, made, Math.min(batch, items - made))
  const after = await sizes(owner)
  await owner.end()
  return [...after.values()]
    .map(each => ({ ...each, bytes: (each.bytes - (before.get(nameOf(each))?.bytes ?? 0)) / items }))
    .filter(({ bytes }) => bytes >= 1)
    .sort((a, b) => b.bytes - a.bytes)
}

const batch = 500

async function createItems({ base, dataDir, ...service }: Service, first: number, count: number): Promise<void> {
  const key = firstKey({ base, dataDir, ...service })
  const answer = await fetch(`${base}/api/item/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(Array.from({ length: count }, (_, i) => itemBody(first + i))),
  })
  const text = await answer.text()
  if (!answer.ok || text.includes('"failed"')) throw new Error(`${answer.status}: ${text.slice(0, 500)}`)
}

const words = 'printer floor network ticket order screen update letter account mailbox window server'.split(' ')

/** An item as people write it: a title of six words and a description of eighty. */
function itemBody(number: number) {
  const text = (length: number) =>
    Array.from({ length }, (_, i) => words[(number * 7 + i * (1 + (number % 5))) % words.length]).join(' ')
  return {
    title: `${text(5)} ${number}`,
    description: `${text(79)} ${number}`,
    priority: 1 + (number % 4),
    Time: [{ date: '2026-03-02', minutes: 15 + (number % 60), note: text(4) }],
  }
}

const nameOf = ({ table, index }: { table: string; index: string }) => `${table} ${index}`

async function sizes(owner: pg.Client): Promise<Map<string, Share>> {
  await owner.query('vacuum (analyze)')
  const { rows } = await owner.query<Share>(`
    select t.relname as table, '' as index, pg_table_size(t.oid)::float8 as bytes from pg_class t
    where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace
    union all select t.relname, i.relname, pg_relation_size(i.oid)::float8 from pg_class t
    join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid
    where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace`)
  return new Map(rows.map(row => [nameOf(row), row]))
}
