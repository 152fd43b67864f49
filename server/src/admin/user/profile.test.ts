import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { absenceKind } from './dated-entries.ts'

const { ada, bob, eve, person } = await sharedTestService()
const [boss, manager, rita] = [
  await person({ name: 'Anna', role: roleCode.admin }),
  await person({ name: 'Max', role: roleCode.manager }),
  await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester }),
]
/** Assigns the user to a ticket of rita, who sees nobody else. */
async function assignToRita(userId: string): Promise<void> {
  const desk = await ada.post('/container', { name: 'Help', kind: containerKind.desk })
  const requester = { userId: rita.id }
  await ada.post('/ticket', { title: 'No paper', containerId: desk.id, requester, assignees: [userId] })
}

const week = [480, 480, 480, 480, 480, 0, 0]
const faults = (body: { Fields: { Field: string; Code: string }[] }) =>
  body.Fields.map(each => `${each.Field} ${each.Code}`)

describe('the profile of a user', () => {
  test('has further properties, each with a default', async () => {
    const bare = await ada.post('/user', { name: 'Bare' })
    const { login, avatarFileId, managerId, crmId, skills, capacity, rates, absence, groups, invitedAt, anonymised } =
      bare
    assert.deepEqual(
      { login, avatarFileId, managerId, crmId, skills, capacity, rates, absence, groups, invitedAt, anonymised },
      {
        login: '',
        avatarFileId: '',
        managerId: '',
        crmId: '',
        skills: [],
        capacity: [],
        rates: [],
        absence: [],
        groups: [],
        invitedAt: null,
        anonymised: false,
      },
    )
    const crm = await ada.post('/finance/crm', { name: 'Customer' })
    const full = { login: 'rb', managerId: bob.id, crmId: crm.id, skills: ['welding', 'Latin'] }
    const made = await ada.post('/user', { name: 'Full', ...full })
    for (const [property, value] of Object.entries(full)) assert.deepEqual(made[property], value, property)
    const same = await ada.put(`/user/${made.id}`, made)
    assert.equal(same.version, made.version)
  })

  test('a login belongs to one user of a tenant, regardless of case', async () => {
    await ada.post('/user', { name: 'One', login: 'Neo' })
    const { status, body } = await ada.ask('POST', '/user', { body: { name: 'Two', login: 'neo' } })
    assert.deepEqual([status, faults(body)], [422, ['login already-taken']])
    await eve.post('/user', { name: 'Three', login: 'neo' })
  })

  test('nobody is their own manager at any level, even with concurrent changes', async () => {
    const [top, middle, low] = [
      await ada.post('/user', { name: 'Top' }),
      await ada.post('/user', { name: 'Middle' }),
      await ada.post('/user', { name: 'Low' }),
    ]
    const under = (one: { id: string }, other: { id: string }) =>
      ada.ask('PATCH', `/user/${one.id}`, { body: { managerId: other.id } })
    assert.equal((await under(top, top)).status, 422)
    assert.equal((await under(middle, top)).status, 200)
    assert.equal((await under(low, middle)).status, 200)
    const { status, body } = await under(top, low)
    assert.deepEqual([status, body.code, faults(body)], [422, 'cycle', ['managerId cycle']])
    const [left, right] = [await ada.post('/user', { name: 'Left' }), await ada.post('/user', { name: 'Right' })]
    const both = await Promise.all([under(left, right), under(right, left)])
    assert.deepEqual(both.map(each => each.status).sort(), [200, 422])
    assert.equal((await under(low, { id: eve.id })).status, 422)
  })

  test('lists the groups of the user, and follows changes at once', async () => {
    const dan = await ada.post('/user', { name: 'Dan' })
    const [first, second] = [
      await ada.post('/user-group', { name: 'First', members: [dan.id, bob.id] }),
      await ada.post('/user-group', { name: 'Second', members: [dan.id] }),
    ]
    const inside = await ada.post('/user-group', { name: 'Inside', members: [bob.id], parentId: second.id })
    const groups = async (id: string) => (await ada.get(`/user/${id}`)).groups.sort()
    assert.deepEqual(await groups(dan.id), [first.id, second.id].sort())
    assert.deepEqual(await groups(bob.id), [first.id, inside.id].sort())
    await ada.put(`/user-group/${first.id}`, { members: [bob.id] })
    await ada.delete(`/user-group/${second.id}?replaceBy=${first.id}`)
    assert.deepEqual(await groups(dan.id), [])
    await ada.must('POST', `/user-group/${second.id}/restore`)
    assert.deepEqual(await groups(dan.id), [second.id])
    await ada.put(`/user/${dan.id}`, { groups: [], name: 'Daniel' })
    assert.deepEqual(await groups(dan.id), [second.id])
  })
})

