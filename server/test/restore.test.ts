import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { migrate } from '../src/platform/database/migrate.ts'
import { asOwner, startTestPostgres, databaseUrl as urlOn } from './support/database/database.ts'
import { restore } from './support/database/restore.ts'
import { engines } from './support/engines.ts'
import { Listener } from './support/listener.ts'
import { Person, serveOn, startTestService } from './support/people.ts'
import { until } from './support/until.ts'

test('a restored database goes on on a new server: nothing of the log is hidden, and what is new follows it', async () => {
  const home = await startTestService()
  const { ada, databaseUrl, dataDir } = home
  const setsPriority = { actionType: 0, field: 'priority', value: 2 }
  await ada.post('/rule', { name: 'Urgent', active: true, triggerEvent: 1, actionValue: [setsPriority] })
  // The server has worked for long, so its counter is far ahead of that of a new server.
  await asOwner(
    databaseUrl,
    undefined,
    'do $$ begin for i in 1..30000 loop perform pg_current_xact_id(); commit; end loop; end $$',
  )
  const old = await ada.post('/item', { title: 'Before the dump' })
  const { settle, stop } = await engines(home)
  await settle()
  await stop()
  const before = (await ada.get('/event?limit=200')).map((event: { seq: string }) => event.seq)

  const other = await startTestPostgres()
  after(() => other.stop())
  await asOwner(other.url, 'postgres', 'create database restored')
  const url = urlOn(other.url, 'restored')
  await restore(databaseUrl, url)
  await migrate(url) // as every start does

  const { base, database } = await serveOn(url, dataDir)
  const again = new Person(base, ada.key, ada.id, ada.tenantId)
  const seqs = (await again.get('/event?limit=200')).map((event: { seq: string }) => event.seq)
  assert.deepEqual(seqs, before, 'what there was is shown')
  const stream = await Listener.to(again, '/event/stream?entity=Item')
  const running = await engines({ database, dataDir })
  const fresh = await again.post('/item', { title: 'After the restore' })
  await until(async () => (await again.get(`/item/${fresh.id}`)).priority === 2)
  assert.equal((await again.get(`/item/${old.id}`)).priority, 2)
  await stream.until(() => stream.received.some(({ data }) => data.recordId === fresh.id))
  await running.settle()
  const last = before.at(-1)
  const news: { recordId: string }[] = await again.get(`/event?after=${last}&limit=200`)
  assert.ok(
    news.some(event => event.recordId === fresh.id),
    'a reader goes on where it was',
  )
  assert.deepEqual(await migrate(url), [])
  const bases = await asOwner<{ base: string }>(url, undefined, 'select log_base()::text as base')
  await migrate(url)
  assert.deepEqual(await asOwner(url, undefined, 'select log_base()::text as base'), bases, 'raised once')
})
