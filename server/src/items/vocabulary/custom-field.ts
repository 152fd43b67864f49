import {
  type Field,
  FormulaFault,
  type FormulaScope,
  type FormulaTerm,
  isSeveral,
  termOf,
} from '../../containers/field/field.ts'
import type { Sortable } from '../../kernel/list/sort.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import type { Path } from '../../language/conditions/conditions.ts'
import { candidatesIn, isIndexedText, type TextAnalysis } from './text-analysis.ts'

// The paths of conditions to custom values of an item (`t`). They compare the rows of `item_value`, which are typed and
// indexed, with texts without case and accents.

/** A path, with its own sort order if it differs from that of its value. */
export type CustomPath = Path & { order?: Sortable }

/** The paths of a field after `field.`; derived fields may use all fields of the tenant (`scope`). */
export function customPaths(
  tenantId: string,
  field: Field,
  scope: FormulaScope,
  analysis: TextAnalysis,
): [string, CustomPath][] {
  const found = pathOf(tenantId, field, scope)
  const path = found && isIndexedText(field) ? { ...found, candidates: candidatesIn(field.id, analysis) } : found
  const names = [field.id, field.key.toLowerCase()]
  const paths = path ? names.map((name): [string, CustomPath] => [name, path]) : []
  if (field.fieldType === 'money') {
    const currency = textPath(tenantId, field, sql`(t.fields -> ${field.id}::text ->> 'currency')`)
    paths.push(...names.map((name): [string, CustomPath] => [`${name}.currency`, currency]))
  }
  return paths
}

function pathOf(tenantId: string, field: Field, scope: FormulaScope): CustomPath | undefined {
  const kept = (column: string) => keptIn(tenantId, field, raw(`kept.${column}`))
  switch (field.fieldType) {
    case 'number':
    case 'money':
      return { kind: 'number', ...kept('number_value'), order: ordered(tenantId, field, 'number_value', 'float8') }
    case 'time':
      return { kind: 'duration', ...kept('number_value'), order: ordered(tenantId, field, 'number_value', 'float8') }
    case 'boolean':
      return truthPath(tenantId, field)
    case 'date':
      return { kind: 'date', ...kept('date_value'), order: ordered(tenantId, field, 'date_value', 'date') }
    case 'dateTime':
      return {
        kind: 'instant',
        ...kept('instant_value'),
        order: ordered(tenantId, field, 'instant_value', 'timestamptz'),
      }
    case 'user':
    case 'userGroup':
    case 'item':
    case 'crm':
    case 'file': {
      const kind = field.fieldType === 'user' ? 'user' : 'id'
      const { value, among } = kept('id_value')
      return isSeveral(field)
        ? { kind: 'set', of: kind, elements: all(tenantId, field, 'id_value'), among }
        : { kind, value, among }
    }
    case 'select':
      return { ...choicePath(tenantId, field), order: optionOrder(field) }
    case 'multiSelect':
    case 'cascade':
      return choicePath(tenantId, field)
    case 'formula':
    case 'rollup':
      return derivedPath(field, scope)
    case 'json':
      return { kind: 'text', value: sql`(t.fields ->> ${field.id}::text)` }
    default:
      return isSeveral(field)
        ? { ...textsPath(tenantId, field) }
        : {
            ...textPath(tenantId, field, sql`(t.fields ->> ${field.id}::text)`),
            order: ordered(tenantId, field, 'text_value', 'text'),
          }
  }
}

/** The condition that the item has a row of the field for which `holds` holds. */
function some(tenantId: string, { id }: Field, holds: Sql): Sql {
  return sql`exists (select 1 from item_value kept where kept.tenant_id = ${tenantId} and kept.item_id = t.id and kept.field_id = ${id} and ${holds})`
}

function keptIn(tenantId: string, field: Field, column: Sql): { value: Sql; among: NonNullable<Path['among']> } {
  return {
    value: sql`(select ${column} from item_value kept where kept.tenant_id = ${tenantId} and kept.item_id = t.id and kept.field_id = ${field.id} and kept.n = 0)`,
    among: holds => some(tenantId, field, holds(column)),
  }
}

/** All values of a field on this item. */
function all(tenantId: string, { id }: Field, column: string): Sql {
  return sql`select ${raw(`kept.${column}`)} from item_value kept where kept.tenant_id = ${tenantId} and kept.item_id = t.id and kept.field_id = ${id}`
}

