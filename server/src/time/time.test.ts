import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../test/support/people.ts'
import { tenantCaller } from '../identity/tenant-caller.ts'
import { roleCode } from '../kernel/access.ts'
import { timeState } from './time-state.ts'

describe('time', async () => {
  const { ada, bob, eve, database, person } = await sharedTestService()
  const item = await ada.post('/item', { title: 'Work' })
  const training = await ada.post('/finance/non-billable', { code: 'TRN', name: 'Training' })

  test('time is booked on an item or on a non-billable code, and on nothing else', async () => {
    const onItem = await bob.post('/time', { itemId: item.id, date: '2026-03-02', minutes: 30 })
    assert.equal(onItem.userId, bob.id)
    assert.equal(onItem.containerId, item.containerId)
    await bob.post('/time', { nonBillable: training.id, date: '2026-03-02', minutes: 15 })
    assert.equal((await bob.ask('POST', '/time', { body: { date: '2026-03-02', minutes: 15 } })).status, 422)
    assert.equal((await ada.get(`/item/${item.id}`)).spentMinutes, 30)
  })

  test('the length may be given in hours', async () => {
    const entry = await bob.post('/time', { nonBillable: training.id, date: '2026-03-02', hours: 1.5 })
    assert.deepEqual([entry.minutes, entry.hours], [90, undefined])
    assert.equal((await bob.put(`/time/${entry.id}`, { hours: 0.25 })).minutes, 15)
    assert.equal((await bob.put(`/time/${entry.id}`, { note: 'Short' })).minutes, 15)
    const { status, body } = await bob.ask('POST', '/time', { body: { nonBillable: training.id, hours: 'two' } })
    assert.deepEqual([status, body.Fields[0].Field], [400, 'hours'])
  })

  test('time is stored in seconds, and sums are rounded once', async () => {
    const long = await ada.post('/item', { title: 'Seconds', Time: [{ seconds: 40 }, { seconds: 40, note: 'again' }] })
    assert.deepEqual(
      long.Time.map((each: { seconds: number; minutes: number }) => [each.seconds, each.minutes]),
      [
        [40, 1],
        [40, 1],
      ],
    )
    assert.equal(long.spentMinutes, 1)
    const entry = await bob.post('/time', { itemId: long.id, date: '2026-03-02', seconds: 630 })
    assert.deepEqual([entry.seconds, entry.minutes], [630, 11])
    const listed = await ada.get(`/item?id=${long.id}`)
    assert.deepEqual([(await ada.get(`/item/${long.id}`)).spentMinutes, listed[0].spentMinutes], [12, 12])
    assert.equal((await bob.get('/time?seconds=630&minutes[gte]=11&sort=minutes')).length, 1)
  })

  test('a whole record that is sent back with another length takes that length', async () => {
    const entry = await bob.post('/time', {
      nonBillable: training.id,
      start: '2026-03-02T08:00:00Z',
      end: '2026-03-02T08:10:30Z',
    })
    const longer = await bob.put('/time', { ...entry, minutes: 20 })
    assert.deepEqual([longer.seconds, longer.minutes, longer.end], [1200, 20, '2026-03-02T08:20:00.000Z'])
    const { status, body } = await bob.ask('PUT', `/time/${entry.id}`, { body: { minutes: 5, seconds: 330 } })
    assert.deepEqual([status, body.Fields[0].Field, body.Fields[0].Code], [400, 'minutes', 'duration-conflict'])
    const event = (await bob.get(`/time/${entry.id}/history`)).find(
      (each: { type: string }) => each.type === 'time.updated',
    )
    assert.deepEqual(event.changes.minutes, { from: 11, to: 20 })
    assert.deepEqual(event.changes.seconds, { from: 630, to: 1200 })
  })

  test('users see and change their own time, managers that of everybody', async () => {
    const mine = await ada.post('/time', { itemId: item.id, date: '2026-03-03', minutes: 10 })
    assert.equal((await bob.ask('GET', `/time/${mine.id}`)).status, 404)
    assert.equal(
      (await bob.ask('POST', '/time', { body: { itemId: item.id, userId: ada.id, minutes: 5 } })).status,
      403,
    )
    const mia = await person({ name: 'Mia', role: roleCode.manager })
    assert.equal((await mia.put(`/time/${mine.id}`, { minutes: 20 })).minutes, 20)
    assert.equal((await eve.ask('DELETE', `/time/${mine.id}`)).status, 404)
    await ada.delete(`/time/${mine.id}`)
    assert.equal((await ada.ask('GET', `/time/${mine.id}`)).status, 404)
  })

  test('start and end determine the length and the day', async () => {
    const entry = await bob.post('/time', {
      itemId: item.id,
      start: '2026-03-04T09:00:00Z',
      end: '2026-03-04T10:15:00Z',
    })
    assert.deepEqual([entry.minutes, entry.date], [75, '2026-03-04'])
    const longer = await bob.put(`/time/${entry.id}`, { end: '2026-03-04T11:00:00Z' })
    assert.equal(longer.minutes, 120)
  })

  test('an approved entry cannot be changed', async () => {
    const entry = await bob.post('/time', { itemId: item.id, date: '2026-03-05', minutes: 10 })
    await database.single(
      tenantCaller(bob.tenantId),
      ctx =>
        ctx.sql`update time set state = ${timeState.approved} where tenant_id = ${bob.tenantId} and id = ${entry.id}`,
    )
    for (const [method, body] of [
      ['PUT', { minutes: 5 }],
      ['DELETE', undefined],
    ] as const) {
      const { status, body: problem } = await bob.ask(method, `/time/${entry.id}`, body ? { body } : {})
      assert.deepEqual([status, problem.code], [422, 'time-locked'])
    }
  })
})
