import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/operators/operators.ts'
import { reportedIn } from './estimate.ts'
import { interval, limiter } from './notification-codes.ts'

describe('the messages that a notification would have sent', async () => {
  const { ada, bob, eve, person, database } = await sharedTestService()
  const carl = await person({ name: 'Carl', email: 'carl@example.com', role: roleCode.member })
  const desk = await ada.post('/container', { name: 'Desk' })
  const secret = await ada.post('/container', { name: 'Secret', private: true })
  await ada.put(`/container/${secret.id}/member`, { userId: bob.id, role: roleCode.member })
  const team = await ada.post('/user-group', { name: 'Team', members: [bob.id, carl.id] })
  const now = new Date()
  /** Creates an item as if it were so many days old. */
  async function item(title: string, containerId: string, days: number): Promise<void> {
    const { id } = await ada.post('/item', { title, containerId })
    const then = new Date(now.getTime() - days * 86_400_000)
    await database.single(
      tenantCaller(ada.tenantId),
      ctx =>
        ctx.sql`update item set created = ${then}, updated = ${then} where tenant_id = ${ada.tenantId} and id = ${id}`,
    )
  }
  await item('Old', desk.id, 40)
  await item('Hidden', secret.id, 10)
  await item('New', desk.id, 10)
  const draft = {
    ...{ name: 'List', container: [desk.id, secret.id], interval: interval.daily, limiter: limiter.none },
    recipientUserGroup: [team.id],
    timezone: 'UTC',
  }
  const preview = async (values: object = {}) =>
    await ada.post('/notification/preview', { notification: { ...draft, ...values } })
  const counts = (people: { userId: string; count: number }[]) =>
    [bob, carl].map(who => people.find(each => each.userId === who.id)?.count ?? 0)

  test('a draft is previewed with how many in a week, and to whom, and nothing is stored', async () => {
    const { count, recipients, estimate } = await preview()
    assert.deepEqual([count, recipients], [3, 2])
    assert.deepEqual([estimate.count, estimate.perWeek, counts(estimate.people)], [56, 14, [28, 28]])
    assert.deepEqual(await ada.get('/notification'), [])
  })

  test('the limiter, the times and the rights of each reader count', async () => {
    const fresh = await preview({ limiter: limiter.newMatches })
    assert.deepEqual(counts(fresh.estimate.people), [1, 1])
    const hidden = await preview({ limiter: limiter.newMatches, container: [secret.id] })
    assert.deepEqual(counts(hidden.estimate.people), [1, 0])
    assert.deepEqual(counts((await preview({ container: [secret.id] })).estimate.people), [10, 0])
    const weekly = await preview({ interval: interval.weekly })
    assert.deepEqual([weekly.estimate.perWeek, counts(weekly.estimate.people)], [2, [4, 4]])
    const often = await preview({ interval: interval.quarterHourly })
    assert.deepEqual([often.estimate.perWeek, counts(often.estimate.people)], [1344, [672, 672]])
    const gained = await preview({ interval: interval.onGain, container: [desk.id] })
    assert.deepEqual(counts(gained.estimate.people), [1, 1])
    assert.equal((await preview({ interval: interval.off })).estimate.count, 0)
    const none = [{ condition: [{ leftSide: 'priority', operator: operator.equals, rightSide: '4' }] }]
    assert.deepEqual((await preview({ conditionGroup: none })).estimate, { count: 0, perWeek: 0, people: [] })
  })

  test('the preview of a saved notification has the same estimate', async () => {
    const { id } = await ada.post('/notification', { ...draft, active: true })
    const { estimate } = await ada.post(`/notification/${id}/preview`, undefined)
    assert.deepEqual(estimate, (await preview()).estimate)
  })

  test('a preview shows no fields that are hidden from its caller', async () => {
    const mia = await person({ name: 'Mia', email: 'mia@example.com', role: roleCode.admin })
    const admins = await ada.post('/user-group', { name: 'Admins', members: [ada.id] })
    await ada.post('/item', { title: 'Odd', containerId: desk.id, resolution: 'Canary' })
    const notification = { ...draft, container: [desk.id], groupBy: 'resolution', recipientUserGroup: [admins.id] }
    const { id } = await ada.post('/notification', notification)
    const grant = await ada.post('/access-control', {
      audience: '@everyone',
      effect: grantEffect.deny,
      permissions: ['field.resolution.*'],
    })
    const texts = async (who: Person) => [
      (await who.post('/notification/preview', { notification })).messages[0].text,
      (await who.post(`/notification/${id}/preview`, undefined)).messages[0].text,
    ]
    for (const text of await texts(ada)) assert.match(text, /Canary/)
    for (const text of await texts(mia))
      assert.deepEqual([text.includes('Odd'), text.includes('Canary')], [true, false])
    await ada.delete(`/access-control/${grant.id}`)
  })

  test('drafts that could not be saved are refused, and only those who may save one preview it', async () => {
    const refused = async (notification: unknown, who = ada) =>
      await who.ask('POST', '/notification/preview', { body: { notification } })
    const foreign = await eve.post('/container', { name: 'Theirs' })
    for (const [values, field] of [
      [{ interval: 'now and then' }, 'notification.interval'],
      [{ schedule: 'FREQ=SOMETIMES' }, 'notification.schedule'],
      [{ recipientEndpoint: 'http://localhost/' }, 'notification.recipientEndpoint'],
    ] as const) {
      const { status, body } = await refused({ ...draft, ...values })
      assert.deepEqual([status, body.Fields[0].Field], [400, field])
    }
    const [theirs, absent] = [
      await refused({ ...draft, container: [foreign.id] }),
      await refused({ ...draft, container: ['00000000-0000-4000-8000-000000000001'] }),
    ]
    assert.deepEqual([theirs.status, theirs.body.Fields[0].Field], [422, 'notification.container.0'])
    assert.deepEqual([absent.status, absent.body.code], [422, theirs.body.code])
    assert.equal((await refused(draft, bob)).status, 403)
    assert.equal((await ada.ask('POST', '/notification/preview', { body: {} })).status, 400)
  })
})

test('runs report by their limiter what existed then', () => {
  const at = (day: number) => new Date(Date.UTC(2026, 0, day))
  const items = [
    { id: 'a', created: at(1), updated: at(1), version: 1 },
    { id: 'b', created: at(4), updated: at(6), version: 9 },
  ]
  const runs = [3, 5, 7, 9].map(at)
  const reported = (code: number, every: number = interval.daily) =>
    reportedIn(runs, items, { limiter: code, interval: every, since: at(2), timezone: 'UTC' }).map(ids => ids.join(''))
  assert.deepEqual(reported(limiter.none), ['a', 'ab', 'ab', 'ab'])
  assert.deepEqual(reported(limiter.newMatches), ['', 'b', '', ''])
  assert.deepEqual(reported(limiter.oncePerRecord), ['', 'b', '', ''])
  assert.deepEqual(reported(limiter.changedOnly), ['', 'b', 'b', ''])
  assert.deepEqual(reported(limiter.ifDifferent), ['', 'ab', '', ''])
  assert.deepEqual(reported(limiter.oncePerDay), ['a', 'ab', 'ab', 'ab'])
  assert.deepEqual(reported(limiter.none, interval.onGain), ['', 'ab', '', ''])
})
