import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asOwner } from '../../../test/support/database/database.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { active, done, planned, rollovers } from '../../containers/cycle/cycle.ts'
import { operator as operatorCode } from '../../language/conditions/conditions.ts'

const { ada, bob, eve, databaseUrl, happened } = await sharedTestService()

async function desk(name: string) {
  const container = await ada.post('/container', { name })
  const plan = async (values: object = {}) =>
    await ada.post('/cycle', { name: 'C', containerId: container.id, ...values })
  const add = async (title: string, values: object = {}) =>
    await ada.post('/item', { title, containerId: container.id, ...values })
  return { container, plan, add }
}

const refusal = async (method: string, path: string, body?: object) => {
  const answer = await ada.ask(method, path, body ? { body } : {})
  return [answer.status, answer.body?.code]
}

test('cycles of an owner are numbered and do not overlap, unless one is parallel', async () => {
  const { plan, container } = await desk('Numbers')
  const first = await plan({ startDate: '2026-03-02', endDate: '2026-03-15' })
  const second = await plan({ startDate: '2026-03-16', endDate: '2026-03-29' })
  assert.deepEqual([first.number, second.number, first.state], [1, 2, planned])
  const overlap = { name: 'D', containerId: container.id, startDate: '2026-03-15', endDate: '2026-03-16' }
  assert.deepEqual(await refusal('POST', '/cycle', overlap), [422, 'cycle-overlap'])
  assert.equal((await ada.post('/cycle', { ...overlap, parallel: true })).number, 3)
  assert.deepEqual(await refusal('PUT', `/cycle/${second.id}`, { startDate: '2026-03-10' }), [422, 'cycle-overlap'])
  const other = await desk('Others')
  assert.equal((await other.plan({ startDate: '2026-03-02', endDate: '2026-03-15' })).number, 1)
})

test('of ten concurrent plans for the same days, one succeeds', async () => {
  const { container } = await desk('Rush')
  const body = { name: 'X', containerId: container.id, startDate: '2026-05-01', endDate: '2026-05-14' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => ada.ask('POST', '/cycle', { body })))
  assert.deepEqual(answers.map(each => each.status).sort(), [201, ...Array.from({ length: 9 }, () => 422)])
})

test('a cycle belongs to a container or to a group, and its owner cannot change', async () => {
  const { container, plan } = await desk('Owners')
  const group = await ada.post('/user-group', { name: 'Team' })
  assert.deepEqual(await refusal('POST', '/cycle', { name: 'A' }), [422, 'cycle-owner'])
  assert.deepEqual(await refusal('POST', '/cycle', { name: 'A', containerId: container.id, userGroupId: group.id }), [
    422,
    'cycle-owner',
  ])
  assert.deepEqual(await refusal('POST', '/cycle', { name: 'A', containerId: container.id, startDate: '2026-01-01' }), [
    400,
    'validation',
  ])
  const cycle = await plan()
  const other = await desk('Other owner')
  assert.deepEqual(await refusal('PUT', `/cycle/${cycle.id}`, { containerId: other.container.id }), [
    422,
    'cycle-owner-fixed',
  ])
  assert.equal((await bob.ask('POST', '/cycle', { body: { name: 'A', containerId: container.id } })).status, 403)
})

test('an item can be in one cycle of its container or of a group, unless the cycle is done', async () => {
  const { plan, add } = await desk('Membership')
  const other = await desk('Foreign')
  const [mine, theirs] = [await plan(), await other.plan()]
  const group = await ada.post('/user-group', { name: 'Crew' })
  const shared = await ada.post('/cycle', { name: 'Shared', userGroupId: group.id })
  const item = await add('a', { cycleId: mine.id })
  assert.equal(item.cycleId, mine.id)
  assert.deepEqual(await refusal('PUT', `/item/${item.id}`, { cycleId: theirs.id }), [422, 'cycle-elsewhere'])
  assert.deepEqual(await refusal('POST', '/item', { title: 'b', cycleId: theirs.id }), [422, 'cycle-elsewhere'])
  assert.equal((await ada.put(`/item/${item.id}`, { cycleId: shared.id })).cycleId, shared.id)
  await ada.post(`/cycle/${mine.id}/start`, {})
  await ada.post(`/cycle/${mine.id}/finish`, {})
  assert.deepEqual(await refusal('PUT', `/item/${item.id}`, { cycleId: mine.id }), [422, 'cycle-done'])
  const foreign = await eve.post('/cycle', { name: 'E', containerId: (await eve.post('/container', { name: 'E' })).id })
  assert.deepEqual(await refusal('PUT', `/item/${item.id}`, { cycleId: foreign.id }), [422, 'unknown-reference'])
})

