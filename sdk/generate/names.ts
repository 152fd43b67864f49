import type { Operation } from './document.ts'

// Every collection of records has a module, and every operation a function in the module of its collection:
// `list get create update remove` for the records, and the words of the path for the rest (`move`, `history`).

/** An operation with its place in the client. */
export interface NamedOperation extends Operation {
  /** The module: `item`, `container/filter`. */
  module: string
  /** The function; undefined for a `PUT` beside a `PATCH`, which does the same. */
  name: string | undefined
}

/** The operations whose names cannot be derived from their paths. */
const exceptions: Record<string, string> = {
  'GET /tenant': 'own',
  'PATCH /tenant': 'updateOwn',
  'DELETE /user/{id}/session': 'removeAll',
  'GET /rule/log': 'fullLog',
  'POST /item/move': 'moveMany',
  'POST /item/delete': 'removeMany',
  'POST /notification/preview': 'previewDraft',
  'POST /item-template/{id}/create': 'createItems',
  'POST /rule/{id}/call/{secret}': 'trigger',
  'GET /hook/{id}/delivery': 'deliveries',
}

const verbs: Record<string, string> = {
  OPTIONS: 'options',
  GET: 'get',
  POST: 'create',
  PUT: 'set',
  PATCH: 'update',
  DELETE: 'remove',
}

/** Words that cannot be the name of a function. */
const reserved: Record<string, string> = { export: 'exportAll', import: 'importAll', try: 'tryOut' }

export function named(operations: readonly Operation[]): NamedOperation[] {
  const collections = collectionsOf(operations)
  const routes = new Set(operations.map(each => each.route))
  const taken = new Map<string, string>()
  return operations.map(operation => {
    const collection = collectionOf(operation, collections)
    const module = collection ? staticWords(collection).join('/') : operation.area
    if (isTwin(operation, routes, operations)) return { ...operation, module, name: undefined }
    const name = nameOf(operation, collection ?? `/${operation.area}`, routes)
    const other = taken.get(`${module} ${name}`)
    if (other) throw new Error(`${operation.route} and ${other} would both be called ${name} of ${module}`)
    taken.set(`${module} ${name}`, operation.route)
    return { ...operation, module, name }
  })
}

/** The addresses that have records below them: `/item`, `/container/{containerId}/filter`. */
function collectionsOf(operations: readonly Operation[]): Set<string> {
  const paths = new Set(operations.map(each => each.path))
  return new Set(
    [...paths].filter(path => [...paths].some(each => each.startsWith(`${path}/{`) && endsBelow(each, path))),
  )
}

const endsBelow = (path: string, collection: string) => !path.slice(collection.length + 1).includes('/')

function collectionOf({ path }: Operation, collections: ReadonlySet<string>): string | undefined {
  return [...collections]
    .filter(each => path === each || path.startsWith(`${each}/`))
    .sort((a, b) => b.length - a.length)[0]
}

function isTwin(
  { method, path, route }: Operation,
  routes: ReadonlySet<string>,
  operations: readonly Operation[],
): boolean {
  if (method !== 'PUT') return false
  const patch = route.replace('PUT', 'PATCH')
  return (
    routes.has(patch) ||
    operations.some(each => each.method === 'PATCH' && each.path.startsWith(`${path}/{`) && endsBelow(each.path, path))
  )
}

function nameOf({ route, method, path, answer }: Operation, base: string, routes: ReadonlySet<string>): string {
  const exception = exceptions[route]
  if (exception) return exception
  const words = staticWords(path.startsWith(base) ? path.slice(base.length) : path).flatMap(each => each.split('-'))
  const verb = verbs[method] ?? ''
  if (words.length === 0) {
    if (method === 'GET' && answer?.schema.type === 'array') return 'list'
    const ofMany =
      path === base &&
      [...routes].some(each => each.startsWith(`${method} ${path}/{`) && endsBelow(each, `${method} ${path}`))
    return ofMany ? `${verb}Many` : verb
  }
  const subject = camel(words)
  const isVerb = method === 'POST' && !routes.has(`GET ${path}`)
  return isVerb || method === 'GET' ? (reserved[subject] ?? subject) : camel([verb, ...words])
}

const staticWords = (path: string) => path.split('/').filter(each => each !== '' && !each.startsWith('{'))

export function camel(words: readonly string[]): string {
  return words.map((word, i) => (i === 0 ? word.charAt(0).toLowerCase() + word.slice(1) : capital(word))).join('')
}

export const pascal = (words: readonly string[]): string => words.map(capital).join('')

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
