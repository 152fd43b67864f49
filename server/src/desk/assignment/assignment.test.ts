import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Person, serveOn, sharedTestService } from '../../../test/support/people.ts'
import { dayHalf, isAwayAt } from '../../admin/leave/leave.ts'
import { assignPolicy } from '../../admin/user-group/user-group.ts'
import { action } from '../../containers/action/action.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { statusCategory } from '../../containers/status-category.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { type Candidate, chooseMember, type JudgedCandidate, reasonOf } from './choose-member.ts'
import { type Hours, localMoment } from './shift.ts'

const { roundRobin, leastOpen, leastRemaining, onDuty } = assignPolicy

describe('the choice among the members of a group', () => {
  const member = (userId: string, more: Partial<Candidate> = {}): Candidate => ({
    ...{ userId, openItems: 0, openMinutes: 0, turn: 0, absent: false, offShift: false, skills: [], ...more },
  })
  const chosen = (policy: number, ...members: Candidate[]) => chooseMember(members, { policy }).userId

  test('the policy decides, and among equals the member whose turn is longest ago', () => {
    const few = member('few', { openItems: 1, openMinutes: 500, turn: 3 })
    const many = member('many', { openItems: 4, openMinutes: 40, turn: 2 })
    const fresh = member('fresh', { openItems: 4, openMinutes: 40, turn: 1 })
    assert.equal(chosen(leastOpen, many, few, fresh), 'few')
    assert.equal(chosen(leastRemaining, many, few, fresh), 'fresh')
    assert.equal(chosen(roundRobin, many, few, fresh), 'fresh')
    assert.equal(chosen(assignPolicy.manual, member('b'), member('a')), 'a')
  })

  test('members off shift are chosen if nobody else is available, but never by the policy on duty', () => {
    const [late, busy, away] = [
      member('late', { offShift: true }),
      member('busy', { openItems: 9 }),
      member('away', { absent: true }),
    ]
    assert.equal(chosen(leastOpen, late, busy, away), 'busy')
    assert.equal(chosen(leastOpen, late, away), 'late')
    assert.equal(chosen(onDuty, late, away), undefined)
    const night = reasonOf(chooseMember([late, away], { policy: leastOpen }))
    assert.equal(night, 'fewest open items (0) of 1 available, all of them off shift; passed over: 1 absent')
  })
})

describe('working hours', () => {
  const hours = (more: Partial<Hours>): Hours => ({ timezone: 'UTC', workingHours: '', capacity: [], ...more })
  const isOff = (at: string, more: Partial<Hours>) => localMoment(new Date(at), hours(more)).offShift
  const [friday, friNight, satEarly, saturday] = [
    '2026-03-06T10:00:00Z',
    '2026-03-06T23:00:00Z',
    '2026-03-07T03:00:00Z',
    '2026-03-07T10:00:00Z',
  ]

  test('shifts run over midnight, and are in the time zone of the user', () => {
    const day = { workingHours: 'Mon-Fri 09:00-17:30' }
    assert.deepEqual(
      [friday, friNight, saturday].map(at => isOff(at, day)),
      [false, true, true],
    )
    assert.equal(isOff(friday, { ...day, timezone: 'Asia/Tokyo' }), true)
    const night = { workingHours: 'Mon-Fri 22:00-06:00' }
    assert.deepEqual(
      [friday, friNight, satEarly, saturday].map(at => isOff(at, night)),
      [true, false, false, true],
    )
  })

  test('hours without times have free days, capacity takes precedence, and somebody without hours is never off shift', () => {
    assert.deepEqual(
      [friday, saturday].map(at => isOff(at, { workingHours: '40' })),
      [false, true],
    )
    const weekends = [{ from: '2026-01-01', minutesPerWeekday: [0, 0, 0, 0, 0, 480, 480] }]
    assert.deepEqual(
      [friday, saturday].map(at => isOff(at, { workingHours: '40', capacity: weekends })),
      [true, false],
    )
    assert.deepEqual(
      [friNight, saturday].map(at => isOff(at, {})),
      [false, false],
    )
  })

  test('half a day of leave is half a day', () => {
    const morning = { from: '2026-03-06', to: '2026-03-06', fromHalf: dayHalf.morning, toHalf: dayHalf.whole }
    const isAway = (isAfternoon: boolean) => isAwayAt([morning], '2026-03-06', isAfternoon)
    assert.deepEqual([isAway(false), isAway(true)], [true, false])
    assert.equal(isAwayAt([{ ...morning, fromHalf: dayHalf.whole, to: null }], '2030-01-01', true), true)
  })
})

