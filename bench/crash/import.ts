import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from './rows.ts'

/** The address of the service and the credential of the importer. */
export interface Client {
  base: string
  key: string
}

export const concurrency = 16
const rowsPerCall = 500

/** Sends each row in a request of its own, sixteen at a time, and records each result. Stops early once `halted`. */
export async function importSingly(client: Client, rows: readonly Row[], halted: () => boolean): Promise<void> {
  const waiting = [...rows]
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let row = waiting.shift(); row && !halted(); row = waiting.shift()) await send(client, row)
    }),
  )
}

/** Sends 500 rows in a request, three requests at a time. Outcomes count even if the reply breaks off after them. */
export async function importInBulk(client: Client, rows: readonly Row[], halted: () => boolean): Promise<void> {
  const calls: Row[][] = []
  for (let start = 0; start < rows.length; start += rowsPerCall) calls.push(rows.slice(start, start + rowsPerCall))
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      for (let call = calls.shift(); call && !halted(); call = calls.shift()) await sendMany(client, call)
    }),
  )
}

/** Sends one row. Returns the status of the reply, or 0 without a reply. */
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
    if (response.ok) recordId(row, JSON.parse(text).id)
    else if (!isTemporary(response.status)) row.refusal = `${response.status} ${text.slice(0, 500)}`
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
  for (const { index, id, status, detail } of completeOutcomes(text)) {
    const row = rows[index]
    if (!row) continue
    if (status < 300) {
      row.state = 'acknowledged'
      recordId(row, id)
    } else if (!isTemporary(status)) row.refusal = `${status} ${detail}`
  }
}

interface Outcome {
  index: number
  id?: string
  status: number
  detail?: string
}

/** Returns the complete outcomes of a reply that may be cut off anywhere. */
export function completeOutcomes(text: string): Outcome[] {
  for (let end = text.length; end > 0; end = text.lastIndexOf('}', end - 1)) {
    const part = end === text.length ? text : `${text.slice(0, end + 1)}]`
    try {
      return JSON.parse(part)
    } catch {
      // The reply was cut off inside an outcome, so the next attempt ends with the outcome before it.
    }
  }
  return []
}

function recordId(row: Row, id: string | undefined): void {
  if (row.id !== undefined && row.id !== id) row.refusal = `got the id ${row.id} in one reply and ${id} in another`
  if (id !== undefined) row.id = id
}

/** After a temporary refusal the same request must be sent again. A 500 is not temporary: it is a defect. */
function isTemporary(status: number): boolean {
  return [409, 429, 502, 503, 504].includes(status)
}

/** Sends every row that is not acknowledged until it is. Returns how many rows there were. */
export async function resend(client: Client, rows: readonly Row[], asBulk: boolean): Promise<number> {
  const open = () => rows.filter(row => row.state !== 'acknowledged' && row.refusal === undefined)
  const count = open().length
  const deadline = performance.now() + 60_000
  while (open().length > 0) {
    await (asBulk ? importInBulk : importSingly)(client, open(), () => false)
    if (performance.now() > deadline) throw new Error(`${open().length} rows have no reply after a minute`)
    if (open().length > 0) await sleep(100)
  }
  return count
}

/** Sends one row in 32 concurrent requests. Each must get the item or a temporary refusal. */
export async function sendConcurrently(client: Client, row: Row): Promise<void> {
  await Promise.all(Array.from({ length: 32 }, () => send(client, row)))
  await resend(client, [row], false)
}

/** Sends another body with the same Idempotency-Key, which must be refused. Returns the violation, if any. */
export async function sendWithOtherBody(client: Client, row: Row): Promise<string | undefined> {
  const changed: Row = { ...row, state: 'unsent', body: { ...row.body, title: 'Another one' } }
  const status = await send(client, changed)
  return status === 422
    ? undefined
    : `${row.name}: its Idempotency-Key with another body was answered ${status}, not 422`
}