/** `item_value` stores booleans as the numbers 1 and 0. */
function truthPath(tenantId: string, field: Field): CustomPath {
  const column = raw('kept.number_value')
  return {
    kind: 'boolean',
    ...keptIn(tenantId, field, sql`(${column} = 1)`),
    anyOf: truths => some(tenantId, field, sql`${column} = any(array(select w::int::float8 from unnest(${truths}) w))`),
    order: ordered(tenantId, field, 'number_value', 'float8'),
  }
}

/** The number of characters of a text that `item_value` stores. */
const maxKept = 500
const cut = raw(String(maxKept))

/** `item_value` stores only the beginning of a long text; if that is not enough, the text itself is compared. */
function textPath(tenantId: string, field: Field, value: Sql): CustomPath {
  const column = raw('kept.text_value')
  const whole = sql`fold(${value})`
  return {
    kind: 'text',
    value,
    among: holds =>
      some(tenantId, field, holds(sql`(case when length(${column}) < ${cut} then ${column} else ${whole} end)`)),
    anyOf(words, longest) {
      if (longest < maxKept) return some(tenantId, field, sql`${column} = any(${words})`)
      // The comparison of the beginning is a separate condition, so that the index can find it first.
      const beginning = some(
        tenantId,
        field,
        sql`${column} = any(array(select left(w, ${cut}) from unnest(${words}) w))`,
      )
      const short = sql`(select bool_and(length(w) < ${cut}) from unnest(${words}) w)`
      return sql`(${beginning} and (${short} is not false or ${whole} = any(${words})))`
    },
  }
}

/** A list of codes or addresses, none of which is longer than the stored beginning. */
function textsPath(tenantId: string, field: Field): Path {
  const column = raw('kept.text_value')
  return {
    kind: 'set',
    of: 'text',
    elements: sql`select w from jsonb_array_elements_text(case jsonb_typeof(t.fields -> ${field.id}::text) when 'array' then t.fields -> ${field.id}::text else '[]' end) w`,
    among: holds => some(tenantId, field, holds(column)),
    anyOf: words => some(tenantId, field, sql`${column} = any(array(select left(w, ${cut}) from unnest(${words}) w))`),
  }
}

/** An option can be given by its id or its label; values are stored as ids. */
function choicePath(tenantId: string, field: Field): Path {
  const column = raw('kept.text_value')
  const labels = field.options.map(({ id, label }) => ({ id, label }))
  const options = sql`jsonb_to_recordset(${JSON.stringify(labels)}::jsonb) as c(id text, label text)`
  return {
    kind: 'set',
    of: 'text',
    elements: sql`select unnest(array[c.id, c.label]) from (${all(tenantId, field, 'text_value')}) v(id) join lateral ${options} on fold(c.id) = v.id`,
    among: holds => some(tenantId, field, holds(column)),
    anyOf: words =>
      some(
        tenantId,
        field,
        sql`${column} = any(array(select fold(c.id) from ${options} where fold(c.id) = any(${words}) or fold(c.label) = any(${words})))`,
      ),
  }
}

/** Sorts by the order of the options. */
function optionOrder({ id, options }: Field): Sortable {
  const ids = options.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0)).map(option => option.id)
  return { type: 'integer', value: sql`array_position(${ids}::text[], t.fields ->> ${id}::text)` }
}

/** Sorts by the index of these values; items without a value come last. */
function ordered(tenantId: string, field: Field, column: string, type: Sortable['type']): Sortable {
  const value = raw(`sorted.${column}`)
  return {
    type,
    value: keptIn(tenantId, field, raw(`kept.${column}`)).value,
    indexed: {
      table: raw('item_value sorted'),
      on: sql`sorted.tenant_id = ${tenantId} and sorted.item_id = t.id and sorted.field_id = ${field.id} and sorted.n = 0 and ${value} is not null`,
      value,
      id: raw('sorted.item_id'),
    },
  }
}

const kinds: Readonly<Record<FormulaTerm['kind'], 'number' | 'text' | 'date' | 'boolean'>> = {
  number: 'number',
  text: 'text',
  date: 'date',
  truth: 'boolean',
}

/** A derived field with an invalid formula has no path. */
function derivedPath(field: Field, scope: FormulaScope): CustomPath | undefined {
  try {
    const { kind, sql: value } = termOf(field, scope)
    return { kind: kinds[kind], value }
  } catch (error) {
    if (error instanceof FormulaFault) return undefined
    throw error
  }
}
