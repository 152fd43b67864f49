import { isDeepStrictEqual } from 'node:util'
import {
  type Demand,
  type DemandKind,
  demandKinds,
  isEverything,
  plainName,
} from '../../containers/constraint/constraint.ts'
import type { Field } from '../../containers/field/field.ts'
import { factsOf, otherNames, ownProperties } from '../../containers/item-property/item-property.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { check, compile, type Path, type Viewer, type Vocabulary } from '../../language/conditions/conditions.ts'
import { folded } from '../../language/folded.ts'
import { fieldIsShown, type Item } from '../item/item.ts'
import type { ItemChange } from '../validation/item-change.ts'

// A demand of a constraint on a single item. Demands on its current values are evaluated by PostgreSQL; demands on a
// change are evaluated here.

/** What is needed to compile a demand. */
export interface DemandContext {
  vocabulary: Vocabulary
  viewer: Viewer
  fieldOf(name: string): Field | undefined
}

export const kindOf = ({ kind }: Demand): DemandKind | undefined => demandKinds[kind]

/** The condition that item `t` breaks a demand; undefined if the demand cannot be decided from the item alone. */
export function brokenNow(demand: Demand, context: DemandContext): Sql | undefined {
  const field = context.fieldOf(demand.field)
  const path = pathOf(demand.field, context)
  const broken = path && meanings[kindOf(demand) ?? 'hidden']?.({ demand, context, path, field })
  // A value whose field the container does not have is not shown, so nobody could correct it.
  if (!broken || !field) return broken
  return sql`(${broken} and exists (select 1 from field f where f.tenant_id = ${ownTenant} and f.id = ${field.id}::uuid and ${fieldIsShown(raw('t'), raw('f'))}))`
}

interface DemandCheck {
  demand: Demand
  context: DemandContext
  path: Path
  field: Field | undefined
}

const meanings: Partial<Record<DemandKind, (asked: DemandCheck) => Sql | undefined>> = {
  required: asked => isEmpty(asked),
  allowed: asked => notAmong(asked),
  pattern: asked => notLike(asked),
  order: asked => outOfOrder(asked),
}

/** The path of a field, or of a property that every item has. */
export function pathOf(field: string, { vocabulary, fieldOf }: DemandContext): Path | undefined {
  const custom = fieldOf(field)
  return custom ? vocabulary.resolve(`field.${custom.id}`) : vocabulary.resolve(field)
}

/** One condition on the demand's own field; undefined if it cannot be read. */
function holds({ demand, context, field }: DemandCheck, operator: number, rightSide: string): Sql | undefined {
  const leftSide = field ? `field.${field.id}` : demand.field
  const groups = [{ condition: [{ leftSide, operator, rightSide }] }]
  return check(groups, context.vocabulary).length > 0 ? undefined : compile(groups, context.vocabulary, context.viewer)
}

const operators = { isEmpty: 8, in: 12, between: 14, matches: 16 }

/** A numeric item property counts as empty if it is 0. */
function isEmpty(asked: DemandCheck): Sql | undefined {
  const { path, field } = asked
  if (!field && (path.kind === 'number' || path.kind === 'duration')) return sql`(coalesce(${path.value}, 0) = 0)`
  return holds(asked, operators.isEmpty, '')
}

function isFilledBut(asked: DemandCheck, condition: Sql | undefined): Sql | undefined {
  const empty = holds(asked, operators.isEmpty, '')
  return condition && empty && sql`((${empty}) is not true and (${condition}) is not true)`
}

function notAmong(asked: DemandCheck): Sql | undefined {
  const { demand, path, field } = asked
  const allowed = [demand.value]
    .flat()
    .filter(each => ['string', 'number', 'boolean'].includes(typeof each))
    .map(String)
  if (field && /select/i.test(field.fieldType)) {
    const words = new Set(allowed.map(folded))
    const ids = field.options
      .filter(each => words.has(folded(each.id ?? '')) || words.has(folded(each.label ?? '')))
      .map(each => each.id)
    const value = sql`(t.fields -> ${field.id}::text)`
    return sql`exists (select 1 from jsonb_array_elements_text(case jsonb_typeof(${value}) when 'array' then ${value} when 'string' then jsonb_build_array(${value}) else '[]' end) o(id) where o.id <> all(${ids}::text[]))`
  }
  if (propertyOf(demand.field) === 'Tags' || propertyOf(demand.field) === 'labels')
    return sql`exists (select 1 from unnest(t.labels) u(id) join label l on l.tenant_id = ${ownTenant} and l.id = u.id
      where fold(l.name) <> all(array(select fold(w) from unnest(${allowed}::text[]) w)) and l.id::text <> all(${allowed}::text[]))`
  if (path.kind === 'set')
    return sql`exists (select 1 from (${path.elements}) as e(value) where fold(e.value::text) <> all(array(select fold(w) from unnest(${allowed}::text[]) w)))`
  return isFilledBut(asked, holds(asked, operators.in, JSON.stringify(allowed)))
}

