import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../test/support/people.ts'
import { timeState } from '../time/time-state.ts'

describe('the timesheet', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const nora = await person({ name: 'Nora', timezone: 'Pacific/Auckland' })
  const desk = await ada.post('/container', { name: 'Desk' })
  const free = await ada.post('/container', { name: 'Goodwill', billable: false })
  const item = await ada.post('/item', { title: 'Paid work', containerId: desk.id })
  const gift = await ada.post('/item', { title: 'A favour', containerId: free.id })
  const leave = await ada.post('/finance/non-billable', { code: 'LEAVE', name: 'Leave' })
  const sheet = (who: typeof ada, body: object) => who.ask('POST', '/insight/report/user-timesheet', { body })
  const march = { startDate: '2026-03-01T00:00:00Z', endDate: '2026-03-31T00:00:00Z' }

  test('shows one row for each entry, by day and then by creation, billable or not', async () => {
    await bob.post('/time', { itemId: gift.id, date: '2026-03-03', minutes: 20 })
    await bob.post('/time', { itemId: item.id, date: '2026-03-02', minutes: 60 })
    await bob.post('/time', { nonBillable: leave.id, date: '2026-03-02', minutes: 480 })
    await bob.post('/time', { itemId: item.id, date: '2026-03-03', minutes: 5, billable: 0 })
    await bob.post('/time', { itemId: item.id, date: '2026-04-01', minutes: 5 })
    const { status, body } = await sheet(bob, { userId: bob.id, ...march })
    assert.equal(status, 200)
    assert.deepEqual(
      body.map(({ date, totalMinutes, label, isBillable }: Record<string, unknown>) => [
        date,
        totalMinutes,
        label,
        isBillable,
      ]),
      [
        ['2026-03-02T00:00:00.000Z', 60, `${item.key} Paid work`, 1],
        ['2026-03-02T00:00:00.000Z', 480, 'LEAVE Leave', 0],
        ['2026-03-03T00:00:00.000Z', 20, `${gift.key} A favour`, 0],
        ['2026-03-03T00:00:00.000Z', 5, `${item.key} Paid work`, 0],
      ],
    )
  })

  test('has any text of notes, items and codes, for one user and for a team', async () => {
    const odd = 'a "quoted" \\ text,\nwith two lines and ü \u{1f600}'
    const [title, name] = ['Cable 3" \\ long', 'Code "X" \\']
    const cable = await ada.post('/item', { title, containerId: desk.id })
    const code = await ada.post('/finance/non-billable', { code: 'ODD', name })
    const texts = await person({ name: 'Tess "T" \\' })
    const first = await texts.post('/time', { itemId: cable.id, date: '2026-03-02', minutes: 1, note: odd })
    const second = await texts.post('/time', { nonBillable: code.id, date: '2026-03-03', seconds: 100, note: '' })
    const common = { date: '2026-03-02T00:00:00.000Z', totalMinutes: 1, seconds: 60, isBillable: 1 }
    const rows = [
      { ...common, label: `${cable.key} ${title}`, timeId: first.id, itemId: cable.id, note: odd },
      {
        ...{ date: '2026-03-03T00:00:00.000Z', totalMinutes: 2, seconds: 100, isBillable: 0 },
        ...{ label: `ODD ${name}`, timeId: second.id, itemId: null, note: '' },
      },
    ]
    assert.deepEqual((await sheet(texts, { userId: texts.id, ...march })).body, rows)
    const team = await texts.post('/insight/report/team-timesheet', march)
    assert.deepEqual(
      team.map(({ drill: _drill, ...row }: { drill: string }) => row),
      rows.map(row => ({ userId: texts.id, userName: 'Tess "T" \\', state: timeState.logged, ...row })),
    )
  })

  test('uses the days of the user’s time zone', async () => {
    await nora.post('/time', { itemId: item.id, start: '2026-03-09T20:00:00Z', end: '2026-03-09T21:00:00Z' }) // the 10th in Auckland
    const on = (startDate: string, endDate: string) => sheet(nora, { userId: nora.id, startDate, endDate })
    assert.equal((await on('2026-03-09T11:00:00Z', '2026-03-10T10:00:00Z')).body.length, 1) // all of the 10th there
    assert.equal((await on('2026-03-08T11:00:00Z', '2026-03-09T10:59:00Z')).body.length, 0) // all of the 9th there
    const seenByAda = (startDate: string, endDate: string) => sheet(ada, { userId: nora.id, startDate, endDate })
    assert.equal((await seenByAda('2026-03-09T11:00:00Z', '2026-03-09T12:00:00Z')).body.length, 1) // the 9th where Ada is
    assert.equal((await seenByAda('2026-03-10T11:00:00Z', '2026-03-10T12:00:00Z')).body.length, 0) // the 11th in Auckland
    const backwards = ['2026-03-09T12:00:00Z', '2026-03-09T10:00:00Z'] as const // from the 10th to the 9th there, one day where Ada is
    assert.equal((await seenByAda(...backwards)).status, 400)
  })

  test('of another user needs the permission', async () => {
    assert.equal((await sheet(bob, { userId: nora.id, ...march })).status, 403)
    assert.equal((await sheet(ada, { userId: bob.id, ...march })).status, 200)
    assert.equal((await sheet(eve, { userId: bob.id, ...march })).status, 404)
    assert.equal((await sheet(ada, { userId: 'nobody', ...march })).status, 404)
  })

  test('reports the faults of the query', async () => {
    const { status, body } = await sheet(bob, { userId: bob.id, startDate: 'yesterday' })
    assert.equal(status, 400)
    assert.deepEqual(body.Fields.map((each: { Pointer: string }) => each.Pointer).sort(), ['/endDate', '/startDate'])
    assert.equal((await sheet(bob, { userId: bob.id, startDate: march.endDate, endDate: march.startDate })).status, 400)
    assert.equal(
      (await sheet(bob, { userId: bob.id, startDate: '2020-01-01T00:00:00Z', endDate: '2026-01-01T00:00:00Z' })).status,
      400,
    )
  })
})
