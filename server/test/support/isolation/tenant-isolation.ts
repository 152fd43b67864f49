import pg from 'pg'

// Disables one of the two mechanisms of tenant isolation at a time, to prove that the other one suffices; and reads
// past them.

/** The name of the connections that lose every comparison with the caller's tenant. */
export const withoutComparisons = 'without_tenant_comparison'

/** The URL of the same database for connections that lose every comparison with the caller's tenant. */
export function withoutTenantComparison(databaseUrl: string): string {
  patchDriver()
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', withoutComparisons)
  return url.href
}

/** The number of comparisons that were removed so far. */
export const removedComparisons = { count: 0 }

let patched = false

/**
 * Statements of marked connections are changed in the driver, because the service itself must not have such a switch.
 */
function patchDriver(): void {
  if (patched) return
  patched = true
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown
  Object.assign(pg.Client.prototype, {
    query(
      this: pg.Client & { connectionParameters?: { application_name?: string } },
      statement: unknown,
      ...rest: unknown[]
    ) {
      const marked = this.connectionParameters?.application_name === withoutComparisons
      return query.call(this, marked ? withoutComparison(statement) : statement, ...rest)
    },
  })
}

function withoutComparison(statement: unknown): unknown {
  if (statement === null || typeof statement !== 'object' || !('text' in statement)) return statement
  const whole = String(statement.text)
  const known = stripped.get(whole) ?? strip(whole)
  stripped.set(whole, known)
  removedComparisons.count += known.comparisons
  return { ...statement, text: known.text }
}

interface Stripped {
  text: string
  comparisons: number
}

/** The texts of statements with what is left of them: a suite sends each many times. */
const stripped = new Map<string, Stripped>()

function strip(whole: string): Stripped {
  let comparisons = 0
  // The placeholder stays in the text, so that PostgreSQL still knows the type of its value.
  const text = whole.replace(/(?:\b\w+\.)?\btenant_id = (\$\d+)/g, (_, place: string) => {
    comparisons++
    return `(${place}::uuid is not null)`
  })
  return { text, comparisons }
}

async function asOwner<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The tables that have the tenant and this column. */
async function tablesOfTenants(client: pg.Client, column = 'tenant_id'): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`select quote_ident(c.relname) as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    join pg_attribute b on b.attrelid = c.oid and b.attname = '${column}' and not b.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'record' order by 1`)
  return rows.map(row => row.name)
}

async function tablesWithPolicy(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct quote_ident(tablename) as name from pg_policies where schemaname = 'public' order by 1`,
  )
  return rows.map(row => row.name)
}

/** Switches row level security, the second mechanism, off or on again for every table. */
export async function setRowLevelSecurity(databaseUrl: string, state: 'off' | 'on'): Promise<void> {
  await asOwner(databaseUrl, async client => {
    for (const table of await tablesWithPolicy(client))
      await client.query(`alter table ${table} ${state === 'off' ? 'disable' : 'enable'} row level security`)
  })
}

/** The columns that also refused requests and reads change: the last use of a key, and the count of wrong passwords. */
const changedByReading: Readonly<Record<string, readonly string[]>> = {
  api_key: ['last_used_at', 'last_used_ip'],
  '"user"': ['failures', 'failing_since'],
}

/** Returns a digest of each table's rows of a tenant; `changedByReading` and the audit log are excluded. */
export async function digestOf(databaseUrl: string, tenantId: string): Promise<Record<string, string>> {
  return await asOwner(databaseUrl, async client => {
    const tables = (await tablesOfTenants(client)).filter(table => table !== 'audit_entry')
    const parts = tables.map(table => {
      const row = `to_jsonb(t)${(changedByReading[table] ?? []).map(column => ` - '${column}'`).join('')}`
      return `select '${table}' as name, count(*) || ' ' || coalesce(md5(string_agg(h, '' order by h)), '') as digest
        from (select md5((${row})::text) as h from ${table} t where t.tenant_id = '${tenantId}') d`
    })
    const { rows } = await client.query<{ name: string; digest: string }>(parts.join(' union all '))
    return Object.fromEntries(rows.map(row => [row.name, row.digest]))
  })
}

/** Returns every id that is stored for a tenant. */
export async function idsOf(databaseUrl: string, tenantId: string): Promise<Set<string>> {
  return await asOwner(databaseUrl, async client => {
    const tables = await tablesOfTenants(client, 'id')
    const { rows } = await client.query<{ id: string }>(
      tables.map(table => `select id::text from ${table} where tenant_id = '${tenantId}'`).join(' union '),
    )
    return new Set([tenantId, ...rows.map(row => row.id)])
  })
}
