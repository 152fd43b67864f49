import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { demandCode } from '../../containers/constraint/constraint.ts'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { dayNumber, weekdays } from '../schedule/work-calendar.ts'
import { dateAt, offsetOf } from './date-offset.ts'

interface Node {
  key: string
  parentKey: string
  item: { id: string; title: string; parentId: string; startDate: string; dueDate: string; assignees: string[] }
}

describe('item templates', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const clock = await ada.post('/clock', {
    name: 'Office',
    weekStart: 'Monday',
    weekEnd: 'Friday',
    dayStart: '09:00',
    dayEnd: '17:00',
    nonWorkingDay: ['2027-02-03'],
  })
  const desk = await ada.post('/container', { name: 'Desk', clockId: clock.id })
  const label = await ada.post('/label', { name: 'people' })
  const field = await ada.post('/field/text', { name: 'Badge', key: 'badge' })
  const items = [
    { key: 'all', title: 'Welcome {{ name }}', assignCreator: true, due: { days: 5, working: true } },
    {
      ...{ key: 'desk', parentKey: 'all', title: 'Prepare a desk', priority: itemPriority.high },
      ...{ start: { days: -3, working: true }, due: { days: -1 }, labels: [label.id], assignees: [bob.id] },
    },
    {
      ...{ key: 'tour', parentKey: 'all', title: 'Show {{ name }} around {{ container.name }}' },
      ...{ checklist: ['Kitchen', 'Printer'], estimateMinutes: 60, Field: [{ fieldId: 'badge', value: 'blue' }] },
    },
  ]
  const links = [{ from: 'desk', to: 'tour', type: 'blocks' }]
  const template = await ada.post('/item-template', { name: 'New colleague', items, links })
  const input = { containerId: desk.id, anchor: '2027-02-01', variables: { name: 'Rita' } }
  const use = (body: object = input, who: Person = ada, id = template.id) =>
    who.ask('POST', `/item-template/${id}/create`, { body })

  test('create the whole tree with variables, links, checklists and relative dates', async () => {
    assert.deepEqual([template.variables, template.check], [['container.name', 'name'], []])
    const { status, body } = await use(input, bob)
    assert.equal(status, 201)
    const [all, place, tour]: Node[] = body.items
    assert.deepEqual(
      body.items.map(({ item }: Node) => [item.title, item.startDate, item.dueDate]),
      [
        ['Welcome Rita', null, '2027-02-09'],
        ['Prepare a desk', '2027-01-27', '2027-01-31'],
        ['Show Rita around Desk', null, null],
      ],
      'Wednesday is a holiday, and weekends are free',
    )
    assert.deepEqual(
      [place?.item.parentId, tour?.item.parentId, all?.item.assignees],
      [all?.item.id, all?.item.id, [bob.id]],
    )
    const whole = await bob.get(`/item/${tour?.item.id}`)
    assert.deepEqual([whole.estimateMinutes, whole.checklistTotal, whole.Field[0].value], [60, 2, 'blue'])
    const [group] = await bob.get(`/item/${tour?.item.id}/links`)
    assert.equal(group.links[0].item.id, place?.item.id)
    assert.deepEqual((await bob.get(`/item/${place?.item.id}`)).Tags, ['people'])
  })

  test('are one change set, which one undo takes back', async () => {
    const { body, headers } = await use()
    const ids = body.items.map(({ item }: Node) => item.id)
    for (const id of ids) assert.equal((await ada.get(`/item/${id}/history`))[0].changeSetId, headers.get('change-set'))
    await ada.must('POST', `/change/${headers.get('change-set')}/undo`)
    for (const id of ids) assert.equal((await ada.ask('GET', `/item/${id}`)).status, 404)
  })

  test('create nothing in a dry run, and below a parent if one is named', async () => {
    const count = async () => (await ada.get(`/item?containerId=${desk.id}`)).length
    const before = await count()
    const dry = await ada.ask('POST', `/item-template/${template.id}/create?dryRun=true`, { body: input })
    assert.deepEqual([dry.status, dry.body.would.items.length, await count()], [200, 3, before])
    const parent = await ada.post('/item', { title: 'People', containerId: desk.id })
    const { body } = await use({ ...input, parentId: parent.id })
    assert.equal(body.items[0].item.parentId, parent.id)
    assert.equal((await ada.get(`/item?parentId=${parent.id}`)).length, 1)
  })

  test('name variables without a value, and refuse a title that is empty without it', async () => {
    const { body } = await use({ ...input, variables: {} })
    assert.deepEqual(body.warnings, ['the variable name has no value'])
    const bare = await ada.post('/item-template', { name: 'Bare', items: [{ key: 'a', title: '{{ title }}' }] })
    const refused = await use({ ...input, variables: {} }, ada, bare.id)
    assert.deepEqual([refused.status, refused.body.Fields[0].Pointer], [422, '/items/0/title'])
  })

  test('report the faults of all items at once, with their places, and create none', async () => {
    const strict = await ada.post('/container', { name: 'Strict' })
    await ada.post('/constraint', {
      ...{ name: 'Due', owner: ownerKind.container, ownerId: strict.id, message: 'needs a due date' },
      then: [{ kind: demandCode.required, field: 'dueDate' }],
    })
    const refused = await use({ ...input, containerId: strict.id })
    assert.equal(refused.status, 422)
    assert.deepEqual(
      refused.body.Fields.map((each: { Pointer: string }) => each.Pointer),
      ['/items/2/dueDate'],
    )
    const wrong = await ada.post('/item-template', {
      name: 'Wrong',
      items: [
        { key: 'a', title: 'x', start: { days: 2 }, due: { days: 1 } },
        { key: 'b', title: 'x' },
        { key: 'c', title: 'x', Field: [{ fieldId: field.id, value: { not: 'a text' } }] },
      ],
    })
    const both = await use(input, ada, wrong.id)
    assert.deepEqual(
      [...new Set(both.body.Fields.map((each: { Pointer: string }) => each.Pointer.split('/')[2]))],
      ['0', '2'],
    )
    assert.deepEqual(await ada.get(`/item?containerId=${strict.id}`), [])
  })

  test('act with the rights of the caller, and are seen by those who see their owner', async () => {
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const own = { owner: ownerKind.container, ownerId: vault.id }
    const secret = await ada.post('/item-template', { name: 'Secret', items, ...own })
    assert.equal((await bob.ask('GET', `/item-template/${secret.id}`)).status, 404)
    assert.equal((await use(input, bob, secret.id)).status, 404)
    assert.equal((await use({ ...input, containerId: vault.id }, bob)).status, 422)
    assert.equal((await use(input, eve)).status, 404)
    const reader = await person({ name: 'Reader', role: roleCode.readOnly })
    assert.equal((await use(input, reader)).status, 403)
    const denied = [`field.badge.*`]
    const deny = await ada.post('/access-control', { userId: bob.id, effect: grantEffect.deny, permissions: denied })
    assert.equal((await use(input, bob)).status, 403)
    await ada.delete(`/access-control/${deny.id}`)
    assert.equal((await bob.ask('POST', '/item-template', { body: { name: 'x' } })).status, 403)
  })

  test('refuse a tree that is none', async () => {
    const faults = async (body: object) =>
      (await ada.ask('POST', '/item-template', { body: { name: 'x', ...body } })).body.Fields.map(
        (each: { Pointer: string; Code: string }) => `${each.Pointer} ${each.Code}`,
      )
    const node = (key: string, parentKey = '') => ({ key, parentKey, title: 'x' })
    assert.deepEqual(await faults({ items: [node('a'), node('a'), node('b', 'z')] }), [
      '/items/1/key duplicate',
      '/items/2/parentKey unknown-key',
    ])
    assert.deepEqual(await faults({ items: [node('a', 'b'), node('b', 'a')] }), [
      '/items/0/parentKey too-deep',
      '/items/1/parentKey too-deep',
    ])
    const chain = Array.from({ length: 11 }, (_, i) => node(`k${i}`, i === 0 ? '' : `k${i - 1}`))
    assert.deepEqual(await faults({ items: chain }), ['/items/10/parentKey too-deep'])
    const many = Array.from({ length: 201 }, (_, i) => node(`k${i}`))
    assert.deepEqual(await faults({ items: many }), ['/items maxItems'])
    assert.deepEqual(await faults({ items: [node('a')], links: [{ from: 'a', to: 'b' }] }), ['/links/0/to unknown-key'])
    assert.deepEqual(await faults({ items: [{ key: 'a', title: '{{ x ' }] }), ['/items/0/title template'])
    assert.deepEqual(await faults({ owner: ownerKind.user }), ['/owner enum'])
    assert.deepEqual(await faults({ items: [{ ...node('a'), Field: [{ fieldId: 'nothing', value: 1 }] }] }), [
      '/items/0/Field/0/fieldId unknown-reference',
    ])
    assert.deepEqual(await faults({ items: [node('a'), node('b')], links: [{ from: 'a', to: 'b', type: 'loves' }] }), [
      '/links/0/type unknown-reference',
    ])
  })

  test('say what they refer to that is gone', async () => {
    const gone = await ada.post('/label', { name: 'gone' })
    const process = await ada.post('/process', { name: 'Gone' })
    const made = await ada.post('/item-template', {
      name: 'Old',
      items: [{ key: 'a', title: 'x', labels: [gone.id], processId: process.id }],
    })
    await ada.delete(`/label/${gone.id}`)
    await ada.delete(`/process/${process.id}`)
    const found = await ada.get(`/item-template/${made.id}/check`)
    assert.deepEqual(
      found.map((each: { path: string; code: string }) => `${each.path} ${each.code}`),
      ['/items/0/processId unknown-reference', '/items/0/labels/0 unknown-reference'],
    )
    assert.equal((await ada.put(`/item-template/${made.id}`, { name: 'Older' })).check.length, 2)
  })

  test('are made of an existing tree, with dates relative to its first, and give the same tree again', async () => {
    const { body } = await use()
    const [root]: Node[] = body.items
    const saved = await ada.post(`/item/${root?.item.id}/template`, { name: 'Saved', working: true })
    assert.deepEqual([saved.items.length, saved.links.length, saved.check], [3, 1, []])
    assert.deepEqual(saved.items[1].start, { days: 0, working: true })
    const again = await use({ containerId: desk.id, anchor: '2027-01-27' }, ada, saved.id)
    assert.deepEqual(
      again.body.items.map(({ item }: Node) => [item.title, item.startDate, item.dueDate]),
      body.items.map(({ item }: Node) => [item.title, item.startDate, item.dueDate]),
    )
    const braces = await ada.post('/item', { title: 'Use {{ braces }}', containerId: desk.id })
    const literal = await ada.post(`/item/${braces.id}/template`, { name: 'Literal' })
    const copy = await use({ containerId: desk.id, anchor: '2027-01-27' }, ada, literal.id)
    assert.equal(copy.body.items[0].item.title, 'Use {{ braces }}')
    assert.equal((await bob.ask('POST', `/item/${braces.id}/template`, { body: { name: 'x' } })).status, 403)
    assert.equal((await eve.ask('POST', `/item/${braces.id}/template`, { body: { name: 'x' } })).status, 404)
  })

  test('do not take hidden fields out of an item', async () => {
    const manager = await person({ name: 'Manager', role: roleCode.manager })
    const item = await ada.post('/item', {
      ...{ title: 'Pay', containerId: desk.id, estimateMinutes: 4711 },
      Field: [{ key: 'badge', value: 'xylophone' }],
    })
    const permissions = ['field.badge.*', 'field.estimateMinutes.*']
    await ada.post('/access-control', { userId: manager.id, effect: grantEffect.deny, permissions })
    const { id } = await manager.post(`/item/${item.id}/template`, { name: 'Pay' })
    assert.doesNotMatch(JSON.stringify(await ada.get(`/item-template/${id}`)), /xylophone|4711/)
  })

  test('that are not active create nothing', async () => {
    const off = await ada.post('/item-template', { name: 'Off', active: false, items })
    const { status, body } = await use(input, ada, off.id)
    assert.deepEqual([status, body.code], [422, 'template-inactive'])
  })
})

test('distances in working days and calendar days lead back to their dates', () => {
  const anchor = '2027-01-04' // a Monday
  assert.deepEqual(offsetOf(weekdays, anchor, '2027-01-11', true), { days: 5, working: true })
  assert.deepEqual(offsetOf(weekdays, anchor, '2027-01-09', true), { days: 5, working: false }, 'a Saturday')
  assert.deepEqual(offsetOf(weekdays, anchor, '2040-01-01', true), undefined)
  for (const working of [true, false])
    for (let day = -20; day <= 20; day++) {
      const date = new Date((dayNumber(anchor) + day) * 86_400_000).toISOString().slice(0, 10)
      const offset = offsetOf(weekdays, anchor, date, working)
      assert.equal(offset && dateAt(weekdays, anchor, offset), date)
    }
})
