import assert from 'node:assert/strict'
import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  execFile,
  execFileSync,
  spawn,
} from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { casesOf, isLong } from './support/form.ts'
import { freePort } from './support/free-port.ts'
import { Listener } from './support/listener.ts'
import { Person } from './support/people.ts'
import { until } from './support/until.ts'

const main = new URL('../gantry.js', import.meta.url).pathname
const repository = new URL('../..', import.meta.url).pathname

/** The service as an operator starts it, and its output. */
interface Started {
  child: ChildProcess
  said: () => string
}

describe('the service, started as an operator does', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-service-'))
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', DATA_DIR: dataDir, PORT: String(port) }
  const running = new Set<ChildProcess>()
  after(async () => {
    for (const child of running) child.kill('SIGKILL')
    await new Promise(resolve => setTimeout(resolve, 300))
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  })

  function launch(more: Record<string, string> = {}, verb = 'serve'): Started {
    return observed(spawn(process.execPath, [main, verb], { env: { ...env, ...more } }))
  }

  function observed(child: ChildProcessWithoutNullStreams): Started {
    running.add(child)
    child.once('exit', () => running.delete(child))
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', part => (text += part))
    return { child, said: () => text }
  }

  async function start(more: Record<string, string> = {}, verb = 'serve'): Promise<Started> {
    return ready(launch(more, verb))
  }

  async function ready(started: Started): Promise<Started> {
    await until(() => {
      if (started.child.exitCode !== null) throw new Error(`it did not start: ${started.said()}`)
      return /Gantry is at|The background jobs are running/.test(started.said())
    }, started.said)
    return started
  }

  async function stop({ child }: Started): Promise<number | null> {
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    return child.exitCode
  }

  let admin = new Person(base, '', '', '')

  const gantry = (...words: string[]) => promisify(execFile)(process.execPath, [main, ...words], { env })

  test('reports a port in use, and shows credentials only after a start that works', async () => {
    const other = createServer().listen(port, '127.0.0.1')
    await once(other, 'listening')
    const refused = launch()
    const [code] = await once(refused.child, 'exit')
    other.close()
    assert.equal(code, 1)
    assert.match(refused.said(), new RegExp(`another program listens on 127.0.0.1:${port}`))
    assert.ok(!refused.said().includes('gty_'))
  })

  test('stops in an orderly way while it still starts', async () => {
    const { child, said } = launch()
    await until(() => /creating a PostgreSQL cluster/.test(said()), said)
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
    assert.deepEqual(said().trim().split('\n').length, 1, said())
  })

  test('prints working credentials on the first start and only the address later, and stops cleanly', async () => {
    const archive = join(dataDir, 'archive')
    let service = await start({ WORKERS: '1', WAL_ARCHIVE: archive })
    const curl = /^ {2}(curl .*)$/m.exec(service.said())?.[1]
    assert.ok(curl, service.said())
    const item = JSON.parse(execFileSync('sh', ['-c', curl], { encoding: 'utf8' }))
    assert.equal(item.key, 'INBOX-1')
    assert.doesNotMatch(service.said(), /gty_/, 'this output is no terminal, and may be a log')
    const stored = readFileSync(join(dataDir, 'first-credentials.txt'), 'utf8')
    const key = /API key\s+(gty_\S+)/.exec(stored)?.[1] ?? ''
    const key2 = (await gantry('key', 'create', '--email', 'admin@localhost', '--name', 'second')).stdout.trim()
    assert.match(key2, /^gty_\w+$/)
    const fresh = JSON.parse(
      (await gantry('tenant', 'create', '--name', 'Acme', '--email', 'ada@acme.example', '--json')).stdout,
    )
    assert.deepEqual(Object.keys(fresh).sort(), ['RawKey', 'tenantId', 'userId'])
    assert.match((await gantry('signing-key', 'rotate')).stdout, /^[\w-]{43} signs new tokens after about one minute/)
    await until(() => /The log is archived; its base backup is/.test(service.said()), service.said)
    const { stdout: found } = await promisify(execFile)(process.execPath, [main, 'doctor'], {
      env: { ...env, WAL_ARCHIVE: archive },
    }).catch(error => error) // the disk of this machine may be full
    for (const line of [
      /^ok +schema +up to date$/m,
      /^ok +master key/m,
      /^ok +archive +the newest base backup is 0 hours old$/m,
    ])
      assert.match(found, line)
    for (const credential of [key, key2, fresh.RawKey])
      assert.equal(
        (await fetch(`${base}/api/user/me`, { headers: { authorization: `Bearer ${credential}` } })).status,
        200,
      )
    for (const path of ['/healthz', '/readyz']) assert.equal((await fetch(base + path)).status, 200)

    const second = launch({ PORT: String(await freePort()) })
    assert.deepEqual(await once(second.child, 'exit'), [1, null])
    assert.match(second.said(), /in use/)
    assert.equal(second.said().trim().split('\n').length, 1)

    // In the short form it is killed at once; the next test begins with a start after a clean stop.
    if (isLong) {
      assert.equal(await stop(service), 0)
      service = await start({ WORKERS: '1' })
      assert.doesNotMatch(service.said(), /password|gty_/)
    }
    service.child.kill('SIGKILL')
    await once(service.child, 'exit')
    const healthPort = String(await freePort())
    const again = await start({ HEALTH_PORT: healthPort })
    assert.doesNotMatch(again.said(), /password|gty_/)
    assert.equal((await fetch(`${base}/api/item/${item.id}`, { headers: { 'x-api-key': key } })).status, 200)

    // The processes count the requests of a tenant together, so that it gets its whole limit and no more.
    admin = new Person(base, key, '', '')
    const who = admin
    await who.must('PATCH', `/tenant/${fresh.tenantId}`, { body: { quotas: { requestsPerMinute: 20 } } })
    const acme = new Person(base, fresh.RawKey, '', '')
    const began = performance.now()
    const counted = await Promise.all(Array.from({ length: 60 }, () => acme.ask('GET', '/user/me')))
    const admitted = counted.filter(({ status }) => status === 200).length
    const refilled = Math.ceil((performance.now() - began) / 3000)
    assert.ok(admitted >= 20 && admitted <= 20 + refilled, `${admitted}`)
    assert.equal((await fetch(`${base}/metrics`)).status, 404)
    const metrics = `http://127.0.0.1:${healthPort}/metrics`
    // The processes tell the first one what they have counted; one that still loads tells nothing yet.
    const counts = async () => (await fetch(metrics)).text()
    await until(async () => /gantry_requests_total\{kind="user",status="2xx"\}/.test(await counts()), counts)

    // Any process that holds a stream receives the events that another one wrote; stopping the service ends the
    // streams.
    const streams = await Promise.all(Array.from({ length: 8 }, () => Listener.to(who, '/event/stream?entity=Item')))
    for (const title of ['One', 'Two', 'Three']) await who.post('/item', { title })
    for (const stream of streams) {
      await stream.count(3)
      assert.deepEqual(
        stream.received.map(({ data }) => data.changes.title.to),
        ['One', 'Two', 'Three'],
      )
    }

    // Requests in flight are completed: many are sent at once, and the service is stopped while they run.
    const answers = Array.from({ length: 40 }, (_, i) =>
      fetch(`${base}/api/item`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: `t${i}` }),
      }).then(
        answer => answer.status,
        () => 'refused',
      ),
    )
    await Promise.race(answers)
    assert.equal(await stop(again), 0)
    for (const status of await Promise.all(answers)) assert.ok([201, 503, 'refused'].includes(status), String(status))
    for (const stream of streams) await stream.until(() => stream.ended)
  })

  test('the engines run in a process of their own with its own metrics, and another process takes over when it is killed', async () => {
    const service = await start({ ENGINES: 'off', WORKERS: '1' })
    const who = admin
    const setsPriority = { actionType: 0, field: 'priority', value: 2 }
    await who.post('/rule', { name: 'Urgent', active: true, triggerEvent: 1, actionValue: [setsPriority] })
    const acted = (id: string) => until(async () => (await who.get(`/item/${id}`)).priority === 2)
    const early = await who.post('/item', { title: 'Before anybody works' })
    await new Promise(resolve => setTimeout(resolve, 1500))
    assert.equal((await who.get(`/item/${early.id}`)).priority, 0)

    const health = { HEALTH_PORT: String(await freePort()) }
    const healthBase = `http://127.0.0.1:${health.HEALTH_PORT}`
    const first = await start(health, 'work')
    await acted(early.id)
    assert.deepEqual(await (await fetch(`${healthBase}/readyz`)).json(), { status: 'ready' })
    assert.match(
      await (await fetch(`${healthBase}/metrics`)).text(),
      /gantry_jobs_total\{task="rule",outcome="done"\} [1-9]/,
    )
    assert.equal((await fetch(`${healthBase}/api/item`)).status, 404)

    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    const late = await who.post('/item', { title: 'While nobody works' })
    const second = await start(health, 'work')
    await acted(late.id)
    assert.equal(await stop(second), 0)
    assert.equal(await stop(service), 0)
  })

  test('SIGTERM to npm stops the service, and npm ends after it', async () => {
    const scripts = [
      ['start', 'run', 'start'],
      ['gantry', 'run', 'gantry', '--', 'serve'],
    ]
    for (const [name, ...words] of casesOf(scripts, 2)) {
      const npm = await ready(
        observed(spawn('npm', words, { env: { ...env, WORKERS: '1' }, cwd: repository, detached: true })),
      )
      process.kill(npm.child.pid ?? 0, 'SIGTERM') // to npm alone, as a supervisor does
      await once(npm.child, 'exit')
      const orphans = groupOf(npm.child)
      for (const pid of orphans) process.kill(pid, 'SIGTERM')
      assert.deepEqual(orphans, [], `npm run ${name} leaves the service behind`)
      assert.equal(npm.child.exitCode, 0, npm.said())
    }
  })

  test('names every wrong setting in one message', async () => {
    const { child, said } = launch({ PORT: 'eighty', DATABASE_URL: 'mysql://x', POOL_SIZE: '0' })
    assert.deepEqual(await once(child, 'exit'), [1, null])
    for (const setting of ['PORT', 'DATABASE_URL', 'POOL_SIZE'])
      assert.match(said(), new RegExp(`^${setting} must be`, 'm'))
  })

  test('an unknown command prints the usage', async () => {
    const wrong: [words: string[], answer: RegExp][] = [
      [['dance'], /usage: npm run/],
      [['signing-key', 'turn'], /usage: npm run/],
      [['tenant', 'create', '--name', 'x'], /needs --name and a valid --email/],
    ]
    for (const [words, answer] of casesOf(wrong, 2)) await assert.rejects(gantry(...words), answer)
  })
})

/** Returns the processes that are still in the process group which this child leads. */
function groupOf(child: ChildProcess): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,pgid=,stat='], { encoding: 'utf8' }).trim().split('\n')
  return lines
    .map(line => line.trim().split(/\s+/))
    .filter(([, group, state]) => Number(group) === child.pid && !state?.startsWith('Z'))
    .map(([pid]) => Number(pid))
}
