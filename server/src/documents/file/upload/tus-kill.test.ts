import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../../test/support/free-port.ts'
import { startTestService } from '../../../../test/support/people.ts'
import { until } from '../../../../test/support/until.ts'
import { tusMedia } from './tus-protocol.ts'

const home = await startTestService()
const { bob } = home

/** The bytes after which an upload is stored while a request goes on. */
const part = 8 * 1024 * 1024

test('what an upload has acknowledged survives that its process is killed', async t => {
  const bytes = randomBytes(3 * part)
  const begun = await bob.ask('POST', '/file/upload', { headers: { 'upload-length': String(bytes.length) } })
  const path = `/file/upload/${begun.body.id}`
  const offset = async () => (await bob.get(path)).offset
  const port = await freePort()
  const main = fileURLToPath(new URL('../../../../gantry.js', import.meta.url))
  const service = spawn(process.execPath, [main, 'serve'], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: home.databaseUrl,
      DATA_DIR: home.dataDir,
      BASE_URL: 'http://gantry.localhost',
      MAIL_DNS: 'off',
      WORKERS: '1',
      ENGINES: 'off',
      PORT: String(port),
    },
  })
  t.after(() => service.kill('SIGKILL'))
  const ended = once(service, 'exit')
  let said = ''
  for (const stream of [service.stdout, service.stderr]) stream.on('data', text => (said += text))
  await until(
    () => said.includes('Gantry is at') || service.exitCode !== null,
    () => said,
  )
  assert.equal(service.exitCode, null, said)
  const sent = request(`http://127.0.0.1:${port}/api${path}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${bob.key}`,
      'content-type': tusMedia,
      'content-length': String(bytes.length),
      'upload-offset': '0',
    },
  })
  sent.on('error', () => {})
  sent.write(bytes.subarray(0, 2 * part + 1000))
  await until(async () => (await offset()) >= part)
  service.kill('SIGKILL')
  await ended
  sent.destroy()
  const stored = await offset()
  assert.ok(stored >= part && stored < bytes.length, String(stored))
  const { status } = await bob.ask('PATCH', path, {
    body: bytes.subarray(stored),
    headers: { 'content-type': tusMedia, 'upload-offset': String(stored) },
  })
  assert.equal(status, 204)
  const response = await fetch(`${bob.base}/api/file/download/${begun.body.id}`, {
    headers: { authorization: `Bearer ${bob.key}` },
  })
  assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes))
})
