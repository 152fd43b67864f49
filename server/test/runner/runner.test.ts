import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mock, test } from 'node:test'
import { affectedTests } from './changed.ts'
import { FileQueue } from './file-queue.ts'
import { allTestFiles, longestFirst } from './files.ts'
import type { Outcome } from './messages.ts'
import { Report } from './report.ts'

const files = allTestFiles()
const beside = files.find(file => file.startsWith('server/src/') && existsSync(file.replace('.test.ts', '.ts'))) ?? ''

test('a change runs the tests that reach it, and no others', () => {
  assert.deepEqual(affectedTests(files, ['README.md']), [])
  assert.deepEqual(affectedTests(files, [beside]), [beside])
  const affected = affectedTests(files, [beside.replace('.test.ts', '.ts')])
  assert.ok(affected.includes(beside) && affected.includes('server/test/suites/contract.test.ts'))
  assert.ok(affected.length < files.length)
})

test('a change to a migration, a package file or the support of tests runs all of them', () => {
  for (const file of ['server/migrations/0001-begin.sql', 'package.json', 'server/test/support/people.ts'])
    assert.deepEqual(affectedTests(files, [file]), files, file)
})

test('every file runs once, whichever worker takes it', () => {
  const queue = new FileQueue(longestFirst(files))
  const taken = Array.from({ length: files.length + 2 }, (_, i) => queue.take(i % 3))
  assert.deepEqual(taken.filter(file => file !== undefined).sort(), files)
  assert.deepEqual([queue.size, taken.at(-1)], [0, undefined])
})

test('a worker takes the files of its group first, and those of another group last', () => {
  const [suite, page, plain] = ['server/test/suites/a.test.ts', 'web/test/app/b.test.ts', 'server/src/c.test.ts']
  const takenBy = (worker: number) => {
    const queue = new FileQueue([page, suite, plain])
    return [queue.take(worker), queue.take(worker), queue.take(worker)]
  }
  assert.deepEqual([0, 1, 2].map(takenBy), [
    [suite, plain, page],
    [page, plain, suite],
    [plain, page, suite],
  ])
})

test('a worker stays in a room, and enters one that another is in when there is no other', () => {
  const files = ['items/a', 'desk/a', 'items/b', 'desk/b', 'desk/c'].map(file => `server/src/${file}.test.ts`)
  const queue = new FileQueue(files)
  const taken = [2, 3, 2, 3, 2].map(worker => queue.take(worker)?.split('/').slice(2).join('/'))
  assert.deepEqual(taken, ['items/a.test.ts', 'desk/a.test.ts', 'items/b.test.ts', 'desk/b.test.ts', 'desk/c.test.ts'])
})

test('a suite that cannot be set up and a worker that dies are failures; what is skipped is named', t => {
  const lines: string[] = []
  mock.method(console, 'log', (line: string) => lines.push(line))
  t.after(() => mock.restoreAll())
  const outcome = (depth: number, name: string, more: Partial<Outcome> = {}): Outcome => ({
    kind: 'outcome',
    depth,
    name,
    isSuite: depth === 0,
    milliseconds: 1,
    place: undefined,
    ...more,
  })
  const report = new Report()
  report.add({
    file: 'one.test.ts',
    milliseconds: 1,
    messages: [
      outcome(1, 'passes'),
      outcome(1, 'waits', { skipped: 'no mail server' }),
      outcome(1, 'suite', { isSuite: true, failure: 'the database is away' }),
      outcome(0, 'one.test.ts', { failure: '', onlyBelow: true }),
    ],
  })
  report.add({
    file: 'two.test.ts',
    milliseconds: 1,
    messages: [outcome(0, 'two.test.ts', { failure: 'the worker process died' })],
  })
  assert.equal(report.close(Date.now()), false)
  const said = lines.join('\n')
  assert.match(said, /skipped, no mail server:\n {2}﹣ waits/)
  assert.match(said, /✖ one\.test\.ts\n {2}suite\n {4}the database is away/)
  assert.match(said, /✖ two\.test\.ts\n {4}the worker process died/)
  assert.match(said, /\n1 passed, 2 failed, 1 skipped$/)
})
