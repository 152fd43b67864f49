import type { Caller } from '../../kernel/access.ts'
import { kind } from '../../kernel/kinds.ts'
import { name, or, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { ownerKinds } from './owner.ts'

/** Restricts records (`alias`) whose owner is of one of these kinds to those whose owner the caller sees. */
export function visibleOwner(caller: Caller, alias: Sql, entities: readonly (typeof ownerKinds)[number][]): Sql {
  const codes = entities.map(entity => ownerKinds.indexOf(entity))
  const seen = entities.map((entity, i) => {
    const owner = kind(entity)
    return sql`(${alias}.owner = ${codes[i]} and exists (select 1 from ${name(owner.table)} its_owner
      where its_owner.tenant_id = ${ownTenant} and its_owner.id = ${alias}.owner_id::uuid and ${owner.visible(caller, raw('its_owner'))}))`
  })
  return or([sql`${alias}.owner <> all(${codes}::int[])`, ...seen])
}
