import {
  columnOf,
  type DerivedProperty,
  type KindOf,
  kindOf,
  namesOf,
  type UsableFor,
  usableFor,
} from '../../containers/item-property/item-property.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { name, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import type { Path } from '../../language/conditions/conditions.ts'
import type { CodeTable } from '../../records/code-table.ts'
import { minutesSpent } from '../../time/minutes-spent.ts'
import { plainShape } from '../item-body/item-body.ts'
import { namedCycle } from './cycle-paths.ts'

// The paths of conditions to the properties of an item (`t`), most of which are plain columns.

/** Without labels, which are also found by name; see `label-paths.ts`. */
type Asked = Exclude<UsableFor<'condition'>, 'labels'>

/** The minutes spent on an item; `also` is a further condition on the time entries `s`. */
export function spent(also: Sql = raw('')): Path {
  return { kind: 'duration', value: minutesSpent(raw('t.id'), also) }
}

/** The path of a column by its kind. */
const pathAt: Record<KindOf<Exclude<Asked, DerivedProperty>>, (value: Sql) => Path> = {
  text: value => ({ kind: 'text', value }),
  number: value => ({ kind: 'number', value }),
  minutes: value => ({ kind: 'duration', value }),
  date: value => ({ kind: 'date', value }),
  instant: value => ({ kind: 'instant', value }),
  boolean: value => ({ kind: 'boolean', value }),
  id: value => ({ kind: 'id', value }),
  user: value => ({ kind: 'user', value }),
  ids: value => ({ kind: 'set', of: 'id', elements: sql`select unnest(${value})` }),
  users: value => ({ kind: 'set', of: 'user', elements: sql`select unnest(${value})` }),
}

const derived: Record<Extract<Asked, DerivedProperty>, Path> = { spentMinutes: spent() }

/** Additions to plain paths: records below others, words that denote records, and faster lookups by an index. */
const shortcuts: Partial<Record<Asked, Partial<Pick<Path, 'anyOf' | 'isEmpty' | 'named' | 'under'>>>> = {
  assignees: {
    isEmpty: raw('(cardinality(t.assignees) = 0)'),
    anyOf: ids =>
      sql`exists (select 1 from item_assignee a where a.tenant_id = ${ownTenant} and a.item_id = t.id and a.user_id = any(${ids}))`,
  },
  areaId: { under: ids => under(sql`t.area_id`, raw('area'), ids) },
  parentId: { under: ids => under(sql`t.id`, raw('item'), ids) },
  containerId: { under: ids => sql`t.container_id = any(${ids})` },
  cycleId: { named: namedCycle },
}

/** Whether the value is one of the records or below one. */
function under(value: Sql, table: Sql, ids: Sql): Sql {
  return sql`${value} in (with recursive below as (
    select b.id from ${table} b where b.tenant_id = ${ownTenant} and b.id = any(${ids})
    union select b.id from ${table} b join below on b.parent_id = below.id where b.tenant_id = ${ownTenant}) select id from below)`
}

function pathTo(property: Asked): Path {
  if (isDerived(property)) return derived[property]
  const codes = codesOf(property)
  return {
    ...pathAt[kindOf(property)](sql`t.${name(columnOf(property))}`),
    ...(codes ? { codes } : {}),
    ...shortcuts[property],
  }
}

function codesOf(property: string): CodeTable | undefined {
  const schemas: Readonly<Record<string, Schema>> = plainShape
  return schemas[property]?.['x-codes']
}

function isDerived(property: Asked): property is keyof typeof derived {
  return Object.hasOwn(derived, property)
}

/** The path of each property that conditions can use, by all of its names in lower case. */
export const propertyPaths: Readonly<Record<string, Path>> = Object.fromEntries(
  usableFor('condition')
    .filter(each => each !== 'labels')
    .flatMap(property => namesOf(property).map(each => [each, pathTo(property)] as const)),
)
