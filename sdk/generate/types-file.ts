import type { Document, Operation, Schema } from './document.ts'
import { type NamedOperation, pascal } from './names.ts'
import { comment, declaration, typeOf } from './typescript.ts'

// The types of records and bodies, and the map of operations.

const heading = '// Generated from the routes of the service by `npm run sdk`. Changes here are lost.\n\n'

/** The parameters of every list; the rest are filters by properties. */
const listParameters = new Set(['limit', 'cursor', 'sort', 'fields', 'deleted', 'count', 'updatedAfter'])

/** Names for the bodies. Operations whose bodies are equal share one. */
export class BodyTypes {
  readonly #byText = new Map<string, string>()
  readonly #declarations = new Map<string, string>()
  readonly #taken: Set<string>

  constructor({ components }: Document) {
    this.#taken = new Set(Object.keys(components.schemas))
  }

  /** The type of the body of an operation. Short ones are written where they are used. */
  of(operation: NamedOperation): string {
    if (!operation.body) return 'undefined'
    const { schema, media } = operation.body
    if (media === 'application/x-ndjson') return 'RawBody'
    const text = typeOf(schema)
    if (text.length < 60) return text
    const known = this.#byText.get(text)
    if (known) return known
    const name = this.#freeName(bodyName(operation))
    this.#byText.set(text, name)
    this.#declarations.set(name, declaration(name, schema))
    return name
  }

  #freeName(wished: string): string {
    let name = wished
    for (let i = 2; this.#taken.has(name); i++) name = `${wished}${i}`
    this.#taken.add(name)
    return name
  }

  get names(): Iterable<string> {
    return this.#declarations.keys()
  }

  get declarations(): string[] {
    return [...this.#declarations.values()]
  }
}

/** `NewItem`, `ItemChange`, `MoveItem`. */
function bodyName({ module, name, method, answer }: NamedOperation): string {
  const ref = answer?.schema.$ref?.split('/').at(-1)
  const subject = ref ?? pascal(module.split(/[/-]/))
  if (name === 'create') return `New${subject}`
  if (name === 'update') return `${subject}Change`
  return pascal([...(name ?? method.toLowerCase()).split(/(?=[A-Z])/), ...module.split(/[/-]/)])
}

export function typesFile({ components }: Document, bodies: BodyTypes): string {
  const records = Object.entries(components.schemas).map(([name, schema]) => declaration(name, schema))
  return heading + [...records, ...bodies.declarations].join('\n')
}

export function operationsFile(
  operations: readonly NamedOperation[],
  bodies: BodyTypes,
  typeNames: ReadonlySet<string>,
): string {
  const entries = operations.map(each => {
    const parts = [pathType(each), queryType(each), bodies.of(each), answerType(each)]
    return `  '${each.route}': Operation<${parts.join(', ')}>\n`
  })
  const body = `${comment('Every operation of the service: its path parameters, query, body and answer.')}export interface Operations {\n${entries.join('')}}\n`
  const used = [...typeNames].filter(name => new RegExp(`\\b${name}\\b`).test(body)).sort()
  return `${heading}import type { Filters, ListQuery, Operation, RawBody } from '../operation.ts'\nimport type {\n${used.map(name => `  ${name},\n`).join('')}} from './types.ts'\n\n${body}`
}

const none = 'Record<never, never>'

const pathType = ({ pathParameters }: Operation) =>
  pathParameters.length === 0 ? none : `{ ${pathParameters.map(name => `${name}: string`).join('; ')} }`

function queryType({ query, paged }: Operation): string {
  const own = query.filter(each => each.name !== 'dryRun' && !(paged && listParameters.has(each.name)))
  const members = own.map(
    each =>
      `${each.name}${each.required ? '' : '?'}: ${parameterType(each.schema)}${each.required ? '' : ' | undefined'}`,
  )
  const literal = members.length === 0 ? undefined : `{ ${members.join('; ')} }`
  if (!paged) return literal ?? none
  return ['ListQuery', ...(literal ? [literal] : []), 'Filters'].join(' & ')
}

function parameterType(schema: Schema): string {
  return schema.enum?.join() === 'true,false' ? 'boolean' : typeOf(schema)
}

function answerType({ answer }: Operation): string {
  if (!answer) return 'undefined'
  return answer.media === 'application/json' ? typeOf(answer.schema) : 'unknown'
}
