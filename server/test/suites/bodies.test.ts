import { test } from 'node:test'
import type { Schema } from '../../src/kernel/schema/shape.ts'
import type { Answer } from '../support/answer.ts'
import { Builder } from '../support/builder.ts'
import { each, Findings } from '../support/findings.ts'
import { isLong } from '../support/form.ts'
import { fill, kinds, type Op, operations } from '../support/operations.ts'
import { sharedTestService } from '../support/people.ts'

// The answers of every operation to a malformed body, an unknown address and an invalid credential. Each fault is sent
// once to each operation with a body, because each could be mounted without the parser that refuses it. In the short form
// every operation gets one fault of each step (the content type, the syntax, the values), and a quarter of the operations the other
// faults, each fault another quarter. Most faults are refused before any record is read, so the path parameters need not name
// existing records.

const { ada, nobody } = await sharedTestService()
const builder = new Builder(ada)
const withBody = operations.filter(({ operation }) => operation.body)

const addressOf = async (op: Op) => fill(op.path, await builder.params(op))

interface FaultOptions {
  contentType?: string
  /** The quarter of the operations that gets this fault in the short form; without it all do. */
  quarter?: number
}

/** Sends the same fault to operations with a body, and compares each answer with the expected one. */
async function refuses(
  content: (op: Op) => string | undefined | Promise<string | undefined>,
  wanted: (answer: Answer, op: Op) => string | undefined,
  { contentType = 'application/json', quarter }: FaultOptions = {},
): Promise<void> {
  const found = new Findings()
  const chosen = withBody.filter((_, i) => isLong || quarter === undefined || i % 4 === quarter)
  await each(chosen, async op => {
    const body = await content(op)
    if (body === undefined) return
    const headers = { 'content-type': contentType, 'if-match': '*' }
    const answer = await ada.ask(op.method, await addressOf(op), { body, headers })
    const wrong = wanted(answer, op)
    found.expect(
      wrong === undefined,
      `${op.route}: ${wrong}; ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`,
    )
  })
  found.expect(found.checked > chosen.length / 5, `only ${found.checked} operations were tried`)
  found.finish()
}

const refusedAs = (status: number, code?: string) => (answer: Answer) =>
  answer.status === status && (code === undefined || answer.body?.code === code)
    ? undefined
    : `not refused with ${status} ${code ?? ''}`

test('a property of the wrong type is named, and so are all the others', () =>
  refuses(
    ({ operation }) => wrongTypes(operation.body?.schema ?? {})?.text,
    (answer, { operation }) => {
      const wanted = wrongTypes(operation.body?.schema ?? {})?.pointers ?? []
      const fields: { Pointer: string; Field: string }[] = answer.body?.Fields ?? []
      const named = new Set(fields.map(one => one.Pointer))
      const missing = wanted.filter(pointer => !named.has(pointer))
      if (answer.status !== 400) return 'not refused with 400'
      if (missing.length > 0) return `does not name ${missing.join(', ')}`
      return fields.every(one => one.Pointer === `/${one.Field.replaceAll('.', '/')}`)
        ? undefined
        : 'Field and Pointer differ'
    },
  ))

test('a reference that every record has cannot be taken away', async () => {
  const found = new Findings()
  const updates = operations.filter(({ method, operation }) => operation.body && ['PUT', 'PATCH'].includes(method))
  await each(updates, async op => {
    const { required = [], columns = [] } = kinds.find(kind => kind.entity === op.entity)?.resource ?? {}
    const asked = columns.find(({ property, schema }) => schema['x-ref'] !== undefined && required.includes(property))
    if (!asked || !(asked.property in (op.operation.body?.schema.properties ?? {}))) return
    const { status, body } = await ada.ask(op.method, await addressOf(op), { body: { [asked.property]: '' } })
    const named = body?.Fields?.map((each: { Field: string; Code: string }) => `${each.Field} ${each.Code}`)
    found.expect(status === 400 && named?.includes(`${asked.property} required`), `${op.route}: ${status} ${named}`)
  })
  found.expect(found.checked > 10, `only ${found.checked} operations were tried`)
  found.finish()
})

