import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { operator } from '../../language/conditions/operators/operators.ts'
import { targetKind } from '../clock/target-kind.ts'

interface Interval {
  from: string
  to: string
  seconds: number
  counted: boolean
  reason: string
  regions: { name: string; clockId: string; groupId: string }[]
}

describe('a clock that follows the sun', async () => {
  const home = await sharedTestService()
  const { ada, bob, eve } = home
  const running = await engines(home)
  const clockOf = async (values: object, by: Person = ada) => await by.post('/clock', { name: 'Clock', ...values })
  const office = { dayStart: '09:00', dayEnd: '17:00', weekStart: 'Monday', weekEnd: 'Friday' }
  const group = async (name: string, members: string[] = []) => await ada.post('/user-group', { name, members })
  const dayAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const names = (regions: readonly { name: string }[]) => regions.map(each => each.name)
  let desks = 0
  const desk = async () =>
    (await ada.post('/container', { name: `Sun ${++desks}`, key: `SU${desks}`, kind: containerKind.desk })).id

  const [sydneyGroup, berlinGroup, denverGroup] = [await group('Sydney'), await group('Berlin'), await group('Denver')]
  const sydney = await clockOf({ ...office, timezone: 'Australia/Sydney' })
  const berlin = await clockOf({ ...office, timezone: 'Europe/Berlin', nonWorkingDay: ['2026-05-01'] })
  const denver = await clockOf({ ...office, timezone: 'America/Denver', dayStart: '07:00' })
  const sun = await clockOf({
    name: 'Sun',
    regions: [
      { name: 'Sydney', clockId: sydney.id, groupId: sydneyGroup.id },
      { name: 'Berlin', clockId: berlin.id, groupId: berlinGroup.id },
      { name: 'Denver', clockId: denver.id, groupId: denverGroup.id },
    ],
  })
  const dutyAt = async (at: string) => await ada.get(`/clock/${sun.id}/responsible?at=${at}`)

  test('counts the minutes in which any region is open, once', async () => {
    const minutes = async (from: string, to: string) => (await ada.post(`/clock/${sun.id}/calc`, { from, to })).minutes
    // In June: Sydney 23–07, Berlin 07–15, Denver 13–23 of UTC, so that a Wednesday is open round the clock.
    assert.equal(await minutes('2026-06-10T00:00:00Z', '2026-06-11T00:00:00Z'), 24 * 60)
    assert.equal(await minutes('2026-06-10T13:00:00Z', '2026-06-10T15:00:00Z'), 120, 'the overlap counts once')
    // In January Sydney is 22–06 and Berlin 08–16, with a gap between them, and Denver is 14–24.
    assert.equal(await minutes('2026-01-14T00:00:00Z', '2026-01-15T00:00:00Z'), 22 * 60)
    assert.equal(await minutes('2026-05-01T07:00:00Z', '2026-05-01T13:00:00Z'), 0, 'Berlin has a day off')
    assert.equal(await minutes('2026-05-01T13:00:00Z', '2026-05-01T15:00:00Z'), 120, 'Denver has none')
    const { to } = await ada.post(`/clock/${sun.id}/calc`, { from: '2026-01-14T05:30:00Z', minutes: 60 })
    assert.equal(to, '2026-01-14T08:30:00.000Z')
  })

  test('names who is responsible: the first region in the list that is open, until it closes', async () => {
    const overlap = await dutyAt('2026-06-10T14:00:00Z')
    assert.deepEqual([overlap.open, names(overlap.onDuty)], [true, ['Berlin', 'Denver']])
    assert.equal(overlap.onDuty[0].groupId, berlinGroup.id)
    assert.equal(overlap.onDuty[0].until, '2026-06-10T15:00:00.000Z')
    assert.deepEqual([overlap.handover.at, overlap.handover.to.groupId], ['2026-06-10T15:00:00.000Z', denverGroup.id])
    const closed = await dutyAt('2026-01-14T07:00:00Z')
    assert.deepEqual([closed.open, closed.onDuty], [false, []])
    assert.deepEqual([closed.handover.at, closed.handover.to.name], ['2026-01-14T08:00:00.000Z', 'Berlin'])
    const last = await dutyAt('2026-01-14T05:00:00Z')
    assert.deepEqual([names(last.onDuty), last.handover], [['Sydney'], { at: '2026-01-14T06:00:00.000Z', to: null }])
    const before = await dutyAt('2026-06-10T22:59:59Z')
    assert.deepEqual([names(before.onDuty), before.handover.to.name], [['Denver'], 'Sydney'])
    const single = await ada.get(`/clock/${berlin.id}/responsible?at=2026-06-10T10:00:00Z`)
    assert.deepEqual([single.open, single.onDuty, single.handover], [true, [], null])
    for (const at of ['today', '1900-01-01T00:00:00Z'])
      assert.equal((await ada.ask('GET', `/clock/${sun.id}/responsible?at=${at}`)).status, 400)
    assert.equal((await eve.ask('GET', `/clock/${sun.id}/responsible`)).status, 404)
  })

  test('has regions of other clocks only, in one step, each once', async () => {
    const refused = async (values: object, path = '/clock', method: 'POST' | 'PUT' = 'POST') => {
      const { status, body } = await ada.ask(method, path, { body: { name: 'Wrong', ...values } })
      return [status, body.code, (body.Fields ?? []).map((each: { Pointer: string }) => each.Pointer)]
    }
    const region = (clockId: string, name = 'One') => ({ name, clockId })
    const foreign = await clockOf({}, eve)
    const unknown = [422, 'unknown-reference', ['/regions/0/clockId']]
    assert.deepEqual(await refused({ regions: [region(foreign.id)] }), unknown)
    assert.deepEqual(await refused({ regions: [region('00000000-0000-7000-8000-000000000000')] }), unknown)
    assert.deepEqual(await refused({ regions: [{ ...region(berlin.id), groupId: foreign.id }] }), [
      422,
      'unknown-reference',
      ['/regions/0/groupId'],
    ])
    assert.deepEqual(await refused({ regions: [region(berlin.id), region(berlin.id)] }), [
      400,
      'validation',
      ['/regions/1/name', '/regions/1/clockId'],
    ])
    assert.deepEqual(await refused({ regions: [{}] }), [400, 'validation', ['/regions/0/name', '/regions/0/clockId']])
    const nested = [422, 'clock-nested', ['/regions/0/clockId']]
    assert.deepEqual(await refused({ regions: [region(sun.id)] }), nested)
    assert.deepEqual(await refused({ regions: [region(sun.id)] }, `/clock/${sun.id}`, 'PUT'), nested)
    assert.deepEqual(await refused({ regions: [region(denver.id)] }, `/clock/${berlin.id}`, 'PUT'), [
      422,
      'clock-nested',
      [],
    ])
  })

  test('finds the clock of a region by an id in capitals', async () => {
    const own = await clockOf(office)
    const made = await clockOf({ regions: [{ name: 'One', clockId: own.id.toUpperCase() }] })
    assert.equal(made.regions[0].clockId, own.id)
    const body = { from: '2026-06-10T08:00:00Z', to: '2026-06-10T10:00:00Z' }
    assert.equal((await ada.post(`/clock/${made.id}/calc`, body)).minutes, 60)
    assert.equal((await ada.ask('DELETE', `/clock/${own.id}`)).status, 422)
  })

  test('keeps the clocks of its regions from being removed', async () => {
    const own = await clockOf(office)
    const user = await clockOf({ name: 'User', regions: [{ name: 'One', clockId: own.id }] })
    const { status, body } = await ada.ask('DELETE', `/clock/${own.id}`)
    assert.deepEqual([status, body.code], [422, 'clock-in-use'])
    assert.match(body.detail, /User/)
    await ada.must('DELETE', `/clock/${user.id}`)
    await ada.must('DELETE', `/clock/${own.id}`)
    assert.equal((await ada.ask('POST', `/clock/${user.id}/restore`)).status, 422, 'its region is gone')
    await ada.post(`/clock/${own.id}/restore`, {})
    await ada.post(`/clock/${user.id}/restore`, {})
  })

  test('reports own hours that do not count, and regions without a group', async () => {
    const made = await clockOf({ dayStart: '08:00', regions: [{ name: 'One', clockId: berlin.id }] })
    const found = (await ada.get(`/clock/${made.id}`)).check
    assert.deepEqual(
      found.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [
        ['/dayStart', 'no-effect'],
        ['/regions/0/groupId', 'no-group'],
      ],
    )
  })

  test('explains each interval of an item by its regions, and why none was open', async () => {
    const containerId = await desk()
    const west = await clockOf({ nonWorkingDay: [dayAhead(1)] })
    const east = await clockOf({ dayStart: '00:00', dayEnd: '12:00' })
    const clock = await clockOf({
      container: [containerId],
      regions: [
        { name: 'East', clockId: east.id, groupId: berlinGroup.id },
        { name: 'West', clockId: west.id, groupId: denverGroup.id },
      ],
      targets: [{ kind: targetKind.resolution, minutes: 3 * 24 * 60 }],
    })
    const { id } = await ada.post('/item', { title: 'Ahead', containerId })
    await running.settle()
    const [told] = await ada.get(`/item/${id}/clock/${clock.id}/explain`)
    const ahead: Interval[] = told.ahead
    const tomorrow = ahead.filter(each => each.from.startsWith(dayAhead(1)))
    assert.deepEqual(
      tomorrow.map(each => [each.counted, each.reason, names(each.regions)]),
      [
        [true, 'working time', ['East']],
        [false, 'East: outside hours; West: day-off', []],
      ],
    )
    const [later] = ahead.filter(each => each.from.startsWith(dayAhead(2)))
    assert.deepEqual(
      later?.regions.map(each => each.groupId),
      [berlinGroup.id, denverGroup.id],
    )
    const counted = ahead.filter(each => each.counted).reduce((sum, each) => sum + each.seconds, 0)
    assert.ok(Math.abs(counted - told.remaining) <= ahead.length)
    for (const [i, each] of ahead.slice(1).entries()) assert.equal(each.from, ahead[i]?.to)
    assert.equal(ahead.at(-1)?.to, told.dueAt)
    const [state] = await ada.get(`/item/${id}/clock`)
    assert.equal(state.onDuty.at(-1).groupId, denverGroup.id)
    assert.ok(Date.parse(state.handover.at) > Date.now())
  })

  test('is recalculated when the hours or holidays of a region change, and when that is undone', async () => {
    const containerId = await desk()
    const region = await clockOf({})
    const clock = await clockOf({
      container: [containerId],
      regions: [{ name: 'Only', clockId: region.id, groupId: berlinGroup.id }],
      targets: [{ kind: targetKind.resolution, minutes: 24 * 60 }],
    })
    const { id } = await ada.post('/item', { title: 'Moved', containerId })
    await running.settle()
    const dueAt = async () => (await ada.get(`/item/${id}?include=clock`)).clock[0].dueAt
    const first = await dueAt()
    const nonWorkingDay = [dayAhead(1)]
    const preview = await ada.post(`/clock/${region.id}/preview`, { nonWorkingDay })
    assert.deepEqual([preview.total, preview.due], [1, 1])
    const { headers } = await ada.ask('PUT', `/clock/${region.id}`, { body: { nonWorkingDay } })
    await running.settle()
    assert.equal(Date.parse(await dueAt()) - Date.parse(first), 24 * 3_600_000)
    await ada.post(`/change/${headers.get('change-set')}/undo`, {})
    await running.settle()
    assert.equal(await dueAt(), first)
    await ada.put(`/clock/${clock.id}`, { regions: [{ name: 'Berlin', clockId: berlin.id }] })
    await running.settle()
    assert.notEqual(await dueAt(), first)
  })

  test('is known to conditions: whether a moment is in its working time', async () => {
    const containerId = await desk()
    const finds = async (at: string, clockId: string) => {
      const { id } = await ada.post('/item', { title: 'When', containerId, dueDate: at })
      const found = await bob.post('/item/search', {
        conditionGroup: [
          {
            condition: [
              { leftSide: 'id', operator: operator.equals, rightSide: id },
              { leftSide: 'created', operator: operator.inWorkingTime, rightSide: clockId },
            ],
          },
        ],
      })
      return found.length === 1
    }
    const closed = await clockOf({ exceptions: [0, 1].map(days => ({ date: dayAhead(days), intervals: [] })) })
    const open = await clockOf({})
    const [never, always] = [
      await clockOf({ regions: [{ name: 'Closed', clockId: closed.id }] }),
      await clockOf({
        regions: [
          { name: 'Closed', clockId: closed.id },
          { name: 'Open', clockId: open.id },
        ],
      }),
    ]
    assert.deepEqual([await finds(dayAhead(0), never.id), await finds(dayAhead(0), always.id)], [false, true])
  })
})
