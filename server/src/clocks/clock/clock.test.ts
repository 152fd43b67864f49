import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { thresholdMode } from './thresholds.ts'

describe('business clocks', async () => {
  const { ada, bob, eve } = await sharedTestService()
  const office = { timezone: 'Europe/Berlin', dayStart: '09:00', dayEnd: '17:30', weekStart: 'Monday', weekEnd: 'Fri' }
  const ask = async (values: object) => await ada.ask('POST', '/clock', { body: { name: 'Clock', ...values } })
  const refused = async (values: object) => {
    const { status, body } = await ask(values)
    return [status, body.code, body.Fields.map((each: { Pointer: string }) => each.Pointer)]
  }

  test('a clock without hours is always open', async () => {
    const { status, body } = await ask({})
    assert.equal(status, 201)
    assert.deepEqual([body.dayStart, body.dayEnd, body.nonWorkingDay, body.tick], ['', '', [], 0])
  })

  test('days that end at midnight, nights that end in the morning and weeks that wrap are accepted', async () => {
    for (const values of [
      office,
      { dayStart: '00:00', dayEnd: '24:00' },
      { dayStart: '22:00', dayEnd: '06:00:00' },
      { dayStart: '08:00', dayEnd: '08:00' },
      { weekStart: 'Sunday', weekEnd: 'thursday' },
      { weekStart: '6', weekEnd: 'Su' },
      { nonWorkingDay: ['2026-12-25', '--01-01', '2026-12-24/2026-12-31'] },
      { tick: 1440, greenThreshold: 0, amberThreshold: 60, redThreshold: 120 },
      { greenThreshold: 75, amberThreshold: 50, redThreshold: 25 },
    ])
      assert.equal((await ask(values)).status, 201, JSON.stringify(values))
  })

  test('every invalid text is reported', async () => {
    assert.deepEqual(
      await refused({
        timezone: 'Mars',
        dayStart: '25:00',
        dayEnd: 'late',
        weekStart: 'Someday',
        tick: 1441,
        redThreshold: -1,
      }),
      [400, 'validation', ['/timezone', '/dayStart', '/dayEnd', '/weekStart', '/tick', '/redThreshold']],
    )
    assert.deepEqual(
      await refused({
        dayStart: '24:00',
        nonWorkingDay: ['2026-12-25', 'Christmas', '--02-30', '2026-12-31/2026-12-24'],
      }),
      [400, 'validation', ['/nonWorkingDay/1', '/nonWorkingDay/2', '/nonWorkingDay/3', '/dayStart']],
    )
  })

  test('thresholds must rise or fall', async () => {
    assert.deepEqual(await refused({ greenThreshold: 10, amberThreshold: 50, redThreshold: 30 }), [
      422,
      'thresholds-tangled',
      ['/amberThreshold'],
    ])
    assert.equal((await ask({ greenThreshold: 10, amberThreshold: 0, redThreshold: 30 })).status, 201)
  })

  test('thresholds in the wrong direction for their mode are findings', async () => {
    const found = async (values: object) => (await ask(values)).body.check.map((each: { path: string }) => each.path)
    const falling = { greenThreshold: 90, amberThreshold: 60, redThreshold: 30 }
    const target = { targets: [{ kind: 0, minutes: 60 }] }
    assert.deepEqual(await found({ ...target, ...falling, thresholdMode: thresholdMode.remaining }), [])
    assert.deepEqual(await found({ ...target, ...falling, thresholdMode: thresholdMode.percent }), [
      '/amberThreshold',
      '/redThreshold',
    ])
    const rising = { amberThreshold: 10, redThreshold: 20 }
    assert.deepEqual(await found({ ...target, ...rising, thresholdMode: thresholdMode.elapsed }), [])
    assert.deepEqual(await found({ ...target, ...rising, thresholdMode: thresholdMode.remaining }), ['/redThreshold'])
  })

  test('a clock that never opens is refused', async () => {
    const everyDay = Array.from(
      { length: 366 },
      (_, i) => `-${new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(4, 10)}`,
    )
    assert.deepEqual(await refused({ nonWorkingDay: ['2000-01-01/9999-12-31'] }), [422, 'clock-never-open', []])
    assert.deepEqual(await refused({ ...office, nonWorkingDay: everyDay }), [422, 'clock-never-open', []])
    const { id } = (await ask(office)).body
    const { status, body } = await ada.ask('PUT', `/clock/${id}`, {
      body: { nonWorkingDay: ['2000-01-01/2999-12-31'] },
    })
    assert.deepEqual([status, body.code], [422, 'clock-never-open'])
  })

  test('the containers of a clock must belong to the tenant', async () => {
    const theirs = await eve.post('/container', { name: 'Theirs' })
    assert.deepEqual(await refused({ container: [theirs.id] }), [422, 'unknown-reference', ['/container/0']])
  })

  test('a deleted clock is not found until it is restored, and members may do neither', async () => {
    const { id } = (await ask(office)).body
    assert.equal((await bob.ask('DELETE', `/clock/${id}`)).status, 403)
    assert.equal((await eve.ask('DELETE', `/clock/${id}`)).status, 404)
    await ada.delete(`/clock/${id}`)
    assert.equal((await ada.ask('GET', `/clock/${id}`)).status, 404)
    assert.equal((await ada.ask('DELETE', `/clock/${id}`)).status, 404)
    assert.equal((await ada.must('POST', `/clock/${id}/restore`)).deleted, false)
    const types = (await ada.get(`/clock/${id}/history`)).map((each: { type: string }) => each.type)
    assert.deepEqual(types, ['clock.created', 'clock.deleted', 'clock.restored'])
  })
})
