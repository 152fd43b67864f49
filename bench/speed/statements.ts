import pg from 'pg'
import { buildApp } from '../../server/src/app.ts'
import { openDatabase } from '../../server/src/kernel/database.ts'
import { openSecrets } from '../../server/src/platform/secrets.ts'
import { readSettings } from '../../server/src/platform/settings.ts'
import { type OperationName, operationNames, operationOf } from './operations.ts'

/** One statement as the service sends it; `{n}` in a value is the number that makes each request a little different. */
export interface Statement {
  text: string
  /** As they go over the wire. */
  values: (string | null)[]
  types: string[]
}

export type Statements = Record<OperationName, Statement[]>

/**
 * Lets the service itself answer each operation and writes down what it asks of the database, so that what is compared
 * is the same SQL whatever becomes of it. What is remembered between requests (the caller's rights, the container, the
 * fields) is asked for once and not counted, as it is in the measurement.
 */
export async function captureStatements(url: string, dataDir: string, key: string): Promise<Statements> {
  const settings = readSettings({ DATA_DIR: dataDir, PORT: '0' })
  const database = openDatabase({ url, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  const app = await buildApp({ settings, database, secrets: openSecrets(settings), log: line => console.error(line) })
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const hear = listen()
  try {
    const all: Partial<Statements> = {}
    for (const name of operationNames) {
      const heard: Sent[][] = []
      for (let i = 0; i < attempts; i++) {
        const n = operationOf(name).numbers?.[1] ?? i
        const { method, path, body } = operationOf(name).request(n)
        const said = hear()
        const { statusCode, payload } = await app.inject({
          method,
          url: path,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(body ? { payload: body } : {}),
        })
        if (statusCode >= 300) throw new Error(`${method} ${path} answered ${statusCode}: ${payload}`)
        heard.push(said())
      }
      all[name] = await describe(owner, blanked(name, heard))
    }
    return all as Statements
  } finally {
    hear.stop()
    await owner.end()
    await app.close()
    await database.close()
  }
}

const attempts = 8

interface Sent {
  text: string
  values: (string | null)[]
}

/** Listens at the driver; each call begins a new page. */
function listen() {
  let page: Sent[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [sent] = args
    if (sent !== null && typeof sent === 'object' && 'text' in sent && 'values' in sent && Array.isArray(sent.values))
      page.push({ text: String(sent.text), values: sent.values.map(onWire) })
    return Reflect.apply(query, this, args)
  } as typeof query
  const begin = () => {
    const mine: Sent[] = []
    page = mine
    return () => mine
  }
  begin.stop = () => {
    pg.Client.prototype.query = query
  }
  return begin
}

function onWire(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map(each => JSON.stringify(each)).join(',')}}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * The shortest pages are those without a look-up of what is remembered. Two of them are laid side by side: a new
 * record's ids, number and key differ and become blanks; should anything else differ, we no longer understand what is sent.
 */
function blanked(name: OperationName, heard: Sent[][]): Sent[] {
  const least = Math.min(...heard.map(page => page.length))
  const [one, other] = heard.filter(page => page.length === least).slice(-2)
  if (!one || !other || least === 0) throw new Error(`${name} sent no statement twice`)
  const blank = operationOf(name).writes ? blankFresh : blankNumber(name)
  const [a, b] = [blank(one, other), blank(other, one)]
  if (JSON.stringify(a) !== JSON.stringify(b))
    throw new Error(
      `two requests for ${name} differ in what is not known to differ:\n${JSON.stringify(a)}\n${JSON.stringify(b)}`,
    )
  return a
}

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const instants = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Ids that the other page does not have were made for this one: each becomes an id with a blank at its end. */
function blankFresh(page: Sent[], other: Sent[]): Sent[] {
  const known = new Set(JSON.stringify(other).match(uuids))
  const fresh = [...new Set(JSON.stringify(page).match(uuids))].filter(id => !known.has(id))
  const blankOf = new Map(fresh.map((id, i) => [id, `01b00000-00${i.toString(16).padStart(2, '0')}-7000-8000-{n}`]))
  return page.map(({ text, values }) => ({
    text,
    values: values.map(value => {
      if (value === null) return null
      if (instants.test(value)) return '2026-01-01T00:00:00.000Z'
      return value
        .replace(uuids, id => blankOf.get(id) ?? id)
        .replace(/"number":(\{"to":)?\d+/g, '"number":$1{n}')
        .replace(/"TARGET-\d+"/g, '"TARGET-{n}"')
        .replace(/"rank":"\w+"/g, '"rank":"g{n}V"')
    }),
  }))
}

/** The seeded number stands at the end of an id. */
function blankNumber(name: OperationName): (page: Sent[]) => Sent[] {
  const n = operationOf(name).numbers?.[1] ?? 0
  const isBlank = new RegExp(`(0190[0-9a-f-]*0)${n}(?![0-9a-f])`, 'g')
  return page =>
    page.map(({ text, values }) => ({ text, values: values.map(each => each?.replace(isBlank, '$1{n}') ?? null) }))
}

/** PostgreSQL knows of which type each place is. */
async function describe(owner: pg.Client, page: Sent[]): Promise<Statement[]> {
  const described: Statement[] = []
  for (const [i, { text, values }] of page.entries()) {
    await owner.query(`prepare described_${i} as ${text}`)
    const { rows } = await owner.query<{ types: string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'described_${i}'`,
    )
    await owner.query(`deallocate described_${i}`)
    described.push({ text, values, types: rows[0]?.types ?? [] })
  }
  return described
}

/** The value with its blank filled in. */
export function filled(value: string | null, n: string): string | null {
  return value === null ? null : value.replaceAll('{n}', n)
}
