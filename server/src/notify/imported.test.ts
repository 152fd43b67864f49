import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../test/support/engines.ts'
import { sharedTestService } from '../../test/support/people.ts'
import { sharedReceiver } from '../../test/support/servers/receiver.ts'
import { action } from '../containers/action/action.ts'
import { containerKind } from '../containers/container-kind.ts'
import { mode } from '../rules/rule/rule-codes.ts'
import { triggerEvent } from './trigger-event.ts'

describe('an imported item', async () => {
  const there = await sharedReceiver()
  const home = await sharedTestService(there.env)
  const { ada, bob } = home
  const running = await engines(home, there.env)
  const place = await ada.post('/container', { name: 'Archive', key: 'ARC' })
  const desk = await ada.post('/container', { name: 'Old desk', key: 'OLD', kind: containerKind.desk })
  await ada.post('/hook', {
    name: 'Receiver',
    url: there.url,
    events: [triggerEvent['item.created'], triggerEvent['item.updated'], triggerEvent['time.created']],
  })
  await ada.post('/rule', {
    name: 'Sorts',
    active: true,
    triggerEvent: triggerEvent['item.created'],
    actionValue: [{ actionType: action.setField, field: 'severity', value: 3 }],
  })
  await ada.post('/rule', {
    name: 'Decides',
    active: true,
    mode: mode.beforeCommit,
    triggerEvent: triggerEvent['item.created'],
    actionValue: [{ actionType: action.setField, field: 'priority', value: 2 }],
  })
  const body = (externalId: string, more: object = {}) => ({
    title: 'From the old desk',
    containerId: place.id,
    assignees: [bob.id],
    Time: [{ date: '2020-05-04', minutes: 15 }],
    Meta: { source: 'old', externalId, created: '2020-05-04T10:00:00Z' },
    ...more,
  })
  /** The effects of an import of the item: calls of the hook, changes by rules, and inbox entries. */
  const effects = async (id: string) => {
    await running.settle()
    const { priority, severity } = await ada.get(`/item/${id}`)
    const inbox = await bob.get('/notification/inbox')
    return {
      hook: there.got.filter(({ body: { data } }) => [data.id, data.record?.itemId].includes(id)).length,
      rules: [priority, severity],
      inbox: inbox.filter((entry: { subjectId: string }) => entry.subjectId === id).length,
    }
  }
  const nothing = { hook: 0, rules: [0, 0], inbox: 0 }

  test('is logged as an import, and triggers no rule, hook or inbox entry', async () => {
    const { id } = await ada.post('/item', body('1'))
    assert.deepEqual(await effects(id), nothing)
    const [made] = await ada.get(`/item/${id}/history`)
    assert.deepEqual([made.type, made.actor], ['item.created', { id: ada.id, kind: 'import' }])
  })

  test('triggers nothing when it is imported again with changes, or in bulk', async () => {
    const { id } = await ada.post('/item', body('2'))
    const { title } = await ada.post('/item', body('2', { title: 'Better' }))
    assert.equal(title, 'Better')
    assert.deepEqual(await effects(id), nothing)
    const rows = [body('3'), { ...body('4'), Meta: { source: 'old', externalId: '4' } }]
    const [quiet, loud] = await ada.post('/item/bulk', rows)
    assert.deepEqual(await effects(quiet.id), nothing)
    const now = await effects(loud.id)
    assert.deepEqual([now.rules, now.inbox], [[2, 3], 1], 'what is not backdated is news')
    assert.ok(now.hook >= 2, 'of the item and of its time')
  })

  test('triggers nothing as a ticket', async () => {
    const { id } = await ada.post('/ticket', body('5', { containerId: desk.id, requester: { email: 'r@example.com' } }))
    assert.deepEqual(await effects(id), nothing)
    const kinds = (await ada.get(`/ticket/${id}/history`)).map((each: { actor: { kind: string } }) => each.actor.kind)
    assert.deepEqual([...new Set(kinds)], ['import'])
  })

  test('triggers everything with effects=all', async () => {
    const { id } = await ada.post('/item?effects=all', body('6'))
    const now = await effects(id)
    assert.deepEqual([now.rules, now.inbox], [[2, 3], 1])
    assert.ok(now.hook >= 2)
  })
})
