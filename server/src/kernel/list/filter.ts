import type { Context } from '../context.ts'
import { isId } from '../id.ts'
import { own } from '../own.ts'
import type { Column } from '../record/columns.ts'
import { type Fault, fault } from '../refusal.ts'
import { formats } from '../schema/formats.ts'
import { or, raw, type Sql, sql } from '../sql.ts'
import { columnValue } from './sort.ts'

const comparisons: Record<string, Sql> = { gt: raw('>'), gte: raw('>='), lt: raw('<'), lte: raw('<=') }

/** `status=open,waiting` means one of these values; `dueDate[lte]=…` compares; an array must contain one of the values. */
export function columnFilter(
  column: Column,
  operator: string,
  text: string,
  ctx: Context,
  faults: Fault[],
  key: string,
): Sql {
  const place = columnValue(column)
  const array = column.type.endsWith('[]')
  const compare = array ? undefined : own(comparisons, operator)
  if (!compare && operator !== 'eq' && operator !== 'ne') {
    const known = array ? 'eq or ne' : 'eq, ne, gt, gte, lt or lte'
    faults.push(fault([key], 'operator', `the operator must be ${known}`))
    return raw('false')
  }
  const texts = text.split(',').map(each => (each === '@me' ? ctx.caller.userId : each.trim()))
  const values = texts.map(each => parseValue(column, each))
  if (values.includes(undefined)) {
    const type = (column.schema.format ?? column.type).replace('[]', '')
    faults.push(fault([key], type, `is no ${type}`, text))
    return raw('false')
  }
  if (column.type === 'jsonb') {
    faults.push(fault([key], 'filter', 'cannot be filtered by'))
    return raw('false')
  }
  if (compare && values.length > 1) {
    faults.push(fault([key], 'operator', `${operator} compares with one value`, text))
    return raw('false')
  }
  if (compare) return sql`${place} ${compare} ${values[0]}::${raw(column.type)}`
  const some = array ? sql`${place} && ${values}::${raw(column.type)}` : isAnyOf(place, values, column)
  return operator === 'eq' ? some : sql`(${some}) is not true`
}

/** One value is compared by `=`, because for `any` of one PostgreSQL does not use the index that also gives the order. */
function isAnyOf(place: Sql, values: readonly unknown[], column: Column): Sql {
  if (column.schema['x-folded']) return isAnyOfFolded(place, values)
  const type = raw(column.type)
  const given = values.filter(each => each !== null)
  const none = given.length < values.length ? [sql`${place} is null`] : []
  if (given.length === 0) return or(none)
  const some = given.length === 1 ? sql`${place} = ${given[0]}::${type}` : sql`${place} = any(${given}::${type}[])`
  return or([...none, some])
}

/** `fold` is slow, and `lower` does the same for a text of ASCII, which most are. The words are folded once. An index may have the texts that are not empty. */
function isAnyOfFolded(place: Sql, words: readonly unknown[]): Sql {
  return sql`${words.includes('') ? raw('true') : sql`${place} <> ''`} and case when octet_length(${place}) = length(${place}) then lower(${place} collate "C") else fold(${place}) end
    = any(array(select fold(w) from unnest(${words}::text[]) w))`
}

/** Returns undefined for a text that is no value of the type, and null for an empty one. A malformed id matches nothing. */
function parseValue({ type, schema }: Column, text: string): unknown {
  switch (type) {
    case 'uuid':
    case 'uuid[]':
      return text === '' ? null : isId(text) ? text : '00000000-0000-0000-0000-000000000000'
    case 'integer':
    case 'integer[]': {
      const code = (schema.items ?? schema)['x-read']?.(text)
      if (code !== undefined) return code
      return /^-?\d{1,10}$/.test(text) && Math.abs(Number(text)) <= 2147483647 ? Number(text) : undefined
    }
    case 'bigint':
    case 'numeric':
    case 'decimal':
      return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? text : undefined
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined
    case 'timestamptz':
    case 'date':
      return text === '' ? null : formats[schema.format ?? '']?.check(text) ? text : undefined
    default:
      return text
  }
}
