import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { approvalMode } from '../calendar/calendar.ts'
import { sheetState } from '../sheet/sheet-state.ts'
import { timeSource, timeState } from '../time-state.ts'

interface Row {
  key: string
  label: string
  origin: string
  cells: { seconds: number; entries: string[]; editable: boolean }[]
}
interface Result {
  index: number
  outcome: string
  problem?: { status: number; code: string; current?: number; Fields: { Field: string }[] }
}

describe('the week', async () => {
  const { ada, bob, eve, database, person } = await sharedTestService()
  const item = await ada.post('/item', { title: 'Work' })
  const other = await ada.post('/item', { title: 'Other work' })
  const code = await ada.post('/finance/non-billable', { code: 'INT', name: 'Internal' })
  const monday = '2026-03-02'
  const rowOf = (week: { rows: Row[] }, id: string) =>
    week.rows.find(row => row.key.startsWith(id) || row.key.includes(`/${id}/`))
  const seconds = (row: Row | undefined) => row?.cells.map(cell => cell.seconds)
  const save = async (who: typeof bob, cells: object[], query = '', day = monday) =>
    await who.ask('PUT', `/time/week/${day}${query}`, { body: { cells } })
  const outcomes = ({ results }: { results: Result[] }) => results.map(each => each.problem?.code ?? each.outcome)

  test('shows seven days from the first one of the week, with rows of entries, pins and lately', async () => {
    await bob.post('/time', { itemId: item.id, date: '2026-03-04', seconds: 630, note: 'one' })
    await bob.post('/time', { itemId: item.id, date: '2026-03-04', seconds: 30, note: 'two' })
    await bob.post('/time', { itemId: item.id, date: '2026-03-05', seconds: 30, state: timeState.draft })
    await bob.post('/time', { itemId: other.id, date: '2026-02-27', minutes: 5 })
    const setting = await ada.post('/admin/setting', { key: 'time.pinned', value: [{ nonBillable: code.id }] })
    const week = await bob.get('/time/week/2026-03-05')
    assert.deepEqual([week.userId, week.from, week.to, week.days.length], [bob.id, monday, '2026-03-08', 7])
    assert.deepEqual(
      week.days.map((each: { totalSeconds: number }) => each.totalSeconds),
      [0, 0, 660, 0, 0, 0, 0],
    )
    assert.deepEqual([week.days[0].capacitySeconds, week.days[6].capacitySeconds], [28_800, 0])
    assert.deepEqual(
      week.rows.map((row: Row) => [row.label, row.origin]),
      [
        [`${item.key} Work`, 'entries'],
        ['INT Internal', 'pinned'],
        [`${other.key} Other work`, 'recent'],
      ],
    )
    assert.deepEqual(seconds(rowOf(week, item.id)), [0, 0, 660, 0, 0, 0, 0])
    assert.equal(rowOf(week, item.id)?.cells[2]?.entries.length, 2)
    await ada.delete(`/admin/setting/${setting.id}`)
    const first = await bob.ask('GET', '/time/week/2026-03-05')
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    assert.equal((await bob.ask('GET', '/time/week/2026-03-05', { headers })).status, 304)
    await bob.post('/time', { itemId: item.id, date: '2026-03-06', seconds: 1 })
    assert.equal((await bob.ask('GET', '/time/week/2026-03-05', { headers })).status, 200)
  })

  test('the week of others needs the permission, and foreign users do not exist', async () => {
    assert.equal((await bob.ask('GET', `/time/week/${monday}?userId=${ada.id}`)).status, 403)
    const mia = await person({ name: 'Mia', role: roleCode.manager })
    assert.equal((await mia.get(`/time/week/${monday}?userId=${bob.id}`)).userId, bob.id)
    assert.equal((await mia.ask('GET', `/time/week/${monday}?userId=${eve.id}`)).status, 404)
    assert.equal((await bob.ask('GET', '/time/week/soon')).status, 400)
    const cells = [{ nonBillable: code.id, date: monday, minutes: 10 }]
    const saved = await mia.must('PUT', `/time/week/${monday}`, { body: { userId: bob.id, cells } })
    assert.deepEqual([saved.week.userId, outcomes(saved)], [bob.id, ['saved']])
    assert.equal((await bob.ask('PUT', `/time/week/${monday}`, { body: { userId: ada.id, cells } })).status, 403)
  })

  test('the first day of the week is that of the user’s calendar, else of the tenant', async () => {
    const sue = await person({ name: 'Sue' })
    const group = await ada.post('/user-group', { name: 'Sundays', members: [sue.id] })
    const calendar = await ada.post('/time/calendar', { name: 'Sundays', userGroups: [group.id], weekStart: 7 })
    assert.equal((await sue.get('/time/week/2026-03-04')).from, '2026-03-01')
    await ada.delete(`/time/calendar/${calendar.id}`)
    assert.equal((await sue.get('/time/week/2026-03-04')).from, monday)
  })

  test('a cell sets its total: it creates, changes and deletes', async () => {
    const tim = await person({ name: 'Tim' })
    const cell = { itemId: item.id, date: '2026-03-03' }
    const made = await save(tim, [{ ...cell, hours: 1.5, note: 'Grid', was: 0 }])
    assert.deepEqual(outcomes(made.body), ['saved'])
    assert.deepEqual(seconds(rowOf(made.body.week, item.id)), [0, 5400, 0, 0, 0, 0, 0])
    const [entry] = await tim.get('/time')
    assert.deepEqual([entry.source, entry.note], [timeSource.grid, 'Grid'])
    assert.deepEqual(outcomes((await save(tim, [{ ...cell, minutes: 20, was: 5400 }])).body), ['saved'])
    assert.deepEqual(outcomes((await save(tim, [{ ...cell, minutes: 20 }])).body), ['unchanged'])
    assert.deepEqual(
      (await tim.get('/time')).map((each: { id: string; seconds: number }) => [each.id, each.seconds]),
      [[entry.id, 1200]],
    )
    const { body } = await save(tim, [{ ...cell, minutes: 30, was: 5400 }])
    const [{ problem }] = body.results
    assert.deepEqual([problem.status, problem.code, problem.current], [409, 'cell-changed', 1200])
    const gone = await save(tim, [{ ...cell, seconds: null }])
    assert.deepEqual(await tim.get('/time'), [])
    await tim.post(`/change/${gone.headers.get('change-set')}/undo`, undefined)
    assert.equal((await tim.get('/time')).length, 1)
  })

  test('of several entries those of the grid take the difference, and those with times stay', async () => {
    const uwe = await person({ name: 'Uwe' })
    const cell = { itemId: item.id, date: '2026-03-03' }
    const span = { start: '2026-03-03T08:00:00Z', end: '2026-03-03T09:00:00Z' }
    const timed = await uwe.post('/time', { itemId: item.id, ...span })
    await uwe.post('/time', { ...cell, seconds: 600 })
    assert.deepEqual(outcomes((await save(uwe, [{ ...cell, seconds: 5000 }])).body), ['saved'])
    const lengths = async () => (await uwe.get('/time?sort=seconds')).map((each: { seconds: number }) => each.seconds)
    assert.deepEqual(await lengths(), [600, 800, 3600])
    assert.deepEqual(outcomes((await save(uwe, [{ ...cell, seconds: 5100 }])).body), ['saved'])
    assert.deepEqual(await lengths(), [600, 900, 3600])
    assert.deepEqual(outcomes((await save(uwe, [{ ...cell, seconds: 4000 }])).body), ['saved'])
    assert.deepEqual(await lengths(), [400, 3600])
    assert.deepEqual(outcomes((await save(uwe, [{ ...cell, seconds: 3000 }])).body), ['cell-has-times'])
    assert.equal((await uwe.get(`/time/${timed.id}`)).seconds, 3600)
    await save(uwe, [{ ...cell, seconds: 3600 }])
    assert.deepEqual(outcomes((await save(uwe, [{ ...cell, seconds: 60 }])).body), ['cell-has-times'])
    assert.deepEqual(outcomes((await save(uwe, [{ ...cell, seconds: 0 }])).body), ['saved'])
    assert.deepEqual(await lengths(), [])
  })

  test('a locked day fails alone, and with atomic nothing is saved', async () => {
    const vic = await person({ name: 'Vic' })
    const locked = await vic.post('/time', { itemId: item.id, date: '2026-03-02', minutes: 10 })
    await database.single(
      tenantCaller(vic.tenantId),
      ctx =>
        ctx.sql`update time set state = ${timeState.approved} where tenant_id = ${vic.tenantId} and id = ${locked.id}`,
    )
    const cells = ['2026-03-02', '2026-03-03', '2026-03-04'].map(date => ({ itemId: item.id, date, minutes: 30 }))
    const all = await save(vic, cells, '?atomic=true')
    assert.deepEqual(
      [all.status, all.body.code, all.body.Fields.length, outcomes(all.body)[0]],
      [422, 'cells-refused', 0, 'time-locked'],
    )
    assert.equal((await vic.get('/time')).length, 1)
    const { status, body } = await save(vic, cells)
    assert.deepEqual([status, outcomes(body)], [200, ['time-locked', 'saved', 'saved']])
    assert.equal(rowOf(body.week, item.id)?.cells[0]?.editable, false)
    assert.deepEqual(seconds(rowOf(body.week, item.id)), [600, 1800, 1800, 0, 0, 0, 0])
  })

  test('on a full day the cells that raise it fail, and time can be moved between rows', async () => {
    const wim = await person({ name: 'Wim' })
    const [a, b] = [item.id, other.id].map(itemId => ({ itemId, date: '2026-03-03' }))
    assert.deepEqual(
      outcomes(
        (
          await save(wim, [
            { ...a, hours: 20 },
            { ...b, hours: 5 },
          ])
        ).body,
      ),
      ['saved', 'day-full'],
    )
    const moved = await save(wim, [
      { ...b, hours: 10 },
      { ...a, hours: 14, was: 72_000 },
    ])
    assert.deepEqual(outcomes(moved.body), ['saved', 'saved'])
  })

  test('cells without a length, of other weeks and without a target are reported', async () => {
    const none = await save(bob, [{ itemId: item.id, date: monday }])
    assert.deepEqual([none.status, none.body.Fields[0].Field], [400, 'cells.0.seconds'])
    const far = await save(bob, [{ itemId: item.id, date: '2026-04-01', minutes: 5 }])
    assert.deepEqual([far.status, far.body.Fields[0].Field], [400, 'cells.0.date'])
    const { body } = await save(bob, [{ date: monday, minutes: 5 }])
    assert.deepEqual([outcomes(body), body.results[0].problem.Fields[0].Field], [['time-target'], 'cells.0.itemId'])
    const foreign = await eve.post('/item', { title: 'Foreign' })
    assert.deepEqual(outcomes((await save(bob, [{ itemId: foreign.id, date: monday, minutes: 5 }])).body), [
      'unknown-reference',
    ])
  })

  test('suggests what the timer runs on and what was booked lately, unless it is booked', async () => {
    const xia = await person({ name: 'Xia' })
    for (const itemId of [item.id, other.id]) await xia.post('/time', { itemId, date: '2026-03-02', minutes: 5 })
    await xia.post('/time', { itemId: other.id, date: '2026-03-03', minutes: 5 })
    await xia.post('/time/timer/start', { nonBillable: code.id })
    const found = await xia.get('/time/suggest?date=2026-03-03')
    assert.deepEqual(
      found.map((each: { label: string; why: string }) => [each.label, each.why]),
      [
        ['INT Internal', 'timer'],
        [`${item.key} Work`, 'recent'],
      ],
    )
    assert.equal(found[1].seconds, null)
    assert.ok((await xia.get('/time/suggest')).length >= 1)
    for (const date of ['', 'soon', '2026-02-30', '2026-03-03T00:00:00Z']) {
      const { status, body } = await xia.ask('GET', `/time/suggest?date=${date}`)
      assert.deepEqual([status, body.Fields?.[0].Field], [400, 'date'], date)
    }
  })

  test('says which days are closed and what they are, and which sheet they belong to', async () => {
    const yan = await person({ name: 'Yan' })
    const clock = await ada.post('/clock', {
      ...{
        name: 'Office',
        timezone: 'Europe/Berlin',
        dayStart: '09:00',
        dayEnd: '17:00',
        weekStart: 'Monday',
        weekEnd: 'Friday',
      },
      nonWorkingDay: ['2026-03-04'],
    })
    await ada.put(`/user/${yan.id}`, { workingHours: clock.id })
    const group = await ada.post('/user-group', { name: 'Approved', members: [yan.id] })
    const calendar = { name: 'Weeks', userGroups: [group.id], approval: approvalMode.none }
    await ada.post('/time/calendar', calendar)
    const read = async () => await yan.get(`/time/week/${monday}`)
    const of = (week: { days: { closed: boolean; holiday: string | null }[] }) => [
      week.days.map(day => day.closed),
      week.days.map(day => day.holiday),
    ]
    const none = Array(7).fill(false)
    const before = await read()
    assert.deepEqual(of(before), [none, [null, null, '', null, null, null, null]])
    assert.deepEqual([before.sheet, before.days[2].capacitySeconds], [null, 0])
    const entry = await yan.post('/time', { itemId: item.id, date: '2026-03-03', minutes: 10 })
    await ada.post('/time/close', { until: '2026-03-02', reason: 'x' })
    const half = await read()
    assert.deepEqual(of(half)[0], [true, ...none.slice(1)])
    assert.deepEqual(
      rowOf(half, item.id)?.cells.map(cell => cell.editable),
      [false, ...none.slice(1).map(() => true)],
    )
    await ada.post('/time/close', { until: null, reason: 'x' })
    assert.equal(entry.sheetId, half.sheet.id)
    assert.deepEqual([entry.locked, half.sheet.state], [false, sheetState.open])
    await yan.post(`/time/sheet/${half.sheet.id}/submit`, {})
    const after = await read()
    assert.deepEqual([of(after)[0], after.sheet.state], [Array(7).fill(true), sheetState.approved])
    assert.equal((await yan.get(`/time/${entry.id}`)).locked, true)
  })

  test('days whose grace is over are closed for their user, also before there is a sheet', async () => {
    const zoe = await person({ name: 'Zoe' })
    const group = await ada.post('/user-group', { name: 'Graces', members: [zoe.id] })
    await ada.post('/time/calendar', { name: 'Grace', userGroups: [group.id], graceDays: 3 })
    const closed = async (who: typeof bob) =>
      (await who.get(`/time/week/${monday}?userId=${zoe.id}`)).days.map((day: { closed: boolean }) => day.closed)
    assert.deepEqual(await closed(zoe), Array(7).fill(true))
    assert.deepEqual(await closed(ada), Array(7).fill(false))
    const cells = [{ itemId: item.id, date: monday, minutes: 5 }]
    assert.deepEqual(outcomes((await save(zoe, cells)).body), ['period-closed'])
    assert.equal((await zoe.get(`/time/week/${monday}`)).sheet, null)
  })

  test('has rows of what is planned firmly, and suggests the rest of it', async () => {
    const pia = await person({ name: 'Pia' })
    const plan = (body: object) => ada.post('/plan', { userId: pia.id, from: monday, to: '2026-03-03', ...body })
    await plan({ owner: ownerKind.item, ownerId: item.id, amount: 60 })
    await plan({ nonBillable: code.id, amount: 30 })
    await plan({ owner: ownerKind.item, ownerId: other.id, amount: 60, tentative: true })
    await pia.post('/time', { itemId: item.id, date: monday, minutes: 20 })
    const week = await pia.get(`/time/week/${monday}`)
    const rows = week.rows.map((row: Row & { plannedSeconds: number[] }) => [
      row.origin,
      row.plannedSeconds.slice(0, 3),
    ])
    assert.deepEqual(rows, [
      ['entries', [3600, 3600, 0]],
      ['plan', [1800, 1800, 0]],
    ])
    const found = await pia.get(`/time/suggest?date=${monday}`)
    assert.deepEqual(
      found.map((each: { why: string; seconds: number }) => [each.why, each.seconds]),
      [
        ['plan', 2400],
        ['plan', 1800],
      ],
    )
  })

  test('has rows of the items that the user changed or wrote on this week, if they see them', async () => {
    const roy = await person({ name: 'Roy' })
    const [seen, hidden] = [
      await ada.post('/item', { title: 'Changed' }),
      await ada.post('/item', { title: 'Commented' }),
    ]
    await roy.post('/item', { title: 'Only created' })
    await roy.put(`/item/${seen.id}`, { title: 'Changed by Roy' })
    await roy.post('/annotation', { itemId: hidden.id, body: 'I looked at it' })
    const today = new Date().toISOString().slice(0, 10)
    const touched = async () => {
      const { rows } = await roy.get(`/time/week/${today}`)
      return rows.map((row: Row) => [row.origin, row.label.slice(row.label.indexOf(' ') + 1)])
    }
    assert.deepEqual(await touched(), [
      ['touched', 'Commented'],
      ['touched', 'Changed by Roy'],
    ])
    const suggested = await roy.get('/time/suggest')
    assert.deepEqual(
      suggested.map((each: { itemId: string; why: string; seconds: null }) => [each.itemId, each.why, each.seconds]),
      [
        [hidden.id, 'touched', null],
        [seen.id, 'touched', null],
      ],
    )
    await ada.delete(`/item/${hidden.id}`)
    await roy.post('/time', { itemId: seen.id, minutes: 5 })
    assert.deepEqual(await touched(), [['entries', 'Changed by Roy']])
  })
})
