import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { engines, type Running } from '../../../test/support/engines.ts'
import { type Person, startTestService } from '../../../test/support/people.ts'
import { receiver } from '../../../test/support/servers/receiver.ts'
import { until } from '../../../test/support/until.ts'
import { triggerEvent } from '../trigger-event.ts'

describe('a dead address delays no other', async () => {
  const [dead, good] = [await receiver(), await receiver()]
  const env = {
    OUTBOUND_HTTP: 'true',
    OUTBOUND_ALLOW: [dead, good].map(each => each.env.OUTBOUND_ALLOW).join(),
  }
  const home = await startTestService(env)
  const { ada, eve, database } = home
  const hour = 3_600_000
  /** Calls to the dead address end when the test says so, and never by their own limits. */
  const patient = { headers: hour, body: hour, total: hour, maxWait: hour }
  const hanging = () => ({ status: 200, wait: hour })

  beforeEach(async () => {
    for (const who of [ada, eve]) for (const { id } of await who.get('/hook')) await who.delete(`/hook/${id}`)
    await database.crossTenantSql`delete from queued_job`
    dead.got.length = 0
    good.got.length = 0
  })

  const hook = async (who: Person, url: string) =>
    await who.post('/hook', { name: 'Hook', url, events: [triggerEvent['item.created']] })

  const deadHooks = 20
  const items = 100
  /** Gives ada twenty hooks with dead addresses, and a hundred new items: 2,000 waiting calls. */
  async function flood(): Promise<void> {
    for (let n = 0; n < deadHooks; n++) await hook(ada, `${dead.url}/${n}`)
    await ada.post(
      '/item/bulk',
      Array.from({ length: items }, (_, n) => ({ title: `Flood ${n}` })),
    )
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
      }>`select count(*)::int as count from queued_job where tenant_id = ${ada.tenantId} and task = 'hook'`
    )[0]?.count ?? 0

  test('a live hook of the same tenant gets all its calls before any call to a dead one ends', async () => {
    dead.answer = hanging
    const running = await engines(home, env, { grace: 100 }, patient)
    await hook(ada, good.url)
    await flood()
    await good.until(got => got.length >= items)
    assert.equal(new Set(good.got.map(call => call.body.data.id)).size, items)
    await until(async () => (await owed()) === deadHooks * items)
    assert.equal(
      new Set(dead.got.map(call => call.path)).size,
      dead.got.length,
      'each dead hook has one call under way',
    )
    await end(running)
  })

  test('a live hook of another tenant gets its calls before any call to a dead one ends', async () => {
    dead.answer = hanging
    const running = await engines(home, env, { grace: 100 }, patient)
    await hook(eve, good.url)
    await flood()
    await dead.until(got => got.length >= 4)
    for (let n = 0; n < 10; n++) {
      const { id } = await eve.post('/item', { title: 'Good' })
      await good.until(got => got.some(call => call.body.data.id === id))
    }
    assert.equal(await owed(), deadHooks * items)
    await end(running)
  })

  test('a hook on the host of dead ones gets its calls once these have failed', async () => {
    const haveAllFailed = () => new Set(dead.got.slice(0, -1).map(call => call.path)).size >= deadHooks
    dead.answer = call => (call.path === '/live' ? 200 : { status: 503, wait: haveAllFailed() ? hour : 0 })
    const running = await engines(home, env, { grace: 100 }, patient)
    await flood()
    await dead.until(haveAllFailed)
    await hook(ada, `${dead.url}/live`)
    await ada.post('/item', { title: 'Live' })
    await dead.until(got => got.some(call => call.path === '/live'))
    await end(running)
  })

  test('a hook that was paused is not called after a restart, and gets every call in order when it is switched on again', async () => {
    dead.answer = () => 503
    const first = await engines(home, env)
    const { id } = await ada.post('/hook', { name: 'Dead', url: dead.url })
    const [one, other] = [await ada.post('/item', { title: '0' }), await ada.post('/item', { title: '0' })]
    await until(async () => {
      const paused =
        await database.crossTenantSql`update failing_group set resume_at = now() + interval '1 hour' where job_group = ${`hook ${id}`} returning 1`
      return paused.length === 1
    })
    await first.settle()
    await first.stop()
    const second = await engines(home, env)
    await hook(ada, good.url)
    const before = dead.got.length
    for (let n = 1; n <= 5; n++)
      for (const item of [one, other]) await ada.put(`/item/${item.id}`, { title: String(n) })
    await ada.post('/item', { title: 'Seen by the other hook' })
    await good.until(got => got.length > 0)
    assert.equal(dead.got.length, before)
    dead.answer = () => 200
    await ada.put(`/hook/${id}`, { active: true })
    await database.crossTenantSql`update queued_job set run_at = now() where worker is null` // without the delay after the failure
    await second.settle()
    for (const item of [one, other])
      assert.deepEqual(
        dead.got.slice(before).flatMap(({ body: { data } }) => (data.id === item.id ? [data.changes.title] : [])),
        ['0', '1', '2', '3', '4', '5'],
      )
    assert.equal(await owed(), 0)
    await second.stop()
  })
})
