import type { Context } from '../context.ts'
import { isId } from '../id.ts'
import { kind } from '../kinds.ts'
import { fault, RuleBroken } from '../refusal.ts'
import type { Schema } from '../schema/shape.ts'
import { name, raw } from '../sql.ts'
import type { Column } from './columns.ts'

/** A reference to a record, and its place in the body. */
export interface Reference {
  entity: string
  id: string
  path: (string | number)[]
}

/**
 * Refuses references to records that do not exist for this caller: unknown, deleted, of another tenant or invisible, with the
 * same answer. A reference that the stored record already has is not checked again: it was valid when it was written.
 */
export async function refuseUnknownReferences(
  ctx: Context,
  columns: readonly Column[],
  record: Record<string, unknown>,
  before: object | undefined,
): Promise<void> {
  await refuseUnknown(ctx, newReferences(columns, record, before))
}

/** Returns the references of a record that it did not have before. */
export function newReferences(
  columns: readonly Column[],
  record: Record<string, unknown>,
  before: object | undefined,
): Reference[] {
  const referencesOf = (of: object, some = columns) =>
    some.flatMap(({ property, schema }) => [...referencesIn(schema, Reflect.get(of, property), [property])])
  const changed = columns.filter(({ property }) => !before || record[property] !== Reflect.get(before, property))
  const wanted = referencesOf(record, changed)
  if (!before || wanted.length === 0) return wanted
  const known = new Set(referencesOf(before).map(each => `${each.entity} ${each.id}`))
  return wanted.filter(each => !known.has(`${each.entity} ${each.id}`))
}

/** The same for references that a room has collected itself. */
export async function refuseUnknown(ctx: Context, references: readonly Reference[]): Promise<void> {
  const unknown = await findUnknown(ctx, references)
  if (unknown.length > 0) throw unknownReferences(unknown)
}

export function unknownReferences(unknown: readonly Reference[]): RuleBroken {
  const faults = unknown.map(({ path, entity, id }) =>
    fault(path, 'unknown-reference', `there is no such ${entity}`, id),
  )
  return new RuleBroken('unknown-reference', 'the record refers to something that does not exist', faults)
}

/** Returns the references to records that do not exist for this caller, by one statement per kind. */
export async function findUnknown<R extends Reference>(ctx: Context, references: readonly R[]): Promise<R[]> {
  const unknown: R[] = []
  for (const [entity, group] of Map.groupBy(references, each => each.entity)) {
    const { table, visible } = kind(entity)
    const ids = [...new Set(group.map(each => each.id).filter(isId))]
    const t = raw('t')
    const found =
      ids.length === 0
        ? []
        : await ctx.sql<{
            id: string
          }>`select t.id from ${name(table)} t where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[]) and not t.deleted and ${visible(ctx.caller, t)}`
    const present = new Set(found.map(each => each.id))
    unknown.push(...group.filter(each => !present.has(each.id)))
  }
  return unknown
}

function* referencesIn(schema: Schema, value: unknown, path: (string | number)[]): Generator<Reference> {
  const entity = schema['x-ref']
  if (typeof entity === 'string') {
    if (typeof value === 'string' && value !== '') yield { entity, id: value.toLowerCase(), path }
  } else if (Array.isArray(value) && schema.items) {
    for (const [i, each] of value.entries()) yield* referencesIn(schema.items, each, [...path, i])
  } else if (value !== null && typeof value === 'object' && schema.properties) {
    for (const [property, content] of Object.entries(value))
      yield* referencesIn(schema.properties[property] ?? {}, content, [...path, property])
  }
}
