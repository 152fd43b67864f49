import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { demandCode } from '../../containers/constraint/constraint.ts'
import { timeState } from '../time-state.ts'

describe('limits of time', async () => {
  const { ada, bob, person } = await sharedTestService()
  const code = await ada.post('/finance/non-billable', { code: 'INT', name: 'Internal' })
  const item = await ada.post('/item', { title: 'Work' })
  const book = async (body: object, who = bob, query = '') =>
    await who.ask('POST', `/time${query}`, { body: { nonBillable: code.id, ...body } })

  test('a day holds as many hours as it has where the user is', async () => {
    const uta = await person({ name: 'Uta', timezone: 'Europe/Berlin' })
    for (const [date, hours] of [
      ['2026-03-29', 23],
      ['2026-03-30', 24],
      ['2026-10-25', 25],
    ] as const) {
      const { status, body } = await book({ date, hours: hours + 0.01 }, uta)
      assert.deepEqual([status, body.code, body.Fields[0].Field], [422, 'day-full', 'date'], date)
      assert.equal((await book({ date, hours }, uta)).status, 201, date)
      assert.equal((await book({ date, seconds: 1 }, uta)).status, 422, date)
    }
  })

  test('of concurrent bookings so many succeed as the day holds', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => book({ date: '2026-05-04', hours: 10 })))
    assert.deepEqual(answers.map(each => each.status).sort(), [201, 201, 422, 422, 422])
  })

  test('an entry of a day that is too long can be changed, but not made longer', async () => {
    const Time = Array.from({ length: 3 }, (_, n) => ({ date: '2026-05-05', hours: 10, note: `${n}` }))
    const { Time: entries } = await ada.post('/item', { title: 'Imported', Time })
    const path = `/time/${entries[0].id}`
    assert.equal((await ada.put(path, { note: 'Said more' })).note, 'Said more')
    assert.equal((await ada.ask('PUT', path, { body: { hours: 11 } })).body.code, 'day-full')
    assert.equal((await ada.put(path, { hours: 9 })).seconds, 32_400)
    await ada.delete(path)
    assert.equal((await ada.ask('POST', `${path}/restore`)).status, 422)
  })

  test('a setting lowers or lifts what a day holds, for imports, too', async () => {
    const { id } = await ada.post('/admin/setting', { key: 'time.maxMinutesPerDay', value: 600 })
    assert.equal((await book({ date: '2026-05-06', hours: 10.5 })).body.code, 'day-full')
    const Time = [{ date: '2026-05-06', hours: 11 }]
    const refused = await bob.ask('POST', '/item', { body: { title: 'Too much', Time } })
    assert.deepEqual([refused.status, refused.body.code, refused.body.Fields[0].Field], [422, 'day-full', 'Time'])
    const bulk = await bob.post('/item/bulk', [{ title: 'Too much', Time }, { title: 'Fine' }])
    assert.deepEqual(
      bulk.map((each: { outcome: string; code?: string }) => [each.outcome, each.code]),
      [
        ['failed', 'day-full'],
        ['created', undefined],
      ],
    )
    const added = await ada.ask('PATCH', `/item/${item.id}`, { body: { Time } })
    assert.deepEqual([added.status, added.body.code], [422, 'day-full'])
    await ada.put(`/admin/setting/${id}`, { value: 3000 })
    assert.equal((await book({ date: '2026-05-06', hours: 50 })).status, 201)
    await ada.delete(`/admin/setting/${id}`)
  })

  test('an entry over midnight counts on its first day, with a warning, or is split', async () => {
    const span = { start: '2026-05-07T22:00:00Z', end: '2026-05-08T01:30:00.700Z' }
    const one = await bob.post('/time', { nonBillable: code.id, ...span })
    assert.deepEqual([one.date, one.seconds], ['2026-05-07', 12_600])
    assert.match(one.warnings[0], /^spans-midnight/)
    const { entries } = await bob.post('/time?split=true', { itemId: item.id, ...span, note: 'Night' })
    assert.deepEqual(
      entries.map((each: { date: string; seconds: number; note: string }) => [each.date, each.seconds, each.note]),
      [
        ['2026-05-07', 7200, 'Night'],
        ['2026-05-08', 5400, 'Night'],
      ],
    )
    const short = await bob.post('/time?split=true', { itemId: item.id, date: '2026-05-08', minutes: 5 })
    assert.equal(short.entries.length, 1)
  })

  test('an undo brings no more to a day than it holds', async () => {
    const uma = await person({ name: 'Uma' })
    const place = { itemId: item.id, date: '2026-02-03' }
    const undo = async (answer: { headers: Headers }) => {
      const { status, body } = await uma.ask('POST', `/change/${answer.headers.get('change-set')}/undo`)
      return [status, body.conflicts?.map((each: { property: string }) => each.property)]
    }
    const long = await uma.post('/time', { ...place, hours: 20 })
    const gone = await uma.ask('DELETE', `/time/${long.id}`)
    const other = await uma.ask('POST', '/time', { body: { ...place, hours: 10 } })
    const refused = [409, ['seconds']]
    assert.deepEqual(await undo(gone), refused)
    assert.deepEqual(await undo(other), [200, undefined])
    assert.deepEqual(await undo(gone), [200, undefined])
    const put = (body: object) => uma.ask('PUT', `/time/${long.id}`, { body })
    const shorter = await put({ hours: 1 })
    const moved = await put({ date: '2026-02-04' })
    const noted = await put({ note: 'Moved' })
    const full = await uma.post('/time', { ...place, hours: 23.5 })
    assert.deepEqual(await undo(moved), refused)
    assert.deepEqual(await undo(noted), [200, undefined])
    await uma.delete(`/time/${full.id}`)
    assert.deepEqual(await undo(moved), [200, undefined])
    await uma.post('/time', { ...place, hours: 5 })
    assert.deepEqual(await undo(shorter), refused)
    assert.deepEqual(
      [(await uma.get(`/time/${long.id}`)).seconds, (await uma.get(`/time/${long.id}`)).date],
      [3600, place.date],
    )
  })

  test('a draft counts nowhere until it is confirmed', async () => {
    const work = await ada.post('/item', { title: 'Drafted' })
    const draft = await bob.post('/time', { itemId: work.id, date: '2026-05-11', hours: 20, state: timeState.draft })
    assert.equal(draft.state, timeState.draft)
    const logged = await bob.post('/time', { itemId: work.id, date: '2026-05-11', hours: 5 })
    assert.equal((await ada.get(`/item/${work.id}`)).spentMinutes, 300)
    const day = '2026-05-11T12:00:00Z'
    const sheet = { userId: bob.id, startDate: day, endDate: day }
    assert.equal((await bob.post('/insight/report/user-timesheet', sheet)).length, 1)
    const confirm = { body: { ...draft, state: timeState.logged } }
    assert.equal((await bob.ask('PUT', `/time/${draft.id}`, confirm)).body.code, 'day-full')
    await bob.delete(`/time/${logged.id}`)
    assert.equal((await bob.put(`/time/${draft.id}`, confirm.body)).state, timeState.logged)
    assert.equal((await ada.get(`/item/${work.id}`)).spentMinutes, 1200)
    for (const state of [timeState.draft, timeState.approved]) {
      const { status, body } = await bob.ask('PUT', `/time/${draft.id}`, { body: { state } })
      assert.deepEqual([status, body.code, body.Fields[0].Field], [422, 'state-by-verb', 'state'])
    }
    assert.equal((await book({ minutes: 5, state: timeState.locked })).body.code, 'state-by-verb')
  })

  test('a constraint refuses, or warns of, days that are too far ahead of the user’s today', async () => {
    const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
    const constraint = await ada.post('/constraint', {
      name: 'Not ahead',
      then: [{ kind: demandCode.notAfter, value: { days: 2 } }],
    })
    assert.deepEqual(constraint.check, [])
    const { status, body } = await book({ date: day(4), minutes: 5 })
    assert.deepEqual([status, body.code, body.Fields[0].Code], [422, 'constraint-broken', 'notAfter'])
    assert.equal((await book({ date: day(1), minutes: 5 })).status, 201)
    await ada.put(`/constraint/${constraint.id}`, { severity: 1 })
    assert.deepEqual((await book({ date: day(4), minutes: 5 })).body.warnings, ['Not ahead: is more than 2 days ahead'])
    const inert = await ada.put(`/constraint/${constraint.id}`, { then: [{ kind: demandCode.notAfter, value: 'x' }] })
    assert.equal(inert.check[0].path, '/then/0/value')
    await ada.delete(`/constraint/${constraint.id}`)
  })
})
