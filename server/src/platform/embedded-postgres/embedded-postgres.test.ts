import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { isLong } from '../../../test/support/form.ts'
import { memoryFolder } from '../../../test/support/memory-folder.ts'
import { until } from '../../../test/support/until.ts'
import { DataDirectoryInUse, joinEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { livePostmaster } from './process/postmaster.ts'

const playground = memoryFolder('gantry-embedded-')
after(() => rmSync(playground, { recursive: true, force: true }))

const firstDataDir = join(playground, 'first', 'data')

test('a first start creates the cluster and a later one finds its data', async () => {
  const dataDir = firstDataDir
  const first = await start(dataDir)
  await query(first.url, `create table note (body text); insert into note values ('kept')`)
  await first.stop()
  await first.stop()
  assert.deepEqual(processesOf(dataDir), [])

  const later = await start(dataDir)
  assert.equal(later.url, first.url)
  assert.deepEqual(await query(later.url, 'select body from note'), [{ body: 'kept' }])
  await query(later.url, 'drop table note')
  await later.stop()
  assert.equal(statSync(dataDir).mode & 0o777, 0o700)
  assert.equal(statSync(join(dataDir, 'postgres.json')).mode & 0o777, 0o600)
})

test('the database is durable, sorts by Unicode and keeps time in UTC', async () => {
  const postgres = await start(existingCluster('settings'), { work_mem: '8MB' })
  const settings = await query(
    postgres.url,
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'data_checksums', 'jit',
       'listen_addresses', 'server_encoding', 'TimeZone', 'work_mem') order by name collate "C"`,
  )
  const sorted = await query(
    postgres.url,
    `select string_agg(w, '' order by w) as w from unnest('{z,ä,B,a}'::text[]) w`,
  )
  await postgres.stop()
  assert.deepEqual(Object.fromEntries(settings.map(({ name, setting }) => [name, setting])), {
    TimeZone: 'UTC',
    data_checksums: 'on',
    fsync: 'on',
    jit: 'off',
    listen_addresses: '',
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
    work_mem: '8192',
  })
  assert.deepEqual(sorted, [{ w: 'aäBz' }])
})

test('a second start on the same data directory is refused, in the same process and in another', async () => {
  const dataDir = existingCluster('second')
  const postgres = await start(dataDir)
  await assert.rejects(start(dataDir), error => {
    assert.ok(error instanceof DataDirectoryInUse)
    assert.match(error.message, new RegExp(`${dataDir} .*pid ${process.pid}`))
    return true
  })
  const { said } = await service(dataDir)
  assert.match(said, /^DataDirectoryInUse/)
  assert.deepEqual(await query(postgres.url, 'select 1 as one'), [{ one: 1 }])
  await postgres.stop()
})

test('after kill -9 of the service a new start works and finds every acknowledged write', async () => {
  const dataDir = existingCluster('killed')
  const { child, said: url } = await service(dataDir)
  await query(url, `create table note (body text); insert into note values ('acknowledged')`)
  await kill(child)

  const postgres = await start(dataDir)
  assert.deepEqual(await query(postgres.url, 'select body from note'), [{ body: 'acknowledged' }])
  await postgres.stop()
})

test('after kill -9 of the service no process of PostgreSQL remains', async () => {
  const dataDir = existingCluster('orphan')
  const { child } = await service(dataDir)
  assert.notDeepEqual(processesOf(dataDir), [])
  await kill(child)
  await until(() => processesOf(dataDir).length === 0)
})

test('Ctrl-C in the terminal does not reach PostgreSQL directly', async () => {
  const dataDir = existingCluster('terminal')
  const { child, said: url } = await service(dataDir)
  const atWork = await connect(url)
  process.kill(-(child.pid ?? 0), 'SIGINT') // to the whole process group, as the terminal does
  await sleep(300)
  assert.deepEqual((await atWork.query('select 1 as one')).rows, [{ one: 1 }])
  await atWork.end()
  await kill(child)
  await until(() => processesOf(dataDir).length === 0)
})

test('after kill -9 of PostgreSQL itself the same URL works again', async () => {
  const dataDir = existingCluster('postmaster')
  const postgres = await start(dataDir)
  await query(postgres.url, `create table note (body text); insert into note values ('kept')`)
  const pid = livePostmaster(join(dataDir, 'postgres'))
  assert.ok(pid)
  process.kill(pid, 'SIGKILL')
  const notes = () => query(postgres.url, 'select body from note').catch(() => [])
  await until(async () => (await notes()).length > 0)
  assert.deepEqual(await notes(), [{ body: 'kept' }])
  await postgres.stop()
  // What the killed server had started ends by itself, when it notices.
  await until(() => processesOf(dataDir).length === 0)
})

test('an operator command joins the running cluster and leaves it running', async () => {
  const dataDir = existingCluster('join')
  const postgres = await start(dataDir)
  const joined = await joinEmbeddedPostgres({ dataDir, log: quiet })
  assert.equal(joined.url, postgres.url)
  await joined.stop()
  assert.deepEqual(await query(postgres.url, 'select 1 as one'), [{ one: 1 }])
  await postgres.stop()
})

test('an operator command starts the cluster while it runs, if the service is stopped', async () => {
  const dataDir = existingCluster('alone')
  const joined = await joinEmbeddedPostgres({ dataDir, log: quiet })
  assert.deepEqual(await query(joined.url, 'select 1 as one'), [{ one: 1 }])
  await joined.stop()
  assert.deepEqual(processesOf(dataDir), [])
})

test('an interrupted creation, a lost password and a reused pid do not prevent a start', async () => {
  // The creation of a cluster has to cope with special characters, too.
  const dataDir = join(playground, `mishaps of "it's", lång`)
  mkdirSync(join(dataDir, 'postgres.new-killed', 'cluster'), { recursive: true })
  await (await start(dataDir)).stop()
  assert.deepEqual(readdirSync(dataDir).sort(), ['postgres', 'postgres.json', 'postgres.log', 'run', 'service.lock'])

  rmSync(join(dataDir, 'postgres.json'))
  writeFileSync(
    join(dataDir, 'postgres', 'postmaster.pid'),
    `${process.pid}\n${dataDir}/postgres\n1\n5432\n\n\n0 0\nready\n`,
  )
  const postgres = await start(dataDir)
  assert.deepEqual(await query(postgres.url, 'select 1 as one'), [{ one: 1 }])
  await postgres.stop()
})

test('a data directory with special characters and a path too long for a socket works', async () => {
  // In the short form only the starts are at these paths, and the creation is in the test before.
  const folder = (name: string) => (isLong ? join(playground, name) : existingCluster(name))
  const dataDir = folder(`it's a "long", lång path ${'x'.repeat(90)}`)
  const postgres = await start(dataDir)
  assert.deepEqual(await query(postgres.url, 'select 1 as one'), [{ one: 1 }])
  await postgres.stop()
  const again = await start(dataDir)
  assert.equal(again.url, postgres.url)
  await again.stop()
  rmSync(decodeURIComponent(new URL(again.url).hostname), { recursive: true })

  const short = await start(folder(`it's "sh,rt"`))
  assert.deepEqual(await query(short.url, 'select 1 as one'), [{ one: 1 }])
  await short.stop()
})

function quiet(): void {}

/** Returns a data directory with the cluster of the first test, because to create one takes long. */
function existingCluster(name: string): string {
  const dataDir = join(playground, name)
  cpSync(firstDataDir, dataDir, { recursive: true })
  chmodSync(join(dataDir, 'postgres'), 0o700) // the copy of a folder has the default mode, which PostgreSQL refuses
  return dataDir
}

function start(dataDir: string, settings: Record<string, string> = {}) {
  return startEmbeddedPostgres({ dataDir, log: quiet, settings })
}

/** Starts a substitute for the service in its own process group and waits for its first output. */
async function service(dataDir: string): Promise<{ child: ChildProcess; said: string }> {
  const script = fileURLToPath(new URL('test-service.ts', import.meta.url))
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  assert.ok(child.stdout)
  const [said] = await once(createInterface(child.stdout), 'line')
  return { child, said: String(said) }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', quiet)
  await client.connect()
  return client
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = await connect(url)
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Guards, postmaster and backends: all have the directory in their command line or as their working directory. */
function processesOf(dataDir: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.filter(pid => pid !== process.pid && /^(sh|.*postgres)/.test(command(pid)) && belongs(pid, dataDir))
}

function belongs(pid: number, dataDir: string): boolean {
  if (command(pid).includes(dataDir)) return true
  const parent = existsSync(`/proc/${pid}/status`)
    ? /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    : null
  return parent !== null && command(Number(parent[1])).includes(dataDir)
}

function command(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
