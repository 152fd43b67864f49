import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { absenceKind, dayHalf, leaveState } from '../../admin/leave/leave.ts'
import { allowanceUnit, codeKind } from '../../finance/non-billable.ts'
import { roleCode } from '../../kernel/access.ts'
import { type NamedEvent, namesOf } from '../../notify/event-names.ts'

const { ada, bob, eve, person } = await sharedTestService()

const codeOf = async (name: string, more: object = {}): Promise<string> =>
  (await ada.post('/finance/non-billable', { code: name, name, kind: codeKind.leave, ...more })).id
const minutesOf = async (id: string, from: string, to: string): Promise<number[]> =>
  (await ada.get(`/user/${id}/capacity?from=${from}&to=${to}`)).map((day: { minutes: number }) => day.minutes)
const approving = (value: boolean | null) => ada.put('/admin/setting', { id: setting, value })
let setting = ''

before(async () => {
  setting = (await ada.post('/admin/setting', { key: 'leave.approval', value: false })).id
})

describe('leave without approval', () => {
  test('is effective at once, and shown as absence of the user', async () => {
    const code = await codeOf('Vacation')
    const zoe = await person({ name: 'Zoe' })
    const leave = await zoe.post('/time/leave', {
      nonBillable: code,
      from: '2026-08-03',
      to: '2026-08-04',
      note: 'Sea',
    })
    assert.deepEqual([leave.userId, leave.state, leave.kind], [zoe.id, leaveState.approved, absenceKind.holiday])
    const [absence] = (await zoe.get('/user/me')).absence
    assert.deepEqual(absence, { from: '2026-08-03', to: '2026-08-04', kind: absenceKind.holiday, note: 'Sea' })
    assert.deepEqual(await minutesOf(zoe.id, '2026-08-02', '2026-08-05'), [0, 0, 0, 480])
    await zoe.must('DELETE', `/time/leave/${leave.id}`)
    assert.deepEqual((await zoe.get('/user/me')).absence, [])
    await zoe.must('POST', `/time/leave/${leave.id}/restore`)
    assert.equal((await zoe.get('/user/me')).absence.length, 1)
  })

  test('half a day is half the contract of that day', async () => {
    const { id } = await ada.post('/user', { name: 'Half', workingHours: 'Mon-Fri 09:00-16:01' })
    await ada.post('/time/leave', { userId: id, from: '2026-08-03', to: '2026-08-03', fromHalf: dayHalf.morning })
    await ada.post('/time/leave', { userId: id, from: '2026-08-05', to: '2026-08-06', fromHalf: 2, toHalf: 1 })
    assert.deepEqual(await minutesOf(id, '2026-08-03', '2026-08-07'), [211, 421, 211, 211, 421])
    await ada.post('/time/leave', { userId: id, from: '2026-08-03', to: '2026-08-03', fromHalf: dayHalf.afternoon })
    assert.deepEqual(await minutesOf(id, '2026-08-03', '2026-08-03'), [0])
    const { absence, version } = await ada.get(`/user/${id}`)
    assert.deepEqual(
      absence.map((each: { fromHalf?: number }) => each.fromHalf),
      [1, 2, 2],
    )
    assert.equal((await ada.put(`/user/${id}`, { absence })).version, version, 'the record is sent back unchanged')
  })

  test('a morning is listed before the afternoon of the same day, whichever was entered first', async () => {
    const { id } = await ada.post('/user', { name: 'Halves' })
    for (const fromHalf of [dayHalf.afternoon, dayHalf.morning])
      await ada.post('/time/leave', { userId: id, from: '2026-08-03', to: '2026-08-03', fromHalf })
    const { absence, version } = await ada.get(`/user/${id}`)
    assert.deepEqual(
      absence.map((each: { fromHalf: number }) => each.fromHalf),
      [dayHalf.morning, dayHalf.afternoon],
    )
    const reversed = await ada.put(`/user/${id}`, { absence: absence.toReversed() })
    assert.equal(reversed.version, version, 'the order of the entries has no meaning')
  })

  test('two leaves of a user do not share a half day, also when both are written at once', async () => {
    const yan = await person({ name: 'Yan' })
    const both = await Promise.all(
      [1, 2].map(() => yan.ask('POST', '/time/leave', { body: { from: '2026-09-01', to: '2026-09-03' } })),
    )
    assert.deepEqual(both.map(each => each.status).sort(), [201, 422])
    const ask = async (body: object) => (await yan.ask('POST', '/time/leave', { body })).body.code
    assert.equal(await ask({ from: '2026-09-03', to: '2026-09-10' }), 'leave-overlap')
    assert.equal(await ask({ from: '2026-08-01' }), 'leave-overlap')
    const patched = await yan.ask('PATCH', '/user/me', {
      body: { absence: [{ from: '2026-09-01', to: '2026-09-02' }, { from: '2026-09-02' }] },
    })
    assert.equal(patched.status, 400)
    const [leave] = await yan.get('/time/leave')
    await yan.post(`/time/leave/${leave.id}/cancel`, {})
    await yan.post('/time/leave', { from: '2026-09-03', to: '2026-09-10' })
    assert.equal((await yan.ask('POST', `/time/leave/${leave.id}/restore`)).status, 200, 'cancelled leave takes no day')
  })

  test('absences of a user are leave: writing them creates, changes and removes it, and undo takes it back', async () => {
    const xenia = await person({ name: 'Xenia' })
    const first = { from: '2026-08-03', to: '2026-08-07', kind: absenceKind.holiday, note: '' }
    const second = { from: '2026-10-01', to: null, kind: absenceKind.other, note: 'Sabbatical' }
    await xenia.must('PATCH', '/user/me', { body: { absence: [second, first] } })
    const [a, b] = await xenia.get('/time/leave')
    assert.deepEqual([a.from, b.note, b.state], ['2026-08-03', 'Sabbatical', leaveState.approved])
    const changed = await xenia.ask('PATCH', '/user/me', { body: { absence: [{ ...first, to: '2026-08-10' }] } })
    assert.deepEqual(
      (await xenia.get('/time/leave')).map((each: { id: string; to: string }) => [each.id, each.to]),
      [[a.id, '2026-08-10']],
    )
    await xenia.must('POST', `/change/${changed.headers.get('change-set')}/undo`)
    assert.deepEqual((await xenia.get('/user/me')).absence, [first, second])
  })

  test('bad input is refused with all faults', async () => {
    const refused = await bob.ask('POST', '/time/leave', { body: { to: '2026-08-01', fromHalf: 7 } })
    assert.equal(refused.status, 400)
    const codes = await codeOf('Sales', { kind: codeKind.sales })
    const asked = async (body: object) => (await bob.ask('POST', '/time/leave', { body })).body.code
    assert.equal(await asked({ from: '2026-08-01', nonBillable: codes }), 'leave-code')
    assert.equal(await asked({ from: '2026-08-01', nonBillable: crypto.randomUUID() }), 'unknown-reference')
    assert.equal(
      await asked({ from: '2026-08-01', nonBillable: await codeOf('Old', { active: false }) }),
      'code-inactive',
    )
    assert.equal((await bob.ask('POST', '/time/leave', { body: { userId: ada.id, from: '2026-08-01' } })).status, 403)
  })
})