test('many items are planned in one request, all or none', async () => {
  const { plan, add } = await desk('Planning')
  const other = await desk('Away')
  const cycle = await plan()
  const [a, b, c] = [await add('a'), await add('b'), await other.add('c')]
  assert.deepEqual(await refusal('POST', `/cycle/${cycle.id}/items`, { add: [a.id, c.id] }), [422, 'cycle-elsewhere'])
  assert.equal((await ada.get(`/item/${a.id}`)).cycleId, '')
  assert.deepEqual(await ada.post(`/cycle/${cycle.id}/items`, { add: [a.id, b.id] }), {
    added: 2,
    removed: 0,
    warnings: [],
  })
  assert.deepEqual(await ada.post(`/cycle/${cycle.id}/items`, { add: [a.id], remove: [b.id] }), {
    added: 0,
    removed: 1,
    warnings: [],
  })
  assert.deepEqual(await refusal('POST', `/cycle/${cycle.id}/items`, { add: [a.id], remove: [a.id] }), [
    400,
    'validation',
  ])
})

test('a cycle is started and finished, and open items roll over to the next', async () => {
  const { plan, add } = await desk('Turns')
  const cycle = await plan({ name: 'One', startDate: '2026-03-02', endDate: '2026-03-15' })
  const next = await plan({ name: 'Two', startDate: '2026-03-16', endDate: '2026-03-29' })
  const a = await add('a', { cycleId: cycle.id, points: 3, estimateMinutes: 60, status: 'Done' })
  const b = await add('b', { cycleId: cycle.id, points: 5, status: 'In progress' })
  assert.deepEqual(await refusal('POST', `/cycle/${cycle.id}/finish`, {}), [422, 'cycle-not-active'])
  const started = await ada.post(`/cycle/${cycle.id}/start`, {})
  assert.deepEqual(
    [started.state, started.startDate, started.committed],
    [active, '2026-03-02', { count: 2, points: 8, minutes: 60 }],
  )
  assert.ok(started.startedAt)
  assert.deepEqual(await happened(2), ['cycle.updated', 'cycle.started'])
  assert.deepEqual(await refusal('POST', `/cycle/${next.id}/start`), [422, 'cycle-active'])
  assert.deepEqual(await refusal('POST', `/cycle/${cycle.id}/start`), [422, 'cycle-not-planned'])
  const finished = await ada.post(`/cycle/${cycle.id}/finish`, {})
  assert.deepEqual(
    [finished.state, finished.rolledTo, finished.completed],
    [done, next.id, { count: 1, points: 3, minutes: 60 }],
  )
  assert.deepEqual(finished.rolledOver, [{ id: b.id, key: b.key, title: 'b' }])
  assert.equal((await ada.get(`/item/${b.id}`)).cycleId, next.id)
  assert.equal((await ada.get(`/item/${a.id}`)).cycleId, cycle.id)
  assert.deepEqual(await happened(3), ['item.updated', 'cycle.updated', 'cycle.completed'])
  const burndown = await ada.get(`/cycle/${cycle.id}/burndown`)
  assert.deepEqual([burndown.uncompleted, burndown.rolledOver, burndown.rolledTo], [[b.id], [b.id], next.id])
  assert.deepEqual(burndown.now.remaining, { count: 1, points: 5, minutes: 0 })
  assert.equal(burndown.progress, 0.625)
})

test('open items move to the backlog or to a given cycle, or the request must name where they move', async () => {
  const { plan, add } = await desk('Rollover')
  const asks = await plan({ rollover: rollovers.ask })
  const item = await add('a', { cycleId: asks.id })
  await ada.post(`/cycle/${asks.id}/start`, {})
  assert.deepEqual(await refusal('POST', `/cycle/${asks.id}/finish`, {}), [422, 'rollover-needed'])
  assert.deepEqual(await refusal('POST', `/cycle/${asks.id}/finish`, { toCycleId: asks.id }), [422, 'cycle-same'])
  const later = await plan({ name: 'Later' })
  await ada.post(`/cycle/${asks.id}/finish`, { toCycleId: later.id })
  assert.equal((await ada.get(`/item/${item.id}`)).cycleId, later.id)
  await ada.post(`/cycle/${later.id}/start`, {})
  const done = await ada.post(`/cycle/${later.id}/finish`, { rollover: rollovers.next })
  assert.equal(done.rolledTo, '')
  assert.equal((await ada.get(`/item/${item.id}`)).cycleId, '')
})

