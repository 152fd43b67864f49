import { randomBytes, randomUUID } from 'node:crypto'
import { newId } from '../../src/kernel/id.ts'
import type { Schema } from '../../src/kernel/schema/shape.ts'
import type { Answer } from './answer.ts'
import { multipart } from './multipart.ts'
import {
  fill,
  type KindAddress,
  kindOf,
  kinds,
  namedByParameter,
  type Op,
  operations,
  referredBy,
} from './operations.ts'
import type { Person } from './people.ts'
import { type Body, parameters, requiredHeaders, seeds } from './seeds/seeds.ts'

export interface Made {
  kind: KindAddress
  /** The values of the path parameters of the create route. */
  params: Record<string, string>
  body: Body
  record: Body
  answer: Answer
}

/** The kinds that only the engines create, and the timer, which has no id in any request; their own tests cover them. */
const byEngines = new Set(['InboxEntry', 'Timer'])

/** Builds valid bodies of any kind from the schemas that validate them, and creates the records that they refer to. */
export class Builder {
  readonly person: Person
  /** A marker that occurs in every free text of this builder, and nowhere else. */
  readonly canary: string
  /** The properties for which no plausible value was found, by route. */
  readonly dropped = new Map<string, Set<string>>()
  private count = 0
  private readonly plain = new Map<string, Promise<Body>>()
  private readonly whole = new Map<string, Body>()
  private readonly spares = new Map<string, Promise<Body>>()
  private readonly names = new Map<string, Promise<string>>()

  constructor(person: Person, label = 'canary') {
    this.person = person
    this.canary = `${label}${randomBytes(4).toString('hex')}`
  }

  /** Returns a unique text that contains the canary. */
  text(): string {
    return `${this.canary}n${++this.count}`
  }

  /** Returns a unique moment in the distant future. */
  instant(): string {
    return new Date(Date.UTC(2990, 0, 1) + ++this.count * 60_000).toISOString()
  }

  /** Returns a minimal record of this kind for references; the same one each time. */
  one(entity: string): Promise<Body> {
    let made = this.plain.get(entity)
    if (!made) {
      made = this.firstOf(entity)
      this.plain.set(entity, made)
    }
    return made
  }

  /**
   * Returns the fullest record that was created, for searches; one of this address if the address has records of its
   * own.
   */
  async rich(entity: string, base = ''): Promise<Body> {
    const known = this.whole.get(base) ?? this.whole.get(entity === 'DocumentContent' ? 'Document' : entity)
    return known ?? (await this.one(entity))
  }

  /** Returns a plain record of this address that nothing refers to; the same one each time. */
  spare(kind: KindAddress): Promise<Body> {
    const made = this.spares.get(kind.base) ?? this.make(kind, { all: false }).then(({ record }) => record)
    this.spares.set(kind.base, made)
    return made
  }

  private async firstOf(entity: string): Promise<Body> {
    const { person } = this
    if (['Tenant', 'MailGeneral', 'TimeClosing'].includes(entity)) return { id: person.tenantId }
    if (entity === 'DocumentContent') return await this.one('Document')
    const kind = kindOf(entity)
    if (kind) return (await this.make(kind, { all: false })).record
    // A record that the service creates itself is found through the path parameter that names it.
    const single = operations.find(op => op.method === 'GET' && op.entity === entity && op.params.length === 1)
    const named = single && this.named(single, single.params[0] ?? '')
    if (named) return { id: await named }
    if (byEngines.has(entity)) return { id: randomUUID() }
    throw new Error(`nobody can make a ${entity}: it has no create route`)
  }

  /** Returns values for the path parameters of an operation: ids of existing records. */
  async params(op: Op): Promise<Record<string, string>> {
    const params: Record<string, string> = {}
    for (const param of op.params)
      params[param] = (await this.named(op, param)) ?? (await this.one(namedByParameter(op, param) ?? '')).id
    return params
  }

  /** Returns the value of a path parameter that does not name a record; the same one each time. */
  named(op: Op, param: string): Promise<string> | undefined {
    const path = op.path.slice(0, op.path.indexOf(`/:${param}`) + param.length + 2)
    const known = this.names.get(path) ?? parameters[path]?.(this)
    if (known) this.names.set(path, known)
    return known
  }

  /** Creates a record with all properties, or with the required ones only. */
  async make(kind: KindAddress, { all = true, more = {} }: { all?: boolean; more?: Body } = {}): Promise<Made> {
    const params = await this.params(kind.create)
    let body = { ...(await this.bodyOf(kind.create, { all, params })), ...more }
    for (let attempt = 0; ; attempt++) {
      const answer = await this.send(kind.create, params, body)
      if (answer.status < 300) {
        if (all) for (const key of [kind.entity, kind.base]) this.whole.set(key, answer.body)
        return { kind, params, body, record: answer.body, answer }
      }
      const wrong = faulty(answer).filter(each => !kind.create.operation.body?.schema.required?.includes(each))
      if (attempt === 5 || wrong.length === 0 || !all)
        throw new Error(
          `${kind.create.route} answered ${answer.status} ${JSON.stringify(answer.body)}\nto ${JSON.stringify(body)}: give seeds.ts a seed for ${kind.entity}`,
        )
      const dropped = this.dropped.get(kind.create.route) ?? new Set()
      for (const each of wrong) dropped.add(each)
      this.dropped.set(kind.create.route, dropped)
      body = Object.fromEntries(Object.entries(body).filter(([property]) => !wrong.includes(property)))
    }
  }

