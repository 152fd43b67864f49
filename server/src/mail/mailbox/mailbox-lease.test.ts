import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../test/support/free-port.ts'
import { startTestService } from '../../../test/support/people.ts'
import { openServices } from '../../app/services.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import { readSettings } from '../../platform/settings.ts'
import { openMailFetching } from '../fetch-mailboxes.ts'
import { mailboxLease } from './mailbox-lease.ts'

const port = await freePort()
const env = { OUTBOUND_ALLOW: `localhost:${port}`, MAIL_DNS: 'off' }
const { ada, database, dataDir } = await startTestService(env)
const { id } = await ada.post('/mail/mailbox', { name: 'Support', address: 'support@example.com' })

const asTenant = <T>(act: (ctx: Context) => Promise<T>) => database.transaction(tenantCaller(ada.tenantId), act)

interface State {
  lease: string | null
  until: Date | null
  failures: number
}

async function stateOf(mailboxId: string): Promise<State | undefined> {
  const [row] = await asTenant(
    ctx => ctx.sql<State>`select lease, leased_until as until, failures from mailbox_state
      where tenant_id = ${ada.tenantId} and mailbox_id = ${mailboxId}`,
  )
  return row
}

test('one process holds the lease of a mailbox until it releases it or the lease expires, and only the holder renews', async () => {
  const [first, second] = [mailboxLease(id, 60_000), mailboxLease(id, 60_000)]
  assert.equal(await asTenant(first.claim), true)
  assert.equal(await asTenant(second.claim), false)
  assert.equal(await asTenant(ctx => first.renew(ctx, undefined)), true)
  assert.equal(await asTenant(ctx => second.renew(ctx, undefined)), false)
  await asTenant(second.release)
  assert.equal(await asTenant(second.claim), false, 'a process without the lease cannot release it')
  await asTenant(first.release)
  assert.deepEqual(await stateOf(id), { lease: null, until: null, failures: 0 })
  assert.equal(await asTenant(second.claim), true)
  await asTenant(
    ctx =>
      ctx.sql`update mailbox_state set leased_until = now() where tenant_id = ${ada.tenantId} and mailbox_id = ${id}`,
  )
  assert.equal(await asTenant(first.claim), true, 'the lease of the second process expired')
  await asTenant(ctx => second.fail(ctx, 'late'))
  assert.equal((await stateOf(id))?.failures, 0, 'a process that lost the lease changes nothing')
  await asTenant(ctx => first.fail(ctx, 'refused'))
  assert.equal((await stateOf(id))?.failures, 1)
})

test('a change of the mailbox ends its lease', async () => {
  const lease = mailboxLease(id, 60_000)
  assert.equal(await asTenant(lease.claim), true)
  const { version } = await ada.get(`/mail/mailbox/${id}`)
  assert.equal(await asTenant(ctx => lease.renew(ctx, version)), true)
  await ada.put(`/mail/mailbox/${id}`, { name: 'Help' })
  assert.equal(await asTenant(ctx => lease.renew(ctx, version)), false)
  await asTenant(lease.release)
})

test('the lease of a mailbox is renewed while its server keeps the reader waiting, and no other process reads it', async () => {
  const sockets: Socket[] = []
  const silent = createServer(socket => void sockets.push(socket.on('error', () => {})))
  await once(silent.listen(port, 'localhost'), 'listening')
  after(() => silent.close())
  const serving = database.serving(openServices(readSettings({ DATA_DIR: dataDir, ...env })))
  const readers = [1, 2].map(() =>
    openMailFetching({ database: serving, log: () => {}, pace: { look: 50, poll: 300, lease: 900 } }),
  )
  for (const each of readers) each.start()
  const desk = await ada.post('/container', { name: 'Desk', key: 'DESK', kind: containerKind.desk })
  const { id: slow } = await ada.post('/mail/mailbox', {
    name: 'Slow',
    address: 'slow@example.com',
    containerId: desk.id,
    imap: { host: 'localhost', port, user: 'slow' },
    password: 'secret',
    active: true,
  })
  const until = async (holds: (state: State | undefined) => boolean) => {
    for (let tries = 0; tries < 400; tries++) {
      const state = await stateOf(slow)
      if (holds(state)) return state
      await sleep(25)
    }
    throw new Error(`not in time: ${JSON.stringify(await stateOf(slow))}`)
  }
  const claimed = await until(state => state?.lease != null)
  const later = new Date((claimed?.until?.getTime() ?? 0) + 1500)
  const renewed = await until(state => (state?.until ?? new Date(0)) > later)
  assert.equal(renewed?.lease, claimed?.lease)
  assert.equal(sockets.length, 1)
  for (const socket of sockets) socket.destroy()
  const failed = await until(state => state?.failures === 1)
  assert.equal(failed?.lease, null)
  await Promise.all(readers.map(each => each.stop()))
})
