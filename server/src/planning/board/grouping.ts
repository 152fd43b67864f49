import { customName, groupingTypes, isGrouping } from '../../containers/board/board.ts'
import type { Field } from '../../containers/field/field.ts'
import { fieldsNamed } from '../../containers/fields-named.ts'
import { fieldsRevealedBy } from '../../containers/redaction/redaction.ts'
import { hidesSomewhere } from '../../identity/field-limit/hidden-fields.ts'
import { type Item, items } from '../../items/item/item.ts'
import type { ItemPatch } from '../../items/item-body/item-body.ts'
import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { own } from '../../kernel/own.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { name, raw, type Sql, sql } from '../../kernel/sql.ts'

/** The property by which cards are grouped into columns or lanes. Values are texts; the empty text means none. */
export interface Grouping {
  field: string
  kind: 'text' | 'number' | 'users' | 'record' | 'option' | 'user' | 'boolean'
  /** The value of a card, in SQL, of the item `t`. */
  value: Sql
  /** The kind of record whose id the value is. */
  entity?: string
  custom?: Field
  /** The value of a loaded item. */
  of(item: Item): string
  /** The patch that gives the item this value. */
  patchFor(value: string, item: Item): ItemPatch
}

/**
 * The grouping by a property, or by a custom field with this id or key; undefined if it cannot be used for grouping, or if it
 * is hidden from the caller on some item, because the groups are its values.
 */
export async function groupingOf(ctx: Context, field: string): Promise<Grouping | undefined> {
  if (fieldsRevealedBy(field).some(each => hidesSomewhere(ctx.caller, 'Item', each))) return undefined
  if (isGrouping(field)) return coreGrouping(field === 'assignee' ? 'assignees' : field)
  const wanted = customName(field)
  const custom = wanted === '' ? undefined : (await fieldsNamed(ctx, [wanted])).get(wanted)
  return custom && groupingTypes.includes(custom.fieldType) ? customGrouping(custom) : undefined
}

function coreGrouping(property: string): Grouping {
  const column = items.byProperty.get(property)
  if (!column) throw new Error(`items have no ${property}`)
  const place = sql`t.${name(column.column)}`
  const entity = column.schema['x-ref']
  const of = (item: Item) => String(Reflect.get(item, property) ?? '')
  if (column.type === 'uuid[]') {
    return {
      field: property,
      kind: 'users',
      entity: 'User',
      value: sql`coalesce(${place}[1]::text, '')`,
      of: item => item.assignees[0] ?? '',
      patchFor: (value, { assignees }) => ({
        assignees: value === '' ? [] : [identity(value), ...assignees.filter(each => each !== value.toLowerCase())],
      }),
    }
  }
  if (typeof entity === 'string') {
    return {
      field: property,
      kind: 'record',
      entity,
      value: sql`coalesce(${place}::text, '')`,
      of,
      patchFor: value => ({ [property]: value === '' ? '' : identity(value) }),
    }
  }
  if (column.type === 'integer')
    return {
      field: property,
      kind: 'number',
      value: sql`${place}::text`,
      of,
      patchFor: value => ({ [property]: whole(value) }),
    }
  return { field: property, kind: 'text', value: place, of, patchFor: value => ({ [property]: value.slice(0, 120) }) }
}

function customGrouping(custom: Field): Grouping {
  return {
    field: custom.id,
    kind: custom.fieldType === 'select' ? 'option' : custom.fieldType === 'user' ? 'user' : 'boolean',
    ...(custom.fieldType === 'user' ? { entity: 'User' } : {}),
    custom,
    value: sql`coalesce(t.fields ->> ${custom.id}::text, '')`,
    of: item => String(item.Field.find(each => each.fieldId === custom.id)?.value ?? ''),
    patchFor: value => ({ Field: [{ fieldId: custom.id, value: customValue(custom, value) }] }),
  }
}

function customValue({ fieldType }: Field, value: string): unknown {
  if (value === '') return null
  return fieldType === 'boolean' ? value.toLowerCase() === 'true' : value
}

/** The stored form of a value: for an option its id, even if the label was given. */
export function storedValue({ custom }: Grouping, value: string): string {
  const wanted = value.toLowerCase()
  const option = custom?.options.find(
    ({ id = '', label }) => id.toLowerCase() === wanted || label?.toLowerCase() === wanted,
  )
  return option?.id ?? value
}

const misfit = (value: string) =>
  new RuleBroken(
    'column-value',
    `the column has the value ${JSON.stringify(value.slice(0, 60))}, which no item can have`,
  )

function identity(value: string): string {
  if (!isId(value)) throw misfit(value)
  return value.toLowerCase()
}

function whole(value: string): number {
  const number = Number(value)
  if (!/^-?\d{1,10}$/.test(value) || Math.abs(number) > 2147483647) throw misfit(value)
  return number
}

/** The names of the values, as far as the caller may see them. */
export async function namesOf(
  ctx: Context,
  grouping: Grouping,
  values: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { entity, custom } = grouping
  if (entity) {
    const { table, visible, byProperty } = kind(entity)
    const t = raw('t')
    const rows = await ctx.sql<{
      id: string
      name: string
    }>`select t.id, ${byProperty.has('name') ? raw('t.name') : raw('t.title')} as name
      from ${name(table)} t where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${values.filter(isId)}::uuid[]) and ${visible(ctx.caller, t)}`
    return new Map([['', 'None'], ...rows.map(row => [row.id, row.name] as const)])
  }
  const said = own(codeLabels, grouping.field) ?? {}
  return new Map([
    ...values.map(value => [value, own(said, value) ?? (value === '' ? 'None' : value)] as const),
    ...(custom?.options ?? []).map(({ id = '', label = '' }) => [id, label] as const),
    ...(custom?.fieldType === 'boolean'
      ? ([
          ['true', 'Yes'],
          ['false', 'No'],
        ] as const)
      : []),
  ])
}

/** The labels of the codes of items, in display order. */
export const codeLabels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  statusCategory: { 0: 'Backlog', 1: 'To do', 2: 'In progress', 3: 'Waiting', 4: 'Done', 5: 'Cancelled' },
  priority: { 1: 'Urgent', 2: 'High', 3: 'Medium', 4: 'Low', 0: 'None' },
}
