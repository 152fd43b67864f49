import type pg from 'pg'

// Seeds a tenant that grows. Every item is a function of its number, so a tenant grows by the items of further numbers.

/** A tenant with the records that its items refer to. */
export interface TenantBase {
  tenantId: string
  /**
   * The member who sends the requests. They have a hundred items at every size, because a larger tenant has more people and
   * not busier ones.
   */
  memberId: string
  processId: string
  fields: { severity: string; vendor: string; review: string }
  /** Three hex digits in all seeded ids of the tenant, so that two tenants can be seeded in one database. */
  mark: string
}

export const containerCount = 5
/** The number of open items in the first container, which the board shows; the same at every size. */
export const openCards = 2000

const hex = (n: string, digits: number) => `lpad(to_hex(${n}), ${digits}, '0')`
/** The first item is created then, and one more every minute. An id begins with the time of its creation. */
const firstCreated = Date.UTC(2024, 11, 15)
export const itemIdSql = (mark: string, n: string) =>
  `(regexp_replace(${hex(`${firstCreated} + (${n})::bigint * 60000`, 12)}, '(.{8})', '\\1-') || '-7${mark}-8000-' || ${hex(n, 12)})::uuid`
export const itemId = (mark: string, n: number) => {
  const time = (firstCreated + n * 60_000).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${mark}-8000-${n.toString(16).padStart(12, '0')}`
}
export const containerId = (mark: string, n: number) =>
  `01900000-0000-7${mark}-9000-${n.toString(16).padStart(12, '0')}`
const containerIdSql = (mark: string, n: string) => `('01900000-0000-7${mark}-9000-' || ${hex(n, 12)})::uuid`
const personSql = (mark: string, n: string) => `('01900000-0000-7${mark}-a000-' || ${hex(n, 12)})::uuid`
const labelSql = (mark: string, n: string) => `('01900000-0000-7${mark}-b000-' || ${hex(n, 12)})::uuid`

/** The numbers of a container follow each other, as the service gives them. */
const numberSql = (n: string) =>
  `1 + case when ${n} < ${openCards} then ${n} else (${n} - ${openCards}) / ${containerCount} + case when ${n} % ${containerCount} = 0 then ${openCards} else 0 end end`
/** The last number that all containers have in a tenant of this size. */
export const lastNumber = (size: number) => Math.floor((size - openCards) / containerCount)

/** Seeds users, containers and labels, whose number does not grow. */
export async function seedTenantBase(
  owner: pg.Client,
  { tenantId, memberId, processId, mark }: TenantBase,
): Promise<void> {
  await owner.query(`insert into "user" (tenant_id, id, created, created_by, updated, updated_by, name, email)
    select '${tenantId}', ${personSql(mark, 'n')}, now(), '${memberId}', now(), '${memberId}', 'Colleague ' || n, 'colleague' || n || '@example.com' from generate_series(0, 999) n`)
  await owner.query(`insert into container (tenant_id, id, created, created_by, updated, updated_by, key, name, process_ids, default_process_id, fields, private)
    select m.tenant_id, ${containerIdSql(mark, 'n')}, m.created, m.created_by, m.updated, m.updated_by, 'C' || n, 'Container ' || n, m.process_ids, m.default_process_id, m.fields, n = ${containerCount}
    from container m, generate_series(0, ${containerCount}) n where m.tenant_id = '${tenantId}' and m.key = 'MODEL' and m.default_process_id = '${processId}'`)
  await owner.query(
    `insert into container_number (tenant_id, container_id, next) select '${tenantId}', ${containerIdSql(mark, 'n')}, 100000000 from generate_series(0, ${containerCount}) n`,
  )
  await owner.query(
    `insert into label (tenant_id, id, created, created_by, updated, updated_by, name) select '${tenantId}', ${labelSql(mark, 'n')}, now(), '${memberId}', now(), '${memberId}', 'label' || n from generate_series(0, 99) n`,
  )
  await owner.query(
    `insert into label_name (tenant_id, key, owner, owner_id, label_id) select tenant_id, name, 0, '', id from label where tenant_id = '${tenantId}' on conflict do nothing`,
  )
}

/** Seeds 8,000 words, of which the first are used most, and paragraphs of forty words. */
export async function seedWords(owner: pg.Client): Promise<void> {
  await owner.query('create schema if not exists bench')
  await owner.query('drop table if exists bench.word, bench.paragraph')
  await owner.query(`create table bench.word as
    select n, string_agg((array['ba','de','fi','go','lu','me','ni','po','ra','se','ti','vo','ka','le','mi','no','pu','re','sa','to'])[1 + (n * 7919 / (20 ^ k)::int) % 20], '' order by k) || substr('nrstlm', 1 + n % 6, 1) as word
    from generate_series(0, 7999) n, generate_series(0, 3) k group by n`)
  await owner.query('alter table bench.word add primary key (n)')
  await owner.query(`create table bench.paragraph as
    select p as n, string_agg(w.word, ' ' order by k) as text
    from generate_series(0, 9999) p cross join generate_series(1, 40) k
    join bench.word w on w.n = floor(8000 * power((abs(hashint4(p * 41 + k)) % 1000000) / 1000000.0, 3))::int group by p`)
  await owner.query('alter table bench.paragraph add primary key (n)')
}

/** Seeds the items from one number up to another, with their related rows. */
export async function seedItems(owner: pg.Client, base: TenantBase, from: number, to: number): Promise<void> {
  const { tenantId, memberId, processId, fields, mark } = base
  const range = `generate_series(${from}, ${to - 1}) n`
  // All references are valid by construction, so the foreign keys need not be checked for each row.
  await owner.query('set session_replication_role = replica')
  await owner.query(`insert into item (tenant_id, id, created, created_by, updated, updated_by, container_id, number, key, process_id, title, description,
      status, status_category, priority, assignees, requester_id, due_date, closed_at, labels, fields, rank)
    select '${tenantId}', ${itemIdSql(mark, 's.n')}, s.created, ${personSql(mark, 's.n % 1000')}, s.updated, ${personSql(mark, 's.n % 1000')},
      ${containerIdSql(mark, 's.place')}, s.number, 'C' || s.place || '-' || s.number, '${processId}',
      (array['The printer on floor ', 'Cannot sign in at ', 'Invoice is wrong for customer ', 'New laptop for room '])[1 + abs(hashint4(s.n * 3)) % 4] || s.n % 977 || case when s.n % 200 = 7 then ' migration' else '' end,
      case when s.n % 20 = 1 then 'Seen near the printer. ' else '' end || p.text || ' asset zx' || s.n,
      s.status, s.category, abs(hashint4(s.n * 11)) % 5, array[case when s.n < 10000 and s.n % 100 = 7 then '${memberId}'::uuid else ${personSql(mark, '(s.n / 7) % 1000')} end], ${personSql(mark, '(s.n / 3) % 1000')},
      case when s.n % 3 = 0 then date '2026-01-01' + abs(hashint4(s.n * 13)) % 365 end, case when s.category = 4 then s.updated end, array[${labelSql(mark, 's.n % 40')}, ${labelSql(mark, '40 + s.n % 60')}],
      case when s.n % 2 = 0 then jsonb_build_object('${fields.severity}', abs(hashint4(s.n * 5)) % 5, '${fields.vendor}', 'Vendor ' || s.n, '${fields.review}', to_char(date '2026-01-01' + s.n % 365, 'YYYY-MM-DD')) else '{}' end,
      'g' || lpad(s.n::text, 10, '0')
    from (
      select n, place, number, open, case when open then (array['Open', 'In progress', 'Waiting', 'New'])[1 + abs(hashint4(n * 17)) % 4] else 'Done' end as status,
        case when open then (array[1, 2, 3, 0])[1 + abs(hashint4(n * 17)) % 4] else 4 end as category,
        timestamptz '2024-12-15 00:00Z' + n * interval '1 minute' as created, timestamptz '2024-12-15 00:00Z' + n * interval '1 minute' + (n % 1000) * interval '1 hour' as updated
      from (select n, case when n < ${openCards} then 0 else n % ${containerCount} end as place, ${numberSql('n')} as number, n < ${openCards} or (n % ${containerCount} <> 0 and abs(hashint4(n)) % 5 = 0) as open from ${range}) x
    ) s join bench.paragraph p on p.n = s.n % 10000`)
  await owner.query(`insert into item_value (tenant_id, item_id, field_id, text_value, number_value, date_value)
    select '${tenantId}', ${itemIdSql(mark, 'n')}, v.* from ${range}, lateral (values
      ('${fields.severity}'::uuid, null::text, (abs(hashint4(n * 5)) % 5)::float8, null::date),
      ('${fields.vendor}'::uuid, 'vendor ' || n, null, null),
      ('${fields.review}'::uuid, null, null, date '2026-01-01' + n % 365)) v where n % 2 = 0`)
  const own = `i.tenant_id = '${tenantId}' and i.id >= ${itemIdSql(mark, String(from))} and i.id < ${itemIdSql(mark, String(to))}`
  await owner.query(
    `insert into item_label (tenant_id, label_id, item_id) select i.tenant_id, unnest(i.labels), i.id from item i where ${own}`,
  )
  await owner.query(
    `insert into item_assignee (tenant_id, user_id, item_id) select i.tenant_id, unnest(i.assignees), i.id from item i where ${own}`,
  )
  await owner.query(`insert into item_stay (tenant_id, item_id, n, status, category, container_id, from_at, to_at)
    select i.tenant_id, i.id, s.n, s.status, s.category, i.container_id, i.created + (s.n - 1) * (i.closed_at - i.created) / 2, i.created + s.n * (i.closed_at - i.created) / 2
    from item i cross join (values (1, 'Open', 1), (2, 'In progress', 2)) s(n, status, category) where ${own} and i.closed_at is not null`)
  await owner.query(`insert into item_search (tenant_id, id, tsv) select i.tenant_id, i.id, search_vector(i.key || ' ' || i.title || label_words(i.labels) || age_word(i.id), i.description,
      (select string_agg(v.text_value, ' ') from item_value v where v.tenant_id = i.tenant_id and v.item_id = i.id and v.text_value is not null)) from item i where ${own}`)
  await owner.query(
    `insert into item_title select i.tenant_id, i.id, i.container_id, i.visibility, i.deleted, i.archived, fold(i.title) from item i where ${own}`,
  )
  await owner.query(`insert into annotation (tenant_id, id, created, created_by, updated, updated_by, item_id, owner, owner_id, kind, body, author_id)
    select '${tenantId}', ('01900000-0000-7${mark}-c000-' || ${hex('r.n', 12)})::uuid, now(), '${memberId}', now(), '${memberId}', ${itemIdSql(mark, 'r.n')}, 3, ${itemIdSql(mark, 'r.n')}::text, r.n % 2, left(p.text, 150) || ' answered zy' || r.n, '${memberId}'
    from (select n from ${range}) r join bench.paragraph p on p.n = (r.n * 7) % 10000 where r.n % 3 = 0`)
  await owner.query(`insert into annotation_search (tenant_id, id, tsv) select a.tenant_id, a.id, search_vector('', a.body, '') from annotation a
    where a.tenant_id = '${tenantId}' and a.item_id >= ${itemIdSql(mark, String(from))} and a.item_id < ${itemIdSql(mark, String(to))}`)
  await owner.query(`insert into search_word (tenant_id, word) select '${tenantId}'::uuid, word from bench.word
    union select '${tenantId}'::uuid, unnest(array['printer', 'floor', 'cannot', 'sign', 'invoice', 'wrong', 'customer', 'laptop', 'room', 'migration', 'seen', 'near', 'the', 'asset', 'answered', 'vendor'])
    union select '${tenantId}'::uuid, 'zx' || n from ${range} on conflict do nothing`)
  await owner.query(`delete from item_count where tenant_id = '${tenantId}'`)
  await owner.query(`select count_items('${tenantId}')`)
  await owner.query('set session_replication_role = origin')
}
