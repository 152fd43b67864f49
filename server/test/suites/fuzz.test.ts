import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { everyone, permission } from '../../src/kernel/access.ts'
import type { Operation } from '../../src/kernel/operation.ts'
import { type Body, Builder, furnish, multipart } from '../support/builder.ts'
import { findFaults } from '../support/conformance.ts'
import { each } from '../support/findings.ts'
import { naughty, naughtyText, rawBodies, tooLarge } from '../support/naughty.ts'
import { fill, type Op, operations } from '../support/operations.ts'
import { type Answer, house, Person, serveRoutes } from '../support/people.ts'

// Whatever is sent: no answer of 5xx, none that takes long, every refusal well formed, every answer as documented,
// no word of the inside in it, and the headers that protect whoever reads it. FUZZ_RUNS and FUZZ_SEED are for longer
// runs and for seeing one again.

const runs = Number(process.env.FUZZ_RUNS ?? 4000)
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
const longest = 5000

const home = await house()
const { ada, bob, nobody, base, person } = home
const builder = new Builder(ada)
const rita = await person({ name: 'Rita', role: 2, kind: 1 })
const bodies = new Map<Op, Body>()
const addresses = new Map<Op, Record<string, string>>()

before(async () => {
  await furnish(builder)
  for (const op of operations) {
    addresses.set(op, await builder.params(op))
    if (op.operation.body || op.operation.form) bodies.set(op, await builder.bodyOf(op))
  }
})

interface Mutation {
  where: number
  how: 'replace' | 'remove' | 'add' | 'wrap' | 'rename'
  value: unknown
  name: string
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  where: fc.nat(500),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap', 'rename'),
  value: naughty,
  name: fc.oneof(
    fc.constantFrom('id', 'ID', '__proto__', 'constructor', 'toString', 'Name', 'x', ''),
    fc.string({ maxLength: 20 }),
  ),
})

const headerArb = fc.record(
  {
    'if-match': fc.constantFrom('*', '"v1"', 'W/"v1"', '""', '"v99999999999999999999"', 'nonsense', '"v1", "v2"'),
    'if-none-match': fc.constantFrom('*', '"v1"', 'x'),
    'idempotency-key': fc.constantFrom('', 'a', 'a b', '\u00fc', 'k'.repeat(300), crypto.randomUUID()),
    prefer: fc.constantFrom(
      'return=minimal',
      'handling=strict',
      'handling=strict, return=minimal',
      'nonsense;;',
      'respond-async',
    ),
    accept: fc.constantFrom('*/*', 'application/xml', 'text/html', 'application/x-ndjson', ',,,'),
    'content-type': fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'application/vnd.x+json',
      'application/x-ndjson',
      'text/plain',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      '/',
      'application/json;;',
    ),
    range: fc.constantFrom(
      'bytes=0-0',
      'bytes=5-1',
      'bytes=-0',
      'bytes=999999-',
      'bytes=0-0,2-3',
      'lines=1',
      'bytes=99999999999999999999-',
    ),
    'x-api-key': fc.constantFrom('', 'gty_x', 'x'),
    'accept-language': fc.constantFrom('de', 'xx-nonsense', '*;q=9'),
    cookie: fc.constantFrom('a=b', '__proto__=1; ;;='),
  },
  { requiredKeys: [] },
)

const caseArb = fc.record({
  op: fc.constantFrom(...operations),
  who: fc.constantFrom(ada, ada, ada, ada, ada, ada, bob, rita, nobody),
  kind: fc.constantFrom('mutated', 'mutated', 'mutated', 'mutated', 'random', 'raw'),
  mutations: fc.array(mutation, { maxLength: 3 }),
  random: fc.jsonValue({ maxDepth: 4 }),
  raw: fc.constantFrom(...rawBodies),
  param: fc.option(fc.oneof(naughtyText, fc.constant(crypto.randomUUID())), { freq: 3 }),
  query: fc.array(
    fc.tuple(
      fc.nat(1000),
      fc.oneof(naughtyText, fc.constantFrom('1', 'true', 'include', 'name', '-created', 'exact', '2026-01-01')),
    ),
    { maxLength: 3 },
  ),
  headers: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headerArb }),
})

type Case = typeof caseArb extends fc.Arbitrary<infer T> ? T : never

interface Request {
  method: string
  path: string
  body: string | Uint8Array | undefined
  headers: Record<string, string>
}

