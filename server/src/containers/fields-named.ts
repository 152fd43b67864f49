import type { Context } from '../kernel/context.ts'
import { isId } from '../kernel/id.ts'
import { raw } from '../kernel/sql.ts'
import { type Field, fields, isValueFault, readFieldValue } from './field/field.ts'
import { type ProcessField, stateText, type WorkflowStep } from './workflow/workflow.ts'

/** Finds fields by id or key; each result is listed under both. */
export async function fieldsNamed(ctx: Context, names: readonly string[]): Promise<Map<string, Field>> {
  if (names.length === 0) return new Map()
  const f = raw('f')
  const rows = await ctx.sql<{ json: string }>`select ${fields.json(f)} as json from field f
    where f.tenant_id = ${ctx.caller.tenantId} and not f.deleted and (f.key = any(${names}) or f.id = any(${names.filter(isId)}::uuid[]))`
  const found: Field[] = rows.map(row => JSON.parse(row.json))
  return new Map(found.flatMap(field => [[field.key, field] as const, [field.id, field] as const]))
}

/** Writes an id in lower case; a key or a property name stays as it is. */
export const plainName = (text: string) => (isId(text) ? text.toLowerCase() : text)

/** All field names in a process. */
export function namesOf(workflow: readonly WorkflowStep[], fields: readonly ProcessField[]): string[] {
  return [
    ...new Set([
      ...[...workflow, ...fields].map(each => each.fieldId),
      ...workflow.flatMap(each => each.requires ?? []),
    ]),
  ]
}

/**
 * Normalises a process: fields are named by their id, and states by the stored value, because a choice may be written
 * as its label and a number in several forms.
 */
export function unambiguous(
  workflow: readonly WorkflowStep[],
  fields: readonly ProcessField[],
  known: ReadonlyMap<string, Field>,
): { workflow: WorkflowStep[]; fields: ProcessField[] } {
  const idOf = (name: string) => known.get(name)?.id ?? name
  const valueIn = (field: Field | undefined, value: string) => {
    const read = field && readFieldValue(field, value)
    return !read || isValueFault(read) ? value : (stateText(read.shown) ?? value)
  }
  const written = new Map(
    [...Map.groupBy(workflow, each => idOf(each.fieldId))].map(([fieldId, steps]) => [
      fieldId,
      new Map(steps.map(({ value }) => [value, valueIn(known.get(fieldId), value)])),
    ]),
  )
  return {
    workflow: workflow.map(each => {
      const values = written.get(idOf(each.fieldId)) ?? new Map<string, string>()
      return {
        ...each,
        fieldId: idOf(each.fieldId),
        value: values.get(each.value) ?? each.value,
        name: each.name || each.value,
        next: nextIn(each.next, values),
        ...(each.requires && { requires: each.requires.map(idOf) }),
      }
    }),
    fields: fields.map(each => ({ ...each, fieldId: idOf(each.fieldId) })),
  }
}

function nextIn(next: string, values: ReadonlyMap<string, string>): string {
  const whole = values.get(next)
  if (whole !== undefined) return whole
  return next
    .split(',')
    .map(each => values.get(each.trim()) ?? each)
    .join(',')
}