describe('leave with approval', () => {
  let lead: Person
  let wim: Person
  before(async () => {
    await approving(true)
    lead = await person({ name: 'Lead' })
    wim = await person({ name: 'Wim' })
    await ada.put(`/user/${wim.id}`, { managerId: lead.id })
  })

  test('counts when the manager has approved it, who sees its reason while colleagues see nothing', async () => {
    const leave = await wim.post('/time/leave', {
      from: '2026-08-03',
      to: '2026-08-03',
      kind: absenceKind.illness,
      note: 'Knee',
    })
    assert.equal(leave.state, leaveState.requested)
    assert.deepEqual(await minutesOf(wim.id, '2026-08-03', '2026-08-03'), [480])
    assert.equal((await bob.ask('GET', `/time/leave/${leave.id}`)).status, 404)
    assert.equal((await eve.ask('GET', `/time/leave/${leave.id}`)).status, 404)
    assert.equal((await lead.get(`/time/leave/${leave.id}`)).note, 'Knee')
    const decide = async (who: Person, verb: string, body: object = {}) => {
      const { status, body: answer } = await who.ask('POST', `/time/leave/${leave.id}/${verb}`, { body })
      return `${status} ${answer.code ?? answer.state}`
    }
    assert.equal(await decide(wim, 'approve'), '422 own-leave')
    assert.equal(await decide(bob, 'approve'), '404 not-found')
    assert.equal(await decide(lead, 'reject'), '400 validation')
    assert.equal(await decide(lead, 'approve', { comment: 'Rest' }), '200 1')
    assert.equal(await decide(lead, 'approve'), '200 1', 'once more changes nothing')
    assert.deepEqual(await minutesOf(wim.id, '2026-08-03', '2026-08-03'), [0])
    const moved = await wim.put(`/time/leave/${leave.id}`, { to: '2026-08-04' })
    assert.deepEqual([moved.state, moved.decidedBy], [leaveState.requested, ''])
    assert.equal((await wim.put(`/time/leave/${leave.id}`, { note: 'Foot' })).state, leaveState.requested)
    assert.equal(await decide(lead, 'reject', { comment: 'Not then' }), '200 2')
    assert.equal(
      (await wim.ask('PUT', `/time/leave/${leave.id}`, { body: { to: '2026-08-05' } })).body.code,
      'leave-state',
    )
  })

  test('nobody enters absences past the approver', async () => {
    const body = { absence: [{ from: '2026-12-01', to: '2026-12-02' }] }
    const refused = await wim.ask('PATCH', '/user/me', { body })
    assert.deepEqual([refused.status, refused.body.code], [422, 'leave-approval'])
    await ada.put(`/user/${wim.id}`, body)
    await wim.must('PATCH', '/user/me', { body: { phone: '1', absence: (await wim.get('/user/me')).absence } })
  })

  test('requests and decisions are events that rules and hooks know', async () => {
    const leave = await wim.post('/time/leave', { from: '2027-01-04', to: '2027-01-04' })
    await lead.post(`/time/leave/${leave.id}/approve`, {})
    const names = (await wim.get(`/time/leave/${leave.id}/history`)).map(
      ({ type, changes }: { type: string; changes: NamedEvent['changes'] }) =>
        namesOf({ kind: type, changes }).join(' '),
    )
    assert.deepEqual(names.sort(), ['leave.created leave.requested', 'leave.updated leave.decided'])
  })
})