test('a cycle plans the following cycles', async () => {
  const { container, plan, add } = await desk('Ahead')
  const cycle = await plan({
    startDate: '2026-03-02',
    endDate: '2026-03-08',
    autoCreate: { lengthDays: 7, cooldownDays: 2, count: 2 },
  })
  const item = await add('a', { cycleId: cycle.id })
  await ada.post(`/cycle/${cycle.id}/start`, {})
  const all = async () => {
    const found: { startDate: string; endDate: string; name: string }[] = await ada.get(
      `/cycle?containerId=${container.id}`,
    )
    return found.map(each => [each.name, each.startDate, each.endDate])
  }
  const expected = [
    ['C', '2026-03-02', '2026-03-08'],
    ['Cycle 2', '2026-03-11', '2026-03-17'],
    ['Cycle 3', '2026-03-20', '2026-03-26'],
  ]
  assert.deepEqual(await all(), expected)
  const { rolledTo } = await ada.post(`/cycle/${cycle.id}/finish`, {})
  assert.equal((await ada.get(`/cycle/${rolledTo}`)).name, 'Cycle 2')
  assert.equal((await ada.get(`/item/${item.id}`)).cycleId, rolledTo)
  assert.deepEqual(await all(), expected)
})

test('of two concurrent requests to finish a cycle, one succeeds', async () => {
  const { plan, add } = await desk('Twice')
  const cycle = await plan()
  for (const title of ['a', 'b', 'c']) await add(title, { cycleId: cycle.id })
  await ada.post(`/cycle/${cycle.id}/start`, {})
  const answers = await Promise.all(
    [0, 1].map(() => ada.ask('POST', `/cycle/${cycle.id}/finish`, { body: { rollover: rollovers.backlog } })),
  )
  assert.deepEqual(answers.map(each => each.status).sort(), [200, 422])
})

test('a finished cycle can be reopened, and a deleted cycle returns its items to the backlog', async () => {
  const { plan, add } = await desk('Back')
  const cycle = await plan()
  const item = await add('a', { cycleId: cycle.id, status: 'Done' })
  await ada.post(`/cycle/${cycle.id}/start`, {})
  await ada.post(`/cycle/${cycle.id}/finish`, {})
  const reopened = await ada.post(`/cycle/${cycle.id}/reopen`, {})
  assert.deepEqual([reopened.state, reopened.completedAt, reopened.completed], [active, null, {}])
  assert.deepEqual(await refusal('POST', `/cycle/${cycle.id}/reopen`), [422, 'cycle-not-done'])
  await ada.delete(`/cycle/${cycle.id}`)
  assert.equal((await ada.get(`/item/${item.id}`)).cycleId, '')
})

test('the burndown is computed for each day from the event log', async () => {
  const { plan, add } = await desk('Burning')
  const cycle = await plan({ startDate: '2026-03-02', endDate: '2026-03-05' })
  const [a, b, c] = [
    await add('a', { points: 1, cycleId: cycle.id }),
    await add('b', { points: 2, cycleId: cycle.id }),
    await add('c', { points: 4 }),
  ]
  await ada.post(`/cycle/${cycle.id}/start`, {})
  await ada.put(`/item/${a.id}`, { status: 'Done' })
  await ada.put(`/item/${c.id}`, { cycleId: cycle.id })
  await ada.put(`/item/${b.id}`, { points: 3 })
  await ada.put(`/item/${b.id}`, { cycleId: '' })
  // Moves each event to a day of its own.
  const days: [string, string][] = [
    [a.id, '2026-03-01'],
    [b.id, '2026-03-01'],
    [c.id, '2026-03-01'],
  ]
  const run = (text: string, ...values: unknown[]) =>
    asOwner<{ id: string }>(databaseUrl, undefined, text, [ada.tenantId, ...values])
  await run(`update cycle set started_at = '2026-03-02T08:00Z' where tenant_id = $1 and id = $2`, cycle.id)
  for (const [id, day] of days) {
    const events = await run('select id from event where tenant_id = $1 and record_id = $2 order by xact, id', id)
    for (const [n, event] of events.entries())
      await run(
        `update event set at = $3::timestamptz + $4 * interval '1 day' where tenant_id = $1 and id = $2`,
        event.id,
        `${day}T12:00Z`,
        n + (n > 0 && id === b.id ? 1 : 0),
      )
  }
  const { days: shown, timezone } = await ada.get(`/cycle/${cycle.id}/burndown`)
  assert.equal(timezone, 'UTC')
  const brief = shown
    .slice(0, 4)
    .map((day: { date: string; scope: object; done: object; ideal: { points: number } }) => [
      day.date,
      day.scope,
      day.done,
      day.ideal.points,
    ])
  const amount = (count: number, points: number) => ({ count, points, minutes: 0 })
  // On the 2nd a is done and c is added; on the 3rd the points of b increase, on the 4th b is removed.
  assert.deepEqual(brief, [
    ['2026-03-02', amount(3, 7), amount(1, 1), 2.25],
    ['2026-03-03', amount(3, 8), amount(1, 1), 1.5],
    ['2026-03-04', amount(2, 5), amount(1, 1), 0.75],
    ['2026-03-05', amount(2, 5), amount(1, 1), 0],
  ])
})

