import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MonotonicClock, openLeases } from './lease.ts'

/** A clock that the test advances. Due callbacks run in order of time, and each one's follow-up work is awaited. */
function handClock() {
  let time = 0
  const timers = new Set<{ at: number; act: () => void }>()
  const clock: MonotonicClock = {
    now: () => time,
    after(ms, act) {
      const timer = { at: time + Math.max(0, ms), act }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  }
  async function turn(ms: number): Promise<void> {
    const end = time + ms
    for (;;) {
      const [next] = [...timers].sort((a, b) => a.at - b.at)
      if (!next || next.at > end) break
      time = Math.max(time, next.at)
      timers.delete(next)
      next.act()
      await new Promise(setImmediate)
    }
    time = end
  }
  return { clock, turn, timers }
}

/** Leases of one second. `answer` stands in for the database: it returns the leases that were renewed. */
function leasesOf(answer: (held: readonly string[]) => Promise<readonly string[]> = async held => held) {
  const hand = handClock()
  const renewals: { at: number; held: string[] }[] = []
  const leases = openLeases<string>({
    length: 1000,
    clock: hand.clock,
    renew(held) {
      renewals.push({ at: hand.clock.now(), held: [...held] })
      return answer(held)
    },
  })
  return { ...hand, leases, renewals }
}

test('long leases are renewed in time by one statement, and none is lost', async () => {
  const { leases, renewals, turn } = leasesOf()
  const [a, b] = [leases.hold('a', 0), leases.hold('b', 0)]
  await turn(10_000)
  assert.ok(!a.lost.aborted && !b.lost.aborted)
  assert.ok(renewals.every(({ held }) => held.join() === 'a,b'))
  assert.deepEqual(
    renewals.slice(0, 2).map(each => each.at),
    [300, 600],
  )
})

test('a lease that is released soon costs no statement and leaves no timer', async () => {
  const { leases, renewals, turn, timers } = leasesOf()
  for (let n = 0; n < 20; n++) {
    const lease = leases.hold(`job ${n}`, leases.clock.now())
    await turn(250)
    lease.release()
  }
  assert.deepEqual(renewals, [])
  assert.equal(timers.size, 0)
  await turn(5000)
  assert.deepEqual(renewals, [])
})

test('a lease that another process holds is lost, and the other leases are not', async () => {
  const { leases, turn } = leasesOf(async held => held.filter(each => each !== 'b'))
  const [a, b] = [leases.hold('a', 0), leases.hold('b', 0)]
  await turn(300)
  assert.ok(b.lost.aborted)
  await turn(5000)
  assert.ok(!a.lost.aborted)
})

test('a lease that cannot be renewed is lost before another process may take it', async () => {
  const { leases, renewals, turn } = leasesOf(() => Promise.reject(new Error('away')))
  const lease = leases.hold('a', 0)
  await turn(700)
  assert.ok(!lease.lost.aborted)
  assert.ok(renewals.length > 2, 'tried again and again')
  await turn(200)
  assert.ok(lease.lost.aborted)
})

test('a renewal that succeeds after failed ones keeps the lease', async () => {
  let away = true
  const { leases, turn } = leasesOf(held => (away ? Promise.reject(new Error('away')) : Promise.resolve(held)))
  const lease = leases.hold('a', 0)
  await turn(650)
  away = false
  await turn(3000)
  assert.ok(!lease.lost.aborted)
})

test('the length counts from when the statement was sent: after a late answer little of it is left, or nothing', async () => {
  const { leases, clock, turn } = leasesOf(() => new Promise(() => {}))
  await turn(5000)
  const [little, nothing] = [leases.hold('little', clock.now() - 750), leases.hold('nothing', clock.now() - 2000)]
  await turn(0)
  assert.ok(nothing.lost.aborted && !little.lost.aborted)
  await turn(100)
  assert.ok(little.lost.aborted)
})

test('a lease that was released is neither renewed nor lost, even by a renewal that is in flight', async () => {
  const answers: (() => void)[] = []
  const { leases, turn } = leasesOf(() => new Promise(resolve => answers.push(() => resolve([]))))
  const lease = leases.hold('a', 0)
  await turn(300)
  lease.release()
  for (const answer of answers) answer()
  await turn(5000)
  assert.ok(!lease.lost.aborted)
})