describe('allowances', () => {
  test('the balance is the allowance and what was carried, less what is approved and requested, in days of work', async () => {
    await approving(false)
    const code = await codeOf('Annual', { unit: allowanceUnit.days, limited: true })
    const vera = await person({ name: 'Vera' })
    await ada.post('/time/leave-allowance', {
      userId: vera.id,
      nonBillable: code,
      year: 2026,
      amount: 5,
      carried: 2,
      carriedUntil: '2026-03-31',
    })
    const request = (from: string, to: string, more: object = {}) =>
      vera.ask('POST', '/time/leave', { body: { nonBillable: code, from, to, ...more } })
    // Friday to Monday is two days of work.
    assert.equal((await request('2026-01-02', '2026-01-05')).status, 201)
    await approving(true)
    assert.equal((await request('2026-06-01', '2026-06-03', { toHalf: dayHalf.morning })).status, 201)
    const [row] = await vera.get('/time/leave/balance?year=2026')
    assert.deepEqual([row.approved, row.requested, row.unit], [2, 2.5, allowanceUnit.days])
    assert.equal(row.balance, 5 + 2 - 4.5, 'what was carried over was taken in time')
    const over = await request('2026-07-01', '2026-07-03')
    assert.deepEqual([over.status, over.body.code, over.body.balance], [422, 'leave-balance', -0.5])
    assert.equal((await request('2026-07-01', '2026-07-03', { fromHalf: dayHalf.afternoon })).status, 201)
    assert.equal((await request('2027-07-01', '2027-07-01')).body.code, 'leave-balance', 'a year without allowance')
    await approving(false)
  })

  test('are one for each user, code and year, and for admins to write', async () => {
    const code = await codeOf('Once')
    const body = { userId: bob.id, nonBillable: code, year: 2026, amount: 30 }
    await ada.post('/time/leave-allowance', body)
    assert.equal((await ada.ask('POST', '/time/leave-allowance', { body })).status, 422)
    assert.equal((await bob.ask('POST', '/time/leave-allowance', { body })).status, 403)
    assert.equal((await bob.get('/time/leave-allowance')).length, 1)
    assert.equal(
      (await ada.ask('POST', '/time/leave-allowance', { body: { ...body, year: 2027, carriedUntil: '2026-01-01' } }))
        .status,
      400,
    )
  })
})

test('the balance of working time compares what was worked and credited with the contract', async () => {
  const [paid, unpaid] = [await codeOf('Paid'), await codeOf('Unpaid', { paid: false })]
  const training = await codeOf('Course', { kind: codeKind.training })
  const uli = await person({ name: 'Uli', role: roleCode.member })
  await ada.post('/time/leave', { userId: uli.id, nonBillable: paid, from: '2026-06-01', to: '2026-06-01' })
  await ada.post('/time/leave', { userId: uli.id, nonBillable: unpaid, from: '2026-06-02', to: '2026-06-02' })
  await uli.post('/time', { nonBillable: training, date: '2026-06-03', minutes: 500 })
  await uli.post('/time', { nonBillable: paid, date: '2026-06-01', minutes: 480 })
  const told = await uli.get(`/user/${uli.id}/balance?from=2026-06-01&to=2026-06-03`)
  assert.deepEqual(told, {
    userId: uli.id,
    from: '2026-06-01',
    to: '2026-06-03',
    expected: 16 * 3600,
    worked: 500 * 60,
    credited: 8 * 3600,
    difference: 20 * 60,
  })
  assert.equal((await bob.ask('GET', `/user/${uli.id}/balance`)).status, 403)
})
