import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { engines, type Running } from '../../../test/support/engines.ts'
import { startTestService } from '../../../test/support/people.ts'
import { receiver } from '../../../test/support/receiver.ts'
import { until } from '../../../test/support/until.ts'
import { triggerEvent } from '../trigger-event.ts'

describe('a dead address of one tenant does not slow another’s', async () => {
  const [dead, good] = [await receiver(), await receiver()]
  const env = {
    OUTBOUND_HTTP: 'true',
    OUTBOUND_ALLOW: [dead, good].map(each => each.env.OUTBOUND_ALLOW).join(),
  }
  const hanging = () => ({ status: 200, wait: 3_600_000 })
  const home = await startTestService(env)
  const { ada, eve, database } = home
  await eve.post('/hook', { name: 'Good', url: good.url, events: [triggerEvent['item.created']] })

  /** Changes an item of the good tenant, and returns whether the call has arrived. */
  async function change(): Promise<() => boolean> {
    const { id } = await eve.post('/item', { title: 'Good' })
    return () => good.got.some(call => call.body.data.id === id)
  }

  /** Twenty dead addresses with 2,000 waiting calls. */
  async function flood(): Promise<void> {
    dead.answer = hanging
    for (let n = 0; n < 20; n++)
      await ada.post('/hook', { name: `Dead ${n}`, url: `${dead.url}/${n}`, events: [triggerEvent['item.created']] })
    await ada.post(
      '/item/bulk',
      Array.from({ length: 100 }, (_, n) => ({ title: `Flood ${n}` })),
    )
    await dead.until(got => got.length >= 4)
    assert.ok((await owed()) > 1900)
  }
  /** Ends the hanging calls, so that the test need not wait for them. */
  async function end(running: Running): Promise<void> {
    dead.answer = () => 503
    dead.hangUp()
    await running.stop()
  }
  const owed = async () =>
    (
      await database.crossTenantSql<{
        count: number
      }>`select count(*)::int as count from errand where tenant_id = ${ada.tenantId}`
    )[0]?.count ?? 0

  test('with 20 dead hooks and 2,000 waiting calls, the call of another tenant arrives before any of them ends', async () => {
    const running = await engines(home, env, { grace: 100 })
    await flood()
    for (let n = 0; n < 10; n++) await until(await change())
    assert.ok((await owed()) > 1900)
    await end(running)
  })

  test('the reason is the limit of jobs per tenant: without it the call of another tenant waits', async () => {
    dead.answer = hanging
    const before = dead.got.length
    const greedy = await engines(home, env, { atOnce: 32, perTenant: 1000, grace: 100 })
    await dead.until(got => got.length >= before + 12)
    const arrived = await change()
    await sleep(1000)
    assert.equal(arrived(), false)
    await end(greedy)
  })
})
