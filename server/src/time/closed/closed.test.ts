import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'

const problem = async (answer: Promise<{ status: number; body: { code: string } }>) => {
  const { status, body } = await answer
  return [status, body.code]
}

describe('closed dates', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const mia = await person({ name: 'Mia', role: roleCode.manager })
  const item = await ada.post('/item', { title: 'One' })
  const book = (who: Person, date: string, more: object = {}) =>
    who.ask('POST', '/time', { body: { itemId: item.id, date, minutes: 30, ...more } })

  test('time is closed up to a day, also backwards, and the audit log says why', async () => {
    assert.deepEqual([(await bob.get('/time/close')).until, (await bob.get('/time/close')).version], [null, 0])
    assert.deepEqual(await bob.get('/time/close/history'), [])
    assert.equal((await mia.ask('POST', '/time/close', { body: { until: '2026-01-31', reason: 'x' } })).status, 403)
    assert.equal(
      (await ada.ask('POST', '/time/close', { body: { until: '2026-02-30', reason: '' } })).body.Fields.length > 1,
      true,
    )
    await ada.post('/time/close', { until: '2026-01-31', reason: 'January is reported' })
    assert.deepEqual(await problem(book(bob, '2026-01-31')), [422, 'period-closed'])
    assert.deepEqual(await problem(book(ada, '2026-01-31')), [422, 'period-closed'])
    assert.equal((await book(bob, '2026-02-01')).status, 201)
    const { headers } = await ada.ask('POST', '/time/close', { body: { until: '2026-01-15', reason: 'A correction' } })
    assert.equal((await book(bob, '2026-01-31')).status, 201)
    assert.equal((await bob.get('/time/close')).until, '2026-01-15')
    const undo = (who: Person) => who.ask('POST', `/change/${headers.get('change-set')}/undo`)
    assert.notEqual((await undo(mia)).status, 200)
    assert.equal((await undo(ada)).status, 200)
    assert.equal((await bob.get('/time/close')).until, '2026-01-31')
    const entries = await ada.get('/audit?action=closeTime')
    assert.deepEqual(
      entries.map((each: { reason: string }) => each.reason),
      [
        'never → 2026-01-31: January is reported',
        '2026-01-31 → 2026-01-15: A correction',
        '2026-01-15 → 2026-01-31: undone',
      ],
    )
    assert.equal((await eve.get('/time/close')).until, null)
    await ada.post('/time/close', { until: null, reason: 'Open' })
  })

  test('nothing is created, changed, deleted, restored or undone in a closed period', async () => {
    const [entry, deleted, later] = await Promise.all(
      ['2026-03-02', '2026-03-03', '2026-03-20'].map(async date => (await book(bob, date)).body),
    )
    await bob.delete(`/time/${deleted.id}`)
    const { headers } = await bob.ask('PUT', `/time/${entry.id}`, { body: { minutes: 45 } })
    await ada.post('/time/close', { until: '2026-03-10', reason: 'x' })
    const closed = [422, 'period-closed']
    assert.deepEqual(await problem(bob.ask('PUT', `/time/${entry.id}`, { body: { minutes: 5 } })), closed)
    assert.deepEqual(await problem(bob.ask('PUT', `/time/${entry.id}`, { body: { date: '2026-03-20' } })), closed)
    assert.deepEqual(await problem(bob.ask('PUT', `/time/${later.id}`, { body: { date: '2026-03-02' } })), closed)
    assert.deepEqual(await problem(bob.ask('DELETE', `/time/${entry.id}`)), closed)
    assert.deepEqual(await problem(bob.ask('POST', `/time/${deleted.id}/restore`)), closed)
    assert.deepEqual(await problem(bob.ask('POST', `/change/${headers.get('change-set')}/undo`)), [
      409,
      'undo-conflict',
    ])
    assert.equal((await bob.put(`/time/${later.id}`, { userId: bob.id, minutes: 7 })).minutes, 7)
    assert.equal((await bob.put(`/time/${entry.id}`, { minutes: 45 })).minutes, 45)
  })

  test('an item with closed time is refused with the place in its body, in an import by itself', async () => {
    const time = (date: string) => ({ userId: bob.id, date, minutes: 5 })
    const body = { title: 'Old', Time: [time('2026-03-20'), time('2026-03-10')] }
    for (const [method, path] of [
      ['POST', '/item'],
      ['PUT', `/item/${item.id}`],
    ] as const) {
      const answer = await ada.ask(method, path, { body })
      assert.deepEqual(
        [answer.status, answer.body.code, answer.body.Fields[0].Pointer],
        [422, 'period-closed', '/Time/1/date'],
      )
    }
    const outcomes = await ada.post('/item/bulk', [{ title: 'Fresh', Time: [time('2026-03-21')] }, body])
    assert.deepEqual(
      outcomes.map((each: { status: number; code?: string }) => [each.status, each.code]),
      [
        [201, undefined],
        [422, 'period-closed'],
      ],
    )
  })

  test('owners change their time until the grace is over, those with the permission after it', async () => {
    const [ivy, fred] = [await person({ name: 'Ivy' }), await person({ name: 'Fred' })]
    const group = await ada.post('/user-group', { name: 'Graced', members: [ivy.id, fred.id] })
    await ada.post('/time/calendar', { name: 'Strict', userGroups: [group.id], graceDays: 3 })
    const today = new Date()
    const day = (back: number) => new Date(today.getTime() - back * 86_400_000).toISOString().slice(0, 10)
    assert.deepEqual(await problem(book(ivy, day(20))), [422, 'period-closed'])
    assert.equal((await book(ivy, day(0))).status, 201)
    const { body: entry } = await book(mia, day(20), { userId: ivy.id })
    assert.equal(entry.userId, ivy.id)
    assert.deepEqual(await problem(ivy.ask('DELETE', `/time/${entry.id}`)), [422, 'period-closed'])
    await mia.delete(`/time/${entry.id}`)
  })
})
