import pg from 'pg'
import { mint } from '../../server/src/admin/api-key.ts'
import { users } from '../../server/src/admin/user/user.ts'
import { tenantCaller } from '../../server/src/identity/tenant-caller.ts'
import { openDatabase } from '../../server/src/kernel/database.ts'
import {
  busyUser,
  containerNumbers,
  containerPrefix,
  itemNumbers,
  itemPrefix,
  restrictedItems,
  targetContainer,
} from './operations.ts'

/** The seeded tenant and the member who sends the requests. */
export interface Seeded {
  tenantId: string
  /** The key of the busy user, a plain member. */
  memberKey: string
  items: number
  times: number
}

/** Seeds the first tenant with users, containers, custom fields, 100,000 items, their custom values and their time entries. */
export async function seed(url: string, base: string, adminKey: string): Promise<Seeded> {
  const { tenantId, fieldIds, processId } = await createTenantBase(base, adminKey)
  const memberKey = await createMember(url, tenantId)
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  try {
    // All references are valid by construction, so the foreign keys need not be checked for half a million rows.
    await owner.query('set session_replication_role = replica')
    await owner.query(people(tenantId))
    await owner.query(containers(tenantId, processId))
    await owner.query(labels(tenantId))
    await owner.query(items(tenantId, processId, fieldIds))
    await owner.query(itemLabels)
    await owner.query(itemAssignees)
    await owner.query(searchRows)
    await owner.query(titles)
    await owner.query(values(tenantId, fieldIds))
    await owner.query(times(tenantId))
    for (const table of ['item_count', 'flow_step'])
      await owner.query(`delete from ${table} where tenant_id = $1`, [tenantId])
    await owner.query('select count_items($1)', [tenantId])
    await owner.query('vacuum (analyze)')
    const counted = await owner.query<{ items: number; times: number }>(
      'select (select count(*)::int from item) as items, (select count(*)::int from time) as times',
    )
    return { tenantId, memberKey, items: counted.rows[0]?.items ?? 0, times: counted.rows[0]?.times ?? 0 }
  } finally {
    await owner.end()
  }
}

interface TenantBase {
  tenantId: string
  processId: string
  fieldIds: { severity: string; vendor: string; review: string }
}

