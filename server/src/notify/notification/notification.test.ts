import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { operator } from '../../language/conditions/operators/operators.ts'
import { interval as intervalCode, limiter as limiterCode } from './notification-codes.ts'

describe('scheduled notifications', async () => {
  const { ada, bob, eve } = await sharedTestService()
  const check = (body: { check: { path: string; code: string }[] }) =>
    body.check.map(({ path, code }) => `${path} ${code}`)
  const ask = async (values: object) => await ada.ask('POST', '/notification', { body: { name: 'Digest', ...values } })

  test('a notification with all properties is returned unchanged', async () => {
    const team = await ada.post('/user-group', { name: 'Team' })
    const desk = await ada.post('/container', { name: 'Desk' })
    const input = {
      name: 'Overdue',
      description: 'Every morning',
      active: true,
      container: [desk.id],
      interval: intervalCode.workingDay,
      limiter: limiterCode.newMatches,
      conditionGroup: [
        { condition: [{ id: 'late', leftSide: 'dueDate', operator: operator.lessThan, rightSide: '@today' }] },
      ],
      recipientUserGroup: [team.id],
      recipientEmail: ['boss@example.com'],
      recipientEndpoint: 'https://hooks.example.com/in',
      recipientSlackId: 'C024BE91L',
      recipientMsTeamsId: '19:abc@thread.tacv2',
    }
    const made = await ada.post('/notification', input)
    assert.partialDeepStrictEqual(made, input)
    // Ids of channels are stored, but only URLs of webhooks are called.
    assert.deepEqual(check(made), ['/recipientSlackId no-address', '/recipientMsTeamsId no-address'])
    assert.deepEqual(await ada.get(`/notification/${made.id}`), made)
    assert.equal((await ada.put('/notification', made)).version, 1)
    assert.equal((await ada.put('/notification', { id: made.id, name: 'Late' })).name, 'Late')
  })

  test('unknown intervals and limiters are stored and reported as findings', async () => {
    const told = async (interval: number, limiter: number) => check((await ask({ interval, limiter })).body)
    assert.deepEqual(await told(0, 0), [])
    assert.deepEqual(await told(9, 6), [])
    assert.deepEqual(await told(15, 10), [])
    assert.deepEqual(await told(1440, 500), [])
    assert.deepEqual(await told(10, 7), ['/interval unknown-code', '/limiter unknown-code'])
    assert.deepEqual(await told(-1, -1), ['/interval unknown-code', '/limiter unknown-code'])
  })

  test('conditions that can never hold are findings, such as one on an event', async () => {
    const { body } = await ask({
      conditionGroup: [
        { condition: [{ leftSide: 'nothing.like.it', operator: operator.equals, rightSide: 'x' }] },
        {
          condition: [
            { leftSide: 'status', operator: operator.changed, rightSide: '' },
            { leftSide: 'priority', operator: operator.greaterOrEqual, rightSide: 'very' },
          ],
        },
      ],
    })
    assert.deepEqual(check(body), [
      '/conditionGroup/0/condition/0/leftSide unknown-path',
      '/conditionGroup/1/condition/0/operator event-only',
      '/conditionGroup/1/condition/1/rightSide unreadable-right-side',
    ])
    const [listed] = await ada.get(`/notification?limit=1&sort=-created`)
    assert.deepEqual(check(listed), check(body))
  })

  test('a custom field is known by its key', async () => {
    const { key } = await ada.post('/field/text', { name: 'Region' })
    const { body } = await ask({
      conditionGroup: [{ condition: [{ leftSide: `field.${key}`, operator: operator.equals, rightSide: 'EU' }] }],
    })
    assert.deepEqual(check(body), [])
  })

  test('a list of selected properties contains no findings', async () => {
    const [first] = await ada.get('/notification?fields=name,version&limit=1')
    assert.deepEqual(Object.keys(first).sort(), ['entity', 'id', 'name', 'version'])
  })

  test('at most 20 addresses, and each must be one', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `a${i}@example.com`)
    assert.equal((await ask({ recipientEmail: many(20) })).status, 201)
    assert.equal((await ask({ recipientEmail: many(21) })).status, 400)
    for (const wrong of ['', 'nobody', 'a@b\r\nbcc: c@d', 'a@b, c@d']) {
      const { status, body } = await ask({ recipientEmail: ['a@example.com', wrong] })
      assert.deepEqual([status, body.Fields[0].Pointer], [400, '/recipientEmail/1'], wrong)
    }
  })

  test('the endpoint must be a public address', async () => {
    for (const url of [
      'http://example.com/',
      'https://10.0.0.1/',
      'https://localhost/',
      'https://[::1]/',
      'nonsense',
    ]) {
      const { status, body } = await ask({ recipientEndpoint: url })
      assert.deepEqual([status, body.Fields[0].Pointer, body.Fields[0].Code], [400, '/recipientEndpoint', 'url'], url)
    }
  })

  test('containers and groups must belong to the tenant', async () => {
    const container = await eve.post('/container', { name: 'Theirs' })
    const group = await eve.post('/user-group', { name: 'Theirs' })
    const { status, body } = await ask({ container: [container.id], recipientUserGroup: [group.id] })
    assert.deepEqual(
      [status, body.Fields.map((each: { Pointer: string }) => each.Pointer)],
      [422, ['/container/0', '/recipientUserGroup/0']],
    )
  })

  test('members may not create notifications', async () => {
    assert.equal((await bob.ask('POST', '/notification', { body: { name: 'Spam' } })).status, 403)
  })
})
