import { type Fault, fault } from '../refusal.ts'
import { formats } from '../schema/formats.ts'
import { nearest } from '../schema/shape.ts'
import { raw, type Sql, sql } from '../sql.ts'

// The parameters that every list has, beside its filters, its order and its cursor.

export function readDeleted(text: string, faults: Fault[]): Sql {
  if (!['', 'include', 'only'].includes(text)) faults.push(fault(['deleted'], 'enum', 'must be include or only', text))
  if (text === 'include') return raw('true')
  return text === 'only' ? raw('t.deleted') : raw('not t.deleted')
}

export function readArchived(text: string, faults: Fault[]): Sql {
  const known = new Map([
    ['', raw('not t.archived')],
    ['false', raw('not t.archived')],
    ['include', raw('true')],
    ['only', raw('t.archived')],
    ['true', raw('t.archived')],
  ])
  const found = known.get(text.toLowerCase())
  if (!found) faults.push(fault(['archived'], 'enum', 'must be include or only', text))
  return found ?? raw('false')
}

export function readUpdatedAfter(text: string | undefined, faults: Fault[]): Sql {
  if (text === undefined) return raw('true')
  if (formats['date-time']?.check(text)) return sql`t.updated > ${text}::timestamptz`
  faults.push(fault(['updatedAfter'], 'date-time', formats['date-time']?.says ?? '', text))
  return raw('false')
}

export function readCount(text: string | undefined, faults: Fault[]): 'exact' | 'estimate' | undefined {
  if (text === undefined || text === 'exact' || text === 'estimate') return text
  faults.push(fault(['count'], 'enum', 'must be exact or estimate', text))
  return undefined
}

export function readFields(
  text: string | undefined,
  properties: readonly string[],
  faults: Fault[],
): ReadonlySet<string> | undefined {
  if (!text) return undefined
  const known = new Map(properties.map(each => [each.toLowerCase(), each]))
  const wanted = text
    .split(',')
    .map(each => each.trim())
    .filter(Boolean)
  for (const each of wanted.filter(one => !known.has(one.toLowerCase()))) {
    const near = nearest(each, properties)
    const message = `${each.slice(0, 60)} is not a property of this record${near ? `; did you mean ${near}?` : '.'}`
    faults.push(fault(['fields'], 'unknown', `${message} It has ${properties.join(', ')}`, text))
  }
  return new Set(wanted.map(each => known.get(each.toLowerCase()) ?? each))
}