describe('assignment', async () => {
  const { ada, bob, eve, person, databaseUrl, dataDir } = await sharedTestService()
  await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
  const project = await ada.post('/container', { name: 'Project' })
  const ticket = async () => await ada.post('/ticket', { title: 'No light' })
  const work = async (who: Person, more: object = {}) =>
    await ada.post('/item', { title: 'Work', containerId: project.id, assignees: [who.id], ...more })
  const groupOf = async (members: readonly Person[], policy: number = roundRobin): Promise<string> => {
    const group = { name: crypto.randomUUID(), assignPolicy: policy, members: members.map(each => each.id) }
    return (await ada.post('/user-group', group)).id
  }
  const next = async (groupId: string, terms: object = {}) =>
    await bob.ask('POST', `/ticket/${(await ticket()).id}/assign-next`, { body: { groupId, ...terms } })

  test('least loaded counts open work in all containers, by what is left, by the estimate, or an hour each', async () => {
    const [ann, ben] = [await person({ name: 'Ann' }), await person({ name: 'Ben' })]
    await work(ann, { estimateMinutes: 600 })
    for (const remainingMinutes of [30, 0])
      await work(ben, { estimateMinutes: remainingMinutes * 20, remainingMinutes })
    await work(ben, { status: 'Closed', statusCategory: statusCategory.done, estimateMinutes: 5000 })
    const { body: byMinutes } = await next(await groupOf([ann, ben], leastRemaining))
    assert.deepEqual(byMinutes.assignees, [ben.id])
    assert.equal(byMinutes.assignment.reason, 'fewest minutes left (90 in 2 open items) of 2 available')
    assert.deepEqual(byMinutes.assignment.candidates, [
      { userId: ben.id, openItems: 2, openMinutes: 90, turn: 0, offShift: false, passedOver: null },
      { userId: ann.id, openItems: 1, openMinutes: 600, turn: 0, offShift: false, passedOver: null },
    ])
    const { body: byItems } = await next(await groupOf([ann, ben], leastOpen))
    assert.deepEqual([byItems.assignees, byItems.assignment.policy], [[ann.id], leastOpen])
  })

  test('the item itself does not count as work', async () => {
    const [ann, ben] = [await person({ name: 'Ann' }), await person({ name: 'Ben' })]
    const groupId = await groupOf([ann, ben], leastOpen)
    const { id } = await ada.post('/ticket', { title: 'Mine', assignees: [ann.id] })
    await work(ben)
    assert.deepEqual((await bob.post(`/ticket/${id}/assign-next`, { groupId, maxOpen: 1 })).assignees, [ann.id])
  })

  test('members who are absent, off shift, without the skills or with too much work are passed over', async () => {
    const none = [{ from: '2020-01-01', minutesPerWeekday: [0, 0, 0, 0, 0, 0, 0] }]
    const [from, to] = [-3, 3].map(days => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
    const closed = await ada.post('/clock', { name: 'Closed', nonWorkingDay: [`${from}/${to}`] })
    const skills = ['Network', 'welding']
    const away = await person({ name: 'Away', skills })
    await ada.put(`/user/${away.id}`, { absence: [{ from: '2020-01-01' }] })
    const off = await person({ name: 'Off', skills, capacity: none })
    const shut = await person({ name: 'Shut', skills, workingHours: closed.id })
    const unskilled = await person({ name: 'Unskilled', skills: ['network'] })
    const busy = await person({ name: 'Busy', skills })
    await work(busy)
    const right = await person({ name: 'Right', skills, workingHours: 'Mon-Sun 00:00-00:00' })
    const groupId = await groupOf([away, off, shut, unskilled, busy, right])
    const { body } = await next(groupId, { skills: ['network', 'Welding'], maxOpen: 1 })
    assert.deepEqual(body.assignees, [right.id])
    assert.deepEqual(
      new Map(body.assignment.candidates.map((each: JudgedCandidate) => [each.userId, each.passedOver])),
      new Map([
        [right.id, null],
        [away.id, 'absent'],
        [off.id, 'offShift'],
        [shut.id, 'offShift'],
        [unskilled.id, 'skills'],
        [busy.id, 'maxOpen'],
      ]),
    )
    assert.deepEqual((await next(groupId, { skills: ['welding'], maxOpen: 2 })).body.assignees, [busy.id])
    const refused = await next(await groupOf([away, off]), { policy: 'onDuty' })
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.Fields[0].Field],
      [422, 'nobody-there', 'groupId'],
    )
    assert.match(refused.body.detail, /none of 2 members is available; passed over: 1 absent, 1 off shift/)
  })

  test('turns go on after a restart', async () => {
    const people = [await person({ name: 'One' }), await person({ name: 'Two' }), await person({ name: 'Three' })]
    const groupId = await groupOf(people)
    const [one, two] = [(await next(groupId)).body, (await next(groupId)).body]
    const { base } = await serveOn(databaseUrl, dataDir)
    const again = new Person(base, bob.key, bob.id, bob.tenantId)
    const third = await again.post(`/ticket/${(await ticket()).id}/assign-next`, { groupId })
    const chosen = [one, two, third].flatMap(each => each.assignees)
    assert.deepEqual(new Set(chosen), new Set(people.map(each => each.id)))
  })

  test('a rule assigns by the same terms, and its log explains the choice', async () => {
    const [ann, ben] = [
      await person({ name: 'Ann', skills: ['latin'] }),
      await person({ name: 'Ben', skills: ['latin'] }),
    ]
    const cleo = await person({ name: 'Cleo' })
    await work(ann, { estimateMinutes: 600 })
    for (const _each of [1, 2]) await work(ben)
    const groupId = await groupOf([ann, ben, cleo])
    const run = async (value: unknown) => {
      const actionValue = [{ actionType: action.assign, value }]
      const rule = await ada.post('/rule', { name: 'Deal', active: true, trigger: 'manual', actionValue })
      const { id } = await ticket()
      const ran = await ada.post(`/rule/${rule.id}/run`, { itemId: id })
      return { ...ran, log: (await ada.get(`/rule/${rule.id}/log`))[0] }
    }
    const skilled = await run({ groupId, policy: 'leastLoaded', skills: ['Latin'] })
    const reason = 'fewest minutes left (120 in 2 open items) of 2 available; passed over: 1 without the skills'
    assert.deepEqual([skilled.actions[0].after, skilled.actions[0].reason], [[ben.id], reason])
    assert.equal(skilled.log.actions[0].reason, reason)
    assert.deepEqual((await run(`leastLoaded ${groupId}`)).actions[0].after, [cleo.id])
    assert.match((await run({ groupId, policy: 'loudest' })).error, /no policy loudest/)
    assert.match((await run({ groupId, maxOpen: 'few' })).error, /maxOpen must be/)
    assert.match((await run({ groupId, skills: 'greek' })).error, /none of 3 members is available/)
  })

  test('load and absences are shown to staff of the tenant only, and wrong terms are refused', async () => {
    const ann = await person({ name: 'Ann' })
    const groupId = await groupOf([ann])
    const guest = await person({ name: 'Guest', role: roleCode.requester })
    const { id, containerId } = await ticket()
    await ada.post('/access-control', {
      ...{ userId: guest.id, owner: ownerKind.container, ownerId: containerId, role: roleCode.member },
    })
    const shown = await guest.post(`/ticket/${id}/assign-next`, { groupId })
    assert.deepEqual([shown.assignment.userId, shown.assignment.candidates], [ann.id, []])
    for (const [field, wrong] of Object.entries({ policy: 99, maxOpen: 0, skills: [''] })) {
      const { status, body } = await next(groupId, { [field]: wrong })
      assert.equal(status, 400, field)
      assert.ok(body.Fields[0].Field.startsWith(field))
    }
    assert.equal((await eve.ask('POST', `/ticket/${id}/assign-next`, { body: { groupId } })).status, 404)
  })
})