/** The request that a case stands for. */
function requestOf({ op, kind, mutations, random, raw, param, query, headers }: Case): Request {
  const params = { ...addresses.get(op) }
  if (param !== null) for (const name of op.params) params[name] = param.toWellFormed().slice(0, 3000)
  const names = queryNames(op)
  const search = query.map(
    ([n, value]) =>
      `${encodeURIComponent(names[n % names.length] ?? 'x')}=${encodeURIComponent(value.toWellFormed().slice(0, 3000))}`,
  )
  const path = fill(op.path, params) + (search.length > 0 ? `?${search.join('&')}` : '')
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
  const valid = bodies.get(op)
  if (valid === undefined) return { method: op.method, path, body: undefined, headers: omit(given, 'content-type') }
  if (op.operation.form && kind === 'mutated') {
    const form = multipart(mutated(valid, mutations) as Body)
    return { method: op.method, path, body: form.body, headers: { ...given, ...form.headers } }
  }
  const value = kind === 'random' ? random : mutated(valid, mutations)
  const body = kind === 'raw' ? raw : (JSON.stringify(value) ?? 'null').replaceAll(`"${tooLarge}"`, '1e400')
  return { method: op.method, path, body, headers: { 'content-type': 'application/json', ...given } }
}

function omit(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name))
}

function queryNames({ operation, answersList }: Op): string[] {
  const record = operation.reply.schema?.items?.properties ?? {}
  const filters = answersList
    ? Object.keys(record).flatMap(name => [name, `${name}[gte]`, `${name}[ne]`, `${name}[like]`])
    : []
  return [...Object.keys(operation.query ?? {}), ...filters, 'dryRun', 'deleted', 'x', '__proto__', 'a[b][c]', '']
}

/** Changes a value at places that are counted through it from the top. */
function mutated(valid: unknown, mutations: readonly Mutation[]): unknown {
  let value: unknown = structuredClone(valid)
  for (const { where, how, value: given, name } of mutations) {
    const naughtyValue = structuredClone(given)
    const places = placesIn(value)
    const place = places[where % Math.max(1, places.length)]
    if (!place) return naughtyValue
    const { holder, key } = place
    const own = Reflect.get(holder, key)
    if (how === 'replace') Reflect.set(holder, key, naughtyValue)
    else if (how === 'wrap') Reflect.set(holder, key, [own])
    else if (how === 'add') give(holder, name, naughtyValue)
    else {
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else Reflect.deleteProperty(holder, key)
      if (how === 'rename') give(holder, name, own)
    }
    if (where === 499) value = [value]
  }
  return value
}

/** Even under a name that assigning would not reach. */
function give(holder: object, name: string, value: unknown): void {
  if (Array.isArray(holder)) holder.push(value)
  else Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
}

function placesIn(
  value: unknown,
  places: { holder: object; key: string }[] = [],
  depth = 0,
): { holder: object; key: string }[] {
  if (value === null || typeof value !== 'object' || depth > 5) return places
  for (const key of Object.keys(value).slice(0, 100)) {
    places.push({ holder: value, key })
    placesIn(Reflect.get(value, key), places, depth + 1)
  }
  return places
}

const protecting: Record<string, RegExp> = {
  'x-request-id': /^[\w-]{36}$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^no-referrer$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'cache-control': /^private, no-(cache|store)$|^no-store$/,
  'content-security-policy': /default-src 'none'/,
}