test('application/*+json is validated like JSON', () =>
  refuses(({ operation }) => wrongTypes(operation.body?.schema ?? {})?.text, refusedAs(400, 'validation'), {
    contentType: 'application/vnd.x+json; charset=utf-8',
    quarter: 0,
  }))

test('another content type is refused', () =>
  refuses(() => '{}', refusedAs(415, 'unsupported-media-type'), { contentType: 'text/plain' }))

test('malformed JSON is refused with the position of the error', () =>
  refuses(
    () => '{"name": "x",\n "y": }',
    answer =>
      refusedAs(400, 'malformed-json')(answer) ??
      (/line 2, column 7/.test(answer.body.detail) ? undefined : 'no place'),
  ))

test('no body at all is refused', () => refuses(() => '', refusedAs(400), { quarter: 1 }))

test('a body that is no object is refused', () =>
  refuses(
    ({ operation }) => (operation.body?.schema.type === 'object' ? '"text"' : '7'),
    refusedAs(400, 'validation'),
    { quarter: 2 },
  ))

for (const [what, text, quarter] of [
  ['NUL', '\\u0000', 3],
  ['half a surrogate pair', '\\ud83d', 0],
] as const)
  test(`${what} is refused, and its place is named`, () =>
    refuses(
      ({ operation }) => {
        const [property] = Object.keys(operation.body?.schema.properties ?? { x: {} })
        return `{"${property}": ["${text}"]}`
      },
      answer =>
        refusedAs(400, 'unstorable-text')(answer) ??
        (/^\/\w+\/0$/.test(answer.body.Fields[0]?.Pointer) ? undefined : 'no place'),
      { quarter },
    ))

test('a body that nests too deep is refused', () =>
  refuses(() => `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`, refusedAs(400, 'too-deep'), { quarter: 1 }))

test('the name of a prototype is refused', () =>
  refuses(() => '{"__proto__": {"superAdmin": true}}', refusedAs(400, 'forbidden-name'), { quarter: 2 }))

test('a property given twice is refused', () =>
  refuses(
    ({ operation }) => {
      const [property] =
        Object.entries(operation.body?.schema.properties ?? {}).find(([, { type }]) => type === 'string') ?? []
      return property && `{"${property}": "a", "${property.toUpperCase()}": "b"}`
    },
    refusedAs(400, 'validation'),
    { quarter: 3 },
  ))

test('a required reference that is empty is refused', async () => {
  const found = new Findings()
  await each(withBody, async op => {
    const { properties = {}, required = [] } = op.operation.body?.schema ?? {}
    const references = required.filter(name => properties[name]?.['x-ref'])
    if (references.length === 0) return
    const body = Object.fromEntries(references.map(name => [name, '']))
    const answer = await ada.ask(op.method, await addressOf(op), { body, headers: { 'if-match': '*' } })
    const named: string[] = (answer.body?.Fields ?? []).map((one: { Field: string }) => one.Field)
    const whole = answer.status === 400 && references.every(name => named.includes(name))
    found.expect(whole, `${op.route}: ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`)
  })
  found.expect(found.checked > 5, `only ${found.checked} operations were tried`)
  found.finish()
})

test('an unknown property is refused with the nearest known name', () =>
  refuses(
    ({ operation }) => {
      const property = longest(operation.body?.schema ?? {})
      return operation.body?.schema.additionalProperties === false && property ? `{"${slip(property)}": 1}` : undefined
    },
    (answer, { operation }) => {
      const property = longest(operation.body?.schema ?? {}) ?? ''
      const field = answer.body?.Fields?.find((one: { Field: string }) => one.Field === slip(property))
      return answer.status === 400 && field?.Message.includes(`did you mean ${property}?`) ? undefined : 'no suggestion'
    },
    { quarter: 0 },
  ))

