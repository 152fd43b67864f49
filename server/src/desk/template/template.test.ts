import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { action } from '../../containers/action/action.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { templateKind } from '../../containers/content-template/content-template.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'

const { ada, bob, eve, person } = await sharedTestService()
const rita = await person({
  name: 'Rita',
  email: 'rita@example.com',
  kind: userKind.requester,
  role: roleCode.requester,
  locale: 'de-AT',
})
const desk = await ada.post('/container', { name: 'Help desk', key: 'HELP' })
const acme = await ada.post('/finance/crm', { name: 'Acme & Sons', code: 'ACME' })

const reply = await ada.post('/content-template', {
  name: 'Received',
  subject: '[{{ item.key }}] {{ item.title }}',
  body: 'Hello {{ requester.name }},\n\n**{{ crm.name }}** {{ field.serial }} {{ nobody.knows }}\n\n{{ user.name }}',
  locales: { de: { body: 'Hallo {{ requester.name }}' } },
})

test('the actor of a text is the caller, if nothing else caused it', async () => {
  const template = { name: 'Signed', body: '{{ actor.name }} {{ actor.email }} {{ actor.kind }}' }
  const { body, missing } = await bob.post('/content-template/preview', { template })
  assert.deepEqual([body, missing], ['Bob bob@example.com apiKey', []])
})

test('a template lists the variables that it uses', async () => {
  assert.deepEqual(reply.variables, [
    ...['crm.name', 'field.serial', 'item.key', 'item.title', 'nobody.knows', 'requester.name', 'user.name'],
  ])
  const changed = await ada.put(`/content-template/${reply.id}`, { name: 'Got it', variables: ['mine'] })
  assert.deepEqual(changed.variables, reply.variables)
})

test('a template is rendered for an item in the language of the requester', async () => {
  await ada.post('/field', { name: 'Serial', key: 'serial' })
  const item = await ada.post('/item', {
    title: 'Printer <b>',
    containerId: desk.id,
    requesterId: rita.id,
    crmId: acme.id,
    Field: [{ key: 'serial', value: 'X-1' }],
  })
  const german = await bob.post(`/content-template/${reply.id}/render`, { itemId: item.id })
  assert.deepEqual([german.locale, german.body], ['de', 'Hallo Rita'])
  const plain = await bob.post(`/content-template/${reply.id}/render`, { itemId: item.id, locale: 'en' })
  assert.equal(plain.subject, `[${item.key}] Printer <b>`)
  assert.equal(plain.html, '<p>Hello Rita,</p>\n<p><strong>Acme &amp; Sons</strong> X-1</p>\n<p>Bob</p>\n')
  assert.equal(plain.text, 'Hello Rita,\n\nAcme & Sons X-1\n\nBob')
  assert.deepEqual(plain.missing, ['nobody.knows'])
})

test('a requester who is not a user is named as the ticket names them', async () => {
  const help = await ada.post('/container', { name: 'Help', kind: containerKind.desk })
  const ticket = await ada.post('/ticket', {
    title: 'No network',
    containerId: help.id,
    requester: { email: 'kim@example.org', name: 'Kim' },
  })
  const template = await ada.post('/content-template', { name: 'Hello', body: 'Dear {{ requester.name }}' })
  assert.equal((await ada.post(`/content-template/${template.id}/render`, { itemId: ticket.id })).body, 'Dear Kim')
})

test('an option is rendered as its label and a user as their name', async () => {
  await ada.post('/field/select', { name: 'Size', key: 'size', options: [{ id: 'l', label: 'Large' }] })
  await ada.post('/field/user', { name: 'Owner', key: 'holder' })
  const item = await ada.post('/item', {
    title: 'x',
    assignees: [bob.id],
    Field: [
      { key: 'size', value: 'l' },
      { key: 'holder', value: bob.id },
    ],
  })
  const template = { body: '{{ field.size }} {{ field.holder }} {{ assignee.name }}', format: 'text' }
  assert.equal((await ada.post('/content-template/preview', { template, itemId: item.id })).body, 'Large Bob Bob')
})

test('a template contains only values that the caller may see', async () => {
  const shut = await ada.post('/container', { name: 'Shut', private: true })
  const item = await ada.post('/item', { title: 'Secret', containerId: shut.id })
  for (const itemId of [item.id, (await eve.post('/item', { title: 'Theirs' })).id, 'nonsense']) {
    const answer = await bob.ask('POST', `/content-template/${reply.id}/render`, { body: { itemId } })
    assert.deepEqual([answer.status, answer.body.code], [422, 'unknown-reference'])
  }
  assert.equal((await rita.ask('POST', `/content-template/${reply.id}/render`, { body: {} })).status, 403)
  assert.equal((await eve.ask('POST', `/content-template/${reply.id}/render`, { body: {} })).status, 404)
})

