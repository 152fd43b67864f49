import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines, type Running } from '../../../test/support/engines.ts'
import { house } from '../../../test/support/people.ts'
import { receiver } from '../../../test/support/receiver.ts'

describe('a dead address of one tenant does not slow another’s', async () => {
  const [dead, good] = [await receiver(), await receiver()]
  const env = {
    OUTBOUND_HTTP: 'true',
    OUTBOUND_ALLOW: [dead, good].map(each => each.env.OUTBOUND_ALLOW).join(),
  }
  const hanging = () => ({ status: 200, wait: 60_000 })
  const home = await house(env)
  const { ada, eve, database } = home
  await eve.post('/hook', { name: 'Good', url: good.url, events: [1] })

  /** How long each of so many changes takes from its commit to its arrival, in order; ms. */
  async function times(count: number): Promise<number[]> {
    const all: number[] = []
    for (let n = 0; n < count; n++) {
      const { id } = await eve.post('/item', { title: `Good ${n}` })
      const committed = performance.now()
      await good.until(got => got.some(call => call.body.data.id === id), 2000)
      all.push(performance.now() - committed)
    }
    return all.sort((a, b) => a - b)
  }
  const p95 = (all: readonly number[]) => all[Math.floor(all.length * 0.95)] ?? 0

  /** Twenty dead addresses, and 2,000 calls that are owed to them. */
  async function flood(): Promise<void> {
    dead.answer = hanging
    for (let n = 0; n < 20; n++) await ada.post('/hook', { name: `Dead ${n}`, url: `${dead.url}/${n}`, events: [1] })
    await ada.post(
      '/item/bulk',
      Array.from({ length: 100 }, (_, n) => ({ title: `Flood ${n}` })),
    )
    await dead.until(got => got.length >= 4)
    assert.ok((await owed()) > 1900)
  }
  /** Whoever hangs is let go, so that the end need not wait for them. */
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

  test('with 20 dead hooks and 2,000 calls owed, arrival takes no longer than twice as long as without', async () => {
    const running = await engines(home, env, { grace: 100 })
    await times(3)
    const calm = p95(await times(30))
    await flood()
    const busy = p95(await times(30))
    assert.ok(busy <= 2 * calm + 60, `p95 ${Math.round(busy)} ms, ${Math.round(calm)} ms without`)
    await end(running)
  })

  test('because a tenant has a share of the hands: where it may take them all, others wait', async () => {
    dead.answer = hanging
    const greedy = await engines(home, env, { atOnce: 32, perTenant: 1000, grace: 100 })
    await dead.until(got => got.length >= 12)
    await assert.rejects(times(1), /did not come/)
    await end(greedy)
  })
})
