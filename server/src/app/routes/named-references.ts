import { isStaffSomewhere } from '../../identity/visibility.ts'
import { isItemKey } from '../../items/keys/item-keys.ts'
import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import type { Operation, Routes } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { name, nothing, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'

/** A text in the place of an id, and the kind of record that it names. */
interface NamedReference {
  entity: string
  text: string
}

/** Whether a text in the place of an id may name a record of the kind, where bodies take it. */
const inBodies: Readonly<Record<string, (text: string) => boolean>> = {
  User: text => /^[^@\s,]+@[^@\s,]+$/.test(text),
  Item: isItemKey,
}

/** Filters also take names, which need not be unique. */
const inFilters: typeof inBodies = { ...inBodies, Container: text => !isId(text), Label: text => !isId(text) }

/** The parameters that name records and are no property of the records in a list. */
const parameters: Readonly<Record<string, string>> = {
  user: 'User',
  userId: 'User',
  assignee: 'User',
  requester: 'User',
  by: 'User',
  itemId: 'Item',
  parent: 'Item',
  container: 'Container',
  containerId: 'Container',
  containerIds: 'Container',
}

/** A text by which records `t` are found, in the case in which it is stored or indexed. */
interface NameColumn {
  text: Sql
  upper?: true
  join?: Sql
  where?: Sql
}

/** The names of the records of a kind, in the order in which they are tried. */
const nameColumns: Readonly<Record<string, readonly NameColumn[]>> = {
  User: [{ text: raw('lower(t.email)'), where: raw("t.email <> ''") }],
  Item: [
    { text: raw('t.key'), upper: true },
    // A key that the item had in another container.
    {
      text: raw('k.key'),
      upper: true,
      join: sql`join item_key k on k.tenant_id = ${ownTenant} and k.item_id = t.id`,
    },
  ],
  Container: [{ text: raw('lower(t.key)') }, { text: raw('lower(t.name)') }],
  Label: [{ text: raw('lower(t.name)') }],
}

/**
 * The same operations, which take the e-mail address of a user and the key of an item where bodies and filters take their ids,
 * and in filters the names of containers and labels. What names no record that the caller sees stays, and is refused like an
 * unknown id.
 */
export function withNamedReferences(routes: Routes): Routes {
  return Object.fromEntries(Object.entries(routes).map(([route, operation]) => [route, named(operation)]))
}

function named(operation: Operation): Operation {
  const { body, query = {}, reply } = operation
  const filtered = reply.schema?.items?.properties ?? {}
  const entityOf = (parameter: string) => {
    const property = parameter.replace(/\[.*$/, '')
    const schema = query[property] ?? filtered[property]
    return schema?.['x-ref'] ?? schema?.items?.['x-ref'] ?? parameters[property]
  }
  return {
    ...operation,
    async run(ctx, input) {
      const inBody = body ? [...referencesIn(body.schema, input.raw)] : []
      const inQuery = Object.entries(input.query).flatMap(([parameter, text]) => wordsOf(entityOf(parameter), text))
      if (inBody.length + inQuery.length === 0) return await operation.run(ctx, input)
      const ids = await idsOf(ctx, [...inBody, ...inQuery])
      const idOf = ({ entity, text }: NamedReference) => ids.get(`${entity} ${text.toLowerCase()}`) ?? text
      const given = Object.entries(input.query).map(([parameter, text]) => {
        const entity = entityOf(parameter)
        if (wordsOf(entity, text).length === 0 || !entity) return [parameter, text]
        const words = String(text).split(',')
        return [parameter, words.map(each => comparedId(idOf, { entity, text: each.trim() })).join(',')]
      })
      const query = Object.fromEntries(given)
      if (!body || inBody.length === 0) return await operation.run(ctx, { ...input, query })
      // Read again, because the value that was read may have another shape than the body.
      const raw = withIds(body.schema, input.raw, idOf)
      return await operation.run(ctx, { ...input, query, raw, body: body.read(raw, { strict: ctx.strict }) })
    },
  }
}

/** No record has this id. */
const noId = '00000000-0000-0000-0000-000000000000'

/** The id to filter by: an address or a key that names nothing is compared like an id that names nothing. */
function comparedId(idOf: (reference: NamedReference) => string, reference: NamedReference): string {
  const id = idOf(reference)
  return inBodies[reference.entity]?.(id) ? noId : id
}

function wordsOf(entity: string | undefined, value: unknown): NamedReference[] {
  const isName = entity === undefined ? undefined : inFilters[entity]
  if (!entity || !isName || typeof value !== 'string') return []
  return value
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '' && !each.startsWith('@') && isName(each))
    .map(text => ({ entity, text }))
}

function* referencesIn(schema: Schema, value: unknown): Generator<NamedReference> {
  const entity = schema['x-ref']
  if (entity !== undefined) {
    if (typeof value === 'string' && inBodies[entity]?.(value)) yield { entity, text: value }
  } else if (Array.isArray(value)) {
    if (schema.items) for (const each of value) yield* referencesIn(schema.items, each)
  } else if (value !== null && typeof value === 'object' && schema.properties)
    for (const [property, content] of Object.entries(value)) yield* referencesIn(propertyOf(schema, property), content)
}

/** The schema of a property, whose name is not case-sensitive. */
function propertyOf({ properties = {} }: Schema, given: string): Schema {
  if (Object.hasOwn(properties, given)) return properties[given] ?? {}
  const proper = Object.keys(properties).find(each => each.toLowerCase() === given.toLowerCase())
  return (proper && properties[proper]) || {}
}

function withIds(schema: Schema, value: unknown, idOf: (reference: NamedReference) => string): unknown {
  const { 'x-ref': entity, items, properties } = schema
  if (entity !== undefined) return typeof value === 'string' ? idOf({ entity, text: value }) : value
  if (Array.isArray(value)) return items ? value.map(each => withIds(items, each, idOf)) : value
  if (value === null || typeof value !== 'object' || !properties) return value
  return Object.fromEntries(
    Object.entries(value).map(([property, content]) => [
      property,
      withIds(propertyOf(schema, property), content, idOf),
    ]),
  )
}

/** The ids of the named records that the caller sees, by kind and text in lower case. */
async function idsOf(ctx: Context, references: readonly NamedReference[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const [entity, group] of Map.groupBy(references, each => each.entity)) {
    const texts = [...new Set(group.map(({ text }) => text.toLowerCase()))]
    for (const column of nameColumns[entity] ?? []) {
      const missing = texts.filter(text => !ids.has(`${entity} ${text}`))
      if (missing.length === 0) break
      for (const { text, id } of await recordsNamed(ctx, entity, column, missing)) {
        const key = `${entity} ${text.toLowerCase()}`
        if (ids.has(key)) throw ambiguous(entity, text)
        ids.set(key, id)
      }
    }
  }
  return ids
}

async function recordsNamed(ctx: Context, entity: string, column: NameColumn, texts: string[]) {
  const { table, visible } = kind(entity)
  const { text, upper, join = nothing, where = raw('true') } = column
  const wanted = upper ? texts.map(each => each.toUpperCase()) : texts
  return await ctx.sql<{ id: string; text: string }>`select t.id, ${text} as text from ${name(table)} t ${join}
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${text} = any(${wanted}) and ${where}
      and ${visible(ctx.caller, raw('t'))} and ${entity === 'User' ? readableAddress(ctx) : raw('true')} order by t.id`
}

/** Requesters see the names of those who work for them, and not their addresses. */
function readableAddress({ caller, services }: Context): Sql {
  if (isStaffSomewhere(caller) && !services.redaction.hidesSomewhere(caller, 'User', 'email')) return raw('true')
  return sql`t.id = ${caller.userId}`
}

function ambiguous(entity: string, text: string): Invalid {
  return new Invalid([fault([entity], 'ambiguous', `several records have this name; give the id`, text)])
}
