import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { demandCode } from '../../containers/constraint/constraint.ts'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { momentCodes } from '../../containers/screen/screen-moment.ts'
import { operator as operatorCode } from '../../language/conditions/conditions.ts'
import { ownerKind } from '../../records/references/owner.ts'

const { ada, bob, eve } = await sharedTestService()

interface Place {
  fieldId: string
  key: string
  readOnly: boolean
  required: boolean
  allowed?: unknown[]
}

const places = (screen: { sections: { fields: Place[] }[] }) => screen.sections.flatMap(each => each.fields)
const keys = (screen: { sections: { fields: Place[] }[] }) => places(screen).map(each => each.key)
const at = (screen: { sections: { fields: Place[] }[] }, key: string) => places(screen).find(each => each.key === key)
const says = (leftSide: string, rightSide: string, operator = operatorCode.equals) => [
  { condition: [{ leftSide, rightSide, operator }] },
]

const severity = await ada.post('/field', { name: 'Impact', key: 'impact' })
await ada.post('/field', { name: 'Other', key: 'other' })
const process = await ada.post('/process', { name: 'Bug', fields: [{ fieldId: severity.id, required: true }] })
const desk = await ada.post('/container', { name: 'Desk', processIds: [process.id], defaultProcessId: process.id })

test('without a stored screen, one is generated from the fields of the container', async () => {
  const screen = await ada.get(`/screen/resolve?containerId=${desk.id}&moment=${momentCodes.create}`)
  assert.equal(screen.screenId, '')
  assert.equal(screen.processId, process.id)
  assert.ok(keys(screen).includes('title'))
  assert.equal(at(screen, 'impact')?.required, true)
  assert.equal(at(screen, 'other'), undefined)
})

test('the most specific screen is used, without fields that the container does not have', async () => {
  const sections = (...names: string[]) => [{ title: 'All', columns: 1, fields: names.map(fieldId => ({ fieldId })) }]
  await ada.post('/screen', { name: 'Tenant', sections: sections('title', 'impact', 'other') })
  const tenants = await ada.get(`/screen/resolve?containerId=${desk.id}&moment=${momentCodes.edit}`)
  assert.deepEqual([tenants.name, keys(tenants)], ['Tenant', ['title', 'impact']])
  const own = await ada.post('/screen', {
    name: 'Desk',
    containerId: desk.id,
    moment: momentCodes.edit,
    sections: sections('title', 'impact', 'status'),
  })
  assert.equal((await ada.get(`/screen/resolve?containerId=${desk.id}&moment=${momentCodes.edit}`)).screenId, own.id)
  assert.equal((await ada.get(`/screen/resolve?containerId=${desk.id}&moment=${momentCodes.create}`)).name, 'Tenant')
  await ada.put(`/screen/${own.id}`, { active: false })
  assert.equal((await ada.get(`/screen/resolve?containerId=${desk.id}&moment=${momentCodes.edit}`)).name, 'Tenant')
})

test('a screen for a group is used for its members', async () => {
  const group = await ada.post('/user-group', { name: 'Testers', members: [bob.id] })
  const body = { containerId: desk.id, moment: momentCodes.quickAdd, sections: [{ fields: [{ fieldId: 'title' }] }] }
  await ada.post('/screen', { name: 'Testers only', userGroup: [group.id], ...body })
  assert.equal(
    (await bob.get(`/screen/resolve?containerId=${desk.id}&moment=${momentCodes.quickAdd}`)).name,
    'Testers only',
  )
  assert.notEqual(
    (await ada.get(`/screen/resolve?containerId=${desk.id}&moment=${momentCodes.quickAdd}`)).name,
    'Testers only',
  )
})

test('the conditions of the screen of an item are evaluated', async () => {
  const shop = await ada.post('/container', { name: 'Shop' })
  await ada.post('/screen', {
    name: 'Shop',
    containerId: shop.id,
    sections: [
      {
        fields: [
          { fieldId: 'title' },
          { fieldId: 'dueDate', visibleIf: says('priority', '1') },
          { fieldId: 'impact', visibleIf: says('no.such.path', 'x') },
        ],
      },
    ],
  })
  const calm = await ada.post('/item', { title: 'Calm', containerId: shop.id })
  const urgent = await ada.post('/item', { title: 'Urgent', containerId: shop.id, priority: itemPriority.urgent })
  assert.deepEqual(keys(await ada.get(`/item/${calm.id}/screen`)), ['title'])
  assert.deepEqual(keys(await ada.get(`/item/${urgent.id}/screen?moment=${momentCodes.edit}`)), ['title', 'dueDate'])
  assert.equal((await eve.ask('GET', `/item/${calm.id}/screen`)).status, 404)
  assert.equal((await ada.ask('GET', `/item/${calm.id}/screen?moment=77`)).status, 400)
  const whole = await ada.get(`/item/${urgent.id}?include=screen`)
  assert.deepEqual(keys(whole.screen), ['title', 'dueDate'])
})