/** Creates fields, a process and a model container over HTTP, because the service derives data from them. */
async function createTenantBase(base: string, key: string): Promise<TenantBase> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${base}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const made: { id: string; tenantId: string } = JSON.parse(await response.text())
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${JSON.stringify(made)}`)
    return made
  }
  const severity = await post('/field', { key: 'severity', name: 'Severity', fieldType: 'number' })
  const vendor = await post('/field', { key: 'vendor', name: 'Vendor', fieldType: 'text' })
  const review = await post('/field', { key: 'review', name: 'Review', fieldType: 'date' })
  const process = await post('/process', {
    name: 'Support',
    fields: [severity, vendor, review].map(({ id }, order) => ({ fieldId: id, order, required: false })),
  })
  await post('/container', { key: 'MODEL', name: 'Model', processIds: [process.id], defaultProcessId: process.id })
  return {
    tenantId: process.tenantId,
    processId: process.id,
    fieldIds: { severity: severity.id, vendor: vendor.id, review: review.id },
  }
}

async function createMember(url: string, tenantId: string): Promise<string> {
  const database = openDatabase({ url, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  try {
    await database.transaction(tenantCaller(tenantId), ctx =>
      users.create(ctx, { name: 'Bea Busy', email: 'bea@example.com', role: 3 }, { id: busyUser }),
    )
    const { RawKey } = await database.transaction(tenantCaller(tenantId, busyUser), ctx => mint(ctx, { name: 'bench' }))
    return RawKey
  } finally {
    await database.close()
  }
}

const colleagues = 10
/** The id of one of ten colleagues, by a number from 0 to 9. */
const colleague = (n: string) => `('01900000-0000-7000-a000-0000000000' || 11 + (${n}))::uuid`
const [firstItem, lastItem] = itemNumbers
const [firstContainer, lastContainer] = containerNumbers
const containerCount = lastContainer - firstContainer + 1

const people = (tenant: string) => `
  insert into "user" (tenant_id, id, created, created_by, updated, updated_by, name, email)
  select '${tenant}', ${colleague('n')}, now(), '${busyUser}', now(), '${busyUser}', 'Colleague ' || n, 'colleague' || n || '@example.com'
  from generate_series(0, ${colleagues - 1}) n`

/** Twenty public containers, a private one, and one for the items that the measurements create, all copies of the model. */
const containers = (tenant: string, process: string) => `
  with made as (
    insert into container (tenant_id, id, created, created_by, updated, updated_by, key, name, process_ids, default_process_id, fields, billable, private)
    select m.tenant_id, p.id, m.created, m.created_by, m.updated, m.updated_by, p.key, p.name, m.process_ids, m.default_process_id, m.fields, p.billable, p.private
    from container m, (
      select ('${containerPrefix}' || n)::uuid, 'C' || n, 'Container ' || n, n % 4 <> 0, false from generate_series(${firstContainer}, ${lastContainer}) n
      union all select '01900000-0000-7000-9000-000000000098', 'SECRET', 'Private', false, true
      union all select '${targetContainer}', 'TARGET', 'Target', true, false
    ) p(id, key, name, billable, private)
    where m.tenant_id = '${tenant}' and m.key = 'MODEL' and m.default_process_id = '${process}'
    returning id
  )
  insert into container_number (tenant_id, container_id, next) select '${tenant}', id, ${lastItem} from made`

/** The id of one of 47 labels: 40 tags and 7 groups. */
const label = (n: string) => `('01900000-0000-7000-8000-0000000000' || 10 + (${n}))::uuid`

const labels = (tenant: string) => `
  with made as (
    insert into label (tenant_id, id, created, created_by, updated, updated_by, name)
    select '${tenant}', ${label('n')}, now(), '${busyUser}', now(), '${busyUser}', case when n < 40 then 'tag' || n else 'group' || n - 40 end from generate_series(0, 46) n
    returning tenant_id, id, name
  )
  insert into label_name (tenant_id, key, owner, owner_id, label_id) select tenant_id, name, 0, '', id from made`

const itemLabels =
  'insert into item_label (tenant_id, label_id, item_id) select tenant_id, unnest(labels), id from item on conflict do nothing'

const itemAssignees =
  'insert into item_assignee (tenant_id, user_id, item_id) select tenant_id, unnest(assignees), id from item on conflict do nothing'

const searchRows = `
  insert into item_search (tenant_id, id, tsv)
  select tenant_id, id, search_vector(key || ' ' || title || label_words(labels) || age_word(id), description, '') from item on conflict do nothing`

const titles =
  'insert into item_title select tenant_id, id, container_id, visibility, deleted, archived, fold(title) from item on conflict do nothing'

const items = (tenant: string, process: string, fields: TenantBase['fieldIds']) => `
  insert into item (tenant_id, id, created, created_by, updated, updated_by, container_id, number, key, process_id, title, description,
    status, status_category, priority, assignees, requester_id, due_date, estimate_minutes, visibility, closed_at, source, labels, fields, meta, external_source, external_id)
  select '${tenant}', ('${itemPrefix}' || n)::uuid, s.created, ${colleague('n % 10')}, s.created, ${colleague('n % 10')},
    ('${containerPrefix}' || ${firstContainer} + n % ${containerCount})::uuid, 1 + (n - ${firstItem}) / ${containerCount},
    'C' || ${firstContainer} + n % ${containerCount} || '-' || 1 + (n - ${firstItem}) / ${containerCount}, '${process}',
    (array['The printer on floor ', 'Cannot sign in at ', 'Invoice is wrong for customer ', 'New laptop for room '])[1 + n % 4] || n % 977,
    repeat('What was seen, what was expected and what was tried so far. ', 1 + n % 8),
    s.status, (array[4, 1, 2, 3, 1, 5])[s.place], n % 5, array[${colleague('n / 7 % 10')}], ${colleague('n / 3 % 10')},
    case when n % 3 = 0 then date '2026-01-01' + n % 365 end, 30 * (n % 16), case when n < ${firstItem + restrictedItems} then 1 else 0 end,
    case when s.place in (1, 6) then s.created + interval '3 days' end, 1, array[${label('n % 40')}, ${label('40 + n % 7')}],
    case when n % 2 = 0 then jsonb_build_object('${fields.severity}', n % 5, '${fields.vendor}', 'Vendor ' || n % 200, '${fields.review}', to_char(date '2026-01-01' + n % 365, 'YYYY-MM-DD')) else '{}' end,
    jsonb_build_object('source', 'old-desk', 'externalId', n::text), 'old-desk', n::text
  from (
    select n, place, (array['Done', 'Open', 'In progress', 'Waiting', 'New', 'Cancelled'])[place] as status,
      timestamptz '2025-01-01T00:00:00Z' + (n - ${firstItem}) * interval '7 minutes' as created
    from (select n, case when dice < 60 then 1 when dice < 75 then 2 when dice < 85 then 3 when dice < 93 then 4 when dice < 98 then 5 else 6 end as place
      from (select n, abs(hashint4(n)) % 100 as dice from generate_series(${firstItem}, ${lastItem}) n) d) p
  ) s`

const values = (tenant: string, fields: TenantBase['fieldIds']) => `
  insert into item_value (tenant_id, item_id, field_id, text_value, number_value, date_value)
  select '${tenant}', ('${itemPrefix}' || n)::uuid, v.*
  from generate_series(${firstItem}, ${lastItem}, 2) n, lateral (values
    ('${fields.severity}'::uuid, null::text, (n % 5)::numeric, null::date),
    ('${fields.vendor}'::uuid, 'vendor ' || n % 200, null, null),
    ('${fields.review}'::uuid, null, null, date '2026-01-01' + n % 365)) v`

/** Three entries on every third item, distributed over users and days, and a month of about 2,000 entries of one user. */
const times = (tenant: string) => `
  insert into time (tenant_id, id, created, created_by, updated, updated_by, user_id, item_id, container_id, date, seconds, note, timezone)
  select '${tenant}'::uuid, ('01900000-0000-7000-b' || lpad(k::text, 3, '0') || '-000000' || n)::uuid, now(), ${colleague('n % 10')}, now(), ${colleague('n % 10')}, ${colleague('n % 10')},
    ('${itemPrefix}' || n)::uuid, ('${containerPrefix}' || ${firstContainer} + n % ${containerCount})::uuid, date '2025-01-01' + n % 500, 900 * k, 'Worked on it, part ' || k, 'UTC'
  from generate_series(${firstItem}, ${lastItem}, 3) n, generate_series(1, 3) k
  union all
  select '${tenant}'::uuid, ('01900000-0000-7000-baaa-000000' || n)::uuid, now(), '${busyUser}'::uuid, now(), '${busyUser}'::uuid, '${busyUser}'::uuid,
    ('${itemPrefix}' || n)::uuid, ('${containerPrefix}' || ${firstContainer} + n % ${containerCount})::uuid, date '2026-03-01' + n % 31, 60 * (5 + n % 20), 'Answered and closed', 'UTC'
  from generate_series(${firstItem + restrictedItems}, ${lastItem}, 49) n`
