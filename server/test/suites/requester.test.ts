import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { containerKind } from '../../src/containers/container-kind.ts'
import { itemPriority } from '../../src/containers/item-property/priority.ts'
import { momentCodes } from '../../src/containers/screen/screen-moment.ts'
import { annotationKind } from '../../src/desk/annotation/annotation.ts'
import { channel } from '../../src/desk/channel.ts'
import { userKind } from '../../src/identity/user-kind.ts'
import { itemVisibility } from '../../src/items/item/item.ts'
import { itemSource } from '../../src/items/item-codes.ts'
import { statusCategory } from '../../src/items/status.ts'
import { roleCode } from '../../src/kernel/access.ts'
import { ownerKind } from '../../src/records/references/owner.ts'
import type { Answer } from '../support/answer.ts'
import { Builder } from '../support/builder.ts'
import { multipart } from '../support/multipart.ts'
import { op, operations } from '../support/operations.ts'
import { sharedTestService } from '../support/people.ts'
import type { Body } from '../support/seeds/seeds.ts'

// What requesters write. The roster names every operation that they may call to write something; any other is refused by
// its permission, which the suite of rights checks. For those that create or change work it also names the properties
// that they set: every other property of the body is refused by its name.

const { ada, bob, person } = await sharedTestService()
const builder = new Builder(ada)
const rita = await person({
  name: 'Rita',
  email: 'rita@example.com',
  role: roleCode.requester,
  kind: userKind.requester,
})
const desk = await ada.post('/container', { name: 'Help', kind: containerKind.desk })
const project = await ada.post('/container', { name: 'Secret plans', costCenter: 'Q7' })
const ticket = await rita.post('/ticket', { title: 'No light', containerId: desk.id })
const message = await rita.post('/annotation', { itemId: ticket.id, body: 'It is dark' })

/** What a requester may send to an operation, and the smallest body that is accepted. */
interface Written {
  sets?: readonly string[]
  path?: string
  body?: Body
}

const form = {
  sets: ['id', 'title', 'description', 'containerId', 'Field'],
  body: { title: 'Dark', containerId: desk.id },
}
const text = ['itemId', 'owner', 'ownerId', 'body', 'bodyFormat', 'replyToId', 'attachments', 'mentions']
const edit = { sets: text, path: `/annotation/${message.id}`, body: { body: 'It is still dark' } }

const roster: Record<string, Written> = {
  // Work: the request form of a desk, messages about own items, and what belongs to them.
  'POST /item': form,
  'POST /ticket': form,
  'POST /ticket/:id/csat': {},
  'POST /ticket/:id/close': { path: `/ticket/${ticket.id}/close`, sets: [], body: {} },
  'POST /ticket/:id/reopen': {},
  'POST /annotation': { sets: ['id', ...text], body: { itemId: ticket.id, body: 'Hello' } },
  'PUT /annotation': { ...edit, path: '/annotation', body: { ...edit.body, id: message.id } },
  'PUT /annotation/:id': edit,
  'PATCH /annotation/:id': edit,
  'DELETE /annotation/:id': {},
  'POST /annotation/:id/restore': {},
  'PUT /annotation/:id/reaction/:emoji': {},
  'DELETE /annotation/:id/reaction/:emoji': {},
  'PUT /item/:id/draft': {},
  'DELETE /item/:id/draft': {},
  'POST /file': {},
  'PUT /file': {},
  'PUT /file/:id': {},
  'PATCH /file/:id': {},
  'DELETE /file/:id': {},
  'POST /file/upload': {},
  'PATCH /file/upload/:id': {},
  'DELETE /file/upload/:id': {},
  'POST /file/:id/restore': {},
  'POST /chat/:id/message': {},
  'PUT /chat/:id/message/:messageId': {},
  'PATCH /chat/:id/message/:messageId': {},
  'DELETE /chat/:id/message/:messageId': {},
  'PUT /chat/:id/message/:messageId/reaction/:emoji': {},
  'DELETE /chat/:id/message/:messageId/reaction/:emoji': {},
  'POST /item/:id/approve': {},
  'POST /item/:id/reject': {},
  'POST /batch': {},
  'POST /docs/article/suggest': {},
  'POST /docs/article/:id/reading': {},
  'POST /change/:id/undo': {},
  // Their own account, reading position, notifications and settings.
  'PUT /user/me': {},
  'PATCH /user/me': {},
  'POST /user/:id/password': {},
  'POST /user/me/second-factor': {},
  'POST /user/me/second-factor/confirm': {},
  'POST /user/me/second-factor/recovery-codes': {},
  'POST /user/me/second-factor/remove': {},
  'DELETE /user/:id/second-factor': {},
  'DELETE /user/:id/session': {},
  'DELETE /user/:id/session/:sessionId': {},
  'DELETE /user/:id/consent/:consentId': {},
  'DELETE /session/:id': {},
  'POST /user/me/passkey': {},
  'POST /user/me/passkey/options': {},
  'DELETE /user/me/passkey/:id': {},
  'DELETE /user-identity/:id': {},
  'PUT /chat/:id/read': {},
  'POST /watch': {},
  'PUT /watch': {},
  'PUT /watch/:id': {},
  'PATCH /watch/:id': {},
  'DELETE /watch/:id': {},
  'POST /watch/:id/restore': {},
  'PUT /item/:id/watch': {},
  'DELETE /item/:id/watch': {},
  'POST /notification/inbox/read': {},
  'POST /notification/inbox/archive': {},
  'POST /notification/inbox/snooze': {},
  'PUT /notification/preference': {},
  'POST /admin/setting': {},
  'PUT /admin/setting': {},
  'PUT /admin/setting/:id': {},
  'PATCH /admin/setting/:id': {},
  'DELETE /admin/setting/:id': {},
  'POST /admin/setting/:id/restore': {},
  'POST /admin/setting/:id/revert': {},
}

