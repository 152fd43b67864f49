import pg from 'pg'
import { buildApp } from '../../server/src/app.ts'
import { openDatabase } from '../../server/src/kernel/database.ts'
import { openSecrets } from '../../server/src/platform/secrets.ts'
import { readSettings } from '../../server/src/platform/settings.ts'
import { type OperationName, operationNames, operationOf } from './operations.ts'

/** One statement as the service sends it. `{n}` in a value is the place of the number that differs between requests. */
export interface Statement {
  text: string
  /** In the text form of the protocol. */
  values: (string | null)[]
  types: string[]
}

export type Statements = Record<OperationName, Statement[]>

/**
 * Lets the service answer each operation and records its statements, so that the comparison always uses the current SQL.
 * Statements whose results are cached between requests (the caller's authority, the container, the fields) are left out,
 * because they are rare in the measurement, too.
 */
export async function captureStatements(url: string, dataDir: string, key: string): Promise<Statements> {
  const settings = readSettings({ DATA_DIR: dataDir, PORT: '0' })
  const database = openDatabase({ url, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  const app = await buildApp({ settings, database, secrets: openSecrets(settings), log: line => console.error(line) })
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const startRecording = recordStatements()
  try {
    const all: Partial<Statements> = {}
    for (const name of operationNames) {
      const recordings: Sent[][] = []
      for (let i = 0; i < attempts || (i < maxAttempts && shortestOf(recordings).length < 2); i++) {
        const n = operationOf(name).numbers?.[1] ?? i
        const { method, path, body } = operationOf(name).request(n)
        const recorded = startRecording()
        const { statusCode, payload } = await app.inject({
          method,
          url: path,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(body ? { payload: body } : {}),
        })
        if (statusCode >= 300) throw new Error(`${method} ${path} answered ${statusCode}: ${payload}`)
        recordings.push(recorded())
      }
      all[name] = await withTypes(owner, withPlaceholders(name, recordings))
    }
    return all as Statements
  } finally {
    startRecording.stop()
    await owner.end()
    await app.close()
    await database.close()
  }
}

const attempts = 8
/** On a busy machine numbers of items are reserved one by one, and few creations are without that statement. */
const maxAttempts = 60

interface Sent {
  text: string
  values: (string | null)[]
}

/** Records the statements that the driver sends. Each call of the result begins a new recording. */
function recordStatements() {
  let recording: Sent[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [sent] = args
    // One message tells other processes of several writes, so it belongs to no request.
    if (isStatement(sent) && !sent.text.startsWith('select pg_notify('))
      recording.push({ text: sent.text, values: sent.values.map(wireText) })
    return Reflect.apply(query, this, args)
  } as typeof query
  const begin = () => {
    const mine: Sent[] = []
    recording = mine
    return () => mine
  }
  begin.stop = () => {
    pg.Client.prototype.query = query
  }
  return begin
}

function isStatement(sent: unknown): sent is { text: string; values: unknown[] } {
  return sent !== null && typeof sent === 'object' && 'text' in sent && 'values' in sent && Array.isArray(sent.values)
}

function wireText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map(each => JSON.stringify(each)).join(',')}}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * The shortest recordings are those without statements for cached data. Two of them are compared: the ids, number and key
 * of a new record differ and become placeholders. If anything else differs, this function must be extended, so it throws.
 */
function withPlaceholders(name: OperationName, recordings: Sent[][]): Sent[] {
  const [one, other] = shortestOf(recordings).slice(-2)
  if (!one || !other || one.length === 0) throw new Error(`${name} did not send the same number of statements twice`)
  const replace = operationOf(name).writes ? replaceNewIds : replaceNumber(name)
  const [a, b] = [replace(one, other), replace(other, one)]
  if (JSON.stringify(a) !== JSON.stringify(b))
    throw new Error(
      `two requests for ${name} differ in an unexpected value:\n${JSON.stringify(a)}\n${JSON.stringify(b)}`,
    )
  return a
}

function shortestOf(recordings: Sent[][]): Sent[][] {
  const shortest = Math.min(...recordings.map(recording => recording.length))
  return recordings.filter(recording => recording.length === shortest)
}

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const instants = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Ids that the other recording does not have are new: each becomes an id with a placeholder at its end. */
function replaceNewIds(recording: Sent[], other: Sent[]): Sent[] {
  const known = new Set(JSON.stringify(other).match(uuids))
  const newIds = [...new Set(JSON.stringify(recording).match(uuids))].filter(id => !known.has(id))
  const placeholderOf = new Map(
    newIds.map((id, i) => [id, `01b00000-00${i.toString(16).padStart(2, '0')}-7000-8000-{n}`]),
  )
  return recording.map(({ text, values }) => ({
    text,
    values: values.map(value => {
      if (value === null) return null
      if (instants.test(value)) return '2026-01-01T00:00:00.000Z'
      return value
        .replace(uuids, id => placeholderOf.get(id) ?? id)
        .replace(/"number":(\{"to":)?\d+/g, '"number":$1{n}')
        .replace(/"TARGET-\d+"/g, '"TARGET-{n}"')
        .replace(/"rank":"\w+"/g, '"rank":"g{n}V"')
    }),
  }))
}

/** Replaces the seeded number at the end of an id. */
function replaceNumber(name: OperationName): (recording: Sent[]) => Sent[] {
  const n = operationOf(name).numbers?.[1] ?? 0
  const numberAtEnd = new RegExp(`(0190[0-9a-f-]*0)${n}(?![0-9a-f])`, 'g')
  return recording =>
    recording.map(({ text, values }) => ({
      text,
      values: values.map(each => each?.replace(numberAtEnd, '$1{n}') ?? null),
    }))
}

/** Adds the type of each parameter, which PostgreSQL determines. */
async function withTypes(owner: pg.Client, recording: Sent[]): Promise<Statement[]> {
  const described: Statement[] = []
  for (const [i, { text, values }] of recording.entries()) {
    await owner.query(`prepare described_${i} as ${text}`)
    const { rows } = await owner.query<{ types: string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'described_${i}'`,
    )
    await owner.query(`deallocate described_${i}`)
    described.push({ text, values, types: rows[0]?.types ?? [] })
  }
  return described
}
