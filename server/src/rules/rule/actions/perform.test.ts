import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { engines } from '../../../../test/support/engines.ts'
import { startTestService } from '../../../../test/support/people.ts'
import { targetKind } from '../../../clocks/clock/target-kind.ts'
import { action } from '../../../containers/action/action.ts'
import { containerKind } from '../../../containers/container-kind.ts'
import { statusCategory } from '../../../containers/status-category.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import { itemVisibility } from '../../../items/item/item.ts'
import { operator as operatorCode } from '../../../language/conditions/operators/operators.ts'
import { applyMailRules } from '../../../mail/mail-rules.ts'
import { triggerEvent } from '../../../notify/trigger-event.ts'
import { outcome as ruleOutcome } from '../log/log.ts'
import { trigger } from '../rule-codes.ts'

const when = (leftSide: string, operator: number, rightSide = '') => [
  { condition: [{ leftSide, operator, rightSide }] },
]

/** A request that the foreign server received. */
const calls: {
  method: string
  headers: Record<string, unknown>
  body: { type: string; data: Record<string, unknown> }
}[] = []
const server = createServer((request, response) => {
  let text = ''
  request.on('data', part => {
    text += part
  })
  request.on('end', () => {
    calls.push({ method: request.method ?? '', headers: request.headers, body: JSON.parse(text || '{}') })
    response.writeHead(200).end('{}')
  })
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const { port } = server.address() as AddressInfo
const env = { OUTBOUND_HTTP: 'true', OUTBOUND_ALLOW: `127.0.0.1:${port}` }

describe('the actions of rules', async () => {
  const home = await startTestService(env)
  const { ada, bob, database } = home
  const running = await engines(home, env)
  const desk = await ada.post('/container', { name: 'Desk', key: 'DSK', kind: containerKind.desk })
  const other = await ada.post('/container', { name: 'Other', key: 'OTH', kind: containerKind.desk })
  const group = await ada.post('/user-group', { name: 'Support', members: [bob.id] })

  /** Runs a rule with these actions on an item, and returns the item and the log. */
  async function done(actionValue: object[], more: object = {}, given: object = {}) {
    const { id } = await ada.post('/rule', {
      name: 'Doer',
      active: true,
      container: [desk.id],
      triggerEvent: triggerEvent['item.created'],
      conditionGroup: when('title', operatorCode.equals, 'Printer'), // and not what it makes itself
      actionValue,
      ...more,
    })
    const item = await ada.post('/item', { title: 'Printer', containerId: desk.id, ...given })
    await running.settle()
    const entry = (await ada.get(`/rule/${id}/log`)).find(
      (each: { outcome: number }) => each.outcome !== ruleOutcome.missed,
    )
    await ada.ask('DELETE', `/rule/${id}`)
    return { entry, item, now: (await ada.ask('GET', `/item/${item.id}?deleted=include`)).body }
  }

  test('fields are set, added to, cleared, adjusted and copied', async () => {
    const { key } = await ada.post('/field/number', { name: 'Score' })
    const { now, entry } = await done(
      [
        { actionType: action.setField, field: `field.${key}`, value: 5 },
        { actionType: action.adjust, field: `field.${key}`, value: '-2' },
        { actionType: action.addToList, field: 'assignees', value: [bob.id] },
        { actionType: action.removeFromList, field: 'tags', value: 'Old' },
        { actionType: action.clearField, field: 'description' },
        { actionType: action.adjust, field: 'dueDate', value: '+P3D(working)' },
        { actionType: action.adjust, field: 'startDate', value: '-1w' },
        { actionType: action.copyFrom, field: 'resolution', value: 'container.name' },
      ],
      {},
      {
        Tags: ['old', 'new'],
        description: 'Gone',
        assignees: [ada.id],
        dueDate: '2026-03-27',
        startDate: '2026-03-08',
      },
    )
    assert.equal(entry.error, '')
    assert.equal(now.Field[0].value, 3)
    assert.deepEqual([now.assignees, now.Tags, now.description], [[ada.id, bob.id], ['new'], ''])
    assert.deepEqual([now.dueDate, now.startDate, now.resolution], ['2026-04-01', '2026-03-01', 'Desk'])
  })

  test('an invalid value is refused, and no action is performed', async () => {
    const { now, entry } = await done([
      { actionType: action.setField, field: 'priority', value: 1 },
      { actionType: action.setField, field: 'assignees', value: [crypto.randomUUID()] },
    ])
    assert.deepEqual([entry.outcome, now.priority], [ruleOutcome.failed, 0])
  })

  test('items are assigned, moved, closed, reopened, restricted and deleted', async () => {
    assert.deepEqual((await done([{ actionType: action.assign, value: `roundRobin ${group.id}` }])).now.assignees, [
      bob.id,
    ])
    const moved = (await done([{ actionType: action.move, value: other.id }])).now
    assert.equal(moved.containerId, other.id)
    const closed = (await done([{ actionType: action.close }])).now
    assert.deepEqual([closed.statusCategory, closed.closedAt !== null], [statusCategory.done, true])
    assert.equal(
      (await done([{ actionType: action.reopen }], {}, { status: 'Closed', statusCategory: statusCategory.done })).now
        .closedAt,
      null,
    )
    const restricted = (await done([{ actionType: action.restrict, value: [group.id] }])).now
    assert.deepEqual([restricted.visibility, restricted.restrictedTo], [itemVisibility.restricted, [group.id]])
    assert.equal((await done([{ actionType: action.delete }])).now.deleted, true)
  })

  test('an action creates the items of a template, with texts of the item, below it', async () => {
    const template = await ada.post('/item-template', {
      name: 'Repair',
      items: [
        { key: 'a', title: 'Repair {{ what }}', due: { days: 2 } },
        { key: 'b', parentKey: 'a', title: 'Test it' },
      ],
    })
    const variables = { what: '{{ item.key }}' }
    const value = { templateId: template.id, anchor: '2027-03-01', variables, relation: 'child' }
    const { item, entry } = await done([{ actionType: action.createItem, value }])
    assert.equal(entry.error, '')
    const [child, ...more] = await ada.get(`/item?parentId=${item.id}`)
    assert.deepEqual([child.title, child.dueDate, more], [`Repair ${item.key}`, '2027-03-03', []])
    assert.equal((await ada.get(`/item?parentId=${child.id}`))[0].title, 'Test it')
  })

  test('actions add notes, items, links, watchers and time, and merge items', async () => {
    const target = await ada.post('/item', { title: 'Target', containerId: desk.id })
    const { item, entry } = await done([
      { actionType: action.addNote, value: 'A note on {{ item.key }}' },
      { actionType: action.reply, value: 'An answer' },
      { actionType: action.createItem, value: { title: 'Child of {{ item.key }}', relation: 'child' } },
      { actionType: action.link, value: { type: 'relates', to: target.id } },
      { actionType: action.addWatcher, value: [bob.id] },
      { actionType: action.logTime, value: { minutes: 15, note: 'By rule' } },
      { actionType: action.notify, value: { to: ['@author'], text: 'Look' } },
      { actionType: action.assist },
    ])
    assert.equal(entry.error, '')
    const said = await ada.get(`/item/${item.id}/annotations`)
    assert.deepEqual(said.map((each: { body: string }) => each.body).sort(), [`A note on ${item.key}`, 'An answer'])
    const children = await ada.get(`/item?parentId=${item.id}`)
    assert.deepEqual(
      children.map((each: { title: string }) => each.title),
      [`Child of ${item.key}`],
    )
    assert.equal((await ada.get(`/item/${item.id}`)).spentMinutes, 15)
    assert.ok(JSON.stringify(await ada.get(`/item/${item.id}/watchers`)).includes(bob.id))
    assert.ok(JSON.stringify(await ada.get(`/item/${item.id}/links`)).includes(target.id))
    assert.match(entry.actions.at(-1).note, /not supported/)
    assert.equal((await done([{ actionType: action.mergeInto, value: target.id }])).now.mergedInto, target.id)
  })

  test('clocks are started and stopped, and their thresholds trigger rules', async () => {
    const clock = await ada.post('/clock', {
      name: 'SLA',
      container: [desk.id],
      active: true,
      targets: [{ kind: targetKind.resolution, minutes: 60 }],
      tick: 1,
    })
    const { entry } = await done([{ actionType: action.clockPause, value: clock.id }])
    assert.equal(entry.error, '')
    const started = await ada.post('/rule', {
      name: 'Light',
      active: true,
      trigger: trigger.event,
      triggerEvent: triggerEvent['clock.started'],
      container: [desk.id],
      conditionGroup: when('clock.id', operatorCode.equals, clock.id),
      actionValue: [{ actionType: action.setField, field: 'priority', value: 2 }],
    })
    const item = await ada.post('/item', { title: 'Timed', containerId: desk.id })
    await running.settle()
    assert.equal((await ada.get(`/item/${item.id}`)).priority, 2)
    for (const path of [`/rule/${started.id}`, `/clock/${clock.id}`]) await ada.ask('DELETE', path)
  })

  test('calls to foreign addresses are signed and have the secret headers', async () => {
    const rule = await ada.post('/rule', {
      name: 'Caller',
      active: true,
      container: [desk.id],
      triggerEvent: triggerEvent['item.updated'],
      actionEndpoint: [
        {
          actionType: action.httpPut,
          url: `http://127.0.0.1:${port}/in`,
          httpHeader: ['Authorization: Bearer secret'],
        },
      ],
    })
    await ada.post(`/rule/${rule.id}/signing-secret`, {})
    const item = await ada.post('/item', { title: 'Called', containerId: desk.id })
    await ada.put(`/item/${item.id}`, { priority: 4 })
    await running.settle()
    const [call] = calls
    assert.equal(calls.length, 1)
    assert.deepEqual(
      [call?.method, call?.headers.authorization, call?.body.type, call?.body.data.id],
      ['PUT', 'Bearer secret', 'item.updated', item.id],
    )
    assert.match(String(call?.headers['webhook-signature']), /^v1,/)
    const [entry] = await ada.get(`/rule/${rule.id}/log`)
    assert.equal(entry.actions[0].status, 200)
    assert.ok(!JSON.stringify(entry).includes('secret'))
    // The secret stays when the addresses change.
    await ada.put(`/rule/${rule.id}`, { actionEndpoint: [{ ...rule.actionEndpoint[0], actionType: action.httpPost }] })
    await ada.put(`/item/${item.id}`, { priority: 3 })
    await running.settle()
    assert.match(String(calls[1]?.headers['webhook-signature']), /^v1,/)
    await ada.ask('DELETE', `/rule/${rule.id}`)
  })

  test('a mail is dropped, moved or labelled before it becomes a ticket', async () => {
    const drop = await ada.post('/rule', {
      name: 'Spam',
      active: true,
      trigger: trigger.mail,
      order: 1,
      conditionGroup: when('mail.subject', operatorCode.contains, 'casino'),
      actionValue: [{ actionType: action.veto, value: 'spam' }],
    })
    const route = await ada.post('/rule', {
      name: 'Route',
      active: true,
      trigger: trigger.mail,
      order: 2,
      conditionGroup: when('mail.header.x-team', operatorCode.equals, 'ops'),
      actionValue: [
        { actionType: action.move, value: other.id },
        { actionType: action.addToList, field: 'labels', value: 'ops' },
      ],
    })
    assert.deepEqual([drop.check, route.check], [[], []])
    const mail = {
      messageId: '',
      from: { name: '', address: 'a@example.com' },
      authors: 1,
      to: [],
      cc: [],
      deliveredTo: [],
      date: null,
      answers: [],
      contentType: '',
      text: '',
      html: '',
      attachments: [],
      returned: [],
    }
    const arrives = (subject: string, headers: { name: string; value: string }[]) =>
      database.transaction(tenantCaller(ada.tenantId), ctx =>
        applyMailRules(ctx, {
          mailboxId: desk.id,
          containerId: desk.id,
          itemId: '',
          auto: false,
          mail: { ...mail, subject, headers },
        }),
      )
    assert.equal((await arrives('Casino!', [])).drop, 'spam')
    assert.deepEqual((await arrives('Hello', [{ name: 'x-team', value: 'ops' }])).ticket, {
      containerId: other.id,
      Tags: ['ops'],
    })
    assert.deepEqual((await arrives('Hello', [])).ticket, {})
    assert.equal((await ada.get(`/rule/${drop.id}/log?outcome=1`)).length, 1)
  })
})
