import type { Context } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { type Fault, fault, Invalid, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import type { Finding } from '../../kernel/resource.ts'
import type { Field, FieldValues } from './field.ts'
import { isKey } from './field-key.ts'
import { optionFaults } from './field-option.ts'
import { compilePattern, defaultOf, fieldTypes } from './field-value.ts'

/** What a field must be, and what of it may no longer change. */
export async function checkField(ctx: Context, field: FieldValues, before: Field | undefined): Promise<void> {
  const faults = [...malformed(field)]
  if (faults.length > 0) throw new Invalid(faults)
  if (before === undefined) return
  if (field.key !== before.key) {
    throw new RuleBroken('immutable', 'the key of a field never changes', [
      fault(['key'], 'immutable', `is ${before.key} for ever`, field.key),
    ])
  }
  if (field.fieldType !== before.fieldType) await refuseNewType(ctx, field, before)
  await refuseLostOptions(ctx, field, before)
}

function* malformed({ key, fieldType, min, max, pattern, options }: FieldValues): Generator<Fault> {
  if (!isKey(key)) {
    yield fault(['key'], 'pattern', 'must be letters, digits, - and _, a letter first, at most 60 in all', key)
  }
  if (!fieldTypes.some(each => each === fieldType)) {
    yield fault(['fieldType'], 'enum', `must be one of ${fieldTypes.join(', ')}`, fieldType)
  }
  if (min !== null && max !== null && min > max) yield fault(['max'], 'range', 'must not be less than min', max)
  if (pattern !== '' && !compilePattern(pattern)) {
    yield fault(['pattern'], 'regex', 'must be a regular expression, without look-around and back-references', pattern)
  }
  yield* optionFaults(options)
}

/** Stored values were read by the type they were given for. */
async function refuseNewType(ctx: Context, field: FieldValues, before: Field): Promise<void> {
  if (before.isCore) refuseCore()
  if (await hasValues(ctx, before.id)) {
    const message = 'the type of a field cannot change while records have values of it'
    throw new RuleBroken('field-in-use', message, [fault(['fieldType'], 'field-in-use', message, field.fieldType)])
  }
}

async function hasValues(ctx: Context, fieldId: Id): Promise<boolean> {
  const [row] =
    await ctx.sql`select 1 from item_value where tenant_id = ${ctx.caller.tenantId} and field_id = ${fieldId} limit 1`
  return row !== undefined
}

/** An option that records hold can be renamed and retired, but not taken away from under them. */
async function refuseLostOptions(ctx: Context, field: FieldValues, before: Field): Promise<void> {
  const kept = new Set(field.options.map(option => option.id))
  const lost = before.options.filter(option => !kept.has(option.id))
  if (lost.length === 0) return
  const rows = await ctx.sql<{ id: string }>`select distinct text_value as id from item_value
    where tenant_id = ${ctx.caller.tenantId} and field_id = ${before.id} and text_value = any(${lost.map(option => option.id)}::text[])`
  const held = lost.filter(option => rows.some(row => row.id === option.id))
  if (held.length > 0) {
    const labels = held.map(option => option.label).join(', ')
    const message = `records still hold ${labels}; set active to false to offer it no longer`
    throw new RuleBroken('option-in-use', message, [fault(['options'], 'option-in-use', message)])
  }
}

/** A field of the service itself stays; one that processes show must leave them first. */
export async function refuseWhileUsed(ctx: Context, { id, key, isCore }: Field): Promise<void> {
  if (isCore) refuseCore()
  const usedBy = await ctx.sql<{ id: Id; name: string }>`select p.id, p.name from process p
    where p.tenant_id = ${ctx.caller.tenantId} and not p.deleted
      and exists (select 1 from jsonb_array_elements(p.fields) f where f->>'fieldId' in (${id}::text, ${key}::text)) order by p.name limit 100`
  if (usedBy.length > 0) {
    throw new Refusal(409, 'in-use', 'processes show this field; take it out of them first', {
      extra: { usedBy: usedBy.map(each => ({ entity: 'Process', ...each })) },
    })
  }
}

function refuseCore(): never {
  throw new RuleBroken('core-field', 'a field of the service itself can neither be deleted nor change its type')
}

/** How many places and uses there are codes for. */
const placements = 13
const usages = 11

export function inertParts(field: Field): Finding[] {
  const unknown = (property: 'placement' | 'usage', known: number) =>
    field[property].flatMap((code, i) =>
      code >= 0 && code < known
        ? []
        : [{ path: `/${property}/${i}`, code: 'unknown-code', message: `${code} means nothing here` }],
    )
  const findings = [...unknown('placement', placements), ...unknown('usage', usages)]
  if (field.defaultValue !== '' && defaultOf(field) === undefined) {
    findings.push({
      path: '/defaultValue',
      code: 'unreadable',
      message: `is no value of a field of the type ${field.fieldType}, so new records begin without one`,
    })
  }
  if (/select$/i.test(field.fieldType) && field.options.length === 0) {
    findings.push({ path: '/options', code: 'no-options', message: 'there is nothing to choose from' })
  }
  return findings
}
