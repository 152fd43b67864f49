import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { noteOverloads } from '../load/overload.ts'
import { allocationState } from './allocation.ts'
import { allocationUnit } from './spread.ts'

const { ada, bob, eve, person, database } = await sharedTestService()
const { minutesPerDay, totalMinutes, percent } = allocationUnit
const week = { from: '2030-06-03', to: '2030-06-07' } // Monday to Friday

let manager: Person
before(async () => {
  manager = await person({ name: 'Planner', role: roleCode.manager })
})

const plan = (body: object) => manager.post('/plan', { ...week, unit: minutesPerDay, amount: 60, ...body })
const refusal = async (body: object) => {
  const { status, body: answer } = await manager.ask('POST', '/plan', { body: { ...week, ...body } })
  return `${status} ${answer.code}`
}
interface Bucket {
  from: string
  capacity: number | null
  firm: number
  tentative: number
  leave: number | null
  actual: number
  free: number | null
  delta: number
  over: number | null
  cost?: string
  value?: { currency: string; amount: string }[]
}
const loadOf = async (key: string, query: string, who: Person = manager): Promise<Bucket[]> => {
  const rows = await who.get(`/plan/load?from=${week.from}&to=${week.to}&${query}`)
  return rows.find((row: { key: string }) => row.key === key)?.buckets ?? []
}

describe('an allocation', () => {
  test('is for a user, a group or a placeholder, by managers', async () => {
    assert.equal(await refusal({}), '422 plan-subject')
    const group = await ada.post('/user-group', { name: 'Crew', members: [bob.id] })
    assert.equal(await refusal({ userId: bob.id, userGroupId: group.id }), '422 plan-subject')
    assert.equal(
      await refusal({ userId: bob.id, owner: ownerKind.board, ownerId: crypto.randomUUID() }),
      '422 plan-owner',
    )
    assert.equal(
      await refusal({ userId: bob.id, owner: ownerKind.item, ownerId: crypto.randomUUID() }),
      '422 unknown-reference',
    )
    assert.equal(await refusal({ userId: bob.id, to: '2030-06-01' }), '400 validation')
    assert.equal(await refusal({ userId: bob.id, to: '2040-06-01' }), '400 validation')
    assert.equal(await refusal({ userId: bob.id, recurrence: 'FREQ=SOMETIMES' }), '400 validation')
    const made = await plan({ userId: bob.id })
    assert.deepEqual([made.state, made.check], [allocationState.approved, []])
    assert.equal((await bob.ask('POST', '/plan', { body: { ...week, userId: bob.id } })).status, 403)
    assert.equal((await bob.get(`/plan/${made.id}`)).id, made.id)
    assert.equal((await eve.ask('GET', `/plan/${made.id}`)).status, 404)
    await manager.must('DELETE', `/plan/${made.id}`)
  })

  test('of a placeholder is assigned to a user, and keeps its role and its history', async () => {
    const role = await ada.post('/finance/job-role', { code: 'WLD', name: 'Welder' })
    const made = await plan({ jobRoleId: role.id, skills: ['Steel'] })
    const zoe = await person({ name: 'Zoe' })
    const assigned = await manager.post(`/plan/${made.id}/assign`, { userId: zoe.id })
    assert.deepEqual([assigned.userId, assigned.jobRoleId, assigned.skills], [zoe.id, role.id, ['Steel']])
    const again = await manager.ask('POST', `/plan/${made.id}/assign`, { body: { userId: zoe.id } })
    assert.equal(again.status, 200)
    const changes = (await manager.get(`/plan/${made.id}/history`)).map((each: { changes: object }) => each.changes)
    assert.deepEqual(changes.at(-1), { userId: { from: '', to: zoe.id } })
  })

  test('moves with the dates of its item, unless they are locked; undo moves it back', async () => {
    const container = await ada.post('/container', { name: 'Moving' })
    const item = await ada.post('/item', {
      title: 'Weld',
      containerId: container.id,
      startDate: '2030-06-03',
      dueDate: '2030-06-07',
    })
    const owner = { owner: ownerKind.item, ownerId: item.id, userId: bob.id }
    const [free, locked] = [await plan(owner), await plan({ ...owner, lockDates: true })]
    assert.equal(free.containerId, container.id)
    const change = await ada.ask('PUT', `/item/${item.id}`, {
      body: { startDate: '2030-06-10', dueDate: '2030-06-19' },
    })
    const dates = async (id: string) => {
      const { from, to } = await manager.get(`/plan/${id}`)
      return `${from} ${to}`
    }
    assert.equal(await dates(free.id), '2030-06-10 2030-06-19')
    assert.equal(await dates(locked.id), '2030-06-03 2030-06-07')
    await ada.must('POST', `/change/${change.headers.get('change-set')}/undo`)
    assert.equal(await dates(free.id), '2030-06-03 2030-06-07')
    await ada.must('DELETE', `/item/${item.id}`)
    const [seen] = (await bob.get('/plan')).filter((each: { id: string }) => each.id === free.id)
    assert.deepEqual(
      seen.check.map((each: { code: string }) => each.code),
      ['owner-deleted'],
    )
    for (const { id } of [free, locked]) await manager.must('DELETE', `/plan/${id}`)
  })

  test('for an item that others do not see is hidden from them, and counts in the sums of its user', async () => {
    const hidden = await ada.post('/container', { name: 'Board room', private: true })
    const yan = await person({ name: 'Yan' })
    const made = await ada.post('/plan', {
      ...week,
      userId: yan.id,
      amount: 60,
      owner: ownerKind.container,
      ownerId: hidden.id,
    })
    assert.equal((await manager.ask('GET', `/plan/${made.id}`)).status, 404)
    assert.equal((await yan.get(`/plan/${made.id}`)).id, made.id, 'people see what is planned for them')
    assert.equal((await loadOf(yan.id, 'groupBy=user'))[0]?.firm, 5 * 3600)
    assert.deepEqual(await loadOf(hidden.id, 'groupBy=container'), [])
    assert.equal((await loadOf(hidden.id, 'groupBy=container', ada))[0]?.firm, 5 * 3600)
  })
})

