import type { Caller } from '../../kernel/access.ts'
import { kind } from '../../kernel/kinds.ts'
import { join, name, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { isThere } from './is-there.ts'
import { ownerKinds } from './owner.ts'

/** Restricts records (`alias`) whose owner is of one of these kinds to those whose owner the caller sees. */
export function visibleOwner(caller: Caller, alias: Sql, entities: readonly (typeof ownerKinds)[number][]): Sql {
  const cases = entities.map(entity => {
    const { table, visible } = kind(entity)
    const owner = sql`from ${name(table)} its_owner
      where its_owner.tenant_id = ${ownTenant} and its_owner.id = ${alias}.owner_id::uuid and ${visible(caller, raw('its_owner'))}`
    return sql`when ${raw(String(ownerKinds.indexOf(entity)))} then ${isThere(owner)}`
  })
  return sql`(case ${alias}.owner ${join(cases, ' ')} else true end)`
}
