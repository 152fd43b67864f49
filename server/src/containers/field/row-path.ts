import { type Sql, sql } from '../../kernel/sql.ts'
import type { Path } from '../../language/conditions/conditions.ts'
import type { Field } from './field-record.ts'
import type { FormulaTerm } from './formula/formula.ts'
import { customValue } from './formula/operands.ts'

const kinds: Readonly<Record<FormulaTerm['kind'], 'number' | 'text' | 'date' | 'boolean'>> = {
  number: 'number',
  text: 'text',
  date: 'date',
  truth: 'boolean',
}

/**
 * The path of conditions to a custom value in the row of the item `t`, which no index finds; undefined for the types that it is not
 * made for.
 */
export function rowPath(field: Field): Path | undefined {
  const { fieldType } = field
  if (fieldType === 'select' || fieldType === 'multiSelect') return choicePath(field)
  if (fieldType === 'user') return { kind: 'set', of: 'user', elements: idsIn(field) }
  const term = customValue(field)
  return term && { kind: kinds[term.kind], value: term.sql }
}

/** The chosen options, by their ids and their labels of now. */
function choicePath(field: Field): Path {
  const options = JSON.stringify(field.options.map(({ id, label }) => ({ id, label })))
  return {
    kind: 'set',
    of: 'text',
    elements: sql`select unnest(array[c.id, c.label]) from (${wordsIn(field)}) v(id) join jsonb_to_recordset(${options}::jsonb) as c(id text, label text) on c.id = v.id`,
  }
}

function idsIn(field: Field): Sql {
  return sql`select case when v.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then v.id::uuid end from (${wordsIn(field)}) v(id)`
}

/** The texts of a value or of a list of values. */
function wordsIn({ id }: Field): Sql {
  const value = sql`t.fields -> ${id}::text`
  return sql`select jsonb_array_elements_text(case jsonb_typeof(${value}) when 'array' then ${value} when 'string' then jsonb_build_array(${value}) else '[]' end)`
}
