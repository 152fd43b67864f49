import type { Kind } from '../../kernel/kinds.ts'
import { name, nothing, ownTenant, type Sql, sql } from '../../kernel/sql.ts'

// What records were at a moment, by the log: of each property the old value of the first change after it, else the present value.

/** The parts of a kind that its past is read by. */
type PastKind = Pick<Kind, 'entity' | 'area' | 'table' | 'columns'>

/** A moment, or the column that has one for each row; not of an alias `e` or `p`, which these statements use themselves. */
export type Moment = Date | Sql

/**
 * The rows of a kind as they were at a moment, or as they are: what follows `from`. `among` is a condition on the present rows
 * (`p`); deleted ones are included, those that did not exist yet are not. `custom` is the column of the custom values, if the kind
 * has any.
 */
export function rowsAt(kind: PastKind, at: Moment | undefined, among: Sql, custom?: string): Sql {
  const chosen = sql`p.tenant_id = ${ownTenant} and ${among}`
  if (at === undefined) return sql`(select p.* from ${name(kind.table)} p where ${chosen})`
  // A record that has not changed since needs no look into the log.
  return sql`(select r.* from ${name(kind.table)} p
    left join lateral (${valuesBefore(kind, at)}) past on p.updated > ${at}
    left join lateral (${lastChange(kind, at)}) last on p.updated > ${at}
    cross join lateral jsonb_populate_record(p, coalesce(past.columns, '{}') || ${commonValues(at)} ${custom ? customValues(custom) : nothing}) r
    where ${chosen} and p.created <= ${at} and ${wasRecorded(kind, at)})`
}

const eventsOf = ({ entity }: PastKind) =>
  sql`e.tenant_id = ${ownTenant} and e.record_id = p.id and e.entity = ${entity}`

/**
 * The columns and the custom values that have changed since. Which change was first is told by its version: a transaction that began earlier
 * may have changed the record later. A value that was erased from the log is unknown: the present one stays.
 */
function valuesBefore(kind: PastKind, at: Moment): Sql {
  const columns = JSON.stringify(
    Object.fromEntries([
      ['deleted', 'deleted'],
      ...kind.columns.filter(({ schema }) => !schema.readOnly).map(({ property, column }) => [property, column]),
    ]),
  )
  const references = kind.columns.filter(({ type }) => type === 'uuid').map(({ property }) => property)
  return sql`select jsonb_object_agg(${columns}::jsonb ->> c.property, case when c.was = '""' and c.property = any(${references}::text[]) then 'null' else c.was end)
      filter (where ${columns}::jsonb ? c.property) as columns,
    jsonb_object_agg(substr(c.property, length('Field.') + 1), c.was) filter (where c.property like 'Field.%') as custom
    from (select distinct on (c.key) c.key as property, c.value -> 'from' as was from event e cross join lateral jsonb_each(e.changes) c
      where ${eventsOf(kind)} and e.at > ${at} and c.value ? 'from' order by c.key, e.version, e.xact, e.id) c`
}

/** The last change until the moment: the first event with the highest version. */
function lastChange(kind: PastKind, at: Moment): Sql {
  return sql`select e.version, e.at, e.actor_id from event e where ${eventsOf(kind)} and e.at <= ${at}
    order by e.version desc nulls last, e.xact, e.id limit 1`
}

/** Where the log no longer has the last change, the creation stands for it. */
function commonValues(at: Moment): Sql {
  return sql`case when p.updated > ${at} then jsonb_build_object('version', coalesce(last.version, 1),
    'updated', coalesce(last.at, p.created), 'updated_by', coalesce(last.actor_id, p.created_by)) else '{}' end`
}

function customValues(column: string): Sql {
  const present = sql`p.${name(column)}`
  return sql`|| case when past.custom is null then '{}' else jsonb_build_object(${column}::text, (
    select coalesce(jsonb_object_agg(v.key, v.value), '{}') from jsonb_each(${present} || past.custom) v where v.value <> 'null')) end`
}

/** Whether the record was known at the moment: an imported one is older than its first event. */
function wasRecorded(kind: PastKind, at: Moment): Sql {
  return sql`coalesce((select e.at <= ${at} or e.kind <> ${`${kind.area}.created`} from event e
    where ${eventsOf(kind)} order by e.xact, e.id limit 1), true)`
}