describe('dated entries', () => {
  test('are sorted by time, and all faults are reported at once', async () => {
    const { id } = await ada.post('/user', { name: 'Dated' })
    const { status, body } = await ada.ask('PATCH', `/user/${id}`, {
      body: {
        capacity: [
          { from: '2026-01-01', minutesPerWeekday: [1] },
          { from: '2026-01-01', minutesPerWeekday: week },
        ],
        absence: [
          { from: '2026-02-01', to: '2026-01-01' },
          { from: '2026-03-01' },
          { from: '2026-04-01', to: '2026-04-02' },
        ],
      },
    })
    assert.equal(status, 400)
    assert.deepEqual(faults(body), [
      'capacity.0.minutesPerWeekday week',
      'capacity.1.from overlap',
      'absence.0.to range',
      'absence.2.from overlap',
    ])
    const malformed = await ada.ask('PATCH', `/user/${id}`, {
      body: { capacity: [{ minutesPerWeekday: week }], rates: [{ from: 'soon', cost: -1, currency: 'euro' }] },
    })
    assert.equal(malformed.status, 400)
    assert.deepEqual(faults(malformed.body).sort(), [
      'capacity.0.from required',
      'rates.0.cost range',
      'rates.0.currency maxLength',
      'rates.0.currency pattern',
      'rates.0.from date',
    ])
    const made = await ada.put(`/user/${id}`, {
      capacity: [
        { from: '2026-07-01', minutesPerWeekday: [240, 240, 0, 0, 0, 0, 0] },
        { from: '2026-01-01', to: '2026-05-31', minutesPerWeekday: week },
      ],
    })
    assert.deepEqual(made.capacity, [
      { from: '2026-01-01', to: '2026-05-31', minutesPerWeekday: week, clockId: '' },
      { from: '2026-07-01', to: null, minutesPerWeekday: [240, 240, 0, 0, 0, 0, 0], clockId: '' },
    ])
    assert.equal((await ada.put(`/user/${id}`, made)).version, made.version)
    const nowhere = { capacity: [{ from: '2026-01-01', clockId: eve.id }] }
    assert.equal((await ada.ask('PUT', `/user/${id}`, { body: nowhere })).body.code, 'unknown-reference')
  })

  test('users change their own absences, but not their own capacity or rates', async () => {
    const capacity = [{ from: '2026-01-01', minutesPerWeekday: week }]
    const rates = [{ from: '2026-01-01', cost: 1000 }]
    for (const body of [{ capacity }, { rates }]) {
      assert.equal((await bob.ask('PATCH', '/user/me', { body })).status, 400)
      assert.equal((await boss.ask('PATCH', `/user/${boss.id}`, { body })).status, 403)
      assert.equal((await manager.ask('PATCH', `/user/${bob.id}`, { body })).status, 403)
      assert.equal((await boss.ask('PATCH', `/user/${bob.id}`, { body })).status, 200)
      assert.equal((await ada.ask('PATCH', `/user/${ada.id}`, { body })).status, 200)
    }
    const absence = [{ from: '2026-08-01', to: '2026-08-21', kind: absenceKind.holiday, note: 'The sea' }]
    const me = await bob.must('PATCH', '/user/me', { body: { absence } })
    assert.deepEqual(me.absence, absence)
  })
})

