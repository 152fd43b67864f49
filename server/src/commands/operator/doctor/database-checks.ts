import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { loginUrl, serviceRoles } from '../../../kernel/postgres/service-login.ts'
import { pendingMigrations } from '../../../platform/database/migrate.ts'
import { openSecrets, opensMasterKeyCheck } from '../../../platform/secrets.ts'
import type { Settings } from '../../../platform/settings.ts'
import { type CheckResult, type DatabaseCheck, ok, problem, warning } from './finding.ts'
import { messageOf } from './machine-checks.ts'

type Database = Parameters<DatabaseCheck['run']>[1]

const day = 86_400_000
const oldest = 15
/** How far two clocks may differ; ms. */
const [smallDrift, largeDrift] = [2000, 30_000]

/** The checks of the database, in the order in which they are printed. */
export const databaseChecks: readonly DatabaseCheck[] = [
  { name: 'PostgreSQL', run: server },
  { name: 'schema', run: schema },
  { name: 'clock', run: clock },
  { name: 'logins', run: logins },
  { name: 'master key', run: masterKey },
  { name: 'signing', run: signingKeys },
]

async function server({ databaseUrl, dataDir }: Settings, { client }: Database): Promise<CheckResult[]> {
  const { rows } = await client.query<{ version: string; major: number; connections: number; most: number }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
       (select count(*)::int from pg_stat_activity) as connections, current_setting('max_connections')::int as most`,
  )
  const { version = '', major = 0, connections = 0, most = 0 } = rows[0] ?? {}
  const place = databaseUrl ? 'external' : `embedded, in ${dataDir}`
  if (major < oldest) return [problem(`${version} is too old`, `upgrade it to ${oldest} or newer`)]
  if (connections > most * 0.9)
    return [warning(`${connections} of ${most} connections are in use`, 'raise max_connections, or lower POOL_SIZE')]
  return [ok(`${version} (${place})`)]
}

async function schema(_settings: Settings, { client }: Database): Promise<CheckResult[]> {
  try {
    const pending = await pendingMigrations(client)
    if (pending.length === 0) return [ok('up to date')]
    return [
      warning(
        `${pending.length} migrations are pending: ${pending.join(', ')}`,
        'make a backup, then start the service or run "gantry migrate"',
      ),
    ]
  } catch (error) {
    return [problem(messageOf(error), 'use the program that migrated this database, or a newer one')]
  }
}

async function clock(_settings: Settings, { client }: Database): Promise<CheckResult[]> {
  const { rows } = await client.query<{ now: Date; last: Date | null }>(
    `select clock_timestamp() as now, (select max(at) from migration) as last`,
  )
  const { now = new Date(), last } = rows[0] ?? {}
  const drift = Math.abs(Date.now() - now.getTime())
  const advice = 'let NTP set the clocks of all machines'
  if (last && last > now)
    return [problem(`it is ${now.toISOString()}, and the schema is of ${last.toISOString()}`, advice)]
  if (drift > largeDrift) return [problem(`the clock of the database differs by ${Math.round(drift / 1000)} s`, advice)]
  if (drift > smallDrift) return [warning(`the clock of the database differs by ${Math.round(drift / 1000)} s`, advice)]
  return [ok(now.toISOString())]
}

/** The service itself does not work as the owner of the tables. */
async function logins(_settings: Settings, { url }: Database): Promise<CheckResult[]> {
  const findings: CheckResult[] = []
  for (const role of serviceRoles) {
    const client = new pg.Client({ connectionString: loginUrl(url, role), connectionTimeoutMillis: 10_000 })
    client.on('error', () => {})
    await client.connect().then(
      () => client.end(),
      error =>
        findings.push(
          problem(`${role}: ${messageOf(error)}`, 'a start of the service sets its password; see pg_hba.conf'),
        ),
    )
  }
  return findings.length > 0 ? findings : [ok(serviceRoles.join(', '))]
}

async function masterKey({ masterKey, dataDir }: Settings, { client }: Database): Promise<CheckResult[]> {
  const place = masterKey ? 'MASTER_KEY' : join(dataDir, 'master.key')
  const [sealed] = await installationValue(client, 'master-key-check')
  if (!masterKey && !existsSync(place))
    return sealed === undefined
      ? [ok('the first start creates it')]
      : [problem(`${place} is missing`, 'bring the file back from where you keep it; nothing else opens the secrets')]
  if (sealed === undefined) return [ok(`${place}, not used yet`)]
  if (typeof sealed !== 'string' || !opensMasterKeyCheck(openSecrets({ masterKey, dataDir }), sealed))
    return [problem(`${place} is not the key of this database`, 'bring the right key back; all nodes need the same')]
  return [ok(`${place} is the key of this database; keep a copy apart from the backups`)]
}

async function signingKeys({ signingKeyDays }: Settings, { client }: Database): Promise<CheckResult[]> {
  const [stored] = await installationValue(client, 'signing-keys')
  const keys = isRecord(stored) && Array.isArray(stored.keys) ? stored.keys : []
  if (keys.length === 0) return [ok('the first start creates a key')]
  const created = isRecord(keys[0]) && typeof keys[0].created === 'string' ? new Date(keys[0].created) : undefined
  const age = created ? Math.floor((Date.now() - created.getTime()) / day) : undefined
  if (signingKeyDays > 0 && (age ?? Number.POSITIVE_INFINITY) > signingKeyDays + 1)
    return [
      warning(
        `the newest key ${age === undefined ? 'has no date' : `is ${age} days old`}, and SIGNING_KEY_DAYS is ${signingKeyDays}`,
        'let background jobs run (ENGINES=on, or gantry work), or run "gantry signing-key rotate"',
      ),
    ]
  return [ok(`the newest key is ${age} days old`)]
}

async function installationValue(client: pg.Client, key: string): Promise<unknown[]> {
  const { rows: known } = await client.query<{ yes: boolean }>(`select to_regclass('installation') is not null as yes`)
  if (!known[0]?.yes) return []
  const { rows } = await client.query<{ value: unknown }>('select value from installation where key = $1', [key])
  return rows.map(row => row.value)
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
