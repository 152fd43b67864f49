import { own } from '../../../kernel/own.ts'
import { name, raw, type Sql, sql } from '../../../kernel/sql.ts'
import type { FormulaTerm } from '../../../language/formula/compile.ts'
import { minutesSpent } from '../../../time/minutes-spent.ts'
import {
  columnOf,
  type DerivedProperty,
  type KindOf,
  kindOf,
  namesOf,
  type UsableFor,
  usableFor,
} from '../../item-property/item-property.ts'
import type { Field } from '../field-record.ts'
import { isSeveral } from '../value/value.ts'

// The operands of formulas: properties and custom values of the item. All of them are in the row of the item `t`, also
// while it is being written. Values of other records are excluded, because not every reader of the item may see those
// records.

type Operand = UsableFor<'formula'>

const number = (value: Sql): FormulaTerm => ({ kind: 'number', sql: value })
const text = (value: Sql): FormulaTerm => ({ kind: 'text', sql: value })
const date = (value: Sql): FormulaTerm => ({ kind: 'date', sql: value })

/** The formula type of a column. */
const termAt: Record<KindOf<Exclude<Operand, DerivedProperty>>, (value: Sql) => FormulaTerm> = {
  text,
  number: value => number(sql`${value}::numeric`),
  minutes: value => number(sql`${value}::numeric`),
  boolean: value => ({ kind: 'truth', sql: value }),
  date,
  // A timestamp becomes a date in UTC, so that the result does not depend on the reader.
  instant: value => date(sql`(${value} at time zone 'UTC')::date`),
}

const derived: Record<Extract<Operand, DerivedProperty>, FormulaTerm> = {
  spentMinutes: number(sql`${minutesSpent(raw('t.id'))}::numeric`),
}

function termOf(property: Operand): FormulaTerm {
  if (isDerived(property)) return derived[property]
  return termAt[kindOf(property)](sql`t.${name(columnOf(property))}`)
}

const isDerived = (property: Operand): property is keyof typeof derived => Object.hasOwn(derived, property)

const properties: Readonly<Record<string, FormulaTerm>> = {
  ...Object.fromEntries(usableFor('formula').flatMap(each => namesOf(each).map(called => [called, termOf(each)]))),
  today: date(raw("(now() at time zone 'UTC')::date")),
}

/** An item property by its name in lower case. */
export function core(called: string): FormulaTerm | undefined {
  return own(properties, called)
}

type Valued = Pick<Field, 'id' | 'fieldType' | 'options' | 'multiple'>

/**
 * A custom value, read from the row of the item. It was validated when it was stored; a value stored while the type of
 * its field changed reads as empty.
 */
export function customValue(field: Valued): FormulaTerm | undefined {
  if (isSeveral(field)) return undefined
  const json = sql`(t.fields -> ${field.id}::text)`
  const written = sql`(t.fields ->> ${field.id}::text)`
  switch (field.fieldType) {
    case 'number':
    case 'time':
      return number(numeric(json))
    case 'money':
      return number(numeric(sql`(t.fields -> ${field.id}::text -> 'amount')`))
    case 'boolean':
      return { kind: 'truth', sql: sql`(case jsonb_typeof(${json}) when 'boolean' then ${json}::boolean end)` }
    case 'date':
    case 'dateTime':
      return date(dayOf(written))
    case 'select':
      return text(labelOf(field, written))
    case 'text':
    case 'longText':
    case 'url':
    case 'sku':
      return text(written)
    default:
      return undefined
  }
}

function numeric(json: Sql): Sql {
  return sql`(case jsonb_typeof(${json}) when 'number' then ${json}::numeric end)`
}

/** Adds the day to the first of the month, because this sum cannot fail for an invalid day. */
function dayOf(written: Sql): Sql {
  return sql`(case when ${written} ~ '^(?!0000)\\d{4}-(0[1-9]|1[0-2])-[0-3]\\d' then (left(${written}, 7) || '-01')::date + substr(${written}, 9, 2)::int - 1 end)`
}

function labelOf({ options }: Valued, id: Sql): Sql {
  const labels = options.map(({ id: option, label }) => ({ id: option, label }))
  return sql`(select o.label from jsonb_to_recordset(${JSON.stringify(labels)}::jsonb) as o(id text, label text) where o.id = ${id})`
}