describe('rates', () => {
  const rates = [
    { from: '2026-01-01', to: null, cost: '60.0000', bill: '120.5000', currency: 'EUR' },
    { from: '2026-07-01', to: null, cost: '65.0000', bill: '130.0000', currency: 'EUR' },
  ]

  test('are visible only to users who plan and bill; for others the property is absent, also in every log', async () => {
    const made = await ada.post('/user', { name: 'Rated', rates: rates.toReversed() })
    assert.deepEqual(made.rates, rates)
    await assignToRita(made.id)
    for (const who of [ada, boss, manager]) assert.deepEqual((await who.get(`/user/${made.id}`)).rates, rates)
    for (const who of [bob, rita]) {
      assert.ok(!('rates' in (await who.get(`/user/${made.id}`))))
      const [listed] = await who.get(`/user?id=${made.id}`)
      assert.ok(listed && !('rates' in listed))
      assert.ok(!('rates' in (await who.get('/user/me'))))
      assert.equal((await who.ask('GET', `/user/${made.id}/rate`)).status, 403)
    }
    const before = (await ada.get(`/user/${made.id}`)).version
    await ada.put(`/user/${made.id}`, { rates })
    assert.equal((await ada.get(`/user/${made.id}`)).version, before)
    const { headers } = await ada.ask('PUT', `/user/${made.id}`, { body: { rates: rates.slice(1), phone: '1' } })
    const history = JSON.stringify(await ada.get(`/user/${made.id}/history`))
    assert.ok(history.includes('"rates":{}') && !history.includes('120.5'))
    await ada.must('POST', `/change/${headers.get('change-set')}/undo`)
    assert.deepEqual((await ada.get(`/user/${made.id}`)).rates, rates)
    assert.equal((await ada.get(`/user/${made.id}`)).phone, '')
    assert.deepEqual((await ada.put(`/user/${made.id}`, { rates: null })).rates, [])
  })

  test('the rate in force on a given day can be read', async () => {
    const { id } = await ada.post('/user', { name: 'Rated', rates })
    const on = async (at: string) => (await manager.get(`/user/${id}/rate?at=${at}`)).rate?.cost ?? null
    assert.deepEqual(
      [await on('2025-12-31'), await on('2026-01-01'), await on('2026-06-30'), await on('2026-07-01')],
      [null, '60.0000', '60.0000', '65.0000'],
    )
    assert.equal((await manager.ask('GET', `/user/${id}/rate?at=tomorrow`)).status, 400)
    assert.equal((await eve.ask('GET', `/user/${id}/rate`)).status, 404)
  })

  test('the kind and the note of an absence are for the user, their manager and those who change users', async () => {
    const absence = [{ from: '2026-03-01', to: '2026-03-05', kind: absenceKind.illness, note: 'Flu' }]
    const lead = await person({ name: 'Lead' })
    const reader = await person({ name: 'Reader', role: roleCode.readOnly })
    const admin = await person({ name: 'Admin', role: roleCode.admin })
    const away = await person({ name: 'Away' })
    await ada.must('PATCH', `/user/${away.id}`, { body: { absence, managerId: lead.id } })
    for (const who of [away, lead, admin]) {
      assert.deepEqual((await who.get(`/user/${away.id}`)).absence, absence)
      assert.match(JSON.stringify(await who.get(`/user/${away.id}/history`)), /Flu/)
    }
    for (const who of [bob, reader, manager]) {
      assert.deepEqual((await who.get(`/user/${away.id}`)).absence, [{ from: '2026-03-01', to: '2026-03-05' }])
      const listed = await who.get('/user?fields=name,absence')
      assert.doesNotMatch(JSON.stringify(listed), /Flu|"kind":1,"note"/)
      assert.deepEqual(await who.get(`/user/${away.id}/history`), [])
      assert.equal((await who.ask('GET', '/user?absence=Flu')).status, 400)
    }
    assert.deepEqual((await away.must('PATCH', '/user/me', { body: { phone: '1' } })).absence, absence)
  })

  test('working hours, absences, groups and the history of other users are visible only to staff', async () => {
    const absence = [{ from: '2026-03-01', to: '2026-03-05', kind: absenceKind.illness, note: 'Flu' }]
    const { id } = await ada.post('/user', {
      name: 'Away',
      absence,
      capacity: [{ from: '2026-01-01', minutesPerWeekday: week }],
    })
    assert.deepEqual((await bob.get(`/user/${id}`)).absence, [{ from: '2026-03-01', to: '2026-03-05' }])
    await assignToRita(id)
    const seen = await rita.get(`/user/${id}`)
    for (const property of ['absence', 'capacity', 'groups', 'rates']) assert.ok(!(property in seen), property)
    assert.deepEqual(await rita.get(`/user/${id}/history`), [])
    assert.equal((await rita.get(`/user/${rita.id}/history`)).length, 1)
  })
})
