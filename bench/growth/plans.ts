import pg from 'pg'
import { buildApp } from '../../server/src/app.ts'
import { openDatabase } from '../../server/src/kernel/database.ts'
import { openSecrets } from '../../server/src/platform/secrets.ts'
import { readSettings } from '../../server/src/platform/settings.ts'
import type { Question } from './measure.ts'

/** Lets the service answer each question once and returns the plans of its statements, as the service's own role gets them. */
export async function plansOf(
  url: string,
  dataDir: string,
  key: string,
  questions: readonly Question[],
): Promise<string> {
  const settings = readSettings({ DATA_DIR: dataDir, PORT: '0' })
  const database = openDatabase({ url, poolSize: 1, queueSize: 10, statementTimeout: 60_000 })
  const app = await buildApp({ settings, database, secrets: openSecrets(settings), log: () => {} })
  const statements: { text: string; values: unknown[] }[] = []
  const { query } = pg.Client.prototype
  let recording = true
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [sent] = args
    if (
      recording &&
      sent !== null &&
      typeof sent === 'object' &&
      'text' in sent &&
      'values' in sent &&
      Array.isArray(sent.values)
    )
      statements.push({ text: String(sent.text), values: sent.values })
    return Reflect.apply(query, this, args)
  } as typeof query
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const output: string[] = []
  for (const { title, request } of questions) {
    const { method, path, body } = request(1)
    if (method === 'PATCH') continue
    statements.length = 0
    const { statusCode } = await app.inject({
      method: method as 'GET',
      url: `/api${path}`,
      headers: { authorization: `Bearer ${key}` },
      ...(body ? { payload: body } : {}),
    })
    output.push(`\n\n## ${title} (${statusCode})\n`)
    recording = false
    const tenant = statements
      .flatMap(each => each.values)
      .find(each => typeof each === 'string' && /^[0-9a-f-]{36}$/.test(each))
    await client.query(`set role gantry_app; set app.tenant = '${tenant}'; set jit = off`)
    for (const { text, values } of statements.filter(
      each => /\b(item|annotation|document|search_word|time)/.test(each.text) && !/^\s*explain/.test(each.text),
    )) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>({
        text: `explain (analyze, buffers, timing off) ${text}`,
        values,
      })
      const lines = rows.map(row => row['QUERY PLAN']).filter(line => !/^\s+(Output|Settings):/.test(line))
      output.push(`${lines.map(line => line.slice(0, 220)).join('\n')}\n`)
    }
    await client.query('reset role')
    recording = true
  }
  pg.Client.prototype.query = query
  await client.end()
  await app.close()
  await database.close()
  return output.join('\n')
}
