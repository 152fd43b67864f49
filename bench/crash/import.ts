import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from './rows.ts'

/** An importer with a credential. */
export interface Client {
  base: string
  key: string
}

export const concurrency = 16
const rowsInCall = 500

/** Sends rows one by one, sixteen at a time, and writes down what became of each. Ends early once `halted`. */
export async function importSingly(client: Client, rows: readonly Row[], halted: () => boolean): Promise<void> {
  const waiting = [...rows]
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let row = waiting.shift(); row && !halted(); row = waiting.shift()) await send(client, row)
    }),
  )
}

/** Sends rows five hundred in a call, three calls at a time. An outcome that was told counts, even if the answer breaks off. */
export async function importInBulk(client: Client, rows: readonly Row[], halted: () => boolean): Promise<void> {
  const calls: Row[][] = []
  for (let start = 0; start < rows.length; start += rowsInCall) calls.push(rows.slice(start, start + rowsInCall))
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      for (let call = calls.shift(); call && !halted(); call = calls.shift()) await sendMany(client, call)
    }),
  )
}

/** Sends one row; the answer's status, or 0 if there was none. */
export async function send({ base, key }: Client, row: Row): Promise<number> {
  if (row.state === 'unsent') row.state = 'unknown'
  try {
    const response = await fetch(`${base}/api/item`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(row.key ? { 'idempotency-key': row.key } : {}),
      },
      body: JSON.stringify(row.body),
      signal: AbortSignal.timeout(30_000),
    })
    // The status line of a success is a commitment; the rest of the reply may get lost.
    if (response.ok) row.state = 'acknowledged'
    const text = await response.text()
    if (response.ok) noteId(row, JSON.parse(text).id)
    else if (!isPassing(response.status)) row.refusal = `${response.status} ${text.slice(0, 500)}`
    return response.status
  } catch {
    return 0
  }
}

async function sendMany({ base, key }: Client, rows: readonly Row[]): Promise<void> {
  for (const row of rows) if (row.state === 'unsent') row.state = 'unknown'
  let text = ''
  try {
    const response = await fetch(`${base}/api/item/bulk`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(rows.map(row => row.body)),
      signal: AbortSignal.timeout(60_000),
    })
    if (!response.ok || !response.body) return
    const decoder = new TextDecoder()
    for await (const chunk of response.body) text += decoder.decode(chunk, { stream: true })
  } catch {
    // The reply broke off; the outcomes before that remain valid.
  }
  for (const { index, id, status, detail } of toldOutcomes(text)) {
    const row = rows[index]
    if (!row) continue
    if (status < 300) {
      row.state = 'acknowledged'
      noteId(row, id)
    } else if (!isPassing(status)) row.refusal = `${status} ${detail}`
  }
}

interface Outcome {
  index: number
  id?: string
  status: number
  detail?: string
}

/** The outcomes of an answer that may end anywhere. */
export function toldOutcomes(text: string): Outcome[] {
  for (let end = text.length; end > 0; end = text.lastIndexOf('}', end - 1)) {
    const part = end === text.length ? text : `${text.slice(0, end + 1)}]`
    try {
      return JSON.parse(part)
    } catch {
      // cut in the middle of an outcome: the one before it is whole
    }
  }
  return []
}

function noteId(row: Row, id: string | undefined): void {
  if (row.id !== undefined && row.id !== id) row.refusal = `was told as ${row.id}, and later as ${id}`
  if (id !== undefined) row.id = id
}

/** Temporary refusals, after which the same request must be sent again. A 500 is not temporary: it is a defect. */
function isPassing(status: number): boolean {
  return [409, 429, 502, 503, 504].includes(status)
}

/** Sends every row that has no answer yet, until it has one. */
export async function resend(client: Client, rows: readonly Row[], asBulk: boolean): Promise<number> {
  const open = () => rows.filter(row => row.state !== 'acknowledged' && row.refusal === undefined)
  const count = open().length
  const patience = performance.now() + 60_000
  while (open().length > 0) {
    await (asBulk ? importInBulk : importSingly)(client, open(), () => false)
    if (performance.now() > patience) throw new Error(`${open().length} rows have no answer after a minute`)
    if (open().length > 0) await sleep(100)
  }
  return count
}

/** One row from thirty-two sides at once: each gets the item, or is told to come again. */
export async function sendAtOnce(client: Client, row: Row): Promise<void> {
  await Promise.all(Array.from({ length: 32 }, () => send(client, row)))
  await resend(client, [row], false)
}

/** The same Idempotency-Key with another body is refused. */
export async function sendChanged(client: Client, row: Row): Promise<string | undefined> {
  const changed: Row = { ...row, state: 'unsent', body: { ...row.body, title: 'Another one' } }
  const status = await send(client, changed)
  return status === 422
    ? undefined
    : `${row.name}: its Idempotency-Key with another body was answered ${status}, not 422`
}
