import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { approvalMode } from '../calendar/calendar.ts'
import { timeState } from '../time-state.ts'

describe('corrections', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const mia = await person({ name: 'Mia', role: roleCode.manager })
  const group = await ada.post('/user-group', { name: 'Team', members: [bob.id] })
  await ada.post('/time/calendar', { name: 'Weeks', userGroups: [group.id], approval: approvalMode.none })
  const [one, two] = [await ada.post('/item', { title: 'One' }), await ada.post('/item', { title: 'Two' })]
  const today = new Date().toISOString().slice(0, 10)

  /** An entry in an approved week. */
  async function approved(date: string, more: object = {}) {
    const entry = await bob.post('/time', { itemId: one.id, date, seconds: 11_400, note: 'Work', ...more })
    const sheet = await bob.post('/time/sheet/day', { date })
    await bob.post(`/time/sheet/${sheet.id}/submit`, {})
    return entry
  }
  const correct = (who: Person, { id }: { id: string }, body: object) =>
    who.ask('POST', `/time/${id}/correct`, { body: { reason: 'Wrong', ...body } })
  const code = async (answer: ReturnType<typeof correct>) => {
    const { status, body } = await answer
    return [status, body.code]
  }

  test('a counter-entry and a replacement are booked today, for the day of the work', async () => {
    const entry = await approved('2026-04-08')
    assert.equal(entry.effectiveDate, '2026-04-08')
    const { status, body } = await correct(mia, entry, { seconds: 7800, note: 'Less' })
    assert.equal(status, 201)
    const [counter, right] = body.entries
    for (const each of [counter, right])
      assert.deepEqual(
        [each.date, each.effectiveDate, each.correctsId, each.userId],
        [today, '2026-04-08', entry.id, bob.id],
      )
    assert.deepEqual([counter.seconds, counter.note, right.seconds, right.note], [-11_400, 'Wrong', 7800, 'Less'])
    const after = await ada.get(`/time/${entry.id}`)
    assert.deepEqual([after.seconds, after.state], [11_400, timeState.approved])
    const rows = await ada.post('/insight/report/user-timesheet', {
      userId: bob.id,
      startDate: '2026-04-08T00:00:00Z',
      endDate: '2026-04-08T00:00:00Z',
    })
    assert.deepEqual(
      rows.map((each: { totalMinutes: number }) => each.totalMinutes),
      [190],
    )
    const chain = await ada.get(`/time?correctsId=${entry.id}`)
    assert.equal(chain.length, 2)
    assert.equal((await ada.get(`/item/${one.id}`)).spentMinutes, 130)
  })

  test('a chain is corrected from its last entry', async () => {
    const entry = await approved('2026-04-15')
    const [counter, right] = (await correct(mia, entry, { itemId: two.id })).body.entries
    assert.deepEqual([counter.itemId, right.itemId, right.seconds], [one.id, two.id, 11_400])
    assert.deepEqual(await code(correct(mia, entry, { seconds: 1 })), [409, 'already-corrected'])
    assert.deepEqual(await code(correct(mia, counter, { seconds: 1 })), [409, 'already-corrected'])
    const again = (await correct(mia, right, { minutes: 60 })).body.entries
    assert.deepEqual(
      again.map((each: { correctsId: string; seconds: number; effectiveDate: string }) => [
        each.correctsId,
        each.seconds,
        each.effectiveDate,
      ]),
      [
        [entry.id, -11_400, '2026-04-15'],
        [entry.id, 3600, '2026-04-15'],
      ],
    )
    assert.deepEqual(await code(correct(mia, right, { seconds: 1 })), [409, 'already-corrected'])
    const withdrawn = (await correct(mia, again[1], { seconds: 0 })).body.entries
    assert.deepEqual(
      withdrawn.map((each: { seconds: number }) => each.seconds),
      [-3600],
    )
    const sum = (await ada.get(`/time?correctsId=${entry.id}`)).reduce(
      (all: number, each: { seconds: number }) => all + each.seconds,
      0,
    )
    assert.equal(sum, -11_400)
  })

  test('two corrections at once: one wins', async () => {
    const entry = await approved('2026-04-22')
    const answers = await Promise.all([1, 2, 3].map(seconds => correct(mia, entry, { seconds })))
    assert.deepEqual(answers.map(each => each.status).sort(), [201, 409, 409])
  })

  test('a correction is taken back as a whole, and not changed by itself', async () => {
    const entry = await approved('2026-04-29')
    const { body, headers } = await correct(mia, entry, { seconds: 60 })
    const [counter] = body.entries
    assert.deepEqual(await code(ada.ask('PUT', `/time/${counter.id}`, { body: { note: 'x' } })), [422, 'correction'])
    assert.deepEqual(await code(ada.ask('DELETE', `/time/${counter.id}`)), [422, 'correction'])
    assert.equal((await mia.ask('POST', `/change/${headers.get('change-set')}/undo`)).status, 200)
    assert.deepEqual(await ada.get(`/time?correctsId=${entry.id}`), [])
    assert.deepEqual(await code(ada.ask('POST', `/time/${counter.id}/restore`)), [422, 'correction'])
    assert.equal((await correct(mia, entry, { seconds: 60 })).status, 201)
  })

  test('what was corrected again since is not undone, and what was undone does not come back beside it', async () => {
    const entry = await approved('2026-06-03')
    const undo = async (changeSet: string | null) =>
      (await mia.ask('POST', `/change/${changeSet}/undo`)).body.conflicts?.map(
        (each: { property: string }) => each.property,
      )
    const first = await correct(mia, entry, { seconds: 60 })
    const second = await correct(mia, first.body.entries[1], { seconds: 90 })
    assert.deepEqual(await undo(first.headers.get('change-set')), ['reversesId'])
    assert.equal(await undo(second.headers.get('change-set')), undefined)
    const undone = await mia.ask('POST', `/change/${first.headers.get('change-set')}/undo`)
    assert.equal(undone.status, 200)
    await correct(mia, entry, { seconds: 30 })
    assert.deepEqual(await undo(undone.headers.get('change-set')), ['reversesId'])
  })

  test('the day of the correction keeps its room, and its cells of the week', async () => {
    const entry = await approved('2026-06-10', { itemId: two.id, seconds: 60 })
    const counted = await correct(mia, entry, { seconds: 86_400 })
    assert.equal(counted.status, 201)
    const booked = await bob.ask('POST', '/time', { body: { itemId: two.id, date: today, seconds: 86_400 } })
    assert.equal(booked.status, 201)
    const [day] = (await bob.get(`/time/week/${today}`)).days.filter((each: { date: string }) => each.date === today)
    assert.equal(day.totalSeconds, 86_400)
    assert.notEqual(day.correctionSeconds, 0)
    const cells = [{ itemId: two.id, date: today, seconds: 3600, was: 86_400 }]
    const saved = await bob.ask('PUT', `/time/week/${today}`, { body: { cells } })
    assert.deepEqual(
      saved.body.results.map((each: { outcome: string }) => each.outcome),
      ['saved'],
    )
    await bob.delete(`/time/${booked.body.id}`)
  })

  test('an item that is sent back with corrected time books nothing', async () => {
    const body = { title: 'Sent back', Time: [{ userId: bob.id, date: '2026-06-24', seconds: 600 }] }
    const item = await ada.post('/item', body)
    const sheet = await bob.post('/time/sheet/day', { date: '2026-06-24' })
    await bob.post(`/time/sheet/${sheet.id}/submit`, {})
    await correct(mia, item.Time[0], { seconds: 60 })
    const before = await ada.get(`/item/${item.id}`)
    assert.equal(before.Time.length, 3)
    assert.equal((await ada.ask('PUT', `/item/${item.id}`, { body: before })).status, 200)
    assert.deepEqual((await ada.get(`/item/${item.id}`)).Time, before.Time)
    const negative = { Time: [{ date: today, seconds: -60 }] }
    assert.deepEqual(await code(ada.ask('PUT', `/item/${item.id}`, { body: negative })), [400, 'validation'])
  })

  test('time on a closed day is corrected, too', async () => {
    const entry = await bob.post('/time', { itemId: two.id, date: '2026-03-03', minutes: 5 })
    await ada.post('/time/close', { until: '2026-03-31', reason: 'x' })
    assert.equal((await correct(mia, entry, { seconds: 60 })).status, 201)
    await ada.post('/time/close', { until: null, reason: 'x' })
  })

  test('refusals are clear', async () => {
    const entry = await approved('2026-05-06')
    const open = await bob.post('/time', { itemId: one.id, date: '2026-05-13', minutes: 5 })
    assert.deepEqual(await code(correct(mia, open, { seconds: 1 })), [422, 'time-open'])
    assert.deepEqual(await code(correct(bob, entry, { seconds: 1 })), [403, 'forbidden'])
    assert.deepEqual(await code(correct(eve, entry, { seconds: 1 })), [404, 'not-found'])
    assert.deepEqual(await code(correct(mia, entry, {})), [422, 'nothing-corrected'])
    assert.deepEqual(await code(correct(mia, entry, { reason: ' ' })), [400, 'validation'])
    assert.deepEqual(await code(correct(mia, entry, { seconds: -1 })), [400, 'validation'])
    assert.deepEqual(await code(correct(mia, entry, { seconds: 60, minutes: 2 })), [400, 'validation'])
    assert.deepEqual(await code(correct(mia, entry, { itemId: eve.id })), [422, 'unknown-reference'])
    assert.deepEqual(await code(correct(mia, entry, { itemId: '' })), [422, 'time-target'])
    await ada.delete(`/item/${one.id}`)
    assert.equal((await correct(mia, entry, { seconds: 0 })).status, 201)
    await ada.post('/time/close', { until: today, reason: 'x' })
    const late = await ada.get('/time?date=2026-04-08')
    assert.deepEqual(await code(correct(mia, (await ada.get(`/time?correctsId=${late[0].id}`))[1], { seconds: 5 })), [
      422,
      'period-closed',
    ])
  })
})
