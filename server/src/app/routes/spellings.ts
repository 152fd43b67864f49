import type { Body, Operation, Routes } from '../../kernel/operation.ts'

/** Different names of one thing. The first is the usual one; an operation that has one of them takes the others, too. */
const spellings: readonly (readonly string[])[] = [
  ['containerId', 'containerIds', 'container'],
  ['userGroupId', 'groupId'],
  ['userId', 'user'],
  ['itemIds', 'ids'],
]

/** The same operations, which take every spelling of a parameter and of a property of their bodies. */
export function withSpellings(routes: Routes): Routes {
  return Object.fromEntries(Object.entries(routes).map(([route, operation]) => [route, inAllSpellings(operation)]))
}

function inAllSpellings(operation: Operation): Operation {
  const { query, body, run } = operation
  const ofQuery = query && othersOf(Object.keys(query))
  const ofBody =
    body?.schema.additionalProperties === false ? othersOf(Object.keys(body.schema.properties ?? {})) : undefined
  return {
    ...operation,
    ...(body && ofBody ? { body: takingOthers(body, ofBody) } : {}),
    ...(query && ofQuery
      ? {
          query: {
            ...query,
            ...Object.fromEntries(
              [...ofQuery].map(([other, own]) => [other, { type: 'string', description: `The same as \`${own}\`.` }]),
            ),
          },
          run: (ctx, input) => run(ctx, { ...input, query: renamed(input.query, ofQuery) }),
        }
      : {}),
  }
}

/** The other spellings of these names, with the name that each stands for. */
function othersOf(own: readonly string[]): Map<string, string> | undefined {
  const others = spellings.flatMap((names): [string, string][] => {
    const [known, second] = names.filter(each => own.includes(each))
    if (known === undefined || second !== undefined) return []
    return names.filter(each => each !== known).map(each => [each, known])
  })
  return others.length > 0 ? new Map(others) : undefined
}

/** One value is taken where a list is expected. */
function takingOthers(body: Body<unknown>, others: ReadonlyMap<string, string>): Body<unknown> {
  const { properties = {} } = body.schema
  return {
    ...body,
    read(given, options) {
      if (given === null || typeof given !== 'object' || Array.isArray(given)) return body.read(given, options)
      const values = Object.entries(given).map(([name, value]) => {
        const own = others.get(name)
        if (own === undefined || Object.hasOwn(given, own)) return [name, value]
        return [own, properties[own]?.type === 'array' && typeof value === 'string' ? [value] : value]
      })
      return body.read(Object.fromEntries(values), options)
    },
  }
}

function renamed(query: Record<string, unknown>, others: ReadonlyMap<string, string>): Record<string, unknown> {
  if (!Object.keys(query).some(name => others.has(name))) return query
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const own = others.get(name)
      return own === undefined || Object.hasOwn(query, own) ? [name, value] : [own, value]
    }),
  )
}
