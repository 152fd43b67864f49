import { type Field, fields } from '../../containers/field/field.ts'
import type { Path, Vocabulary } from '../../kernel/conditions/conditions.ts'
import type { Context } from '../../kernel/database.ts'
import type { Sortable } from '../../kernel/listing.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { inWorkingTime } from './working-time.ts'

// What people may ask of an item, and how PostgreSQL answers. `t` is the item.

const text = (value: Sql): Path => ({ kind: 'text', value })
const number = (value: Sql): Path => ({ kind: 'number', value })
const minutes = (value: Sql): Path => ({ kind: 'duration', value })
const date = (value: Sql): Path => ({ kind: 'date', value })
const instant = (value: Sql): Path => ({ kind: 'instant', value })
const user = (value: Sql): Path => ({ kind: 'user', value })
const id = (value: Sql): Path => ({ kind: 'id', value })
const searchable = (value: Sql): Path => ({
  kind: 'text',
  value,
  search: query => sql`to_tsvector('simple', ${value}) @@ websearch_to_tsquery('simple', ${query})`,
})

const other = (what: Sql, table: Sql, key: Sql) =>
  sql`(select ${what} from ${table} o where o.tenant_id = t.tenant_id and o.id = ${key})`
const spent = (also: Sql) =>
  sql`(select coalesce(sum(s.minutes), 0) from time s where s.tenant_id = t.tenant_id and s.item_id = t.id and not s.deleted ${also})`

const assignees: Path = { kind: 'set', of: 'user', elements: sql`select unnest(t.assignees)` }
const tags: Path = { kind: 'set', of: 'text', elements: sql`select unnest(t.tags)` }
const area: Path = { kind: 'id', value: sql`t.area_id`, under: ids => under(sql`t.area_id`, raw('area'), ids) }
const parent: Path = { kind: 'id', value: sql`t.parent_id`, under: ids => under(sql`t.id`, raw('item'), ids) }
const container: Path = { kind: 'id', value: sql`t.container_id`, under: ids => sql`t.container_id = any(${ids})` }

/** The record itself or something below it. */
function under(value: Sql, table: Sql, ids: Sql): Sql {
  return sql`${value} in (with recursive below as (
    select b.id from ${table} b where b.tenant_id = t.tenant_id and b.id = any(${ids})
    union select b.id from ${table} b join below on b.parent_id = below.id where b.tenant_id = t.tenant_id) select id from below)`
}

/** The paths that every item has, in lower case. */
const core: Record<string, Path> = {
  id: id(sql`t.id`),
  key: text(sql`t.key`),
  number: number(sql`t.number`),
  title: searchable(sql`t.title`),
  name: searchable(sql`t.title`),
  description: searchable(sql`t.description`),
  text: searchable(sql`(t.title || ' ' || t.description)`),
  status: text(sql`t.status`),
  statuscategory: number(sql`t.status_category`),
  priority: number(sql`t.priority`),
  points: number(sql`t.points`),
  visibility: number(sql`t.visibility`),
  source: number(sql`t.source`),
  assignee: assignees,
  assignees,
  'assignee.group': {
    kind: 'set',
    of: 'id',
    elements: sql`select g.id from user_group g where g.tenant_id = t.tenant_id and not g.deleted and g.members && t.assignees`,
  },
  requester: user(sql`t.requester_id`),
  requesterid: user(sql`t.requester_id`),
  'requester.email': text(other(sql`o.email`, raw('"user"'), sql`t.requester_id`)),
  'requester.name': text(other(sql`o.name`, raw('"user"'), sql`t.requester_id`)),
  crm: id(sql`t.crm_id`),
  crmid: id(sql`t.crm_id`),
  'crm.code': text(other(sql`o.code`, raw('crm'), sql`t.crm_id`)),
  'crm.name': text(other(sql`o.name`, raw('crm'), sql`t.crm_id`)),
  container,
  containerid: container,
  'container.name': text(other(sql`o.name`, raw('container'), sql`t.container_id`)),
  'container.key': text(other(sql`o.key`, raw('container'), sql`t.container_id`)),
  process: id(sql`t.process_id`),
  processid: id(sql`t.process_id`),
  area,
  areaid: area,
  'area.name': text(other(sql`o.name`, raw('area'), sql`t.area_id`)),
  parent,
  parentid: parent,
  'parent.status': text(other(sql`o.status`, raw('item'), sql`t.parent_id`)),
  'parent.title': text(other(sql`o.title`, raw('item'), sql`t.parent_id`)),
  'children.count': number(
    sql`(select count(*) from item o where o.tenant_id = t.tenant_id and o.parent_id = t.id and not o.deleted)`,
  ),
  startdate: date(sql`t.start_date`),
  duedate: date(sql`t.due_date`),
  created: instant(sql`t.created`),
  updated: instant(sql`t.updated`),
  closedat: instant(sql`t.closed_at`),
  createdby: user(sql`t.created_by`),
  updatedby: user(sql`t.updated_by`),
  estimateminutes: minutes(sql`t.estimate_minutes`),
  remainingminutes: minutes(sql`t.remaining_minutes`),
  spentminutes: minutes(spent(raw(''))),
  'time.total': minutes(spent(raw(''))),
  'time.billable': minutes(spent(raw('and s.billable = 1'))),
  tags,
  labels: tags,
  now: instant(sql`now()`),
  today: date(sql`current_date`),
}

