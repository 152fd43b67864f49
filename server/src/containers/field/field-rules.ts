import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { type Fault, fault, Invalid, Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { raw } from '../../kernel/sql.ts'
import { type CodeTable, isKnownCode } from '../../records/code-table.ts'
import { placements, usages } from './field-codes.ts'
import { isKey } from './field-key.ts'
import { fieldsOf } from './field-list.ts'
import { optionFaults } from './field-option.ts'
import { type Field, type FieldValues, fieldTypes } from './field-record.ts'
import { FormulaFault, fieldsNamedBy, termOf } from './formula/formula.ts'
import { compilePattern } from './value/text.ts'
import { defaultOf, isDerived, isSeveral, mayBeSeveral } from './value/value.ts'

/** Validates a field and refuses changes of its immutable properties. */
export async function checkField(ctx: Context, field: FieldValues, before: Field | undefined): Promise<void> {
  const faults = [...malformed(field)]
  if (isDerived(field) && !isBlank(field)) faults.push(...(await derivationFaults(ctx, field, before)))
  if (faults.length > 0) throw new Invalid(faults)
  if (before && field.key !== before.key) {
    throw new RuleBroken('immutable', 'the key of a field cannot change', [
      fault(['key'], 'immutable', `must stay ${before.key}`, field.key),
    ])
  }
}

function* malformed(field: FieldValues): Generator<Fault> {
  const { key, fieldType, min, max, pattern, options } = field
  if (!isKey(key)) {
    yield fault(['key'], 'pattern', 'must be at most 60 letters, digits, - and _, beginning with a letter', key)
  }
  if (!fieldTypes.some(each => each === fieldType)) {
    yield fault(['fieldType'], 'enum', `must be one of ${fieldTypes.join(', ')}`, fieldType)
  }
  if (min !== null && max !== null && min > max) yield fault(['max'], 'range', 'must not be less than min', max)
  if (pattern !== '' && !compilePattern(pattern)) {
    yield fault(['pattern'], 'regex', 'must be a regular expression, without look-around and back-references', pattern)
  }
  yield* optionFaults(options)
  if (field.unique && !canBeUnique(field)) {
    yield fault(['unique'], 'unique', `a field of the type ${fieldType} cannot be unique`, true)
  }
  if (field.unique && field.defaultValue !== '') {
    yield fault(
      ['defaultValue'],
      'unique',
      'must be empty, because several records would get the same value',
      field.defaultValue,
    )
  }
}

const neverUnique = ['boolean', 'multiSelect', 'cascade', 'json', 'formula', 'rollup']

function canBeUnique(field: FieldValues): boolean {
  return !neverUnique.includes(field.fieldType) && !isSeveral(field)
}

/** Whether a derived field has no formula or rollup yet. */
function isBlank({ fieldType, formula, rollup }: FieldValues): boolean {
  return fieldType === 'formula' ? formula.trim() === '' : Object.keys(rollup).length === 0
}

async function derivationFaults(ctx: Context, field: FieldValues, before: Field | undefined): Promise<Fault[]> {
  const wanted = { ...field, id: before?.id ?? '' }
  const others = (await fieldsOf(ctx)).filter(each => each.id !== before?.id)
  const wrong = faultOf(wanted, [...others, wanted])
  if (!wrong) return []
  const [property, where] = field.fieldType === 'formula' ? ['formula', `at character ${wrong.at}: `] : ['rollup', '']
  const given = field.fieldType === 'formula' ? field.formula : undefined
  return [fault([property], 'formula', `${where}${wrong.message}`, given)]
}

type Derived = FieldValues & { id: Id }

function faultOf(field: Derived, all: readonly Derived[]): FormulaFault | undefined {
  try {
    termOf(field, { fields: all, children: raw('true') })
    return undefined
  } catch (error) {
    if (error instanceof FormulaFault) return error
    throw error
  }
}

/** Refuses a change of a field that would break a formula which uses it. */
export async function refuseBrokenFormulas(ctx: Context, field: Field): Promise<void> {
  const all = (await fieldsOf(ctx)).map(each => (each.id === field.id ? field : each))
  const broken = all.filter(
    each =>
      isDerived(each) && each.id !== field.id && !isBlank(each) && usesField(each, field.id, all) && faultOf(each, all),
  )
  if (broken.length > 0)
    throw inUse('the change would break the formulas of other fields that use this one', 'Field', broken)
}

function usesField(derived: Field, id: Id, all: readonly Field[]): boolean {
  return fieldsNamedBy(derived, all).includes(id)
}

/** Refuses to delete a core field, or a field that processes or formulas still use. */
export async function refuseWhileUsed(ctx: Context, field: Field): Promise<void> {
  const { id, key, isCore } = field
  if (isCore) refuseCore()
  const processes = await ctx.sql<{ id: Id; name: string }>`select p.id, p.name from process p
    where p.tenant_id = ${ctx.caller.tenantId} and not p.deleted
      and exists (select 1 from jsonb_array_elements(p.fields) f where f->>'fieldId' in (${id}::text, ${key}::text)) order by p.name, p.id limit 100`
  if (processes.length > 0) throw inUse('processes use this field; remove it from them first', 'Process', processes)
  const all = await fieldsOf(ctx)
  const derived = all.filter(each => isDerived(each) && each.id !== id && usesField(each, id, all))
  if (derived.length > 0) throw inUse('the formulas of other fields use this one', 'Field', derived)
}

function inUse(message: string, entity: string, users: readonly { id: Id; name: string }[]): Refusal {
  return new Refusal(409, 'in-use', message, {
    extra: { usedBy: users.map(({ id, name }) => ({ entity, id, name })) },
  })
}

export function refuseCore(): never {
  throw new RuleBroken('core-field', 'a core field can neither be deleted nor change its type')
}

export async function inertParts(field: Field, ctx: Context): Promise<Finding[]> {
  const unknown = (property: 'placement' | 'usage', known: CodeTable) =>
    field[property].flatMap((code, i) =>
      isKnownCode(known, code)
        ? []
        : [{ path: `/${property}/${i}`, code: 'unknown-code', message: `${code} is not a known code` }],
    )
  const findings = [...unknown('placement', placements), ...unknown('usage', usages)]
  if (field.defaultValue !== '' && defaultOf(field) === undefined) {
    findings.push({
      path: '/defaultValue',
      code: 'unreadable',
      message: `is not a valid value of type ${field.fieldType}, so new records get no default`,
    })
  }
  if (/^(select|multiSelect|cascade)$/.test(field.fieldType) && field.options.length === 0) {
    findings.push({
      path: '/options',
      code: 'no-options',
      message: 'the field has no options, so it cannot hold a value',
    })
  }
  if (field.multiple && !mayBeSeveral(field.fieldType)) {
    findings.push({ path: '/multiple', code: 'one-value', message: `a ${field.fieldType} field holds one value` })
  }
  if (isDerived(field)) findings.push(...(await inertDerivation(field, ctx)))
  return findings
}

async function inertDerivation(field: Field, ctx: Context): Promise<Finding[]> {
  const path = field.fieldType === 'formula' ? '/formula' : '/rollup'
  if (isBlank(field)) return [{ path, code: 'no-formula', message: 'has no formula, so it is always empty' }]
  const wrong = faultOf(field, [...(await fieldsOf(ctx)).filter(each => each.id !== field.id), field])
  return wrong ? [{ path, code: 'formula', message: wrong.message }] : []
}
