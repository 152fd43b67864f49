import { createHash, randomUUID } from 'node:crypto'

/** How a round imports: what makes a repeated request harmless, and whether one request has many rows. */
export type Mode = 'external' | 'key' | 'external+key' | 'bulk'
export const modes: readonly Mode[] = ['external', 'key', 'bulk', 'external+key']

/** One entry of the client's journal. A row without a reply may be stored or not, but never in part. */
export interface Row {
  name: string
  body: Body
  /** The Idempotency-Key, in modes that send one. */
  key: string | undefined
  /** SHA-256 of what was sent. */
  digest: string
  state: 'unsent' | 'unknown' | 'acknowledged'
  /** The id in the reply. */
  id?: string
  /** A reply that violates the specification. */
  refusal?: string
}

export interface Body {
  title: string
  description: string
  status: string
  priority: number
  Tags: string[]
  Field: { key: string; value: string | number }[]
  Meta: Record<string, unknown>
  Time: { date: string; minutes: number; note: string; billable: number; externalId: string }[]
}

/** The content of an item in one form, made from the request or from the tables. */
export interface Content {
  title: string
  description: string
  status: string
  priority: number
  tags: string[]
  values: Record<string, string | number>
  times: { date: string; minutes: number; note: string; billable: number; externalId: string }[]
}

export function digestOf({ title, description, status, priority, tags, values, times }: Content): string {
  const entries = times.map(each => [each.date, each.minutes, each.note, each.billable, each.externalId].join('\u001f'))
  const fields = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([title, description, status, priority, tags, fields, entries.sort()]))
    .digest('hex')
}

export const timesPerItem = 5
/** Custom fields that the rows have values for. */
export const customFields = [
  { key: 'crash-text', name: 'Crash text', fieldType: 'text' },
  { key: 'crash-number', name: 'Crash number', fieldType: 'number' },
] as const

/** Makes rows that are not sent yet. */
export function makeRows(run: string, mode: Mode, count: number): Row[] {
  return Array.from({ length: count }, (_, n) => makeRow(`${run}-${n}`, n, mode))
}

function makeRow(name: string, n: number, mode: Mode): Row {
  const body: Body = {
    title: `Row ${name} “äöü 🚧”`,
    description: `${name}: `.repeat(1 + (n % 40)),
    status: ['Open', 'In progress', 'Done', ''][n % 4] ?? '',
    priority: n % 5,
    Tags: [`tag${n % 7}`, 'import'],
    Field: [
      { key: 'crash-text', value: `Value of ${name}` },
      { key: 'crash-number', value: n / 4 },
    ],
    Meta: { row: name, ...(mode === 'key' ? {} : { source: 'crash', externalId: name }) },
    // Every tenth row has two equal entries: a repeated request must not add entries, nor mistake one for the other.
    Time: Array.from({ length: timesPerItem }, (_, k) => ({
      date: `2026-02-${String(1 + (n % 28)).padStart(2, '0')}`,
      minutes: n % 10 === 0 && k === 1 ? 1 : 1 + k,
      note: n % 10 === 0 && k <= 1 ? 'twin' : `part ${k} of ${name}`,
      billable: k % 3,
      externalId: k === 4 ? `${name}/${k}` : '',
    })),
  }
  if (n % 10 === 0) for (const twin of body.Time.slice(0, 2)) twin.billable = 1
  const digest = digestOf({
    ...body,
    tags: body.Tags,
    values: Object.fromEntries(body.Field.map(({ key, value }) => [key, value])),
    times: body.Time,
  })
  return { name, body, digest, key: mode.includes('key') ? randomUUID() : undefined, state: 'unsent' }
}
