import type { Answer as TestAnswer } from '../../server/test/support/answer.ts'
import { type Options, Person } from '../../server/test/support/people.ts'
import type { NamedOperation } from '../generate/names.ts'
import { apiKey, type Call, connect, type Gantry, isProblem, type Pages } from '../src/sdk.ts'

type Functions = Record<string, (gantry: Gantry, ...rest: unknown[]) => unknown>

/** A user whose requests go through the functions of the client, so that the builder of the suites can use it. */
export class SdkPerson extends Person {
  readonly gantry: Gantry
  /** The routes that were called. */
  readonly called = new Set<string>()
  readonly #operations: readonly NamedOperation[]

  constructor(person: Person, operations: readonly NamedOperation[]) {
    super(person.base, person.key, person.id, person.tenantId)
    this.gantry = connect({ url: person.base, auth: apiKey(person.key) })
    this.#operations = operations
  }

  override async ask(method: string, path: string, options: Options = {}): Promise<TestAnswer> {
    const [address = '', query = ''] = path.split('?')
    const found = this.#find(method, address)
    // What a form or a header says is not part of the functions.
    if (!found?.operation.name || typeof options.body === 'string' || options.headers)
      return await super.ask(method, path, options)
    this.called.add(found.operation.route)
    return await this.#call(found.operation, found.values, options.body, Object.fromEntries(new URLSearchParams(query)))
  }

  async #call(
    operation: NamedOperation,
    values: string[],
    body: unknown,
    query: Record<string, string>,
  ): Promise<TestAnswer> {
    const functions: Functions = await import(`../src/areas/${operation.module}.ts`)
    const run = functions[operation.name ?? '']
    if (!run) throw new Error(`${operation.module} has no function ${operation.name}`)
    const rest = operation.body ? [...values, body] : values
    try {
      if (isPaged(operation)) {
        const page = await (run(this.gantry, ...rest, query) as Pages<unknown>).page({})
        return { status: 200, body: page.records, headers: new Headers() }
      }
      const { status, answer, headers } = await (run(this.gantry, ...rest, { query }) as Call<unknown>).withResponse()
      return { status, body: answer, headers }
    } catch (error) {
      if (isProblem(error)) return { status: error.status, body: error.body, headers: error.headers }
      throw error
    }
  }

  #find(method: string, address: string): { operation: NamedOperation; values: string[] } | undefined {
    const matches = this.#operations.flatMap(operation => {
      if (operation.method !== method) return []
      const pattern = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '([^/]+)')}$`)
      const match = pattern.exec(address)
      return match ? [{ operation, values: match.slice(1).map(decodeURIComponent) }] : []
    })
    // A word in the path comes before a parameter: `/item/search` is not an item.
    return matches.sort((a, b) => a.values.length - b.values.length)[0]
  }
}

const isPaged = ({ paged, answer }: NamedOperation) => paged && answer?.schema.type === 'array'