test('the screen of an item follows the hidden fields of the process and the demands of constraints', async () => {
  const group = await ada.post('/user-group', { name: 'Guests', members: [bob.id] })
  const secret = await ada.post('/field', { name: 'Margin', key: 'margin' })
  const task = await ada.post('/process', {
    name: 'Task',
    fields: [
      { fieldId: secret.id, hiddenFor: [group.id] },
      { fieldId: 'other', readOnlyFor: [group.id] },
    ],
  })
  const place = await ada.post('/container', { name: 'Works', processIds: [task.id], defaultProcessId: task.id })
  await ada.post('/screen', {
    name: 'Works',
    containerId: place.id,
    sections: [{ fields: ['title', 'margin', 'other', 'status', 'dueDate', 'points'].map(fieldId => ({ fieldId })) }],
  })
  await ada.post('/constraint', {
    name: 'Started work',
    owner: ownerKind.container,
    ownerId: place.id,
    when: says('status', 'Doing'),
    then: [
      { kind: demandCode.required, field: 'dueDate' },
      { kind: demandCode.readOnly, field: 'title' },
      { kind: demandCode.hidden, field: 'points' },
      { kind: demandCode.allowed, field: 'status', value: ['Doing', 'Done'] },
    ],
  })
  const item = await ada.post('/item', { title: 'x', containerId: place.id, status: 'Doing', dueDate: '2026-05-01' })
  const seen = await bob.get(`/item/${item.id}/screen?moment=${momentCodes.edit}`)
  assert.deepEqual(keys(seen), ['title', 'other', 'status', 'dueDate'])
  assert.equal(at(seen, 'other')?.readOnly, true)
  assert.equal(at(seen, 'title')?.readOnly, true)
  assert.equal(at(seen, 'dueDate')?.required, true)
  assert.deepEqual(at(seen, 'status')?.allowed, ['Doing', 'Done'])
  const whole = await ada.get(`/item/${item.id}/screen?moment=${momentCodes.edit}`)
  assert.ok(keys(whole).includes('margin'))
  assert.equal(at(whole, 'other')?.readOnly, false)
})

test('a field that is removed from a container is removed from its screens', async () => {
  const field = await ada.post('/field', { name: 'Passing', key: 'passing' })
  const step = await ada.post('/process', { name: 'Step', fields: [{ fieldId: field.id }] })
  const place = await ada.post('/container', { name: 'ItemChange', processIds: [step.id] })
  const sections = [{ fields: [{ fieldId: 'title' }, { fieldId: 'passing' }] }]
  const own = await ada.post('/screen', { name: 'Own', containerId: place.id, sections })
  const wide = await ada.post('/screen', { name: 'Wide', processId: step.id, sections })
  await ada.put(`/process/${step.id}`, { fields: [] })
  const names = async (id: string) =>
    (await ada.get(`/screen/${id}`)).sections[0].fields.map((each: Place) => each.fieldId)
  assert.deepEqual(await names(own.id), ['title'])
  assert.deepEqual(await names(wide.id), ['title', 'passing'])
  assert.deepEqual(keys(await ada.get(`/screen/resolve?containerId=${place.id}&processId=${step.id}`)), ['title'])
})

test('a field that no screen shows can still be written', async () => {
  const item = await ada.post('/item', { title: 'x', containerId: desk.id, Field: [{ key: 'impact', value: 'high' }] })
  assert.equal(item.Field[0].value, 'high')
})

test('a screen can only contain existing fields, each once', async () => {
  const sections = [{ fields: [{ fieldId: 'impact' }, { fieldId: severity.id }] }]
  const twice = await ada.ask('POST', '/screen', { body: { name: 'Twice', sections } })
  assert.deepEqual([twice.status, twice.body.Fields[0].Pointer], [400, '/sections/0/fields/1/fieldId'])
  const unknown = await ada.ask('POST', '/screen', {
    body: { name: 'X', sections: [{ fields: [{ fieldId: 'nope' }] }] },
  })
  assert.deepEqual([unknown.status, unknown.body.code], [422, 'unknown-reference'])
  const odd = await ada.post('/screen', { name: 'Odd', moment: 77 })
  assert.equal(odd.check[0].path, '/moment')
})

test('a reply that includes the screen and clocks can be sent back unchanged', async () => {
  const item = await ada.post('/item', { title: 'x', description: '# Hi <script>' })
  const { status, body, headers } = await ada.ask('GET', `/item/${item.id}?render=html&include=screen`)
  assert.equal(status, 200)
  assert.equal(body.descriptionHtml, '<h1>Hi &lt;script&gt;</h1>\n')
  assert.equal(headers.get('etag'), null)
  const back = await ada.put(`/item/${item.id}`, body)
  assert.deepEqual([back.version, back.warnings, back.Meta], [1, [], {}])
})
