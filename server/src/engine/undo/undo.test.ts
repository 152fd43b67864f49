import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { reversals } from './reversal.ts'

describe('who may undo', async () => {
  const { ada, bob, person } = await sharedTestService()
  const manager = await person({ name: 'Manager', role: roleCode.manager })

  const made = async (who: Person, method: string, path: string, body?: unknown) => {
    const { status, headers, body: record } = await who.ask(method, path, { body })
    assert.ok(status < 300, JSON.stringify(record))
    return { record, changeSet: headers.get('change-set') ?? '' }
  }
  const undo = async (who: Person, changeSet: string) => (await who.ask('POST', `/change/${changeSet}/undo`)).status

  test('a change of configuration is undone by those who may make it, and not by others who read it', async () => {
    const { record, changeSet: created } = await made(ada, 'POST', '/time/calendar', {
      name: 'Mirrors',
    })
    const { changeSet: renamed } = await made(ada, 'PATCH', `/time/calendar/${record.id}`, { name: 'Copies' })
    assert.equal((await manager.ask('GET', `/change/${renamed}`)).status, 200, 'managers read the change set')
    assert.equal((await manager.ask('PATCH', `/time/calendar/${record.id}`, { body: { name: 'x' } })).status, 403)
    assert.deepEqual([await undo(manager, renamed), await undo(manager, created)], [403, 403])
    const { changeSet: removed } = await made(ada, 'DELETE', `/time/calendar/${record.id}`)
    assert.equal(await undo(manager, removed), 403)
    assert.equal(await undo(ada, removed), 200)
    assert.equal(await undo(ada, renamed), 200)
    assert.equal((await ada.get(`/time/calendar/${record.id}`)).name, 'Mirrors')
  })

  test('who has lost a right does not undo what they did with it', async () => {
    const former = await person({ name: 'Former', role: roleCode.admin })
    const { record, changeSet } = await made(former, 'POST', '/time/calendar', { name: 'Former' })
    await ada.must('PATCH', `/user/${former.id}`, { body: { role: roleCode.member } })
    assert.equal(await undo(former, changeSet), 403)
    assert.equal((await ada.get(`/time/calendar/${record.id}`)).name, 'Former')
  })

  test('users undo changes of their own profile, and of no other user', async () => {
    const { changeSet } = await made(bob, 'PATCH', '/user/me', { timezone: 'Asia/Kolkata' })
    assert.equal(await undo(bob, changeSet), 200)
    assert.notEqual((await bob.get('/user/me')).timezone, 'Asia/Kolkata')
    const { changeSet: byAdmin } = await made(ada, 'PATCH', `/user/${manager.id}`, { role: roleCode.member })
    await made(ada, 'PATCH', `/user/${manager.id}`, { role: roleCode.manager })
    const { changeSet: address } = await made(ada, 'PATCH', `/user/${manager.id}`, { email: 'manager@example.com' })
    assert.deepEqual([await undo(manager, address), await undo(manager, byAdmin)], [403, 403])
  })
})

test('new records are taken back in the reverse order of their creation, whatever was told of them later', () => {
  const event = (kind: string, entity: string, recordId: string) => ({ kind, entity, recordId, changes: {} })
  const events = [
    event('item.created', 'Item', 'a'),
    event('item.updated', 'Item', 'old'),
    event('link.created', 'Link', 'l'),
    event('item.linked', 'Item', 'a'),
    event('item.linked', 'Item', 'old'),
  ]
  assert.deepEqual(
    reversals(events).map(each => each.recordId),
    ['old', 'l', 'a'],
  )
})