/** Values for properties that the builder leaves out, or fills with the value that a requester's record has anyway. */
async function unusual(): Promise<Body> {
  return {
    archived: true,
    visibility: itemVisibility.confidential,
    restrictedTo: [(await builder.one('UserGroup')).id],
    areaId: (await builder.one('Area')).id,
    parentId: ticket.id,
    Time: [{ date: '2026-03-31', minutes: 5 }],
    timeId: (await builder.one('Time')).id,
    via: channel.mail,
    channel: channel.phone,
  }
}

const refusedFields = ({ body }: Answer): string[] => (body.Fields ?? []).map((each: { Field: string }) => each.Field)

describe('requesters', () => {
  test('may write by the operations of the roster, and by no others', () => {
    const writing = operations.filter(
      ({ operation: { mode, permission } }) => mode !== 'read' && permission.roles.includes('requester'),
    )
    assert.deepEqual(writing.map(({ route }) => route).toSorted(), Object.keys(roster).toSorted())
  })

  test('set what the roster names; every other property is refused by its name', async () => {
    const accepted: string[] = []
    for (const [route, { sets, body, path }] of Object.entries(roster).filter(([, { sets }]) => sets)) {
      const operation = op(route)
      if (!operation) throw new Error(`there is no ${route}`)
      const [method = '', address = ''] = route.split(' ')
      const full = { ...(await builder.bodyOf(operation)), ...(await unusual()) }
      for (const property of Object.keys(operation.operation.body?.schema.properties ?? {})) {
        if (sets?.includes(property)) continue
        const answer = await rita.ask(method, path ?? address, { body: { ...body, [property]: full[property] } })
        const named = refusedFields(answer).some(each => each.split('.')[0] === property)
        if (answer.status < 400 || !named)
          accepted.push(`${route} ${property}: ${answer.status} ${refusedFields(answer)}`)
      }
    }
    assert.deepEqual(accepted, [])
  })

  test('create items on service desks only, in their own name, through the portal', async () => {
    for (const path of ['/item', '/ticket']) {
      const made = await rita.post(path, { title: 'Dark', containerId: desk.id, requesterId: rita.id })
      assert.deepEqual([made.requesterId, made.containerId], [rita.id, desk.id])
      assert.equal(made.source, itemSource.portal)
      const elsewhere = await rita.ask('POST', path, { body: { title: 'Dark', containerId: project.id } })
      assert.deepEqual([elsewhere.status, refusedFields(elsewhere)], [422, ['containerId']])
      const asBob = await rita.ask('POST', path, { body: { title: 'Dark', containerId: desk.id, requesterId: bob.id } })
      assert.deepEqual([asBob.status, refusedFields(asBob)], [403, ['requesterId']])
    }
    assert.equal((await rita.post('/item', { title: 'Somewhere' })).containerId, desk.id)
    const own = await rita.post('/ticket', { title: 'Dark', requester: { userId: rita.id } })
    assert.deepEqual([own.requester.email, own.channel], ['rita@example.com', channel.portal])
    const many = {
      title: 'Dark',
      visibility: itemVisibility.confidential,
      status: 'Done',
      cc: ['x@example.com'],
      colour: 'red',
    }
    const beyond = await rita.ask('POST', '/ticket', { body: many })
    assert.deepEqual(
      [beyond.body.code, refusedFields(beyond)],
      ['not-on-request-form', ['visibility', 'status', 'colour', 'cc']],
    )
  })

  test('set what the screen of the desk for the portal has, and never the state of the work', async () => {
    const floor = await ada.post('/field', { name: 'Floor', key: 'floor' })
    await ada.post('/field', { name: 'Margin', key: 'margin' })
    const office = await ada.post('/container', { name: 'Office', kind: containerKind.desk })
    const fields = ['title', 'priority', 'status', 'floor'].map(fieldId => ({ fieldId }))
    const values = { title: 'Cold', containerId: office.id, priority: itemPriority.high }
    const screen = { name: 'Ask', containerId: office.id, moment: momentCodes.portal, sections: [{ fields }] }
    await ada.post('/screen', screen)
    const shown = await rita.get(`/screen/resolve?containerId=${office.id}&moment=${momentCodes.portal}`)
    const readOnly = shown.sections[0].fields.map((each: Body) => [each.key, each.readOnly])
    assert.deepEqual(readOnly, [
      ['title', false],
      ['priority', false],
      ['status', true],
      ['floor', false],
    ])
    const made = await rita.post('/item', { ...values, Field: [{ key: 'floor', value: '3' }] })
    assert.deepEqual([made.priority, made.Field[0]?.fieldId], [itemPriority.high, floor.id])
    const Field = [
      { fieldId: floor.id, value: '3' },
      { key: 'margin', value: '7' },
    ]
    const beyond = await rita.ask('POST', '/item', { body: { ...values, status: 'Done', description: 'x', Field } })
    assert.deepEqual([beyond.status, refusedFields(beyond)], [403, ['status', 'description', 'Field.1']])
  })

  test('add files to their items, and to no desk', async () => {
    const upload = async (owner: object) => {
      const { body, headers } = multipart({ file: 'dark', ...owner })
      return await rita.ask('POST', '/file', { body, headers })
    }
    assert.equal((await upload({ owner: ownerKind.item, ownerId: ticket.id })).status, 201)
    const onDesk = await upload({ owner: ownerKind.container, ownerId: desk.id })
    assert.deepEqual([onDesk.status, refusedFields(onDesk)], [403, ['owner']])
  })

  test('are refused as authors of notes, also when they edit', async () => {
    const note = await rita.ask('POST', '/annotation', {
      body: { itemId: ticket.id, body: 'x', kind: annotationKind.note },
    })
    assert.deepEqual([note.status, refusedFields(note)], [403, ['kind']])
    assert.equal(message.kind, annotationKind.message)
    // A whole record can be sent back.
    assert.equal((await rita.put(`/annotation/${message.id}`, { ...message, body: 'Dark again' })).body, 'Dark again')
  })

  test('see desks, without their settings, and no other containers', async () => {
    const seen: Body[] = await rita.get('/container')
    assert.ok(seen.some(each => each.id === desk.id) && seen.every(each => each.kind === containerKind.desk))
    assert.deepEqual(
      ['budget', 'costCenter', 'crmId', 'fields', 'health', 'private'].filter(each => seen.some(one => each in one)),
      [],
    )
    for (const path of ['', '/history', '/member'])
      assert.ok([403, 404].includes((await rita.ask('GET', `/container/${project.id}${path}`)).status), path)
    assert.deepEqual(await rita.get(`/container/${desk.id}/history`), [])
    // Their own ticket stays visible when it becomes project work.
    const moved = await rita.post('/ticket', { title: 'Bigger than a ticket', containerId: desk.id })
    await ada.put(`/item/${moved.id}`, { containerId: project.id })
    assert.equal((await rita.get(`/item/${moved.id}`)).title, 'Bigger than a ticket')
  })

  test('read the request form of a desk with all that it takes to fill it in, and no catalogues', async () => {
    const options = [{ label: 'Blue' }, { label: 'Red' }, { label: 'Grey', active: false }]
    const colour = await ada.post('/field', { name: 'Colour', key: 'colour', fieldType: 'select', options })
    await ada.post('/field', { name: 'Bonus', key: 'bonus' })
    const place = await ada.post('/container', { name: 'Paint shop', kind: containerKind.desk })
    await ada.post('/label', { name: 'Gloss' })
    const sections = [{ fields: [{ fieldId: 'title' }, { fieldId: 'colour' }, { fieldId: 'Tags' }] }]
    await ada.post('/screen', { name: 'Paint', containerId: place.id, moment: momentCodes.portal, sections })
    for (const path of ['/field', `/field/${colour.id}`, '/label', '/link/type', '/screen', '/cycle'])
      assert.equal((await rita.ask('GET', path)).status, 403, path)
    const form = await rita.get(`/screen/resolve?containerId=${place.id}`)
    const [, asked, tags] = form.sections[0].fields
    assert.deepEqual(
      tags.options.map((each: Body) => each.label),
      ['Gloss'],
    )
    assert.deepEqual(
      [asked.key, asked.options.map((each: Body) => each.label), asked.multiple],
      ['colour', ['Blue', 'Red'], false],
    )
    const own = await rita.post('/ticket', {
      title: 'Dull',
      containerId: place.id,
      Field: [{ key: 'colour', value: 'Red' }],
    })
    const keys = async (path: string) => JSON.stringify(await rita.get(path)).match(/bonus/)
    for (const path of [`/item/${own.id}/screen`, `/item/${own.id}?include=screen`])
      assert.equal(await keys(path), null, path)
    for (const path of [`/screen/resolve?containerId=${place.id}`, `/item/${own.id}/screen`].map(
      each => `${each}${each.includes('?') ? '&' : '?'}moment=${momentCodes.edit}`,
    ))
      assert.equal((await rita.ask('GET', path)).status, 403, path)
    assert.deepEqual((await rita.get(`/item/${own.id}?include=clock`)).clock, [])
  })

  test('find what they can ask for at a desk, each with its form, and nothing of its processes', async () => {
    const make = async (name: string, more: object) => await ada.post('/process', { name, ...more })
    const [repair, order, former] = [
      await make('Repair', { order: 2, description: 'Something is broken' }),
      await make('Order', { order: 1, fields: [{ fieldId: 'title', required: true }] }),
      await make('Former', { active: false }),
    ]
    const processIds = [repair.id, order.id, former.id]
    const shop = { name: 'Shop', kind: containerKind.desk, processIds, defaultProcessId: repair.id }
    const { id } = await ada.post('/container', shop)
    const sections = [{ fields: [{ fieldId: 'title' }, { fieldId: 'dueDate' }] }]
    const screen = { name: 'Order', containerId: id, processId: order.id, moment: momentCodes.portal, sections }
    const { id: screenId } = await ada.post('/screen', screen)
    const types: Body[] = await rita.get(`/container/${id}/request-type`)
    assert.deepEqual(
      types.map(each => [each.processId, each.name, each.description, each.isDefault, each.screen.screenId]),
      [
        [order.id, 'Order', '', false, screenId],
        [repair.id, 'Repair', 'Something is broken', true, ''],
      ],
    )
    const [plain] = await rita.get(`/container/${desk.id}/request-type`)
    assert.deepEqual([plain.processId, plain.name, plain.isDefault], ['', 'Help', true])
    assert.deepEqual(await ada.get(`/container/${project.id}/request-type`), [])
    assert.equal((await rita.ask('GET', `/container/${project.id}/request-type`)).status, 404)
    const made = await rita.post('/ticket', { title: 'A chair', containerId: id, processId: order.id })
    assert.equal(made.processId, order.id)
  })

  test('close and reopen their own tickets, whatever the workflow says, and set no more', async () => {
    const own = await rita.post('/ticket', { title: 'Too cold', containerId: desk.id })
    const others = await ada.post('/ticket', { title: 'Too warm', containerId: desk.id })
    assert.equal((await rita.ask('POST', `/ticket/${others.id}/close`, { body: {} })).status, 404)
    const closed = await rita.post(`/ticket/${own.id}/close`, {})
    const again = await rita.post(`/ticket/${own.id}/close`, {})
    assert.deepEqual([closed.statusCategory, again.version], [statusCategory.done, closed.version])
    const open = await rita.post(`/ticket/${own.id}/reopen`, {})
    assert.deepEqual([open.statusCategory, open.reopenCount], [own.statusCategory, 1])
    await rita.post(`/ticket/${own.id}/close`, {})
    await ada.post('/admin/setting', { key: 'ticket.reopenDays', value: 0, scope: 1, ownerId: desk.id })
    const late = await rita.ask('POST', `/ticket/${own.id}/reopen`)
    assert.deepEqual([late.status, late.body.code], [422, 'reopen-too-late'])
    // A colleague who sees the ticket is not its requester.
    await ada.put(`/ticket/${own.id}`, { requester: { userId: bob.id } })
    const former = await rita.ask('POST', `/ticket/${own.id}/close`, { body: {} })
    assert.ok([403, 404].includes(former.status))
  })

  test('ask as members of their customer, whose lead sees all its tickets and nothing else of it', async () => {
    const contacts = [
      { name: 'Lea', email: 'lea@acme.test', lead: true },
      { name: 'Cole', email: 'cole@acme.test' },
    ]
    const acme = await ada.post('/finance/crm', { name: 'Acme', domains: ['acme.test'], contacts })
    const other = await ada.post('/finance/crm', { name: 'Other', domains: ['other.test'] })
    const requester = (name: string, email: string) =>
      person({ name, email, role: roleCode.requester, kind: userKind.requester })
    const [lea, cole, gil] = [
      await requester('Lea', 'lea@acme.test'),
      await requester('Cole', 'Cole@acme.test'),
      await requester('Gil', 'gil@other.test'),
    ]
    const asked = await cole.post('/ticket', { title: 'By Cole', containerId: desk.id })
    const phoned = await ada.post('/ticket', {
      title: 'By phone',
      containerId: desk.id,
      requester: { email: 'new@acme.test' },
    })
    assert.deepEqual([asked.crmId, phoned.crmId], [acme.id, acme.id])
    const hers = await gil.post('/item', { title: 'By Gil', containerId: desk.id })
    assert.equal(hers.crmId, other.id)
    const secret = { title: 'Secret', containerId: desk.id, crmId: acme.id, visibility: itemVisibility.confidential }
    await ada.post('/item', secret)
    await ada.post('/item', { title: 'Offer', containerId: project.id, crmId: acme.id })
    const seen = async (who: typeof lea) => (await who.get('/item?sort=title')).map((each: Body) => each.title)
    assert.deepEqual(await seen(lea), ['By Cole', 'By phone'])
    assert.deepEqual([await seen(cole), await seen(gil)], [['By Cole'], ['By Gil']])
    await ada.post(`/ticket/${asked.id}/note`, { body: 'walrus' })
    await ada.post(`/ticket/${asked.id}/reply`, { body: 'We look into it' })
    const conversation = await lea.get(`/item/${asked.id}/annotations`)
    assert.deepEqual(
      conversation.map((each: Body) => each.body),
      ['We look into it'],
    )
    assert.equal((await lea.ask('POST', `/ticket/${asked.id}/close`, { body: {} })).status, 403)
    const why = await ada.get(`/access-control/explain?user=${lea.id}&action=item.read&entity=Item&id=${asked.id}`)
    assert.match(JSON.stringify(why), /lead of its customer/)
    assert.equal((await lea.ask('GET', '/finance/crm')).status, 403)
  })

  test('have no skills and absences, which plan the work of staff', async () => {
    for (const body of [{ skills: ['Paint'] }, { absence: [{ from: '2026-01-01', to: '2026-01-02' }] }]) {
      const answer = await rita.ask('PUT', '/user/me', { body })
      assert.deepEqual([answer.status, refusedFields(answer)], [403, Object.keys(body)])
    }
    const me = await rita.get('/user/me')
    const body = { phone: '+49 30 77', skills: me.skills, absence: me.absence }
    assert.equal((await rita.ask('PATCH', '/user/me', { body })).status, 200)
    assert.equal((await bob.ask('PATCH', '/user/me', { body: { skills: ['Paint'] } })).status, 200)
  })

  test('cannot guess what they do not read by filters, sorting and mentions', async () => {
    await ada.put(`/user/${bob.id}`, { phone: '+49 30 1234', jobRole: 'Second line' })
    await ada.put(`/item/${ticket.id}`, { assignees: [bob.id] })
    assert.deepEqual(
      (await rita.get('/user?sort=name')).map((each: Body) => each.name),
      ['Bob', 'Rita'],
    )
    for (const query of [
      'phone=%2B49 30 1234',
      'email=bob@example.com',
      'lastSeen[gt]=2020-01-01',
      'sort=lastSeen',
      'sort=email',
    ])
      assert.equal((await rita.ask('GET', `/user?${query}`)).status, 400, query)
    for (const query of ['costCenter=Q7', 'sort=costCenter', 'crmId=x'])
      assert.equal((await rita.ask('GET', `/container?${query}`)).status, 400, query)
    assert.equal((await bob.ask('GET', '/user?phone=%2B49 30 1234')).body.length, 1)
    await person({ name: 'Gwen', email: 'gwen.secret@example.com', role: roleCode.requester })
    const said = await rita.post('/annotation', { itemId: ticket.id, body: 'Hello @gwen.secret and @bob' })
    assert.deepEqual([said.mentions, said.warnings], [[bob.id], []])
  })
})
