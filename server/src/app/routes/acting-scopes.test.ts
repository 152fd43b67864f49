import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { Person, sharedTestService } from '../../../test/support/people.ts'
import { sharedReceiver } from '../../../test/support/servers/receiver.ts'
import { action } from '../../containers/action/action.ts'
import { triggerEvent } from '../../notify/trigger-event.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { outcome } from '../../rules/rule/log/log.ts'
import { trigger } from '../../rules/rule/rule-codes.ts'

describe('what acts later acts within the scopes of the credential that made it', async () => {
  const there = await sharedReceiver()
  const home = await sharedTestService(there.env)
  const { ada, base } = home
  const running = await engines(home, there.env)
  const desk = await ada.post('/container', { name: 'Desk', key: 'DSK' })

  /** Ada, by a key with these scopes. */
  async function adaWith(...scopes: string[]): Promise<Person> {
    const { RawKey } = await ada.post('/admin/api-key', { name: scopes.join(), scopes })
    return new Person(base, RawKey, ada.id, ada.tenantId)
  }

  const setPriority = (value: number) => ({
    triggerEvent: triggerEvent['item.created'],
    actionValue: [{ actionType: action.setField, field: 'priority', value }],
  })
  const ruleBy = (by: Person, more: object = {}) =>
    by.post('/rule', { name: 'Urgent', active: true, container: [desk.id], ...setPriority(1), ...more })
  /** The priority that a new item gets from the rules. */
  async function priorityOfNew(): Promise<number> {
    const { id } = await ada.post('/item', { title: 'Printer', containerId: desk.id })
    await running.settle()
    return (await ada.get(`/item/${id}`)).priority
  }

  test('a rule of a key that may only read items changes none, and its log says why', async () => {
    const rule = await ruleBy(await adaWith('rule:write', 'item:read'), { scopes: [] })
    assert.deepEqual(rule.scopes, ['rule:write', 'item:read'])
    assert.equal(await priorityOfNew(), 0)
    const [entry] = await ada.get(`/rule/${rule.id}/log`)
    assert.equal(entry.outcome, outcome.failed)
    assert.match(entry.error, /item\.update/)
    await ada.delete(`/rule/${rule.id}`)
  })

  test('so does one that runs as the actor, and one that is run by hand', async () => {
    const narrow = await adaWith('rule:write', 'item:read')
    const asActor = await ruleBy(narrow, { runAs: '1' })
    assert.equal(await priorityOfNew(), 0)
    await ada.delete(`/rule/${asActor.id}`)
    const manual = await ruleBy(narrow, { trigger: trigger.manual })
    const { id } = await ada.post('/item', { title: 'Printer', containerId: desk.id })
    await ada.ask('POST', `/rule/${manual.id}/run`, { body: { itemId: id } })
    assert.equal((await ada.get(`/item/${id}`)).priority, 0)
    await ada.delete(`/rule/${manual.id}`)
  })

  test('a rule of a key that may not read items calls nobody about them', async () => {
    const calling = (place: string) => ({ actionValue: [], actionEndpoint: [{ url: `${there.url}/${place}` }] })
    const blind = await ruleBy(await adaWith('rule:write'), calling('blind-rule'))
    const seeing = await ruleBy(await adaWith('rule:write', 'item:read'), calling('seeing-rule'))
    await priorityOfNew()
    await there.until(got => got.some(call => call.path === '/seeing-rule'))
    assert.deepEqual(
      there.got.filter(call => call.path === '/blind-rule').map(call => call.body),
      [],
    )
    for (const { id } of [blind, seeing]) await ada.delete(`/rule/${id}`)
  })

  test('a rule of a key whose scopes suffice acts', async () => {
    const rule = await ruleBy(await adaWith('rule:write', 'item:write'))
    assert.equal(await priorityOfNew(), 1)
    await ada.delete(`/rule/${rule.id}`)
  })

  test('a key with scopes that changes what a rule does narrows it; the owner widens it by their own change', async () => {
    const narrow = await adaWith('rule:write', 'item:read')
    const { id, scopes } = await ruleBy(ada)
    assert.deepEqual(scopes, [])
    assert.equal(await priorityOfNew(), 1)
    assert.deepEqual((await narrow.put(`/rule/${id}`, { name: 'Renamed' })).scopes, [], 'a name grants no rights')
    assert.deepEqual((await narrow.put(`/rule/${id}`, setPriority(2))).scopes, ['rule:write', 'item:read'])
    assert.equal(await priorityOfNew(), 0)
    assert.deepEqual((await ada.put(`/rule/${id}`, { name: 'Again' })).scopes, ['rule:write', 'item:read'])
    assert.deepEqual((await ada.put(`/rule/${id}`, setPriority(3))).scopes, [])
    assert.equal(await priorityOfNew(), 3)
    await ada.delete(`/rule/${id}`)
  })

  test('a hook of a key that may not read items receives none', async () => {
    const values = (place: string) => ({ name: place, url: `${there.url}/${place}`, events: [] })
    const blind = await (await adaWith('hook:write')).post('/hook', values('blind'))
    const seeing = await (await adaWith('hook:write', 'item:read')).post('/hook', values('seeing'))
    assert.deepEqual(blind.scopes, ['hook:write'])
    there.got.length = 0
    await ada.post('/item', { title: 'Secret', containerId: desk.id })
    await there.until(got => got.some(call => call.path === '/seeing' && call.body.type === 'item.created'))
    await running.settle()
    assert.deepEqual(
      there.got.filter(call => call.path === '/blind' && call.body.data.entity === 'Item').map(call => call.body),
      [],
    )
    assert.deepEqual((await ada.put(`/hook/${blind.id}`, { url: `${there.url}/now` })).scopes, [])
    for (const { id } of [blind, seeing]) await ada.delete(`/hook/${id}`)
  })

  test('a notification of a key that may not read items reports none', async () => {
    await ada.post('/item', { title: 'Secret', containerId: desk.id })
    const narrow = await adaWith('notification:write')
    const values = { name: 'Digest', container: [desk.id], recipientEmail: ['out@example.com'] }
    const blind = await narrow.post('/notification', values)
    const count = async ({ id }: { id: string }) => (await ada.post(`/notification/${id}/preview`, undefined)).count
    assert.deepEqual([blind.scopes, await count(blind)], [['notification:write'], 0])
    const full = await ada.post('/notification', values)
    assert.ok((await count(full)) > 0)
    const taken = await narrow.put(`/notification/${full.id}`, { recipientEmail: ['mallory@example.com'] })
    assert.deepEqual([taken.scopes, await count(full)], [['notification:write'], 0])
  })

  test('watches of addresses, approvals and recurrences keep the scopes', async () => {
    const item = await ada.post('/item', { title: 'Printer', containerId: desk.id })
    const group = await ada.post('/user-group', { name: 'Board', members: [ada.id] })
    const scopes = ['item:write', 'watch:write', 'approval:write']
    const narrow = await adaWith(...scopes)
    const watch = await narrow.post('/watch', { owner: ownerKind.item, ownerId: item.id, email: 'out@example.com' })
    assert.deepEqual(watch.scopes, scopes)
    const approval = await narrow.post('/approval', { itemId: item.id, groupId: group.id })
    assert.deepEqual(approval.scopes, scopes)
    const recurrence = await narrow.put(`/item/${item.id}/recurrence`, { rule: 'FREQ=DAILY' })
    assert.deepEqual(recurrence.scopes, scopes)
    assert.deepEqual((await ada.put(`/item/${item.id}/recurrence`, { rule: 'FREQ=DAILY' })).scopes, [])
  })
})