describe('a load', () => {
  test('compares capacity, plan, leave and booked time', async () => {
    const xenia = await person({ name: 'Xenia' })
    const container = await ada.post('/container', { name: 'Bridge' })
    const item = await ada.post('/item', { title: 'Rivets', containerId: container.id })
    await plan({ userId: xenia.id, amount: 420, owner: ownerKind.item, ownerId: item.id })
    await plan({ userId: xenia.id, unit: percent, amount: 25, tentative: true })
    await plan({ userId: xenia.id, unit: percent, amount: 100, state: allocationState.draft })
    await ada.post('/time/leave', { userId: xenia.id, from: '2030-06-05', to: '2030-06-05', fromHalf: 1 })
    await ada.post('/time', { userId: xenia.id, itemId: item.id, date: '2030-06-03', minutes: 400 })
    const [whole, ...more] = await loadOf(xenia.id, 'bucket=week')
    assert.deepEqual(more, [])
    assert.deepEqual(whole, {
      from: '2030-06-03',
      capacity: 36 * 3600,
      firm: 35 * 3600,
      tentative: 9 * 3600,
      leave: 4 * 3600,
      actual: 400 * 60,
      free: 3600,
      delta: 400 * 60 - 35 * 3600,
      over: 0,
      cost: '0.0000',
      value: [],
    })
    const days = await loadOf(xenia.id, 'bucket=day')
    assert.deepEqual(
      days.map(each => (each.over ?? 0) / 3600),
      [0, 0, 3, 0, 0],
      'the day of the half leave is over, the week is not',
    )
    const [ofContainer] = await loadOf(container.id, 'groupBy=container&bucket=month')
    assert.deepEqual([ofContainer?.firm, ofContainer?.actual, ofContainer?.capacity], [35 * 3600, 400 * 60, null])
    const [own] = await loadOf(xenia.id, 'bucket=week', xenia)
    assert.equal(own?.actual, 400 * 60)
    assert.equal((await loadOf(xenia.id, 'bucket=week', bob))[0]?.actual, 0, 'time of others is not for members')
  })

  test('of a group is that of its members and what is planned for the group; placeholders are demand', async () => {
    const role = await ada.post('/finance/job-role', { code: 'PNT', name: 'Painter' })
    const [a, b] = [await person({ name: 'Ann' }), await person({ name: 'Ben' })]
    await ada.put(`/user/${a.id}`, { jobRole: 'pnt' })
    const inner = await ada.post('/user-group', { name: 'Inner', members: [b.id] })
    const group = await ada.post('/user-group', { name: 'Painters', members: [a.id] })
    await ada.put(`/user-group/${inner.id}`, { parentId: group.id })
    await plan({ userGroupId: group.id, unit: totalMinutes, amount: 600 })
    await plan({ userId: a.id })
    await plan({ jobRoleId: role.id, unit: percent, amount: 50 })
    const [ofGroup] = await loadOf(group.id, 'groupBy=group')
    assert.deepEqual([ofGroup?.capacity, ofGroup?.firm], [80 * 3600, 15 * 3600])
    const [ofRole] = await loadOf(role.id, 'groupBy=jobRole')
    assert.deepEqual([ofRole?.capacity, ofRole?.firm], [40 * 3600, 25 * 3600])
    const nobody = await loadOf('', 'groupBy=user')
    assert.ok((nobody[0]?.firm ?? 0) >= 30 * 3600, 'what is planned for nobody in particular has a row')
    const rows = await manager.get(`/plan/load?from=${week.from}&to=${week.to}&userGroupId=${group.id}`)
    assert.deepEqual(
      rows.map((row: { name: string }) => row.name),
      ['Ann', 'Ben'],
    )
  })

  test('a recurrence plans only the days on which it holds', async () => {
    const cleo = await person({ name: 'Cleo' })
    await plan({ userId: cleo.id, recurrence: 'FREQ=WEEKLY;BYDAY=TU,TH', amount: 30 })
    const days = await loadOf(cleo.id, 'bucket=day')
    assert.deepEqual(
      days.map(each => each.firm / 60),
      [0, 30, 0, 30, 0],
    )
  })

  test('finds who is free, most first', async () => {
    const [dora, emil] = [await person({ name: 'Dora' }), await person({ name: 'Emil' })]
    for (const who of [dora, emil]) await ada.put(`/user/${who.id}`, { skills: ['Latin', 'Greek'] })
    await plan({ userId: dora.id, unit: percent, amount: 50 })
    const ask = async (query: string) =>
      (await manager.get(`/plan/free?from=${week.from}&to=${week.to}&${query}`)).map(
        (each: { userId: string; free: number }) => [each.userId, each.free / 3600],
      )
    assert.deepEqual(await ask('skills=latin,greek'), [
      [emil.id, 40],
      [dora.id, 20],
    ])
    assert.deepEqual(await ask('skills=Latin&minutes=1201'), [[emil.id, 40]])
    assert.deepEqual(await ask('skills=Latin,Sumerian'), [])
    assert.equal((await manager.ask('GET', '/plan/free?minutes=-1')).status, 400)
  })

  test('refuses a period that is wrong or too long', async () => {
    for (const query of [
      'from=2030-06-02&to=2030-06-01',
      'from=never',
      'groupBy=mood',
      'bucket=year',
      'from=2030-01-01&to=2032-01-01',
    ])
      assert.equal((await manager.ask('GET', `/plan/load?${query}`)).status, 400, query)
  })
})