/** The vocabulary of a tenant: the core paths, and `field.<key>` for each of its fields. */
export async function itemVocabulary(ctx: Context): Promise<Vocabulary> {
  const f = raw('f')
  const rows = await ctx.sql<{
    json: string
  }>`select ${fields.json(f)} as json from field f where f.tenant_id = ${ctx.caller.tenantId} and not f.deleted`
  const all: Field[] = rows.map(row => JSON.parse(row.json))
  const custom = new Map(
    all.flatMap(field => [[field.id, fieldPath(field)] as const, [field.key.toLowerCase(), fieldPath(field)] as const]),
  )
  return {
    resolve(path) {
      const lower = path.trim().toLowerCase()
      if (lower.startsWith('field.')) return custom.get(lower.slice(6))
      if (lower.startsWith('meta.')) return text(sql`(t.meta ->> ${path.trim().slice(5)}::text)`)
      return Object.hasOwn(core, lower) ? core[lower] : undefined
    },
    memberOf: (somebody, groupIds) => memberOf(ctx, somebody, groupIds),
    inWorkingTime: (moment, clockId) => inWorkingTime(ctx.caller.tenantId, moment, clockId),
  }
}

/** Values were checked by their field when they were stored, so none of these casts can fail. */
function fieldPath(field: Field): Path {
  const value = sql`(t.fields ->> ${field.id}::text)`
  switch (field.fieldType) {
    case 'number':
      return number(sql`${value}::numeric`)
    case 'time':
      return minutes(sql`${value}::numeric`)
    case 'boolean':
      return { kind: 'boolean', value: sql`${value}::boolean` }
    case 'date':
      return date(sql`${value}::date`)
    case 'dateTime':
      return instant(sql`${value}::timestamptz`)
    case 'user':
      return user(sql`${value}::uuid`)
    case 'select':
      return {
        kind: 'set',
        of: 'text',
        elements: sql`select unnest(array[c.id, c.label]) from (select ${value} as id) v join lateral ${options(field)} on c.id = v.id`,
      }
    case 'multiSelect':
      return {
        kind: 'set',
        of: 'text',
        elements: sql`select unnest(array[c.id, c.label]) from jsonb_array_elements_text(coalesce(t.fields -> ${field.id}::text, '[]')) v(id) join lateral ${options(field)} on c.id = v.id`,
      }
    default:
      return text(value)
  }
}

/** A choice is known by its id and by its label alike. */
function options({ options: all }: Field): Sql {
  return sql`jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as c(id text, label text)`
}

/** Whether somebody belongs to one of the groups, or to a group inside of them. */
function memberOf(ctx: Context, somebody: Sql, groupIds: Sql): Sql {
  return sql`exists (with recursive inside as (
      select g.id, g.members from user_group g where g.tenant_id = ${ctx.caller.tenantId} and g.id = any(${groupIds}) and not g.deleted
      union select g.id, g.members from user_group g join inside on g.parent_id = inside.id where g.tenant_id = ${ctx.caller.tenantId} and not g.deleted)
    select 1 from inside where ${somebody} = any(inside.members))`
}

const sortTypes: Partial<Record<Path['kind'], Sortable['type']>> = {
  number: 'numeric',
  duration: 'numeric',
  instant: 'timestamptz',
  date: 'date',
}

/** What a list can be sorted by beside the columns of an item: a custom field by its key, or any path of the vocabulary. */
export function sortableBy(vocabulary: Vocabulary): (name: string) => Sortable | undefined {
  return name => {
    const path = vocabulary.resolve(name) ?? vocabulary.resolve(`field.${name}`)
    if (!path || path.kind === 'set') return undefined
    const type = sortTypes[path.kind]
    return type ? { type, value: path.value } : { type: 'text', value: sql`fold(${path.value}::text)` }
  }
}
