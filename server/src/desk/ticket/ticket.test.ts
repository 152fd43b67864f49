import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { assignPolicy } from '../../admin/user-group/user-group.ts'
import { action } from '../../containers/action/action.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { templateKind } from '../../containers/content-template/content-template.ts'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { statusCategory as statusCategoryCode } from '../../containers/status-category.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { annotationKind } from '../annotation/annotation.ts'
import { channel } from '../channel.ts'
import { waitingParty } from './ticket.ts'

interface One {
  id: string
  body: string
  kind: number
  type: string
}

describe('tickets', async () => {
  const { ada, bob, eve, happened, person, database } = await sharedTestService()
  const none = await ada.ask('POST', '/ticket', { body: { title: 'Too early' } })
  const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
  const project = await ada.post('/container', { name: 'Project' })
  const rita = await person({
    name: 'Rita',
    email: 'rita@example.com',
    role: roleCode.requester,
    kind: userKind.requester,
  })
  const ask = (more: object = {}) => ada.post('/ticket', { title: 'No light', requester: { userId: rita.id }, ...more })
  const words = async (who: Person, id: string) =>
    (await who.get(`/item/${id}/annotations`)).map((each: One) => each.body)

  test('tickets are sorted and filtered by the paths of conditions, and show any property alone', async () => {
    const { id } = await ask({ title: 'Sorted', status: 'In work', assignees: [bob.id] })
    const found = await bob.get(
      `/ticket?assignee=@me&status=in work&sort=clock.dueAt,-created&fields=spentMinutes,tags,waitingOn`,
    )
    assert.deepEqual(found, [{ id, entity: 'Ticket', waitingOn: waitingParty.ours, Tags: [], spentMinutes: 0 }])
    const wrong = await bob.ask('GET', '/ticket?fields=spendMinutes')
    assert.match(wrong.body.Fields[0].Message, /did you mean spentMinutes/)
    const [event] = await bob.get(`/ticket/${id}/history?property=assignees`)
    assert.deepEqual(event.changes, { assignees: { to: [bob.id] } })
  })

  test('a ticket is an item on a desk with the same id; by default it is created on the first desk', async () => {
    assert.deepEqual([none.status, none.body.code], [422, 'no-desk'])
    const ticket = await ada.post('/ticket', {
      title: 'No light',
      requester: { email: 'Rita@example.com' },
      cc: ['boss@example.com'],
      channel: channel.phone,
      priority: itemPriority.urgent,
    })
    assert.equal(ticket.entity, 'Ticket')
    assert.deepEqual(ticket.requester, { userId: rita.id, email: 'Rita@example.com', name: 'Rita', phone: '' })
    assert.deepEqual(
      [ticket.requesterId, ticket.containerId, ticket.channel, ticket.version],
      [rita.id, desk.id, channel.phone, 1],
    )
    const item = await ada.get(`/item/${ticket.id}`)
    assert.deepEqual([item.key, item.priority], [ticket.key, itemPriority.urgent])
    assert.deepEqual({ ...ticket, warnings: [] }, { ...(await ada.get(`/ticket/${ticket.id}`)), warnings: [] })
    const stranger = await ada.post('/ticket', { title: 'Hello', requester: { email: 'who@example.com', name: 'Who' } })
    assert.deepEqual([stranger.requesterId, stranger.requester.name], ['', 'Who'])
    const elsewhere = await ada.ask('POST', '/ticket', { body: { title: 'x', containerId: project.id } })
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [422, 'not-a-desk'])
  })

  test('item and ticket properties change together or not at all, and each change increments the version', async () => {
    const ticket = await ask()
    const changed = await bob.put(`/ticket/${ticket.id}`, {
      title: 'No light at all',
      waitingOn: waitingParty.thirdParty,
    })
    assert.deepEqual(
      [changed.title, changed.waitingOn, changed.version],
      ['No light at all', waitingParty.thirdParty, 3],
    )
    const stale = await bob.ask('PUT', `/ticket/${ticket.id}`, {
      body: { waitingOn: waitingParty.requester },
      headers: { 'if-match': '"v2"' },
    })
    assert.equal(stale.status, 412)
    const wrong = await bob.ask('PUT', `/ticket/${ticket.id}`, {
      body: { title: 'Half', queueGroupId: bob.id, statusCategory: 'x', cc: 'nobody' },
    })
    assert.deepEqual(wrong.body.Fields.map((each: { Field: string }) => each.Field).sort(), ['cc', 'statusCategory'])
    const half = await bob.ask('PUT', `/ticket/${ticket.id}`, { body: { title: 'Half', queueGroupId: bob.id } })
    assert.deepEqual([half.status, half.body.Fields[0].Pointer], [422, '/queueGroupId'])
    assert.equal((await bob.get(`/ticket/${ticket.id}`)).title, 'No light at all')
    assert.deepEqual(
      (await bob.get(`/ticket/${ticket.id}/history`)).map((each: One) => each.type),
      ['item.created', 'item.updated', 'ticket.updated'],
    )
  })

  test('an item that is moved to a desk becomes a ticket, and one that leaves is no ticket until it returns', async () => {
    const item = await ada.post('/item', { title: 'Task', containerId: project.id, requesterId: rita.id })
    assert.equal((await ada.ask('GET', `/ticket/${item.id}`)).status, 404)
    const there = await ada.post('/item', { title: 'Plain', containerId: desk.id, requesterId: rita.id })
    const ticket = await ada.get(`/ticket/${there.id}`)
    assert.deepEqual(
      [ticket.requester.email, ticket.waitingOn, ticket.channel],
      ['rita@example.com', waitingParty.ours, channel.api],
    )
    await bob.put(`/ticket/${there.id}`, { language: 'de' })
    await ada.post(`/item/${there.id}/move`, { containerId: project.id })
    assert.equal((await ada.ask('GET', `/ticket/${there.id}`)).status, 404)
    await ada.post(`/item/${there.id}/move`, { containerId: desk.id })
    assert.equal((await ada.get(`/ticket/${there.id}`)).language, 'de')
  })

  test('lists filter by queue, by assignee and by waitingOn', async () => {
    const group = await ada.post('/user-group', { name: 'First line' })
    const mine = await ask({ assignees: [bob.id], queueGroupId: group.id })
    const waiting = await ask({ waitingOn: waitingParty.requester, queueGroupId: group.id })
    const ids = async (who: Person, query: string) => (await who.get(`/ticket?${query}`)).map((each: One) => each.id)
    assert.deepEqual(await ids(bob, `queue=${group.id}&sort=created`), [mine.id, waiting.id])
    assert.deepEqual(await ids(bob, `queue=${group.id}&assignee=@me`), [mine.id])
    assert.deepEqual(await ids(bob, `queue=${group.id}&waitingOn=${waitingParty.requester}&limit=10`), [waiting.id])
    assert.deepEqual(await ids(rita, `queue=${group.id}&sort=-created`), [waiting.id, mine.id])
    assert.deepEqual(await ids(eve, `queue=${group.id}`), [])
  })

  test('a reply or a forward to something that is no address is refused, and counts as nothing', async () => {
    const ticket = await bob.post('/ticket', { title: 'Whom', requester: { email: 'rita@example.com' } })
    for (const address of ['broken', 'a@example.com, b@example.com', 'a@example.com;b@example.com', 'Rita <r@x.com>'])
      for (const [path, body, pointer] of [
        [`/ticket/${ticket.id}/reply`, { body: 'x', to: [address] }, '/to/0'],
        [`/ticket/${ticket.id}/reply`, { body: 'x', cc: ['fine@example.com', address] }, '/cc/1'],
        [`/ticket/${ticket.id}/forward`, { body: 'x', to: [address] }, '/to/0'],
        ['/annotation', { itemId: ticket.id, kind: 1, body: 'x', mail: { to: [address] } }, '/mail/to/0'],
      ] as const) {
        const { status, body: told } = await bob.ask('POST', path, { body })
        assert.deepEqual([status, told.Fields?.[0]?.Pointer], [400, pointer], `${path} ${address}`)
      }
    const after = await bob.get(`/ticket/${ticket.id}`)
    assert.deepEqual([after.firstReplyAt, after.lastStaffAt], [null, null])
  })

  test('a reply that nobody gets is told, and is no response', async () => {
    const ticket = await bob.post('/ticket', { title: 'Whom' })
    const group = await ada.post('/user-group', { name: 'Few' })
    const lost = await bob.post(`/ticket/${ticket.id}/reply`, { body: 'To nobody' })
    assert.match(lost.warnings[0], /nobody gets this reply/)
    const narrow = { itemId: ticket.id, kind: annotationKind.resolution, body: 'To few', restrictedTo: [group.id] }
    assert.equal((await bob.post('/annotation', narrow)).reachesNobody, true)
    const note = await bob.post('/annotation', { itemId: ticket.id, body: 'Published' })
    assert.equal(
      (await bob.ask('POST', `/annotation/${note.id}/publish`, { body: { confirm: true } })).body.reachesNobody,
      true,
    )
    const before = await bob.get(`/ticket/${ticket.id}`)
    assert.deepEqual([before.firstReplyAt, before.lastStaffAt, before.waitingOn], [null, null, waitingParty.ours])
    // The user who created a ticket without a requester reads what others reply.
    const first = await ada.post(`/ticket/${ticket.id}/reply`, { body: 'To Bob' })
    assert.deepEqual([first.warnings, first.firstReplyAt !== null], [[], true])
  })

  test('without a mail server a reply reaches a requester with an account, and no mere address', async () => {
    const stranger = await ask({ requester: { email: 'stranger@example.org', name: 'Stranger' } })
    const lost = await bob.post(`/ticket/${stranger.id}/reply`, { body: 'Unheard' })
    assert.match(lost.warnings[0], /nobody gets this reply.*no mail can be sent/)
    assert.deepEqual([lost.firstReplyAt, lost.waitingOn], [null, waitingParty.ours])
    const known = await ask()
    const heard = await bob.post(`/ticket/${known.id}/reply`, { body: 'Heard' })
    assert.deepEqual([heard.warnings, heard.firstReplyAt !== null], [[], true])
    await ada.put(`/user/${rita.id}`, { active: false })
    const left = await bob.post(`/ticket/${(await ask()).id}/reply`, { body: 'She has left' })
    assert.deepEqual([left.warnings.length, left.firstReplyAt], [1, null])
    await ada.put(`/user/${rita.id}`, { active: true })
    const box = await ada.post('/mail/mailbox', {
      name: 'Help',
      address: 'help@example.com',
      smtp: { host: 'smtp.example.com' },
    })
    const itself = await bob.post(`/ticket/${stranger.id}/reply`, { body: 'To us', to: ['Help@example.com'] })
    assert.deepEqual([itself.warnings.length, itself.firstReplyAt], [1, null])
    const sent = await bob.post(`/ticket/${stranger.id}/reply`, { body: 'By mail' })
    assert.deepEqual([sent.warnings, sent.firstReplyAt !== null], [[], true])
    await ada.delete(`/mail/mailbox/${box.id}`)
  })

  test('the recipients of an annotation are addresses, also when it is edited', async () => {
    const ticket = await ask()
    const said = await bob.post('/annotation', { itemId: ticket.id, body: 'x' })
    const edit = await bob.ask('PUT', `/annotation/${said.id}`, {
      body: { mail: { cc: ['a@example.com, b@example.com'] } },
    })
    assert.deepEqual([edit.status, edit.body.Fields[0].Pointer], [400, '/mail/cc/0'])
  })

  test('a reply is public, then the ticket waits for the requester, and only the first one sets firstReplyAt; a note does neither', async () => {
    const ticket = await ask()
    await bob.post(`/ticket/${ticket.id}/note`, { body: 'Again' })
    assert.equal((await bob.get(`/ticket/${ticket.id}`)).firstReplyAt, null)
    const first = await bob.post(`/ticket/${ticket.id}/reply`, {
      body: 'Press the button',
      status: 'Waiting',
      to: ['rita@example.com'],
    })
    assert.deepEqual(
      [first.waitingOn, first.status, first.statusCategory],
      [waitingParty.requester, 'Waiting', statusCategoryCode.waiting],
    )
    assert.equal(first.firstReplyAt, first.lastStaffAt)
    const second = await bob.post(`/ticket/${ticket.id}/reply`, { body: 'And?', waitingOn: waitingParty.thirdParty })
    assert.deepEqual([second.firstReplyAt, second.waitingOn], [first.firstReplyAt, waitingParty.thirdParty])
    assert.deepEqual(await words(rita, ticket.id), ['Press the button', 'And?'])
    const refused = await bob.ask('POST', `/ticket/${ticket.id}/reply`, { body: { body: 'x', status: 7 } })
    assert.equal(refused.status, 400)
    assert.equal((await rita.ask('POST', `/ticket/${ticket.id}/reply`, { body: { body: 'I am staff' } })).status, 403)
  })

  test('a message of the requester ends the snooze, and the ticket waits for staff', async () => {
    const ticket = await ask()
    await bob.post(`/ticket/${ticket.id}/reply`, { body: 'Tell us more' })
    const past = await bob.ask('POST', `/ticket/${ticket.id}/snooze`, { body: { until: '2020-01-01T00:00:00Z' } })
    assert.equal(past.body.code, 'until-past')
    await bob.post(`/ticket/${ticket.id}/snooze`, { until: '2999-01-01T00:00:00Z' })
    await rita.post('/annotation', { itemId: ticket.id, body: 'Here it is' })
    const { waitingOn, snoozedUntil, lastRequesterAt } = await bob.get(`/ticket/${ticket.id}`)
    assert.deepEqual([waitingOn, snoozedUntil], [waitingParty.ours, null])
    assert.notEqual(lastRequesterAt, null)
  })

  test('a message reopens a recently closed ticket with its earlier status; later it creates a follow-up ticket', async () => {
    const ticket = await ask({ status: 'In progress', cc: ['boss@example.com'] })
    await bob.post(`/ticket/${ticket.id}/close`, { resolution: 'fixed' })
    assert.deepEqual(await closed(ticket.id), ['Closed', 4, 'fixed', 0])
    await rita.post('/annotation', { itemId: ticket.id, body: 'Still dark' })
    assert.deepEqual(await closed(ticket.id), ['In progress', 2, '', 1])
    await bob.post(`/ticket/${ticket.id}/close`, {})
    await longAgo(ticket.id, 8)
    const said = await rita.post('/annotation', { itemId: ticket.id, body: 'Dark again' })
    assert.notEqual(said.itemId, ticket.id)
    assert.equal(said.warnings.length, 1)
    assert.deepEqual(await closed(ticket.id), ['Closed', 4, '', 1])
    const followUp = await rita.get(`/ticket/${said.itemId}`)
    assert.deepEqual([followUp.title, followUp.requesterId, followUp.cc], ['No light', rita.id, ['boss@example.com']])
    assert.deepEqual([followUp.Meta.followUpOf, followUp.statusCategory], [ticket.id, statusCategoryCode.backlog])
    const again = await rita.post('/annotation', { itemId: ticket.id, body: 'Hello?' })
    assert.equal(again.itemId, said.itemId)
    assert.deepEqual(await words(bob, said.itemId), ['Dark again', 'Hello?'])
    await ada.post('/admin/setting', { key: 'ticket.reopenDays', value: 30, scope: 1, ownerId: desk.id })
    assert.equal((await rita.post('/annotation', { itemId: ticket.id, body: 'Once more' })).itemId, ticket.id)
  })

  const closed = async (id: string) => {
    const { status, statusCategory, resolution, reopenCount } = await ada.get(`/ticket/${id}`)
    return [status, statusCategory, resolution, reopenCount]
  }

  const longAgo = (id: string, days: number) =>
    database.transaction(
      tenantCaller(ada.tenantId),
      ctx =>
        ctx.sql`update item set closed_at = closed_at - make_interval(days => ${days}) where tenant_id = ${ada.tenantId} and id = ${id}`,
    )

  test('closing and reopening are idempotent, and every reopening is counted, whichever way it is made', async () => {
    const ticket = await ask({ status: 'Open' })
    for (let i = 0; i < 2; i++) await bob.post(`/ticket/${ticket.id}/close`, {})
    for (let i = 0; i < 2; i++) await bob.post(`/ticket/${ticket.id}/reopen`, undefined)
    assert.deepEqual(await closed(ticket.id), ['Open', 1, '', 1])
    await bob.put(`/item/${ticket.id}`, { status: 'Done' })
    await bob.put(`/item/${ticket.id}`, { status: 'Open' })
    assert.deepEqual(await closed(ticket.id), ['Open', 1, '', 2])
  })

  test('spam is closed, and reopened if it was no spam', async () => {
    const ticket = await ask({ status: 'Open' })
    const spam = await bob.post(`/ticket/${ticket.id}/spam`, { spam: true })
    assert.deepEqual([spam.spam, spam.statusCategory, spam.resolution], [true, statusCategoryCode.cancelled, 'spam'])
    const ham = await bob.post(`/ticket/${ticket.id}/spam`, { spam: false })
    assert.deepEqual([ham.spam, ham.status, ham.statusCategory], [false, 'Open', statusCategoryCode.unstarted])
  })

  test('a forwarded text is stored as a note with its recipients', async () => {
    const ticket = await ask()
    const { waitingOn } = await bob.post(`/ticket/${ticket.id}/forward`, { to: ['vendor@example.com'], body: 'Help' })
    assert.equal(waitingOn, waitingParty.thirdParty)
    const [note] = await bob.get(`/item/${ticket.id}/annotations`)
    assert.deepEqual([note.kind, note.mail.to], [0, ['vendor@example.com']])
    assert.deepEqual(await words(rita, ticket.id), [])
    assert.deepEqual(await happened(2), ['ticket.forwarded', 'ticket.updated'])
    assert.ok(!JSON.stringify(await rita.get(`/ticket/${ticket.id}/history`)).includes('vendor@example.com'))
  })

  test('only the requester can rate a ticket, once each time it was closed', async () => {
    const ticket = await ask()
    const rated = async () => {
      const { status, body } = await rita.ask('POST', `/ticket/${ticket.id}/csat`, { body: { score: 1 } })
      return [status, body.code]
    }
    assert.deepEqual(await rated(), [422, 'not-closed'])
    await bob.post(`/ticket/${ticket.id}/close`, {})
    assert.equal((await bob.ask('POST', `/ticket/${ticket.id}/csat`, { body: { score: 5 } })).status, 403)
    assert.equal((await rita.ask('POST', `/ticket/${ticket.id}/csat`, { body: { score: 6 } })).status, 400)
    const { satisfaction } = await rita.post(`/ticket/${ticket.id}/csat`, { score: 4, comment: 'Quick' })
    assert.deepEqual([satisfaction.score, satisfaction.comment], [4, 'Quick'])
    assert.deepEqual(await rated(), [422, 'already-rated'])
    await bob.post(`/ticket/${ticket.id}/reopen`, undefined)
    await bob.post(`/ticket/${ticket.id}/close`, {})
    assert.deepEqual(await rated(), [200, undefined])
  })

  test('a requester is the requester of the tickets they create, and does not see tickets of others', async () => {
    const own = await rita.post('/ticket', { title: 'Mine' })
    assert.deepEqual([own.requesterId, own.requester.name], [rita.id, 'Rita'])
    assert.notEqual(own.lastRequesterAt, null)
    const other = await ada.post('/ticket', { title: 'Not hers' })
    assert.equal((await rita.ask('GET', `/ticket/${other.id}`)).status, 404)
    assert.equal(
      (await rita.ask('PUT', `/ticket/${own.id}`, { body: { waitingOn: waitingParty.requester } })).status,
      403,
    )
  })

  test('ten concurrent assignments are distributed evenly in turn, and not to absent members', async () => {
    const people = await Promise.all([1, 2, 3, 4, 5].map(i => person({ name: `Agent ${i}` })))
    const away = await person({ name: 'Away' })
    const members = [...people, away].map(each => each.id)
    const group = await ada.post('/user-group', { name: 'Second line', assignPolicy: 1, members })
    await ada.put(`/user/${away.id}`, { active: false })
    const open = await Promise.all(Array.from({ length: 10 }, () => ask()))
    const dealt = await Promise.all(open.map(({ id }) => bob.post(`/ticket/${id}/assign-next`, { groupId: group.id })))
    const counts = Map.groupBy(dealt, each => each.assignees.join())
    assert.deepEqual(
      [...counts.values()].map(each => each.length),
      [2, 2, 2, 2, 2],
    )
    assert.ok(dealt.every(each => each.assignees.length === 1 && each.queueGroupId === group.id))
    const empty = await ada.post('/user-group', { name: 'Empty' })
    const nobody = await bob.ask('POST', `/ticket/${open[0].id}/assign-next`, { body: { groupId: empty.id } })
    assert.equal(nobody.body.code, 'nobody-there')
  })

  test('a group can assign to the member with the lowest load', async () => {
    const [busy, idle] = [await person({ name: 'Busy' }), await person({ name: 'Idle' })]
    const group = await ada.post('/user-group', {
      name: 'Least',
      assignPolicy: assignPolicy.leastOpen,
      members: [busy.id, idle.id],
    })
    for (let i = 0; i < 3; i++) await ask({ queueGroupId: group.id, assignees: [busy.id] })
    const tickets = await Promise.all([1, 2, 3].map(() => ask({ queueGroupId: group.id })))
    const dealt = await Promise.all(tickets.map(({ id }) => bob.post(`/ticket/${id}/assign-next`, {})))
    assert.deepEqual(
      dealt.map(each => each.assignees[0]),
      [idle.id, idle.id, idle.id],
    )
  })

  test('a macro changes, closes and replies, all or nothing, and warns of actions that it cannot perform', async () => {
    const ticket = await ask({ status: 'Open', Tags: ['new'] })
    const macro = await ada.post('/content-template', {
      name: 'Fixed',
      kind: templateKind.macro,
      body: 'Dear {{ requester.name }}, {{ item.key }} is done.',
      actions: [
        { actionType: action.setField, field: 'priority', value: 3 },
        { actionType: action.addToList, field: 'Tags', value: 'fixed' },
        { actionType: action.removeFromList, field: 'Tags', value: 'new' },
        { actionType: action.setField, field: 'language', value: 'en' },
        { actionType: action.assign, value: bob.id },
        { actionType: action.addNote, value: 'By macro' },
        { actionType: action.reply },
        { actionType: action.close },
        { actionType: action.sendMail, value: {} },
        { actionType: action.setField, field: 'colour', value: 'red' },
      ],
    })
    const done = await bob.post(`/ticket/${ticket.id}/macro`, { templateId: macro.id })
    assert.deepEqual(
      [done.priority, done.Tags, done.language, done.assignees],
      [itemPriority.medium, ['fixed'], 'en', [bob.id]],
    )
    assert.deepEqual([done.statusCategory, done.waitingOn], [statusCategoryCode.done, waitingParty.requester])
    assert.deepEqual(done.warnings, ['action 22 does not apply to tickets', 'there is no field called colour'])
    assert.deepEqual(await words(bob, ticket.id), ['By macro', `Dear Rita, ${ticket.key} is done.`])
    const broken = await ada.post('/content-template', {
      name: 'Broken',
      kind: templateKind.macro,
      body: 'Hello',
      actions: [
        { actionType: action.setField, field: 'priority', value: 4 },
        { actionType: action.setField, field: 'queueGroupId', value: bob.id },
      ],
    })
    const refused = await bob.ask('POST', `/ticket/${ticket.id}/macro`, { body: { templateId: broken.id } })
    assert.equal(refused.status, 422)
    assert.equal((await bob.get(`/ticket/${ticket.id}`)).priority, itemPriority.medium)
    assert.equal((await words(bob, ticket.id)).length, 2)
  })

  test('two agents see each other’s presence at a ticket; the requester sees neither, and no event is written', async () => {
    const ticket = await ask()
    const before = await happened(1)
    const alone = await bob.put(`/ticket/${ticket.id}/viewing`, {})
    assert.deepEqual(alone.others, [])
    const { others } = await ada.put(`/item/${ticket.id}/viewing`, { state: 'replying' })
    assert.deepEqual(
      others.map((each: { userId: string; name: string; state: string }) => [each.userId, each.name, each.state]),
      [[bob.id, 'Bob', 'viewing']],
    )
    assert.deepEqual((await bob.get(`/ticket/${ticket.id}/viewing`)).others[0].state, 'replying')
    assert.equal((await rita.ask('GET', `/ticket/${ticket.id}/viewing`)).status, 403)
    await ada.delete(`/ticket/${ticket.id}/viewing`)
    assert.deepEqual((await bob.get(`/ticket/${ticket.id}/viewing`)).others, [])
    await ada.put(`/ticket/${ticket.id}/viewing`, {})
    await database.transaction(
      tenantCaller(ada.tenantId),
      ctx => ctx.sql`update presence set seen = seen - interval '31 seconds' where tenant_id = ${ada.tenantId}`,
    )
    assert.deepEqual((await bob.get(`/ticket/${ticket.id}/viewing`)).others, [])
    assert.deepEqual(await happened(1), before)
  })
})
