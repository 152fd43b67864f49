import {
  type Field,
  FormulaFault,
  type FormulaTerm,
  fieldsOf,
  isDerived,
  termOf,
} from '../../containers/field/field.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { join, raw, type Sql, sql } from '../../kernel/sql.ts'

/** A derived field and its compiled term. */
interface Derivation {
  id: Id
  key: string
  term: FormulaTerm
}

/** The derived fields as this caller sees them. For the many tenants without any, one cached look-up is enough. */
export async function derivations(ctx: Context, children: (t: Sql) => Sql): Promise<Derivation[]> {
  const known = await remembered(ctx, 'derived fields', async () => {
    const fields = await fieldsOf(ctx)
    return fields.some(isDerived) ? fields : []
  })
  if (!known || known.length === 0) return []
  const scope = { fields: known, children: children(raw('t')) }
  return known.filter(isDerived).flatMap(field => derivationOf(field, term => termOf(term, scope)))
}

function derivationOf(field: Field, compile: (field: Field) => FormulaTerm): Derivation[] {
  try {
    return [{ id: field.id, key: field.key, term: compile(field) }]
  } catch (error) {
    if (error instanceof FormulaFault) return [] // the findings of the field report it
    throw error
  }
}

/** The custom values of an item including derived ones, as far as its container has the fields. */
export function withDerived(alias: Sql, derived: Derivation[], stored: Sql, isShown: (t: Sql, f: Sql) => Sql): Sql {
  const d = raw('d')
  const rows = derived.map(({ id, key, term }) => sql`(${id}::uuid, ${key}::text, ${asJson(term)})`)
  return sql`(select coalesce(json_agg(json_build_object('fieldId', d.id, 'key', d.key, 'value', d.value) order by d.id), '[]') from (
    select (v ->> 'fieldId')::uuid as id, v ->> 'key' as key, v -> 'value' as value from json_array_elements(${stored}) v
    union all
    select d.id, d.key, d.value from (select ${alias}.*) t, lateral (values ${join(rows)}) d(id, key, value)
    where d.value is not null and ${isShown(raw('t'), d)}) d)`
}

function asJson({ kind, sql: value }: FormulaTerm): Sql {
  return sql`to_json(${kind === 'date' ? sql`to_char(${value}, 'YYYY-MM-DD')` : value})`
}