/** Words that only the inside of the service knows. */
const inside =
  /\bat \S+ \(|node_modules|\/work\/|\/tmp\/|\.ts:\d|\bselect\b.+\bfrom\b|insert into|syntax error at|violates|relation "|column "|pg_|\b\w*Error\b|Exception|ECONN|EPIPE|Invalid time value|\bundefined\b|\[object|Cannot read|is not a function/i

/** Everything that is wrong with an answer. */
function faultsOf({ method, path, headers: sent }: Request, answer: Answer, late: boolean, at = base): string[] {
  const { status, headers, body } = answer
  const faults: string[] = []
  if (status >= 500) faults.push(`answered ${status}`)
  if (late) faults.push('took too long')
  for (const [name, wanted] of Object.entries(protecting))
    if (!wanted.test(headers.get(name) ?? '')) faults.push(`${name} is ${headers.get(name)}`)
  if (status >= 400) {
    const said = [
      body?.title,
      body?.detail,
      body?.code,
      ...(body?.Fields ?? []).flatMap((each: Body) => [each.Code, each.Message]),
    ].join('\n')
    const leaked = inside.exec(said)
    if (leaked) faults.push(`tells of its inside: ${leaked[0]}`)
  }
  return [...faults, ...findFaults({ method, url: `${at}/api${path}`, sent, answer })]
}

const statuses = new Map<number, number>()

/** Runs a number of cases, and tells of those that went wrong. */
async function fuzz(cases: readonly Case[], at?: string, patience = longest): Promise<string[]> {
  const wrong: string[] = []
  await each(
    cases,
    async one => {
      const request = requestOf(one)
      const who = at ? new Person(at, one.who.key, one.who.id, one.who.tenantId) : one.who
      const began = performance.now()
      let faults: string[]
      try {
        const { method, path, body, headers } = request
        const answer = await who.ask(method, path, { headers, ...(body === undefined ? {} : { body }) })
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        faults = faultsOf(request, answer, performance.now() - began > patience, at)
      } catch (error) {
        faults = [`no answer: ${error instanceof Error ? error.message : error}`]
      }
      if (faults.length > 0)
        wrong.push(`${one.op.route}: ${[...new Set(faults)].slice(0, 4).join('; ')}\n    ${shown(request)}`)
    },
    8,
  )
  return wrong
}

function shown({ method, path, body, headers }: Request): string {
  const text = typeof body === 'string' ? body : body && Buffer.from(body).toString('latin1')
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${text?.slice(0, 600)}`
}

test('whatever is sent is answered well', async t => {
  t.diagnostic(`seed ${seed}, ${runs} cases`)
  const wrong = await fuzz(fc.sample(caseArb, { numRuns: runs, seed }))
  assert.ok(
    wrong.length === 0,
    `seed ${seed}: ${wrong.length} of ${runs} went wrong:\n${wrong.slice(0, 25).join('\n')}`,
  )
  assert.equal((await ada.ask('GET', '/user/me')).status, 200)
})

test('what is no HTTP is answered well, too', async () => {
  const { port } = new URL(base)
  const say = (text: string) =>
    new Promise<string>(resolve => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
      let answer = ''
      socket.on('data', data => {
        answer += data
      })
      socket.on('close', () => resolve(answer))
      socket.on('error', () => resolve(answer))
      socket.setTimeout(3000, () => socket.destroy())
    })
  const wrong: string[] = []
  for (const text of [
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET /api/clock HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(70_000)}\r\nConnection: close\r\n\r\n`,
    'TRACE /api/clock HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'CONNECT /api/clock HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'BREW /api/clock HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /api/%E0%A4%A HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'GET /api/clock/%ED%A0%80?a=%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    'POST /api/clock HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: -1\r\nConnection: close\r\n\r\n{}',
    'POST /api/clock HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nZZ\r\n',
    'POST /api/clock HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\nConnection: close\r\n\r\n{}',
  ]) {
    const answer = await say(text)
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)
    const [head = ''] = answer.split('\r\n\r\n')
    const problem = /content-type: application\/problem\+json/i.test(head) && /"Fields":/.test(answer)
    const guarded = Object.keys(protecting).every(name => head.toLowerCase().includes(`\r\n${name}: `))
    // CONNECT is a tunnel that Node closes without a word.
    const silent = answer === '' && text.startsWith('CONNECT')
    if (!silent && !(status >= 400 && status < 500 && problem && guarded && !inside.test(answer)))
      wrong.push(`${JSON.stringify(text.slice(0, 60))} → ${JSON.stringify(answer.slice(0, 400))}`)
  }
  assert.deepEqual(wrong, [])
})

test('tooth: a planted fault is found, whichever it is', async t => {
  const planted = (run: Operation['run'], more: Partial<Operation> = {}): Operation => ({
    permission: permission('clock.read', everyone),
    mode: 'read',
    summary: 'Planted',
    description: 'A fault.',
    reply: { status: 200, description: 'Nothing.' },
    run,
    ...more,
  })
  const faults: Record<string, Operation> = {
    'a 500': planted(async () => {
      throw new Error('select secret from item')
    }),
    'an undocumented status': planted(async () => ({ status: 202, body: [] })),
    'a body against its schema': planted(async () => ({ body: [{ entity: 'Clock' }] })),
    'a missing header': planted(async () => ({ body: [], headers: { 'x-frame-options': 'ALLOW' } })),
    'a slow answer': planted(async () => {
      await new Promise(resolve => setTimeout(resolve, 600))
      return { body: [] }
    }),
  }
  const listClocks = operations.find(op => op.route === 'GET /clock')
  assert.ok(listClocks)
  const [plain] = fc.sample(caseArb, { numRuns: 1, seed })
  assert.ok(plain)
  const quiet: Case = { ...plain, op: listClocks, who: ada, param: null, query: [], headers: {} }
  assert.deepEqual(await fuzz([quiet]), [])
  const found = await Promise.all(
    Object.entries(faults).map(async ([name, operation]) => {
      const wrong = await fuzz([quiet], await serveRoutes(home, { 'GET /clock': operation }), 500)
      return [name, wrong.length > 0] as const
    }),
  )
  t.diagnostic(found.map(([name, yes]) => `${name}: ${yes ? 'found' : 'missed'}`).join(', '))
  assert.deepEqual(
    found.filter(([, yes]) => !yes),
    [],
  )
})
