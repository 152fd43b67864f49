import type { Operation, Routes } from '../kernel/operation.ts'
import type { Schema } from '../kernel/schema/shape.ts'
import type { CodeTable } from '../records/code-table.ts'

/** Every table of codes that requests and replies use, by its name. */
export function codeTablesOf(routes: Routes): readonly CodeTable[] {
  const tables = new Map<string, CodeTable>()
  for (const [, { 'x-codes': table }] of schemasOf(routes)) if (table) tables.set(table.field, table)
  return [...tables.values()].sort((a, b) => (a.field < b.field ? -1 : 1))
}

/** All schemas of the operations, each once, with the path to it: `GET /item reply items status`. */
export function schemasOf(routes: Routes): Map<string, Schema> {
  const found = new Map<string, Schema>()
  const seen = new Set<Schema>()
  const visit = (path: string, schema: Schema) => {
    if (seen.has(schema)) return
    seen.add(schema)
    found.set(path, schema)
    for (const [part, inner] of partsOf(schema)) visit(`${path} ${part}`, inner)
  }
  for (const [route, operation] of Object.entries(routes))
    for (const [part, schema] of schemasOfOperation(operation)) visit(`${route} ${part}`, schema)
  return found
}

function schemasOfOperation({ body, form, query = {}, reply }: Operation): [string, Schema][] {
  const bodies: Record<string, Schema | undefined> = { body: body?.schema, form: form?.schema, reply: reply.schema }
  return Object.entries({ ...bodies, ...query }).flatMap(([part, schema]): [string, Schema][] =>
    schema ? [[part, schema]] : [],
  )
}

function partsOf({ properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] }: Schema) {
  const entries: [string, Schema][] = Object.entries(properties)
  if (items) entries.push(['items', items])
  if (typeof additionalProperties === 'object') entries.push(['*', additionalProperties])
  return [...entries, ...[...anyOf, ...oneOf, ...allOf].map((each, at): [string, Schema] => [String(at), each])]
}