test('velocity is the average of the last cycles', async () => {
  const { container, plan, add } = await desk('Fast')
  for (const points of [3, 5]) {
    const cycle = await plan()
    await add('a', { cycleId: cycle.id, points, status: 'Done' })
    await ada.post(`/cycle/${cycle.id}/start`, {})
    await ada.post(`/cycle/${cycle.id}/finish`, {})
  }
  const { average, cycles } = await ada.get(`/cycle/velocity?containerId=${container.id}`)
  assert.deepEqual(average, { count: 1, points: 4, minutes: 0 })
  assert.deepEqual(
    cycles.map((each: { number: number }) => each.number),
    [2, 1],
  )
  assert.equal((await ada.get(`/cycle/velocity?containerId=${container.id}&last=1`)).average.points, 5)
  assert.deepEqual(await refusal('GET', '/cycle/velocity?last=0'), [400, 'validation'])
  assert.deepEqual((await eve.get(`/cycle/velocity?containerId=${container.id}`)).cycles, [])
})

test('capacity compares working hours with the remaining work', async () => {
  const { plan, add } = await desk('Capacity')
  await ada.put(`/user/${bob.id}`, { workingHours: '4h' })
  const cycle = await plan({ startDate: '2031-03-03', endDate: '2031-03-09' })
  await add('a', { cycleId: cycle.id, estimateMinutes: 300, assignees: [ada.id, bob.id] })
  await add('b', { cycleId: cycle.id, estimateMinutes: 60, remainingMinutes: 30 })
  const capacity = await ada.get(`/cycle/${cycle.id}/capacity`)
  assert.deepEqual(
    [capacity.capacityMinutes, capacity.remainingMinutes, capacity.unassignedMinutes, capacity.workingDays],
    [3600, 330, 30, 5],
  )
  assert.deepEqual(
    capacity.people
      .map((each: { userId: string; capacityMinutes: number; remainingMinutes: number }) => [
        each.userId,
        each.capacityMinutes,
        each.remainingMinutes,
      ])
      .sort(),
    [
      [ada.id, 2400, 150],
      [bob.id, 1200, 150],
    ].sort(),
  )
})

test('conditions can refer to the current and the last cycle', async () => {
  const { container, plan, add } = await desk('Asked')
  const last = await plan({ name: 'Old' })
  await add('old', { cycleId: last.id, status: 'Done' })
  await ada.post(`/cycle/${last.id}/start`, {})
  await ada.post(`/cycle/${last.id}/finish`, {})
  const current = await plan({ name: 'New' })
  await add('new', { cycleId: current.id })
  await add('none')
  await ada.post(`/cycle/${current.id}/start`, {})
  const found = async (leftSide: string, rightSide: string, operator = operatorCode.equals) => {
    const filter = await ada.post(`/container/${container.id}/filter`, {
      name: 'x',
      criteria: { includeClosed: true, conditionGroup: [{ condition: [{ leftSide, operator, rightSide }] }] },
    })
    assert.deepEqual(filter.check, [])
    const items: { title: string }[] = await ada.get(`/container/${container.id}/filter/${filter.id}/items`)
    return items.map(each => each.title).sort()
  }
  assert.deepEqual(await found('cycleId', '@currentCycle'), ['new'])
  assert.deepEqual(await found('cycle', '@lastCycle'), ['old'])
  assert.deepEqual(await found('cycle', '@currentCycle', 1), ['none', 'old'])
  assert.deepEqual(await found('cycleId', `["@lastCycle", "${current.id}"]`), ['new', 'old'])
  assert.deepEqual(await found('cycle.state', '1'), ['new'])
  assert.deepEqual(await found('cycle.name', 'old'), ['old'])
})
