import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInThread, ThreadFailed } from './limited-thread.ts'

const module = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`)
const failsWith = async (code: string, message: RegExp, limits = {}) =>
  await assert.rejects(runInThread(module(code), 1, limits), error => {
    assert.ok(error instanceof ThreadFailed)
    assert.match(error.message, message)
    return true
  })

test('a thread returns what it finds, or why it found nothing', async () => {
  const port = "import { parentPort, workerData } from 'node:worker_threads'\n"
  assert.equal(await runInThread(module(`${port}parentPort.postMessage({ found: workerData + 1 })`), 1), 2)
  await failsWith(`${port}parentPort.postMessage({ fault: 'no such thing' })`, /^no such thing$/)
  await failsWith("throw new Error('broken')", /^broken$/)
})

test('a thread that hangs is ended', async () => {
  await failsWith('for (;;);', /too long/, { timeoutMs: 300 })
})

test('a thread that needs too much memory is ended, whether for objects or for buffers', async () => {
  const memoryMiB = 32
  await failsWith('const all = []; for (;;) all.push({ all: [all.length] })', /memory/, { memoryMiB })
  await failsWith('const all = []; for (;;) all.push(new Uint8Array(2 ** 20).fill(1))', /memory/, { memoryMiB })
})
