import { isDeepStrictEqual } from 'node:util'
import {
  defaultOf,
  type Field,
  type FieldValue,
  fields,
  isDerived,
  readFieldValue,
  usage,
} from '../../containers/field/field.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { findUnknown, type Reference, refuseUnknown } from '../../kernel/record/references.ts'
import { type Fault, fault, Invalid } from '../../kernel/refusal.ts'
import { raw } from '../../kernel/sql.ts'
import type { ShownField } from '../item/item.ts'
import type { FieldInput } from '../item-body/item-body.ts'

/** A custom value, checked by its field. */
export interface ReadField {
  field: Field
  value: FieldValue
}

/** The custom fields that an item has. Values for others are refused if the set is closed; otherwise they are stored and not shown. */
export interface FieldSet {
  has: (field: Pick<Field, 'id' | 'key'>) => boolean
  isClosed: boolean
}

/**
 * Reads custom values. Each names its field by id, key or name, and the field validates it. An unchanged value is not
 * validated again: it was valid when it was stored, and a client that sends a whole record back must not be refused.
 */
export async function readFields(
  ctx: Context,
  inputs: readonly FieldInput[],
  { setOf, stored = [] }: { setOf: (afresh?: boolean) => Promise<FieldSet>; stored?: readonly ShownField[] },
  warnings: string[],
): Promise<ReadField[]> {
  if (inputs.length === 0) return []
  const set = await setOf()
  const first = interpret(inputs, await allFields(ctx), stored, set)
  // The cached value may be stale: it is reloaded before anything is refused because of it.
  const { read, faults, references } =
    first.faults.length > 0 ? interpret(inputs, await allFields(ctx, true), stored, await setOf(true)) : first
  if (faults.length > 0) throw new Invalid(faults)
  await refuseUnknown(ctx, references)
  for (const { field } of read) {
    if (!set.has(field)) warnings.push(`${field.key} is not a field of this item; its value is stored but not shown`)
  }
  return read
}

/** Leaves out the values that refer to a record which does not exist for this caller, for copies. */
export async function withoutUnknownValues(ctx: Context, inputs: readonly FieldInput[]): Promise<FieldInput[]> {
  if (inputs.length === 0) return []
  const { references } = interpret(inputs, await allFields(ctx), [], anyField)
  const unknown = new Set((await findUnknown(ctx, references)).map(({ path }) => path[1]))
  return inputs.filter((_input, i) => !unknown.has(i))
}

/** For values that were accepted before. */
export const anyField: FieldSet = { has: () => true, isClosed: false }

function interpret(
  inputs: readonly FieldInput[],
  known: FieldCatalogue,
  stored: readonly ShownField[],
  { has, isClosed }: FieldSet,
) {
  const faults: Fault[] = []
  const references: Reference[] = []
  const read = new Map<Id, ReadField>()
  for (const [i, patch] of inputs.entries()) {
    const by = (['fieldId', 'key', 'name'] as const).find(each => patch[each] !== undefined)
    const field = by && known.find(patch[by] ?? '')
    if (!by) faults.push(fault(['Field', i, 'fieldId'], 'required', 'is required: fieldId, key or name'))
    else if (!field) faults.push(fault(['Field', i, by], 'unknown-reference', 'there is no such Field', patch[by]))
    else {
      if (isDerived(field)) continue // clients send whole records back, so derived values are ignored
      const before = stored.find(each => each.fieldId === field.id)
      const same = before !== undefined && isDeepStrictEqual(before.value, patch.value)
      const value = same
        ? { shown: before.value, rows: [], references: [] }
        : readFieldValue(field, patch.value ?? null)
      if ('code' in value) faults.push(fault(['Field', i, 'value'], value.code, value.message, patch.value))
      else if (!same && !isForItems(field))
        faults.push(fault(['Field', i, by], 'usage', 'is not a field for items', patch[by]))
      else if (!same && value.shown !== null && isClosed && !has(field))
        faults.push(fault(['Field', i, by], 'field-not-in-process', 'is not a field of the process', patch[by]))
      else {
        read.set(field.id, { field, value })
        for (const each of value.references) references.push({ ...each, path: ['Field', i, 'value'] })
      }
    }
  }
  return { faults, references, read: [...read.values()] }
}

/** Whether a field is for items: an empty usage means all kinds of records. */
function isForItems({ usage: used }: Pick<Field, 'usage'>): boolean {
  return used.length === 0 || used.includes(usage.item) || used.includes(usage.ticket)
}

interface FieldCatalogue {
  find(named: string): Field | undefined
  defaults: ReadField[]
}

async function allFields(ctx: Context, afresh = false): Promise<FieldCatalogue> {
  const found = await remembered(ctx, 'fields', () => loadFields(ctx), afresh)
  return found ?? { find: () => undefined, defaults: [] }
}

async function loadFields(ctx: Context): Promise<FieldCatalogue> {
  const t = raw('t')
  const rows = await ctx.sql<{ json: string }>`select ${fields.json(t)} as json from field t
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted`
  const all: Field[] = rows.map(row => JSON.parse(row.json))
  const byName = new Map(
    [
      (each: Field) => each.name.toLowerCase(),
      (each: Field) => each.key.toLowerCase(),
      (each: Field) => each.id,
    ].flatMap(called => all.map(each => [called(each), each] as const)),
  )
  const defaults = all.flatMap(field => {
    const value = isForItems(field) ? defaultOf(field) : undefined
    return value ? [{ field, value }] : []
  })
  return { find: named => byName.get(named.toLowerCase()), defaults }
}

/** Finds a field by its id or its key. */
export async function fieldFinder(ctx: Context): Promise<(named: string) => Field | undefined> {
  const { find } = await allFields(ctx)
  return named => {
    const field = find(named)
    return field && [field.id, field.key.toLowerCase()].includes(named.toLowerCase()) ? field : undefined
  }
}

/** The default values of a new item, for the fields that it has. */
export async function defaultFields(
  ctx: Context,
  { has }: FieldSet,
  given: readonly ReadField[],
): Promise<ReadField[]> {
  const { defaults } = await allFields(ctx)
  return defaults.filter(({ field }) => has(field) && !given.some(each => each.field.id === field.id))
}

/** The custom values as stored in the row of the item. */
export function fieldsObject(read: readonly ReadField[]): Record<Id, unknown> {
  return Object.fromEntries(
    read.filter(({ value }) => value.shown !== null).map(({ field, value }) => [field.id, value.shown]),
  )
}

/** The custom values as typed rows of `item_value`. */
export function valueRows(read: readonly ReadField[]): Record<string, unknown>[] {
  return read.flatMap(({ field, value }) =>
    value.rows.map((each, n) => ({
      field_id: field.id,
      n,
      text_value: each.text,
      number_value: each.number,
      instant_value: each.instant,
      date_value: each.date,
      id_value: each.id,
    })),
  )
}
