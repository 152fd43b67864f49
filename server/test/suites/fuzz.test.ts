import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { everyone, permission } from '../../src/kernel/access.ts'
import type { Operation } from '../../src/kernel/operation.ts'
import type { Answer } from '../support/answer.ts'
import { Builder, seedTenant } from '../support/builder.ts'
import { findFaults } from '../support/conformance/conformance.ts'
import { each } from '../support/findings.ts'
import { type Case, cases, type Request, requestOf, type Sensible } from '../support/fuzz-cases.ts'
import { kinds, type Op, operations } from '../support/operations.ts'
import { Person, retryUnavailable, serveRoutes, startTestService } from '../support/people.ts'
import type { Body } from '../support/seeds.ts'
import { until } from '../support/until.ts'

// Whatever is sent, no answer is a 5xx, none is overtaken by hundreds of later ones, every refusal is well formed,
// every answer matches the OpenAPI document, none reveals internals, and all carry the security headers. Each run sends
// about four random requests per operation. FUZZ_RUNS makes a run longer, and FUZZ_SEED repeats one.

const runs = Number(process.env.FUZZ_RUNS ?? 3000)
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
/** The number of answers that may overtake one answer: slowness is measured in other answers, not by a clock. */
const mostOvertaking = 400

const home = await startTestService()
const { ada, bob, nobody, base, person } = home
const builder = new Builder(ada)
const rita = await person({ name: 'Rita', role: 2, kind: 1 })
const callers = [...Array(12).fill(ada), bob, rita, nobody] as Person[]

before(async () => {
  await seedTenant(builder)
})

/**
 * The body that the operation accepts: newly built for a create, because unique values must be free; otherwise an
 * existing one.
 */
async function sensible(op: Op): Promise<Sensible> {
  const params = await builder.params(op)
  const kind = builder.kindAt(op) ?? kinds.find(one => one.updateByBody === op)
  const record = kind && (await builder.rich(kind.entity, kind.base))
  if (kind && op.params.includes(kind.idName)) params[kind.idName] = record?.id
  if (!op.operation.body && !op.operation.form) return { params, body: undefined }
  return { params, body: record && op.method !== 'POST' ? record : await builder.bodyOf(op) }
}

const protecting: Record<string, RegExp> = {
  'x-request-id': /^[\w-]{36}$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^no-referrer$/,
  'permissions-policy': /camera=\(\)/,
  'cross-origin-resource-policy': /^same-origin$/,
  'cache-control': /^private, no-(cache|store)$|^no-store$/,
  'content-security-policy': /default-src 'none'/,
}

/** Words that occur only in the internals of the service. */
const inside =
  /\bat \S+ \(|node_modules|\/work\/|\/tmp\/|\.ts:\d|\bselect\b.+\bfrom\b|insert into|syntax error at|violates|relation "|column "|pg_|\b\w*Error\b|Exception|ECONN|EPIPE|Invalid time value|\bundefined\b|\[object|Cannot read|is not a function/i

/** Lists everything that is wrong with an answer. */
function faultsOf({ method, path, headers: sent }: Request, answer: Answer, late: boolean, at = base): string[] {
  const { status, headers, body } = answer
  const faults: string[] = []
  if (status >= 500) faults.push(`answered ${status}`)
  if (late) faults.push('was overtaken by too many')
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
    if (leaked) faults.push(`reveals internals: ${leaked[0]}`)
  }
  return [...faults, ...findFaults({ method, url: `${at}/api${path}`, sent, answer })]
}

const statuses = new Map<number, number>()

/** Runs a number of cases and reports those that failed. */
async function fuzz(all: readonly Case[], at?: string, patience = mostOvertaking): Promise<string[]> {
  const wrong: string[] = []
  let answered = 0
  await each(
    all,
    async one => {
      const request = requestOf(one, await sensible(one.op))
      const caller = callers[one.who % callers.length] ?? nobody
      const who = at ? new Person(at, caller.key, caller.id, caller.tenantId) : caller
      const before = answered
      let faults: string[]
      try {
        const { method, path, body, headers } = request
        const answer = await retryUnavailable(() =>
          who.ask(method, path, { headers, ...(body === undefined ? {} : { body }) }),
        )
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        faults = faultsOf(request, answer, answered - before > patience, at)
        answered++
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

test('every request gets a well-formed answer', async t => {
  t.diagnostic(`seed ${seed}, ${runs} cases`)
  const wrong = await fuzz(fc.sample(cases, { numRuns: runs, seed }))
  const spread = [...statuses].sort().map(([status, count]) => `${count} × ${status}`)
  t.diagnostic(`answers: ${spread.join(', ')}`)
  assert.ok(
    wrong.length === 0,
    `seed ${seed}: ${wrong.length} of ${runs} went wrong:\n${wrong.slice(0, 25).join('\n')}`,
  )
  assert.equal((await ada.ask('GET', '/user/me')).status, 200)
})

test('malformed HTTP gets a well-formed answer', async () => {
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
    // CONNECT opens a tunnel, which Node closes without an answer.
    const silent = answer === '' && text.startsWith('CONNECT')
    if (!silent && !(status >= 400 && status < 500 && problem && guarded && !inside.test(answer)))
      wrong.push(`${JSON.stringify(text.slice(0, 60))} → ${JSON.stringify(answer.slice(0, 400))}`)
  }
  assert.deepEqual(wrong, [])
})

test('self-test: the suite detects every planted fault', async t => {
  const planted = (run: Operation['run'], more: Partial<Operation> = {}): Operation => ({
    permission: permission('clock.read', everyone),
    mode: 'read',
    summary: 'Planted',
    description: 'A fault.',
    reply: { status: 200, description: 'Nothing.' },
    run,
    ...more,
  })
  let slowCalls = 0
  const faults: Record<string, Operation> = {
    'a 500': planted(async () => {
      throw new Error('select secret from item')
    }),
    'an undocumented status': planted(async () => ({ status: 202, body: [] })),
    'a body against its schema': planted(async () => ({ body: [{ entity: 'Clock' }] })),
    'a missing header': planted(async () => ({ body: [], headers: { 'x-frame-options': 'ALLOW' } })),
    'a slow answer': planted(async () => {
      if (++slowCalls === 1) await until(() => slowCalls > 30)
      return { body: [] }
    }),
  }
  const listClocks = operations.find(op => op.route === 'GET /clock')
  assert.ok(listClocks)
  const [plain] = fc.sample(cases, { numRuns: 1, seed })
  assert.ok(plain)
  const quiet: Case = { ...plain, op: listClocks, who: 0, param: null, query: [], headers: {} }
  assert.deepEqual(await fuzz([quiet]), [])
  const found = await Promise.all(
    Object.entries(faults).map(async ([name, operation]) => {
      const many = Array<Case>(40).fill(quiet)
      const wrong = await fuzz(many, await serveRoutes(home, { 'GET /clock': operation }), 20)
      return [name, wrong.length > 0] as const
    }),
  )
  t.diagnostic(found.map(([name, yes]) => `${name}: ${yes ? 'found' : 'missed'}`).join(', '))
  assert.deepEqual(
    found.filter(([, yes]) => !yes),
    [],
  )
})
