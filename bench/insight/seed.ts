import type pg from 'pg'

// A tenant that books time: each person has 500 entries in 2025, each item ten of them, and each item has been in ten states before
// its present one. So a tenant of a million entries has 2,000 people, 100,000 items and a million changes of state.

/** The records that the API has created, of which the others are copies. */
export interface InsightModels {
  tenantId: string
  userId: string
  containerId: string
  itemId: string
  timeId: string
}

const entriesOfUser = 500
const entriesOfItem = 10
const staysOfItem = 10
const containers = 20

export const usersAt = (size: number): number => Math.ceil(size / entriesOfUser)

const idAt = (kind: string, n: number) => `01900000-0000-7000-${kind}-${n.toString(16).padStart(12, '0')}`
const idSql = (kind: string, n: string) => `('01900000-0000-7000-${kind}-' || lpad(to_hex(${n}), 12, '0'))::uuid`

export const userAt = (n: number): string => idAt('a000', n)

/** Grows the tenant from one number of time entries to another. */
export async function seedTime(owner: pg.Client, models: InsightModels, from: number, to: number): Promise<void> {
  const { userId, containerId, itemId, timeId } = models
  const range = (each: number) => `generate_series(${Math.ceil(from / each)}, ${Math.ceil(to / each) - 1}) n`
  const copy = (table: string, model: string, values: Record<string, string>, numbers: string) =>
    copies(owner, models.tenantId, table, model, values, numbers)
  // All references are valid by construction, so neither foreign keys nor triggers need to look at each row.
  await owner.query('set session_replication_role = replica')
  await copy(
    'user',
    userId,
    { id: idSql('a000', 'n'), name: `'Person ' || n`, email: `'person' || n || '@example.com'` },
    range(entriesOfUser),
  )
  if (from === 0)
    await copy(
      'container',
      containerId,
      { id: idSql('9000', 'n'), key: `'P' || n`, name: `'Project ' || n` },
      `generate_series(0, ${containers - 1}) n`,
    )
  await copy(
    'item',
    itemId,
    {
      id: idSql('b000', 'n'),
      container_id: idSql('9000', `n % ${containers}`),
      number: 'n + 10',
      key: `'P' || n % ${containers} || '-' || n + 10`,
      created: `timestamptz '2025-01-01' + n % 300 * interval '1 day'`,
      status_category: 'n % 6',
    },
    range(entriesOfItem),
  )
  await owner.query(`insert into item_stay (tenant_id, item_id, n, status, category, container_id, from_at, to_at)
    select i.tenant_id, i.id, s.n, 'Step ' || s.n, s.n % 4, i.container_id, i.created + (s.n - 1) * interval '5 hours', i.created + s.n * interval '5 hours'
    from ${range(entriesOfItem).replace(' n', ' m(n)')} join item i on i.tenant_id = '${models.tenantId}' and i.id = ${idSql('b000', 'm.n')} cross join generate_series(1, ${staysOfItem}) s(n)`)
  await copy(
    'time',
    timeId,
    {
      id: idSql('c000', 'n'),
      user_id: idSql('a000', `n / ${entriesOfUser}`),
      item_id: idSql('b000', `n / ${entriesOfItem}`),
      container_id: idSql('9000', `n / ${entriesOfItem} % ${containers}`),
      date: `date '2025-01-01' + (n % ${entriesOfUser}) * 365 / ${entriesOfUser}`,
      seconds: '900 + n % 50 * 60',
    },
    range(1),
  )
  await owner.query('set session_replication_role = origin')
  // No trigger has counted the items, so the flow is summed from the stays again.
  for (const table of ['flow_step', 'flow_day', 'flow_zone'])
    await owner.query(`delete from ${table} where tenant_id = '${models.tenantId}'`)
  await owner.query('vacuum (analyze)')
}

/** Copies a row for each number `n`, with other values in these columns. */
async function copies(
  owner: pg.Client,
  tenantId: string,
  table: string,
  model: string,
  values: Record<string, string>,
  numbers: string,
): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [`"${table}"`],
  )
  const names = rows.map(({ name }) => `"${name}"`)
  const chosen = rows.map(({ name }) => values[name] ?? `m."${name}"`)
  await owner.query(
    `insert into "${table}" (${names}) select ${chosen} from "${table}" m, ${numbers} where m.tenant_id = '${tenantId}' and m.id = '${model}'`,
  )
}