test('what is firmly planned is committed in the budgets of its container, item, customer and cycle', async () => {
  const gina = await person({ name: 'Gina' })
  const crm = await ada.post('/finance/crm', { name: 'Bridge Ltd' })
  const container = await ada.post('/container', { name: 'Committed', crmId: crm.id })
  const cycle = await ada.post('/cycle', { name: 'First', containerId: container.id })
  const parent = await ada.post('/item', { title: 'Parent', containerId: container.id })
  const child = await ada.post('/item', {
    title: 'Child',
    parentId: parent.id,
    containerId: container.id,
    cycleId: cycle.id,
  })
  await plan({ userId: gina.id, owner: ownerKind.item, ownerId: child.id, amount: 60 })
  await plan({ userId: gina.id, owner: ownerKind.container, ownerId: container.id, amount: 30 })
  await plan({ userId: gina.id, owner: ownerKind.container, ownerId: container.id, tentative: true })
  const committed = async (owner: number, ownerId: string, at: string) => {
    const budget = await ada.post('/finance/budget', { owner, ownerId, unit: 0 })
    return Number((await ada.get(`/finance/budget/${budget.id}/balance?at=${at}`)).committed)
  }
  assert.deepEqual(
    [
      await committed(ownerKind.container, container.id, week.from),
      await committed(ownerKind.crm, crm.id, week.from),
      await committed(ownerKind.item, parent.id, week.from),
      await committed(ownerKind.cycle, cycle.id, week.from),
      await committed(ownerKind.container, container.id, week.to),
      await committed(ownerKind.container, container.id, '2030-06-08'),
    ],
    [450, 450, 300, 300, 90, 0],
  )
})

test('a user who is planned beyond their capacity is told once while it lasts', async () => {
  const frida = await person({ name: 'Frida' })
  const now = new Date('2030-06-01T12:00:00Z')
  const note = () =>
    database.transaction(tenantCaller(ada.tenantId), ctx => noteOverloads(ctx.derive({ now }), frida.id))
  const made = await plan({ userId: frida.id, amount: 300 })
  const second = await plan({ userId: frida.id, amount: 300 })
  const told = async () => {
    const events = await Promise.all([made, second].map(({ id }) => manager.get(`/plan/${id}/history`)))
    return events.flat().filter((each: { type: string }) => each.type === 'plan.overallocated')
  }
  await note()
  await note()
  const [event, ...more] = await told()
  assert.equal(more.length, 0)
  assert.deepEqual(event.changes.overload.to, {
    userId: frida.id,
    bucket: 'week',
    from: '2030-06-03',
    capacity: 40 * 3600,
    firm: 50 * 3600,
    over: 10 * 3600,
  })
  await manager.put(`/plan/${second.id}`, { amount: 60 })
  await note()
  await manager.put(`/plan/${second.id}`, { amount: 300 })
  await note()
  assert.equal((await told()).length, 2, 'it was under its capacity in between')
  await ada.post('/time/leave', { userId: frida.id, ...week })
  await note()
  const codes = (await manager.get(`/plan/${made.id}/check`)).map((each: { code: string }) => each.code)
  assert.deepEqual(codes, ['no-capacity'])
})