  /** Sends a body to an operation, as JSON or as the form that it accepts. */
  async send(
    { method, path, operation, route }: Op,
    params: Record<string, string>,
    body: unknown,
    given: Record<string, string> = {},
    by: Person = this.person,
  ): Promise<Answer> {
    const address = fill(path, params)
    const headers = { ...requiredHeaders[route], ...given }
    if (!operation.form) return await by.ask(method, address, { body, headers })
    const { media } = operation.form
    if (media) {
      const lines = typeof body === 'string' ? body : JSON.stringify(body)
      return await by.ask(method, address, { body: lines, headers: { 'content-type': media, ...headers } })
    }
    const form = multipart(body as Record<string, unknown>)
    return await by.ask(method, address, { body: form.body, headers: { ...form.headers, ...headers } })
  }

  /** Returns the kind of record that the last parameter of this operation refers to. */
  kindAt({ path }: Op): KindAddress | undefined {
    const found = kinds.filter(each => path === each.get.path || path.startsWith(`${each.get.path}/`))
    // A record inside of another has the longer address.
    return found.sort((a, b) => b.get.path.length - a.get.path.length)[0]
  }

  /** Builds a body for an operation: with all properties that it accepts, or with the required ones only. */
  async bodyOf(
    { operation, entity, path, route }: Op,
    { all = true, params = {} }: { all?: boolean; params?: Record<string, string> } = {},
  ): Promise<Body> {
    const schema = operation.body?.schema ?? operation.form?.schema
    if (!schema) return {}
    const made = (await this.valueOf(schema.items ?? schema, '', all)) as Body
    const seed = await (seeds[route] ?? seeds[path] ?? seeds[entity ?? ''])?.(this, all, path)
    const whole: Body = { ...made, ...seed }
    for (const [name, value] of Object.entries(params)) if (schema.properties?.[name] && all) whole[name] = value
    const body = Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined))
    return schema.items ? [body] : body
  }

  private async valueOf(schema: Schema, name: string, all: boolean): Promise<unknown> {
    if ('const' in schema) return schema.const
    if (Array.isArray(schema.enum)) return schema.enum[0]
    const type = [schema.type].flat()[0]
    if (type === 'object') return await this.objectOf(schema, all)
    if (type === 'array') return [await this.valueOf(schema.items ?? {}, name, all)]
    if (type === 'boolean') return !/archived|secret|private|superAdmin/.test(name)
    if (type === 'integer' || type === 'number')
      return Math.min(Math.max(1, Number(schema.minimum ?? 1)), Number(schema.maximum ?? 1))
    if (type === 'string') return await this.stringOf(schema, name)
    return this.text()
  }

  private async objectOf(schema: Schema, all: boolean): Promise<Body> {
    const { properties, required = [] } = schema
    if (!properties) return { [this.text()]: this.text() }
    const body: Body = {}
    for (const [property, each] of Object.entries(properties))
      if (all || required.includes(property)) body[property] = await this.valueOf(each, property, all)
    // An owner is given by a code and an id; code 1 is a container.
    if ('owner' in body && 'ownerId' in body)
      Object.assign(body, { owner: 1, ownerId: (await this.one('Container')).id })
    return body
  }

  private async stringOf(schema: Schema, name: string): Promise<string> {
    const entity = referredBy(name, schema)
    if (entity === 'User') return this.person.id
    if (entity && entity !== 'any') return (await this.one(entity)).id
    const text = this.text()
    const early = /^(start|from|begin)/i.test(name)
    switch (schema.format ?? (/email/i.test(name) ? 'email' : /(url|endpoint)$/i.test(name) ? 'url' : '')) {
      case 'date':
        return early ? '2026-03-02' : '2026-03-31'
      case 'date-time':
        return name === 'expiresAt'
          ? '2999-03-31T17:00:00.000Z'
          : early
            ? '2026-03-31T09:00:00.000Z'
            : '2026-03-31T17:00:00.000Z'
      case 'timezone':
        return 'Europe/Berlin'
      case 'time-of-day':
        return early || /start$/i.test(name) ? '09:00' : '17:00'
      case 'weekday':
        return /start$/i.test(name) ? 'Monday' : 'Friday'
      case 'email':
        return `${text}@example.com`
      case 'url':
        return `https://example.com/${text}`
      case 'decimal':
        return '12.5000'
      case 'uuidv7':
        return newId()
      case 'uuid':
        return crypto.randomUUID()
      case 'binary':
        return `bytes of ${text}`
    }
    const most = Number(schema.maxLength ?? 200)
    // Two texts differ at their end, so the end is kept.
    return most < text.length ? text.slice(-most) : text
  }
}

function faulty({ status, body }: Answer): string[] {
  if (status !== 400 && status !== 422) return []
  const fields: { Pointer: string }[] = body?.Fields ?? []
  return [...new Set(fields.map(each => each.Pointer.split('/')[1] ?? '').filter(Boolean))]
}

/** Creates a full record of every kind at every address, with canaries in it. */
export async function seedTenant(builder: Builder): Promise<Made[]> {
  const made: Made[] = []
  for (const kind of kinds) {
    await builder.one(kind.entity)
    made.push(await builder.make(kind))
  }
  await seedSingletons(builder)
  return made
}

/** Fills the records that exist once per tenant, or with another record, and can only be changed. */
async function seedSingletons(builder: Builder): Promise<void> {
  const singles = operations.filter(({ method, entity }) => method === 'PUT' && entity && !kindOf(entity))
  for (const single of singles) {
    const params: Record<string, string> = {}
    for (const param of single.params) params[param] = (await builder.rich(namedByParameter(single, param) ?? '')).id
    const answer = await builder.send(single, params, await builder.bodyOf(single), { 'if-match': '*' })
    if (answer.status >= 300)
      throw new Error(`${single.route} answered ${answer.status} ${JSON.stringify(answer.body)}: give seeds.ts a seed`)
  }
}
