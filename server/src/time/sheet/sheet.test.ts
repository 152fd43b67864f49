import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { roleCode } from '../../kernel/access.ts'
import { approvalMode } from '../calendar/calendar.ts'
import { timeState } from '../time-state.ts'
import { keepTimesheets } from './sheet-job.ts'
import { sheetState } from './sheet-state.ts'

describe('timesheets', async () => {
  const { ada, bob, eve, person, happened, database } = await sharedTestService()
  const mia = await person({ name: 'Mia', role: roleCode.manager })
  const max = await person({ name: 'Max' })
  await ada.put(`/user/${bob.id}`, { managerId: max.id })
  const team = await ada.post('/user-group', { name: 'Team', members: [bob.id] })
  const calendar = await ada.post('/time/calendar', {
    name: 'Weeks',
    userGroups: [team.id],
    approval: approvalMode.person,
  })
  const [north, south] = [
    await ada.post('/container', { name: 'North', key: 'NRTH' }),
    await ada.post('/container', { name: 'South', key: 'STH' }),
  ]
  const [one, two] = [
    await ada.post('/item', { title: 'One', containerId: north.id }),
    await ada.post('/item', { title: 'Two', containerId: south.id }),
  ]
  const code = await ada.post('/finance/non-billable', { name: 'Training', code: 'TRN' })

  const book = (date: string, more: object = {}) => bob.post('/time', { itemId: one.id, date, minutes: 60, ...more })
  const sheetOf = (date: string, who: Person = bob) => who.post('/time/sheet/day', { date })
  const say = (who: Person, sheet: { id: string }, verb: string, body: object = {}, headers = {}) =>
    who.ask('POST', `/time/sheet/${sheet.id}/${verb}`, { body, headers })
  const refusal = async (answer: ReturnType<typeof say>) => {
    const { status, body } = await answer
    return [status, body.code]
  }
  const stateOf = async (entry: { id: string }) => (await ada.get(`/time/${entry.id}`)).state
  const setCalendar = (values: object) => ada.put(`/time/calendar/${calendar.id}`, values)

  test('a sheet is made when it is needed, has the days of the period, and sums its entries', async () => {
    await book('2026-01-07')
    await book('2026-01-08', { itemId: undefined, nonBillable: code.id, minutes: 30 })
    const [sheet] = await bob.get('/time/sheet?from=2026-01-05')
    assert.deepEqual(
      [sheet.from, sheet.to, sheet.state, sheet.parts],
      ['2026-01-05', '2026-01-11', sheetState.open, []],
    )
    const { totals } = await bob.get(`/time/sheet/${sheet.id}`)
    assert.deepEqual([totals.entries, totals.seconds, totals.drafts], [2, 5400, 0])
    assert.deepEqual(totals.days, [
      { date: '2026-01-07', seconds: 3600 },
      { date: '2026-01-08', seconds: 1800 },
    ])
    assert.deepEqual(
      totals.containers
        .map((each: { containerId: string; seconds: number }) => [each.containerId, each.seconds])
        .sort(),
      [
        ['', 1800],
        [north.id, 3600],
      ].sort(),
    )
  })

  test('somebody whom no calendar covers has no sheet', async () => {
    assert.deepEqual(await refusal(mia.ask('POST', '/time/sheet/day', { body: { date: '2026-01-07' } })), [
      422,
      'no-calendar',
    ])
    const foreign = await ada.ask('POST', '/time/sheet/day', { body: { userId: eve.id } })
    assert.deepEqual([foreign.status, foreign.body.code], [422, 'unknown-reference'])
    assert.equal((await max.ask('POST', '/time/sheet/day', { body: { userId: mia.id } })).status, 403)
  })

  test('a sheet is submitted, approved, locked, unlocked and reopened, and its entries follow', async () => {
    const entry = await book('2026-01-14')
    const sheet = await sheetOf('2026-01-14')
    assert.deepEqual(await refusal(say(bob, sheet, 'recall')), [422, 'not-submitted'])
    assert.deepEqual(await refusal(say(max, sheet, 'approve')), [422, 'not-submitted'])
    assert.equal((await say(bob, sheet, 'submit', { comment: 'Done' })).body.state, sheetState.submitted)
    assert.equal(await stateOf(entry), timeState.submitted)
    assert.deepEqual(await refusal(say(bob, sheet, 'submit')), [422, 'already-submitted'])
    assert.deepEqual(await refusal(bob.ask('PUT', `/time/${entry.id}`, { body: { minutes: 5 } })), [
      422,
      'time-submitted',
    ])
    assert.deepEqual(await refusal(bob.ask('DELETE', `/time/${entry.id}`)), [422, 'time-submitted'])
    const closed = await bob.ask('POST', '/time', { body: { itemId: one.id, date: '2026-01-15', minutes: 5 } })
    assert.deepEqual([closed.status, closed.body.code, closed.body.Fields[0].Pointer], [422, 'period-closed', '/date'])
    const approved = (await say(max, sheet, 'approve')).body
    assert.deepEqual([approved.state, approved.parts[0].by], [sheetState.approved, max.id])
    assert.equal(await stateOf(entry), timeState.approved)
    assert.deepEqual(await refusal(ada.ask('PUT', `/time/${entry.id}`, { body: { minutes: 5 } })), [422, 'time-locked'])
    assert.deepEqual(await refusal(say(mia, sheet, 'lock')), [403, 'forbidden'])
    assert.equal((await say(ada, sheet, 'lock')).body.state, sheetState.locked)
    assert.equal(await stateOf(entry), timeState.locked)
    assert.deepEqual(await refusal(say(max, sheet, 'reopen', { reason: 'x' })), [422, 'sheet-locked'])
    assert.equal((await say(ada, sheet, 'unlock', {})).status, 400)
    assert.equal((await say(ada, sheet, 'unlock', { reason: 'x' })).body.state, sheetState.approved)
    assert.deepEqual(await refusal(say(ada, sheet, 'unlock', { reason: 'x' })), [422, 'not-locked'])
    assert.deepEqual(await refusal(say(bob, sheet, 'reopen', { reason: 'x' })), [403, 'forbidden'])
    assert.equal((await say(max, sheet, 'reopen', { reason: 'Wrong' })).body.state, sheetState.open)
    assert.equal(await stateOf(entry), timeState.logged)
    assert.deepEqual(await refusal(say(ada, sheet, 'lock')), [422, 'not-approved'])
    assert.equal((await bob.put(`/time/${entry.id}`, { minutes: 5 })).minutes, 5)
    assert.deepEqual(await happened(6), [
      'timesheet.submitted',
      'timesheet.approved',
      'timesheet.locked',
      'timesheet.unlocked',
      'timesheet.reopened',
      'time.updated',
    ])
    const kinds = (await bob.get(`/time/sheet/${sheet.id}/history`)).map((each: { type: string }) => each.type)
    assert.equal(kinds[0], 'timesheet.submitted')
  })

  test('an empty sheet says that there is nothing to book', async () => {
    const sheet = await sheetOf('2026-01-21')
    await say(bob, sheet, 'submit')
    assert.equal((await say(max, sheet, 'approve')).body.state, sheetState.approved)
  })

  test('without approval a submitted sheet is approved at once', async () => {
    await setCalendar({ approval: approvalMode.none })
    const entry = await book('2026-01-28')
    assert.equal((await say(bob, await sheetOf('2026-01-28'), 'submit')).body.state, sheetState.approved)
    assert.equal(await stateOf(entry), timeState.approved)
    assert.deepEqual(await happened(2), ['timesheet.submitted', 'timesheet.approved'])
    await setCalendar({ approval: approvalMode.person })
  })

  test('drafts must be confirmed before a sheet is submitted', async () => {
    const entry = await book('2026-02-04')
    await database.single(
      tenantCaller(bob.tenantId),
      ctx => ctx.sql`update time set state = ${timeState.draft} where tenant_id = ${bob.tenantId} and id = ${entry.id}`,
    )
    assert.deepEqual(await refusal(say(bob, await sheetOf('2026-02-04'), 'submit')), [422, 'drafts-left'])
  })

  test('a running timer must be stopped before a sheet is submitted', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const sheet = await sheetOf(today)
    await bob.post('/time/timer/start', { itemId: one.id })
    assert.deepEqual(await refusal(say(bob, sheet, 'submit')), [422, 'timer-running'])
    await bob.delete('/time/timer')
    assert.equal((await say(bob, sheet, 'submit')).status, 200)
    assert.equal((await say(bob, sheet, 'recall')).status, 200)
  })

  test('what is invoiced stays approved', async () => {
    const entry = await book('2026-02-11')
    const sheet = await sheetOf('2026-02-11')
    await say(bob, sheet, 'submit')
    await say(max, sheet, 'approve')
    await database.single(
      tenantCaller(bob.tenantId),
      ctx =>
        ctx.sql`update time set state = ${timeState.invoiced} where tenant_id = ${bob.tenantId} and id = ${entry.id}`,
    )
    assert.deepEqual(await refusal(say(max, sheet, 'reopen', { reason: 'x' })), [422, 'entries-invoiced'])
    await say(ada, sheet, 'lock')
    assert.equal(await stateOf(entry), timeState.invoiced)
    assert.deepEqual(await refusal(say(ada, sheet, 'unlock', { reason: 'x' })), [422, 'entries-invoiced'])
  })

  test('a rejected sheet needs a comment, can be changed, and is submitted again', async () => {
    const entry = await book('2026-02-18')
    const sheet = await sheetOf('2026-02-18')
    await say(bob, sheet, 'submit')
    const { status, body } = await say(max, sheet, 'reject', { comment: ' ' })
    assert.deepEqual([status, body.Fields[0].Field], [400, 'comment'])
    const rejected = (await say(max, sheet, 'reject', { comment: 'Friday is missing' })).body
    assert.deepEqual([rejected.state, rejected.parts[0].comment], [sheetState.rejected, 'Friday is missing'])
    assert.equal(await stateOf(entry), timeState.rejected)
    assert.deepEqual(await refusal(say(bob, sheet, 'recall')), [422, 'part-decided'])
    await bob.put(`/time/${entry.id}`, { minutes: 45 })
    await book('2026-02-20')
    assert.equal((await say(bob, sheet, 'submit')).body.state, sheetState.submitted)
    assert.equal(await stateOf(entry), timeState.submitted)
    assert.equal((await say(bob, sheet, 'recall')).body.state, sheetState.open)
    assert.equal(await stateOf(entry), timeState.logged)
  })

  test('approvers are the manager, the group of the calendar and those with the permission; never the owner', async () => {
    const group = await ada.post('/user-group', { name: 'Approvers', members: [] })
    const gus = await person({ name: 'Gus' })
    await setCalendar({ approverGroupId: group.id })
    const sheet = await sheetOf('2026-02-25')
    await say(bob, sheet, 'submit')
    assert.equal((await gus.ask('GET', `/time/sheet/${sheet.id}`)).status, 404)
    assert.equal((await eve.ask('POST', `/time/sheet/${sheet.id}/approve`, { body: {} })).status, 404)
    assert.deepEqual(await refusal(say(bob, sheet, 'approve')), [403, 'forbidden'])
    await ada.put(`/user-group/${group.id}`, { members: [gus.id, bob.id] })
    assert.deepEqual(await refusal(say(bob, sheet, 'approve')), [422, 'own-sheet'])
    const waiting = async (who: Person) =>
      (await who.get('/time/sheet?waitingFor=@me')).some((each: { id: string }) => each.id === sheet.id)
    assert.deepEqual(
      [await waiting(gus), await waiting(max), await waiting(mia), await waiting(bob)],
      [true, true, true, false],
    )
    assert.equal((await bob.ask('GET', '/time/sheet?waitingFor=max')).status, 400)
    await setCalendar({ selfApproval: true })
    assert.equal(await waiting(bob), true)
    assert.equal((await say(bob, sheet, 'approve')).body.state, sheetState.approved)
    assert.deepEqual([await waiting(gus), await waiting(bob)], [false, false])
    await setCalendar({ selfApproval: false, approverGroupId: '' })
  })

  test('the time on each project is approved there, and that on codes by person', async () => {
    await setCalendar({ approval: approvalMode.project })
    const nora = await person({ name: 'Nora' })
    await ada.post('/access-control', { userId: nora.id, owner: 1, ownerId: north.id, role: roleCode.manager })
    const entries = [
      await book('2026-03-04'),
      await book('2026-03-05', { itemId: two.id }),
      await book('2026-03-06', { itemId: undefined, nonBillable: code.id }),
    ]
    const sheet = await sheetOf('2026-03-04')
    const { parts } = (await say(bob, sheet, 'submit')).body
    assert.deepEqual(
      parts.map((each: { containerId: string }) => each.containerId).sort(),
      ['', north.id, south.id].sort(),
    )
    assert.deepEqual(await refusal(say(nora, sheet, 'approve', { containerIds: [south.id] })), [403, 'forbidden'])
    assert.deepEqual(await refusal(say(nora, sheet, 'approve', { containerIds: [eve.id] })), [422, 'unknown-part'])
    assert.equal((await nora.get('/time/sheet?waitingFor=@me')).length, 1)
    assert.equal((await say(nora, sheet, 'approve')).body.state, sheetState.submitted)
    assert.equal((await nora.get('/time/sheet?waitingFor=@me')).length, 0)
    assert.deepEqual(await refusal(say(mia, sheet, 'approve', { containerIds: [north.id] })), [422, 'part-decided'])
    assert.deepEqual(await refusal(say(bob, sheet, 'recall')), [422, 'part-decided'])
    await say(mia, sheet, 'reject', { containerIds: [south.id], comment: 'Wrong' })
    const after = await Promise.all(entries.map(stateOf))
    assert.deepEqual(after, [timeState.approved, timeState.rejected, timeState.submitted])
    await bob.put(`/time/${entries[1].id}`, { minutes: 30 })
    const moved = await bob.ask('PUT', `/time/${entries[1].id}`, { body: { itemId: one.id } })
    assert.deepEqual([moved.status, moved.body.code], [422, 'period-closed'])
    await say(bob, sheet, 'submit')
    assert.equal((await say(mia, sheet, 'approve')).body.state, sheetState.approved)
    await setCalendar({ approval: approvalMode.person })
  })

  test('a delegate approves on behalf of somebody, but not their own time', async () => {
    const dora = await person({ name: 'Dora' })
    const sheet = await sheetOf('2026-03-11')
    await say(bob, sheet, 'submit')
    assert.equal((await dora.ask('GET', `/time/sheet/${sheet.id}`)).status, 404)
    assert.equal(
      (
        await dora.ask('POST', '/time/delegation', {
          body: { fromUserId: max.id, toUserId: dora.id, from: '2020-01-01', to: '2990-01-01' },
        })
      ).status,
      403,
    )
    const given = { toUserId: dora.id, from: '2020-01-01', to: '2990-01-01' }
    const delegation = await max.post('/time/delegation', given)
    assert.equal(delegation.fromUserId, max.id)
    await max.post('/time/delegation', { ...given, toUserId: bob.id })
    assert.equal((await dora.get('/time/sheet?waitingFor=@me')).length, 1)
    assert.deepEqual(await refusal(say(bob, sheet, 'approve')), [422, 'own-sheet'])
    const { state, parts } = (await say(dora, sheet, 'approve')).body
    assert.deepEqual([state, parts[0].by, parts[0].onBehalfOf], [sheetState.approved, dora.id, max.id])
    await max.delete(`/time/delegation/${delegation.id}`)
    assert.equal((await dora.ask('GET', `/time/sheet/${sheet.id}`)).status, 404)
    for (const [body, code] of [
      [{ ...given, toUserId: max.id }, 'own-delegation'],
      [{ ...given, to: '2019-01-01' }, 'validation'],
    ] as const)
      assert.equal((await max.ask('POST', '/time/delegation', { body })).body.code, code)
  })

  test('many sheets are approved at once, each by itself', async () => {
    const sheets = [await sheetOf('2026-03-18'), await sheetOf('2026-03-25')]
    const ids = sheets.map(each => each.id)
    const bulk = (who: Person, verb: string, more: object = {}) => who.post('/time/sheet/bulk', { ids, verb, ...more })
    await say(bob, sheets[0], 'submit')
    const outcomes = (all: { outcome: string; code?: string }[]) => all.map(each => each.code ?? each.outcome)
    assert.deepEqual(outcomes(await bulk(bob, 'submit')), ['already-submitted', 'updated'])
    assert.deepEqual(outcomes(await bulk(max, 'reject')), ['validation', 'validation'])
    assert.deepEqual(outcomes(await bulk(max, 'approve', { comment: 'Fine' })), ['updated', 'updated'])
    const { body } = await max.ask('POST', '/time/sheet/bulk', { body: { ids: [eve.id], verb: 'approve' } })
    assert.deepEqual([body[0].status, body[0].code], [404, 'not-found'])
  })

  test('an approval with If-Match approves what was read', async () => {
    const sheet = await sheetOf('2026-04-08')
    const { version } = (await say(bob, sheet, 'submit')).body
    await say(bob, sheet, 'recall')
    await book('2026-04-08')
    await say(bob, sheet, 'submit')
    const stale = await say(max, sheet, 'approve', {}, { 'if-match': `"v${version}"` })
    assert.deepEqual([stale.status, stale.body.code], [412, 'stale'])
    assert.equal((await say(max, sheet, 'approve', {}, { 'if-match': `"v${stale.body.current.version}"` })).status, 200)
  })

  test('another week start leaves approved sheets as they are, and makes one short sheet', async () => {
    const before = await sheetOf('2026-04-15')
    await say(bob, before, 'submit')
    await say(max, before, 'approve')
    await setCalendar({ weekStart: 7 })
    const after = await bob.get(`/time/sheet/${before.id}`)
    assert.deepEqual([after.from, after.to, after.state], ['2026-04-13', '2026-04-19', sheetState.approved])
    const short = await sheetOf('2026-04-22')
    assert.deepEqual([short.from, short.to], ['2026-04-20', '2026-04-25'])
    const next = await sheetOf('2026-04-26')
    assert.deepEqual([next.from, next.to], ['2026-04-26', '2026-05-02'])
    await setCalendar({ weekStart: 1 })
  })

  test('a verb can be undone by whoever may perform it, unless time was changed since', async () => {
    const entry = await book('2026-05-06')
    const sheet = await sheetOf('2026-05-06')
    const submitted = (await say(bob, sheet, 'submit')).headers.get('change-set')
    const approved = (await say(max, sheet, 'approve')).headers.get('change-set')
    const undo = (who: Person, change: string | null) => who.ask('POST', `/change/${change}/undo`)
    assert.equal((await undo(bob, submitted)).status, 409)
    assert.equal((await undo(max, approved)).status, 200)
    assert.equal(await stateOf(entry), timeState.submitted)
    assert.equal((await undo(bob, submitted)).status, 200)
    assert.equal(await stateOf(entry), timeState.logged)
    await say(bob, sheet, 'submit')
    const recalled = (await say(bob, sheet, 'recall')).headers.get('change-set')
    await bob.put(`/time/${entry.id}`, { minutes: 10 })
    assert.equal((await undo(bob, recalled)).status, 409)
    assert.equal(await stateOf(entry), timeState.logged)
  })

  test('users are reminded once for each day of the calendar, and late sheets are submitted', async () => {
    const lea = await person({ name: 'Lea', timezone: 'Pacific/Auckland' })
    const late = await ada.post('/user-group', { name: 'Late', members: [lea.id] })
    await ada.post('/time/calendar', {
      name: 'Reminded',
      userGroups: [late.id],
      approval: approvalMode.person,
      order: 0,
      from: '2026-06-01',
      remindAfterDays: [1, 3],
      graceDays: 4,
      autoSubmit: true,
    })
    const run = (now: string) => keepTimesheets(database, () => new Date(now)).run(new AbortController().signal)
    const kinds = async () => {
      const [sheet] = await lea.get('/time/sheet?from=2026-06-01')
      return (await lea.get(`/time/sheet/${sheet.id}/history`)).map((each: { type: string }) => each.type)
    }
    await run('2026-06-07T11:00:00Z') // still Sunday in Auckland
    assert.deepEqual(await kinds(), [])
    for (const _ of [1, 2]) await run('2026-06-07T13:00:00Z')
    assert.deepEqual(await kinds(), ['timesheet.due'])
    await run('2026-06-10T13:00:00Z')
    assert.deepEqual(await kinds(), ['timesheet.due', 'timesheet.due'])
    for (const _ of [1, 2]) await run('2026-06-11T13:00:00Z')
    assert.deepEqual(await kinds(), ['timesheet.due', 'timesheet.due', 'timesheet.submitted'])
  })
})