/** Texts are matched against a pattern, ordered values against a range `a..b`. */
function notLike(asked: DemandCheck): Sql | undefined {
  const { value } = asked.demand
  const given = value !== null && typeof value === 'object' ? value : {}
  const ends = [Reflect.get(given, 'min') ?? '', Reflect.get(given, 'max') ?? ''].join('..')
  const text = typeof value === 'string' ? value : String(Reflect.get(given, 'pattern') ?? ends)
  return isFilledBut(asked, holds(asked, asked.path.kind === 'text' ? operators.matches : operators.between, text))
}

const order = /^\s*(<=|>=|<|>)?\s*(\S.*)$/

/** `startDate` before `dueDate`: `value` names the other field, after `<`, `>=` or `>`; without an operator it means `<=`. */
function outOfOrder({ demand, context, path }: DemandCheck): Sql | undefined {
  const [, sign = '<=', name = ''] = order.exec(typeof demand.value === 'string' ? demand.value : '') ?? []
  const [left, right] = [comparable(path), comparable(pathOf(name, context))]
  if (!left || !right || left.kind !== right.kind) return undefined
  return sql`((${left.value} ${raw(sign)} ${right.value}) is false)`
}

function comparable(path: Path | undefined): { kind: 'day' | 'number'; value: Sql } | undefined {
  if (path?.kind === 'date') return { kind: 'day', value: path.value }
  if (path?.kind === 'instant') return { kind: 'day', value: sql`((${path.value}) at time zone 'UTC')::date` }
  if (path?.kind === 'number' || path?.kind === 'duration') return { kind: 'number', value: path.value }
  return undefined
}

/** Whether a change breaks a demand; a new item cannot break one of this kind. */
export function brokenByChange(demand: Demand, { before, after }: ItemChange): boolean {
  if (!before) return false
  switch (kindOf(demand)) {
    case 'readOnly':
    case 'hidden':
      return differs(demand.field, before, after)
    case 'immutable':
      return wasInState(before, demand.value) && differs(demand.field, before, after)
    default:
      return false
  }
}

/** The states in `value`, by name or by category; without any, all closed states. */
function wasInState({ status, statusCategory }: Item, value: unknown): boolean {
  const states = [value].flat().filter(each => each !== null && each !== undefined && each !== '')
  if (states.length === 0) return statusCategory === 4 || statusCategory === 5
  return states.some(each =>
    typeof each === 'number' ? each === statusCategory : folded(String(each).trim()) === folded(status.trim()),
  )
}

function differs(field: string, before: Item, after: Item): boolean {
  if (!isEverything(field)) return !isDeepStrictEqual(valueIn(before, field), valueIn(after, field))
  const own = ownProperties.filter(each => !factsOf(each).lifecycle)
  return [...own, 'Field'].some(each => !isDeepStrictEqual(Reflect.get(before, each), Reflect.get(after, each)))
}

const properties = new Map<string, string>(ownProperties.map(each => [each.toLowerCase(), each]))

/** A property that every item has, by any of its names. */
export function propertyOf(name: string): string | undefined {
  const lower = name.trim().toLowerCase()
  return properties.get(lower) ?? otherNames.get(lower) ?? properties.get(`${lower}id`)
}

/** Whether a name is a property of every item; `field.status` always names a custom field. */
export function isOfEveryItem(name: string): boolean {
  return propertyOf(name) !== undefined
}

/** The value of an item by the name that conditions use; for `crm.name` it is the id of the customer. */
export function valueIn(item: Item, name: string): unknown {
  const plain = plainName(name).toLowerCase()
  const property = propertyOf(name)
  if (property) return Reflect.get(item, property) ?? null
  const custom = item.Field.find(each => each.fieldId === plain || each.key.toLowerCase() === plain)
  if (custom) return custom.value
  const head = propertyOf(name.split('.')[0] ?? '')
  return head === undefined ? null : (Reflect.get(item, head) ?? null)
}
