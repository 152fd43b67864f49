import { openedParts } from '../../../src/desk/card/open-item.ts'
import { roleCode } from '../../../src/kernel/access.ts'
import type { Answer } from '../answer.ts'
import type { Builder } from '../builder.ts'
import { namedByParameter, type Op, operations } from '../operations.ts'
import { type Person, retryUnavailable, type TestPeople } from '../people.ts'
import type { Body } from '../seeds/seeds.ts'

// The search for texts (canaries) in answers to callers from whom they are hidden.

export type RoleName = 'readOnly' | 'requester' | 'member' | 'manager' | 'admin' | 'superAdmin'

export const roles: readonly RoleName[] = ['readOnly', 'requester', 'member', 'manager', 'admin', 'superAdmin']

/** Creates a user of each role. */
export async function onePersonPerRole({ person }: TestPeople): Promise<Map<RoleName, Person>> {
  const people = new Map<RoleName, Person>()
  for (const name of roles) {
    const superAdmin = name === 'superAdmin'
    people.set(name, await person({ name, role: roleCode[superAdmin ? 'admin' : name], superAdmin }))
  }
  return people
}

interface Secret {
  /** What the text belongs to, for the message. */
  where: string
  hiddenFrom: ReadonlySet<RoleName>
}

/** The texts that are hidden from some roles. Builders with the given labels make them. */
export class Secrets {
  readonly all = new Map<string, Secret>()
  readonly #form: RegExp

  constructor(labels: readonly string[]) {
    this.#form = new RegExp(`(${labels.join('|')})[0-9a-f]{8}n\\d+`, 'g')
  }

  /** Returns the texts of builders in a value. */
  tokens(value: unknown): string[] {
    return JSON.stringify(value ?? '').match(this.#form) ?? []
  }

  keep(token: string, where: string, hiddenFrom: ReadonlySet<RoleName>): void {
    if (!this.all.has(token)) this.all.set(token, { where, hiddenFrom })
  }

  /** Returns the secrets in an answer that are hidden from the role. */
  leaks({ body }: Answer, role: RoleName): string[] {
    const found = this.tokens(body).flatMap(token => {
      const secret = this.all.get(token)
      return secret?.hiddenFrom.has(role) ? [`${secret.where} (${token})`] : []
    })
    return [...new Set(found)]
  }
}

/** The operations that read: they change nothing, and some of them take a body. */
export const reading = operations.filter(({ operation }) => operation.mode === 'read')

/** The queries with which lists and items show the most. */
const fullest: Record<string, string> = {
  'GET /item': 'include=clock,can',
  'GET /ticket': 'include=clock,can',
  'GET /item/:id': `include=${openedParts.join(',')}`,
}

/** Calls an operation about the fullest record of the builder, with this body or a minimal one. */
export async function askAbout(op: Op, builder: Builder, who: Person, body?: Body): Promise<Answer> {
  const params = await builder.params(op)
  const kind = builder.kindAt(op)
  if (kind && op.params.includes(kind.idName)) params[kind.idName] = (await builder.rich(kind.entity, kind.base)).id
  for (const param of op.params)
    if (param !== kind?.idName && !(await builder.named(op, param)))
      params[param] = (await builder.rich(namedByParameter(op, param) ?? '')).id
  const takesBody = op.operation.body || op.operation.form
  const sent = takesBody ? { ...(await builder.bodyOf(op, { all: false })), ...body } : undefined
  const most = op.path.includes('?') ? undefined : fullest[op.route]
  const path = most ? `${op.path}?${most}` : op.path
  return await retryUnavailable(() => builder.send({ ...op, path }, params, sent, {}, who))
}

/** Reads the whole log of the caller's tenant, page by page, as a list and as a stream. */
export async function* logAnswers(who: Person): AsyncGenerator<[path: string, answer: Answer]> {
  const start = '0-00000000-0000-0000-0000-000000000000'
  for (const path of ['/event', '/event/stream'])
    for (let after = start; after !== ''; ) {
      const answer = await who.ask('GET', `${path}?limit=1000&after=${after}`)
      yield [path, answer]
      after = lastPosition(answer)
    }
}

/** Returns the position of the last event of an answer; empty if there is none. */
function lastPosition({ body }: Answer): string {
  return [...JSON.stringify(body ?? '').matchAll(/seq\\*":\s*\\*"(\d+-[0-9a-f-]{36})/g)].at(-1)?.[1] ?? ''
}
