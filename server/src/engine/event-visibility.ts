import { type Caller, may, maySomewhere } from '../kernel/access.ts'
import { allKinds, type Kind, kindNamed } from '../kernel/kinds.ts'
import { join, name, ownTenant, raw, type Sql, sql } from '../kernel/sql.ts'
import { isThere } from '../records/references/is-there.ts'

const t = raw('t')

/** Whether a caller may read records of a kind at all. */
export function mayReadKind(caller: Caller, entity: string): boolean {
  const kind = kindNamed(entity)
  return kind !== undefined && (kind.placed ? maySomewhere : may)(caller, kind.permissions.read)
}

/**
 * The condition on the records of a kind (`t`) whose events a caller reads: the same in the live stream, in the log and
 * in change sets. Undefined if the caller reads none; so it is with events of an unknown kind of record.
 */
export function eventCondition(caller: Caller, entity: string): { kind: Kind; condition: Sql } | undefined {
  const kind = kindNamed(entity)
  return kind && mayReadKind(caller, entity) ? { kind, condition: kind.historyVisible(caller, t) } : undefined
}

/** The entity of the events about change sets. They hold nothing of a record. */
export const changeSetEntity = 'Change'

/**
 * Restricts events (`e`) to those whose record the caller may see now. `entities` are the kinds that occur: fewer are planned
 * faster.
 */
export function visibleEvents(caller: Caller, e: Sql, entities = allKinds().map(({ entity }) => entity)): Sql {
  const readable = entities.flatMap(entity => eventCondition(caller, entity) ?? [])
  const open = readable.filter(({ condition }) => isTrue(condition)).map(({ kind }) => kind.entity)
  const cases = readable
    .filter(({ condition }) => !isTrue(condition))
    .map(
      ({ kind, condition }) =>
        sql`when ${raw(`'${kind.entity}'`)} then ${isThere(sql`from ${name(kind.table)} t where t.tenant_id = ${ownTenant} and t.id = ${e}.record_id and ${condition}`)}`,
    )
  const named = sql`${e}.entity = any(${[...open, changeSetEntity]}::text[])`
  return cases.length === 0 ? named : sql`(${named} or case ${e}.entity ${join(cases, ' ')} else false end)`
}

/** Whether a condition holds for every row. */
export function isTrue(condition: Sql | undefined): boolean {
  return condition !== undefined && condition.values.length === 0 && condition.strings.join('') === 'true'
}
