import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { everyone, permission } from '../../src/kernel/access.ts'
import type { Operation } from '../../src/kernel/operation.ts'
import { isLong } from '../support/form.ts'
import { internals, protectingHeaders } from '../support/fuzz/answer-faults.ts'
import { type Case, cases } from '../support/fuzz/cases.ts'
import { openFuzzWorld } from '../support/fuzz/fuzz-world.ts'
import { FuzzReport, fuzz } from '../support/fuzz/fuzzer.ts'
import { operations } from '../support/operations.ts'
import { serveRoutes, sharedTestService } from '../support/people.ts'
import { until } from '../support/until.ts'

// Whatever is sent, no answer is a 5xx, none is overtaken by hundreds of later ones, every answer matches the OpenAPI
// document, none reveals internals, and all carry the security headers. These requests are the same in each run, so that the
// change that is tested decides and not chance; `npm run fuzz` sends others each time.

const requests = isLong ? 5000 : 600
const seed = 1

const home = await sharedTestService()
const { ada, base } = home
const world = await openFuzzWorld(home)

test('every request gets a well-formed answer', async t => {
  t.diagnostic(`seed ${seed}, ${requests} requests`)
  const report = new FuzzReport()
  await fuzz(world, fc.sample(cases, { numRuns: requests, seed }), report)
  const spread = [...report.statuses].sort().map(([status, count]) => `${count} × ${status}`)
  t.diagnostic(`answers: ${spread.join(', ')}; ${report.succeeded.size} operations succeeded`)
  assert.ok(
    report.isGood,
    `npm run fuzz -- --seed ${seed} --requests ${requests}: ${report.findings.length} findings:\n${report.findings.slice(0, 25).join('\n')}`,
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
    const guarded = Object.keys(protectingHeaders).every(name => head.toLowerCase().includes(`\r\n${name}: `))
    // CONNECT opens a tunnel, which Node closes without an answer.
    const silent = answer === '' && text.startsWith('CONNECT')
    if (!silent && !(status >= 400 && status < 500 && problem && guarded && !internals.test(answer)))
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
  const quiet: Case = { ...plain, op: listClocks, who: 0, foreign: false, param: null, query: [], headers: {} }
  const calm = new FuzzReport()
  await fuzz(world, [quiet], calm)
  assert.deepEqual(calm.findings, [])
  const found = await Promise.all(
    Object.entries(faults).map(async ([name, operation]) => {
      const many = Array<Case>(40).fill(quiet)
      const report = new FuzzReport()
      await fuzz(world, many, report, { at: await serveRoutes(home, { 'GET /clock': operation }), patience: 20 })
      return [name, !report.isGood] as const
    }),
  )
  t.diagnostic(found.map(([name, yes]) => `${name}: ${yes ? 'found' : 'missed'}`).join(', '))
  assert.deepEqual(
    found.filter(([, yes]) => !yes),
    [],
  )
})