test('a template contains no field that is hidden from the caller, nor the people and records that such a field names', async () => {
  await ada.post('/field', { name: 'Wage', key: 'wage' })
  const item = await ada.post('/item', {
    title: 'Contract',
    ...{ requesterId: rita.id, assignees: [bob.id], crmId: acme.id, estimateMinutes: 77 },
    Field: [{ key: 'wage', value: 'xylophone' }],
  })
  const template = {
    body: '{{ item.title }}{{ item.estimateMinutes }}{{ field.wage }}{{ requester.name }}{{ assignee.name }}{{ crm.name }}',
    format: 'text',
  }
  const preview = async (who: typeof ada) =>
    (await who.post('/content-template/preview', { template, itemId: item.id })).body
  const denied = await ada.post('/access-control', {
    audience: '@everyone',
    effect: grantEffect.deny,
    permissions: ['wage', 'estimateMinutes', 'requesterId', 'assignees', 'crmId'].map(each => `field.${each}.read`),
  })
  assert.deepEqual([await preview(bob), await preview(ada)], ['Contract', 'Contract77xylophoneRitaBobAcme & Sons'])
  await ada.delete(`/access-control/${denied.id}`)
})

test('a template for groups is visible to their members only', async () => {
  const group = await ada.post('/user-group', { name: 'Second level', members: [] })
  const mine = await ada.post('/content-template', { name: 'For few', body: 'x', userGroup: [group.id] })
  assert.equal((await bob.ask('GET', `/content-template/${mine.id}`)).status, 404)
  await ada.put(`/user-group/${group.id}`, { members: [bob.id] })
  assert.equal((await bob.ask('GET', `/content-template/${mine.id}`)).status, 200)
})

test('all syntax errors are refused at once with line and column', async () => {
  const { status, body } = await ada.ask('POST', '/content-template', {
    body: {
      name: 'Broken',
      subject: '{{ a | frob }}',
      body: 'a\n{% if b %}',
      format: 'rtf',
      locales: { de: { body: '{{' }, '??': {} },
    },
  })
  assert.equal(status, 400)
  assert.deepEqual(
    body.Fields.map((each: { Field: string; Code: string }) => `${each.Field} ${each.Code}`),
    ['format enum', 'locales.?? locale', 'subject template', 'body template', 'locales.de.body template'],
  )
  assert.match(body.Fields[3].Message, /^line 2, column 1: /)
  const preview = await ada.ask('POST', '/content-template/preview', { body: { template: { body: '{{' } } })
  assert.deepEqual([preview.status, preview.body.Fields[0].Pointer], [400, '/template/body'])
})

test('a template that would run forever is refused', async () => {
  const body =
    '{% for a in (1..1000) %}{% for b in (1..1000) %}{% for c in (1..1000) %}{% endfor %}{% endfor %}{% endfor %}'
  const { id } = await ada.post('/content-template', { name: 'Endless', body })
  const answer = await ada.ask('POST', `/content-template/${id}/render`, { body: {} })
  assert.deepEqual([answer.status, answer.body.code], [422, 'template-failed'])
})

test('an inactive template cannot be rendered, but it can be previewed', async () => {
  const { id } = await ada.post('/content-template', { name: 'Old', body: 'Hi', active: false })
  assert.equal((await ada.ask('POST', `/content-template/${id}/render`, { body: {} })).body.code, 'template-inactive')
  assert.equal((await ada.post('/content-template/preview', { templateId: id })).text, 'Hi')
  assert.equal((await ada.ask('POST', '/content-template/preview', { body: {} })).status, 400)
})

test('a shortcut is unique for each owner', async () => {
  await ada.post('/content-template', { name: 'One', shortcut: 'hi' })
  const again = await ada.ask('POST', '/content-template', { body: { name: 'Two', shortcut: 'HI' } })
  assert.deepEqual([again.status, again.body.code], [422, 'already-taken'])
  await ada.post('/content-template', { name: 'There', shortcut: 'hi', owner: ownerKind.container, ownerId: desk.id })
})

describe('a macro', () => {
  test('returns its active actions with a known code', async () => {
    const macro = await ada.post('/content-template', {
      name: 'Close',
      kind: templateKind.macro,
      body: 'Done',
      actions: [
        { actionType: action.setField, field: 'status', value: 'Done' },
        { actionType: action.close, active: false },
        { actionType: 900 },
      ],
    })
    assert.deepEqual(
      macro.check.map((each: { path: string }) => each.path),
      ['/actions/2/actionType'],
    )
    const { actions } = await ada.post(`/content-template/${macro.id}/render`, {})
    assert.deepEqual(actions, [{ actionType: action.setField, field: 'status', value: 'Done', id: '', active: true }])
  })
})
