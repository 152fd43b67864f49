import pg from 'pg'
import { buildApp } from '../../server/src/app.ts'
import { openDatabase } from '../../server/src/kernel/database.ts'
import { openSecrets } from '../../server/src/platform/secrets.ts'
import { readSettings } from '../../server/src/platform/settings.ts'
import type { Asked } from './measure.ts'

/** Lets the service answer each question once and shows how PostgreSQL answers its statements, as the service's own role. */
export async function plansOf(url: string, dataDir: string, key: string, asked: readonly Asked[]): Promise<string> {
  const settings = readSettings({ DATA_DIR: dataDir, PORT: '0' })
  const database = openDatabase({ url, poolSize: 1, queueSize: 10, statementTimeout: 60_000 })
  const app = await buildApp({ settings, database, secrets: openSecrets(settings), log: () => {} })
  const heard: { text: string; values: unknown[] }[] = []
  const { query } = pg.Client.prototype
  let listening = true
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [sent] = args
    if (
      listening &&
      sent !== null &&
      typeof sent === 'object' &&
      'text' in sent &&
      'values' in sent &&
      Array.isArray(sent.values)
    )
      heard.push({ text: String(sent.text), values: sent.values })
    return Reflect.apply(query, this, args)
  } as typeof query
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const told: string[] = []
  for (const { title, request } of asked) {
    const { method, path, body } = request(1)
    if (method === 'PATCH') continue
    heard.length = 0
    const { statusCode } = await app.inject({
      method: method as 'GET',
      url: `/api${path}`,
      headers: { authorization: `Bearer ${key}` },
      ...(body ? { payload: body } : {}),
    })
    told.push(`\n\n## ${title} (${statusCode})\n`)
    listening = false
    const tenant = heard
      .flatMap(each => each.values)
      .find(each => typeof each === 'string' && /^[0-9a-f-]{36}$/.test(each))
    await client.query(`set role gantry_app; set app.tenant = '${tenant}'; set jit = off`)
    for (const { text, values } of heard.filter(
      each => /\b(item|annotation|document|search_word)/.test(each.text) && !/^\s*explain/.test(each.text),
    )) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>({
        text: `explain (analyze, buffers, timing off) ${text}`,
        values,
      })
      const lines = rows.map(row => row['QUERY PLAN']).filter(line => !/^\s+(Output|Settings):/.test(line))
      told.push(`${lines.map(line => line.slice(0, 220)).join('\n')}\n`)
    }
    await client.query('reset role')
    listening = true
  }
  pg.Client.prototype.query = query
  await client.end()
  await app.close()
  await database.close()
  return told.join('\n')
}
