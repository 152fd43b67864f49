import { own } from '../../../kernel/own.ts'
import { raw, type Sql, sql } from '../../../kernel/sql.ts'
import type { Term } from '../../../language/formula/compile.ts'
import type { Field } from '../field.ts'
import { isSeveral } from '../field-value.ts'

// What a formula can use: properties of the item itself, and its custom values. All of it is in the row of the item `t`,
// as it is being written too. Whatever belongs to other records is left out: not everybody may see it.

const number = (value: Sql): Term => ({ kind: 'number', sql: value })
const text = (value: Sql): Term => ({ kind: 'text', sql: value })
const date = (value: Sql): Term => ({ kind: 'date', sql: value })
/** The day of a moment, by the one calendar that is the same for all: UTC. */
const day = (value: Sql): Term => date(sql`(${value} at time zone 'UTC')::date`)

const properties: Readonly<Record<string, Term>> = {
  key: text(raw('t.key')),
  title: text(raw('t.title')),
  status: text(raw('t.status')),
  resolution: text(raw('t.resolution')),
  number: number(raw('t.number::numeric')),
  priority: number(raw('t.priority::numeric')),
  severity: number(raw('t.severity::numeric')),
  statuscategory: number(raw('t.status_category::numeric')),
  progress: number(raw('t.progress::numeric')),
  points: number(raw('t.points')),
  estimateminutes: number(raw('t.estimate_minutes::numeric')),
  remainingminutes: number(raw('t.remaining_minutes::numeric')),
  spentminutes: number(
    raw(
      '(select coalesce(sum(s.minutes), 0)::numeric from time s where s.tenant_id = t.tenant_id and s.item_id = t.id and not s.deleted)',
    ),
  ),
  startdate: date(raw('t.start_date')),
  duedate: date(raw('t.due_date')),
  created: day(raw('t.created')),
  updated: day(raw('t.updated')),
  closedat: day(raw('t.closed_at')),
  resolvedat: day(raw('t.resolved_at')),
  today: date(raw("(now() at time zone 'UTC')::date")),
}

/** A property that every item has, by its name in lower case. */
export function core(name: string): Term | undefined {
  return own(properties, name)
}

type Valued = Pick<Field, 'id' | 'fieldType' | 'options' | 'multiple'>

/**
 * A custom value, read from the item itself. It was stored by its field's rules; one that somebody stored in the very
 * moment in which its field took another type reads as empty.
 */
export function customValue(field: Valued): Term | undefined {
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

/** The first day of the month and as many days more as it says: a sum that no day can make fail. */
function dayOf(written: Sql): Sql {
  return sql`(case when ${written} ~ '^(?!0000)\\d{4}-(0[1-9]|1[0-2])-[0-3]\\d' then (left(${written}, 7) || '-01')::date + substr(${written}, 9, 2)::int - 1 end)`
}

function labelOf({ options }: Valued, id: Sql): Sql {
  const labels = options.map(({ id: option, label }) => ({ id: option, label }))
  return sql`(select o.label from jsonb_to_recordset(${JSON.stringify(labels)}::jsonb) as o(id text, label text) where o.id = ${id})`
}