test('an unknown property that is not refused is accepted with a warning', async () => {
  const open = withBody.filter(
    ({ operation }) => operation.body?.schema.properties && operation.body.schema.additionalProperties !== false,
  )
  const found = new Findings()
  for (const op of open) {
    const answer = await ada.ask(op.method, `${await addressOf(op)}?dryRun=true`, {
      body: {
        ...(await builder.bodyOf(op, { all: false })),
        ...(op.method === 'POST' ? {} : { id: (await builder.one(op.entity ?? '')).id }),
        nobodyKnows: 'this',
      },
    })
    found.expect(
      JSON.stringify(answer.body?.would?.warnings ?? '').includes('nobodyKnows'),
      `${op.route} ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`,
    )
  }
  found.finish()
})

test('a request without a credential is refused', async () => {
  const found = new Findings()
  await each(operations, async op => {
    const path = fill(op.path, Object.fromEntries(op.params.map(param => [param, crypto.randomUUID()])))
    const { status, headers } = await nobody.ask(op.method, path, op.operation.body ? { body: {} } : {})
    found.expect(
      status === 401 && /^Bearer realm=/.test(headers.get('www-authenticate') ?? ''),
      `${op.route} answered ${status}`,
    )
  })
  found.finish()
})

test('a request with an invalid credential is refused', async () => {
  const found = new Findings()
  for (const authorization of [
    'Bearer gty_nonsense',
    'Bearer eyJhbGciOiJub25lIn0.e30.',
    `Basic ${btoa('ada:x')}`,
    'Bearer',
    `Bearer ${ada.key.slice(0, -1)}`,
    `Bearer ${ada.key} x`,
  ]) {
    const { status, headers } = await nobody.ask('GET', '/user/me', { headers: { authorization } })
    found.expect(
      status === 401 && headers.get('www-authenticate')?.includes('error="invalid_token"') === true,
      `${authorization.slice(0, 20)} answered ${status}`,
    )
  }
  found.finish()
})

test('an unsupported method is refused with the list of supported ones', async () => {
  const found = new Findings()
  const byPath = Map.groupBy(operations, op => op.path)
  await each([...byPath], async ([path, ops]) => {
    const served = new Set(ops.map(op => op.method))
    if (served.has('GET')) served.add('HEAD')
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(each => !served.has(each))) {
      const { status, headers } = await ada.ask(
        method,
        fill(path, Object.fromEntries(ops[0]?.params.map(param => [param, crypto.randomUUID()]) ?? [])),
      )
      found.expect(status === 405, `${method} ${path} answered ${status}`)
      found.same(headers.get('allow')?.split(', ').sort(), [...served].sort(), `Allow of ${method} ${path}`)
    }
  })
  found.finish()
})

test('an unknown address is a 404', async () => {
  const found = new Findings()
  for (const path of [
    '/',
    '/nothing',
    '/clock/1/2/3',
    '//nowhere',
    '/clock//',
    '/%',
    '/clock/%00',
    `/clock/${'x'.repeat(2000)}`,
  ]) {
    const { status } = await ada.ask('GET', path)
    found.same(status, 404, `GET ${path.slice(0, 40)}`)
  }
  found.finish()
})

/** A body in which every property, at any depth, has a wrong type, and the paths of these properties. */
function wrongTypes(schema: Schema): { text: string; pointers: string[] } | undefined {
  if (schema.type !== 'object') return undefined
  const pointers: string[] = []
  const text = JSON.stringify(wrong(schema, '', pointers))
  return pointers.length > 0 ? { text, pointers } : undefined
}

function wrong(schema: Schema, pointer: string, pointers: string[]): unknown {
  if (schema.properties) {
    const entries = Object.entries(schema.properties).map(([name, each]) => [
      name,
      wrong(each, `${pointer}/${name}`, pointers),
    ])
    return Object.fromEntries(entries)
  }
  if (schema.type === 'array') return [wrong(schema.items ?? {}, `${pointer}/0`, pointers)]
  if (schema.type === undefined) return 'anything goes'
  pointers.push(pointer)
  return [schema.type].flat().includes('object') ? 'no object' : { no: 'scalar' }
}

function longest({ properties = {} }: Schema): string | undefined {
  return Object.keys(properties).sort((a, b) => b.length - a.length)[0]
}

function slip(property: string): string {
  return `${property.slice(0, 3)}q${property.slice(3)}`
}
