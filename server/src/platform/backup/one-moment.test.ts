import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { asOwner } from '../../../test/support/database/database.ts'
import { multipart } from '../../../test/support/multipart.ts'
import { startTestService } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { createBackup } from './backup.ts'
import { readCompressed } from './compressed-file.ts'
import { tableFile } from './contents.ts'
import { filesIn } from './file-copies.ts'

const playground = mkdtempSync(join(tmpdir(), 'gantry-moment-'))
after(() => rmSync(playground, { recursive: true, force: true }))

describe('a backup is of one moment', async () => {
  const { ada, databaseUrl, dataDir, database } = await startTestService()
  const upload = (file: string): Promise<{ id: string; sha256: string }> =>
    ada.must('POST', '/file', multipart({ file }, `${file}.txt`))
  const nameOf = ({ sha256 }: { sha256: string }) => `${ada.tenantId}/${sha256}`

  test('of rows and bytes together, while both are written and removed', async () => {
    const old = await upload('there before')
    const removed = await upload('removed during the dump')
    await ada.post('/item', { title: 'There before' })

    // The relay holds the first connection, so the files are copied and the snapshot is not taken.
    const release = Promise.withResolvers<void>()
    const { url, connecting } = await relayTo(databaseUrl, release.promise)
    // The lock holds the dump between the tables `event` and `file`, which are written then, and `item`.
    const unlock = await lockTable(databaseUrl, 'group_turn')
    const backup = createBackup({ url, dataDir, to: join(playground, 'backups') })
    await connecting
    const between = await upload('after the files and before the snapshot')
    await ada.post('/item', { title: 'Before the snapshot' })
    release.resolve()

    await until(() => isWaitingFor(databaseUrl, 'group_turn'))
    const late = await upload('during the dump')
    await ada.post('/item', { title: 'During the dump' })
    await asOwner(databaseUrl, undefined, 'delete from file where id = $1', [removed.id])
    await database.services.blobs.forget(ada.tenantId, removed.sha256)
    await unlock()

    const { path, manifest } = await backup
    const files = (await textOf(tableFile(path, 'file'))).trim().split('\n')
    for (const { id } of [old, removed, between]) assert.ok(files.some(row => row.includes(id)))
    assert.ok(!files.some(row => row.includes(late.id)))
    assert.deepEqual((await collect(filesIn(join(path, 'files')))).sort(), [old, removed, between].map(nameOf).sort())
    assert.equal(manifest.missingFiles, 0)
    const items = await textOf(tableFile(path, 'item'))
    assert.match(items, /There before/)
    assert.match(items, /Before the snapshot/)
    assert.doesNotMatch(items, /During the dump/)
  })
})

/** A PostgreSQL address in front of another one; `connecting` resolves with the first connection, which waits for `release`. */
async function relayTo(target: string, release: Promise<void>) {
  const connecting = Promise.withResolvers<void>()
  const { host, port } = new pg.Client({ connectionString: target })
  const relay = createServer(async client => {
    connecting.resolve()
    await release
    const server = host.startsWith('/') ? createConnection(`${host}/.s.PGSQL.${port}`) : createConnection(port, host)
    await Promise.allSettled([pipeline(client, server), pipeline(server, client)])
  })
  after(() => relay.close())
  await new Promise<void>(resolve => relay.listen(0, '127.0.0.1', resolve))
  const address = relay.address()
  if (address === null || typeof address === 'string') throw new Error('the relay has no port')
  const url = new URL(target)
  url.host = `127.0.0.1:${address.port}`
  return { url: url.href, connecting: connecting.promise }
}

/** Locks a table against all readers; the function that it returns unlocks it. */
async function lockTable(url: string, table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  return () => client.end()
}

async function isWaitingFor(url: string, table: string): Promise<boolean> {
  const rows = await asOwner(
    url,
    undefined,
    `select 1 from pg_locks where relation = '${table}'::regclass and not granted`,
  )
  return rows.length > 0
}

async function textOf(path: string): Promise<string> {
  return Buffer.concat(await collect(readCompressed(path))).toString()
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of source) found.push(each)
  return found
}
