import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/conditions.ts'

describe('changing many items', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Many' })
  const size = await ada.post('/field/number', { name: 'Size', max: 10 })
  const colour = await ada.post('/field/text', { name: 'Colour' })

  async function some(count: number, more: object = {}) {
    const made = []
    for (let n = 0; n < count; n++)
      made.push(await ada.post('/item', { title: `No ${n}`, containerId: desk.id, ...more }))
    return made
  }

  test('one patch changes all given items in one change set, and the reply has the outcome of each', async () => {
    const [a, b] = await some(2, { Field: [{ key: 'colour', value: 'red' }] })
    const unknown = '01890000-0000-7000-8000-000000000000'
    const { status, body, headers } = await bob.ask('PATCH', '/item', {
      body: { ids: [a.id, b.id, unknown], patch: { priority: itemPriority.high, Field: [{ key: 'size', value: 3 }] } },
    })
    assert.equal(status, 200)
    assert.deepEqual(
      body.map((each: { id: string; outcome: string; status: number }) => [each.id, each.outcome, each.status]),
      [
        [a.id, 'updated', 200],
        [b.id, 'updated', 200],
        [unknown, 'failed', 404],
      ],
    )
    const now = await ada.get(`/item/${a.id}`)
    assert.equal(now.priority, itemPriority.high)
    assert.deepEqual(
      new Set(now.Field.map((each: { fieldId: string; value: unknown }) => [each.fieldId, each.value].join())),
      new Set([`${size.id},3`, `${colour.id},red`]),
      'the values that the patch does not name stay',
    )
    const events = await ada.get('/event?limit=1000')
    const ours = events.filter((each: { changeSetId: string }) => each.changeSetId === headers.get('change-set'))
    assert.deepEqual(
      ours.map((each: { type: string; recordId: string }) => [each.type, each.recordId]),
      [
        ['item.updated', a.id],
        ['item.updated', b.id],
      ],
    )
    const [again] = (await bob.ask('PATCH', '/item', { body: { ids: [a.id], patch: { priority: itemPriority.high } } }))
      .body
    assert.equal(again.outcome, 'unchanged')
    assert.equal(again.version, 2)
  })

  test('PUT and PATCH keep the custom values that they do not name; null clears one, or all', async () => {
    const [item] = await some(1, {
      Field: [
        { key: 'colour', value: 'red' },
        { key: 'size', value: 3 },
      ],
    })
    const values = async () =>
      Object.fromEntries(
        (await ada.get(`/item/${item.id}`)).Field.map((each: { key: string; value: unknown }) => [
          each.key,
          each.value,
        ]),
      )
    for (const [method, value] of [
      ['PATCH', 4],
      ['PUT', 5],
    ] as const) {
      await bob.must(method, `/item/${item.id}`, { body: { Field: [{ key: 'size', value }] } })
      assert.deepEqual(await values(), { colour: 'red', size: value })
    }
    await bob.must('PATCH', `/item/${item.id}`, { body: { Field: [] } })
    assert.deepEqual(await values(), { colour: 'red', size: 5 }, 'an empty list names nothing')
    const bare = await bob.ask('PATCH', `/item/${item.id}`, { body: { Field: [{ key: 'size' }] } })
    assert.deepEqual([bare.status, bare.body.Fields?.[0].Pointer], [400, '/Field/0/value'])
    await bob.must('PATCH', `/item/${item.id}`, { body: { Field: [{ key: 'size', value: null }] } })
    assert.deepEqual(await values(), { colour: 'red' })
    await bob.must('PATCH', `/item/${item.id}`, { body: { Field: null } })
    assert.deepEqual(await values(), {})
  })

  test('an item that is imported again keeps the custom values that the import does not name', async () => {
    const Meta = { source: 'fields', externalId: '1' }
    await ada.post('/item', { title: 'Imported', containerId: desk.id, Field: [{ key: 'colour', value: 'red' }], Meta })
    const again = await ada.post('/item', { title: 'Imported', Field: [{ key: 'size', value: 2 }], Meta })
    assert.deepEqual(again.Field.map((each: { key: string }) => each.key).sort(), ['colour', 'size'])
  })

  test('a patch applies to all items that fulfil conditions, closed ones only on request', async () => {
    const [open, closed] = await some(2, { Tags: ['sweep'] })
    await ada.put(`/item/${closed.id}`, { status: 'Done' })
    const question = {
      container: [desk.id],
      conditionGroup: [{ condition: [{ leftSide: 'tags', operator: operator.contains, rightSide: 'sweep' }] }],
    }
    const first = (await bob.ask('PATCH', '/item', { body: { ...question, patch: { priority: itemPriority.medium } } }))
      .body
    assert.deepEqual(
      first.map((each: { id: string }) => each.id),
      [open.id],
    )
    const both = (
      await bob.ask('PATCH', '/item', {
        body: { ...question, includeClosed: true, patch: { priority: itemPriority.low } },
      })
    ).body
    assert.deepEqual(new Set(both.map((each: { id: string }) => each.id)), new Set([open.id, closed.id]))
  })

  test('a patch without conditions needs "all", and conditions that cannot hold are refused', async () => {
    const [item] = await some(1, { Tags: ['everything'] })
    const container = [desk.id]
    const patch = { severity: 3 }
    const conditionGroup = [{ condition: [{ leftSide: 'tags', operator: operator.equals, rightSide: 'everything' }] }]
    for (const body of [
      { conditionGroup: [] },
      { conditionGroup: [], container },
      { conditionGroup: [{ condition: [] }], container },
      { conditionGroup: [...conditionGroup, { condition: [] }] },
      { all: false },
      { all: true, ids: [item.id] },
      { all: true, conditionGroup },
    ]) {
      const { status, body: problem } = await ada.ask('PATCH', '/item', { body: { ...body, patch } })
      assert.deepEqual([status, problem.code], [400, 'validation'], JSON.stringify(body))
    }
    const wrong = [
      { leftSide: 'pririty', operator: operator.equals, rightSide: '2' },
      { leftSide: 'priority', operator: 9999, rightSide: '2' },
    ]
    for (const [method, path, more] of [
      ['PATCH', '/item', { patch }],
      ['POST', '/item/search', {}],
    ] as const) {
      const body = { conditionGroup: [{ condition: wrong }], ...more }
      const refused = await ada.ask(method, path, { body })
      assert.deepEqual(
        [
          refused.status,
          refused.body.Fields?.map((each: { Pointer: string; Code: string }) => [each.Pointer, each.Code]),
        ],
        [
          400,
          [
            ['/conditionGroup/0/condition/0/leftSide', 'unknown-path'],
            ['/conditionGroup/0/condition/1/operator', 'unknown-operator'],
          ],
        ],
        `${method} ${path}`,
      )
      assert.match(refused.body.Fields[0].Message, /did you mean priority/)
    }
    assert.equal((await ada.get(`/item/${item.id}`)).severity, item.severity)
    for (const body of [{ all: true, container }, { all: true, conditionGroup: [], container }, { conditionGroup }])
      assert.ok((await ada.must('PATCH', '/item', { body: { ...body, patch } })).length > 0)
    assert.equal((await ada.get(`/item/${item.id}`)).severity, 3)
  })

  test('a refused item stops no other, unless the request is atomic', async () => {
    const [good, late] = await some(2)
    await ada.put(`/item/${late.id}`, { startDate: '2026-05-01' })
    const patch = { dueDate: '2026-04-01' }
    const each = (await bob.ask('PATCH', '/item', { body: { ids: [good.id, late.id], patch } })).body
    assert.deepEqual(
      each.map((one: { outcome: string; code?: string }) => [one.outcome, one.code]),
      [
        ['updated', undefined],
        ['failed', 'due-before-start'],
      ],
    )
    const [third] = await some(1)
    const all = await bob.ask('PATCH', '/item', { body: { ids: [third.id, late.id], patch, atomic: true } })
    assert.equal(all.status, 422)
    assert.equal((await ada.get(`/item/${third.id}`)).dueDate, null)
  })

  test('a dry run returns the outcomes and changes nothing', async () => {
    const [one] = await some(1)
    const { status, body } = await bob.ask('PATCH', '/item?dryRun=true', {
      body: { ids: [one.id], patch: { priority: itemPriority.urgent } },
    })
    assert.equal(status, 200)
    assert.equal(body.would[0].outcome, 'updated')
    assert.equal((await ada.get(`/item/${one.id}`)).version, 1)
  })

  test('faults of the patch are reported with their pointers', async () => {
    const [one] = await some(1)
    const { status, body } = await bob.ask('PATCH', '/item', {
      body: { ids: [one.id], patch: { priority: 'whenever' } },
    })
    assert.equal(status, 400)
    assert.equal(body.Fields[0].Pointer, '/patch/priority')
    assert.equal((await bob.ask('PATCH', '/item', { body: { patch: {} } })).status, 400)
    assert.equal((await bob.ask('PATCH', '/item?force=true', { body: { ids: [one.id], patch: {} } })).status, 403)
  })

  test('items of another tenant do not exist', async () => {
    const [one] = await some(1)
    const [told] = (
      await eve.ask('PATCH', '/item', { body: { ids: [one.id], patch: { priority: itemPriority.urgent } } })
    ).body
    assert.deepEqual([told.outcome, told.status], ['failed', 404])
  })

  test('concurrent changes of overlapping sets wait for each other, and none is lost', async () => {
    const made = await some(20)
    const ids = made.map(each => each.id)
    const runs = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(n =>
        bob.ask('PATCH', '/item', {
          body: { ids: n % 2 ? ids : ids.toReversed(), patch: { title: `by ${n}`, points: n } },
        }),
      ),
    )
    assert.deepEqual(new Set(runs.map(each => each.status)), new Set([200]))
    for (const id of ids) {
      const item = await ada.get(`/item/${id}`)
      assert.equal(item.title, `by ${item.points}`)
      assert.equal(item.version, 7)
    }
  })

  test('an item that moves gets a new key, is found by the old one, and keeps its time', async () => {
    const shop = await ada.post('/container', { name: 'Shop' })
    const parent = await ada.post('/item', {
      title: 'Parent',
      containerId: desk.id,
      Time: [{ date: '2026-03-31', minutes: 30 }],
    })
    const child = await ada.post('/item', { title: 'Child', containerId: desk.id, parentId: parent.id })
    const moved = await bob.post(`/item/${parent.id}/move`, { containerId: shop.id })
    assert.match(moved.key, /^SHOP-\d+$/)
    assert.equal((await ada.get(`/item/${parent.id}`)).Time[0].containerId, shop.id)
    const { body, headers } = await bob.ask('GET', `/item/${parent.key}`)
    assert.equal(body.id, parent.id)
    assert.equal(headers.get('content-location'), `/api/item/${moved.key}`)
    assert.equal((await bob.get(`/item/${child.id}`)).containerId, shop.id)
    const back = await bob.put(`/item/${child.id}`, { containerId: desk.id })
    assert.match(back.key, /^MANY-\d+$/)
    assert.notEqual(back.key, child.key)
    assert.equal((await bob.get(`/item/${child.key}`)).id, child.id)
    assert.equal((await eve.ask('GET', `/item/${child.key}`)).status, 404)
  })

  test('a caller cannot move an item to a container in which they may not create one', async () => {
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const [one] = await some(1)
    assert.equal((await bob.ask('POST', `/item/${one.id}/move`, { body: { containerId: vault.id } })).status, 422)
    const viewer = await person({ name: 'Vic', role: roleCode.readOnly })
    assert.equal((await viewer.ask('POST', `/item/${one.id}/move`, { body: { containerId: desk.id } })).status, 403)
  })

  test('an archived container is read-only', async () => {
    const attic = await ada.post('/container', { name: 'Attic' })
    const old = await ada.post('/item', { title: 'Old', containerId: attic.id })
    await ada.put(`/container/${attic.id}`, { archived: true })
    assert.equal((await ada.ask('PUT', `/item/${old.id}`, { body: { title: 'New' } })).body.code, 'container-archived')
    assert.equal((await ada.get(`/item/${old.id}`)).title, 'Old')
  })

  test('a copy has the same content and its own history; descendants are copied on request', async () => {
    const parent = await ada.post('/item', {
      title: 'Template',
      containerId: desk.id,
      status: 'Done',
      priority: itemPriority.high,
      Field: [{ key: 'size', value: 4 }],
      Time: [{ date: '2026-03-31', minutes: 30 }],
      Meta: { externalId: 'x-1', source: 'old' },
    })
    await ada.post('/item', { title: 'Step', containerId: desk.id, parentId: parent.id })
    const made = await bob.post(`/item/${parent.id}/copy`, { title: 'Real', children: true })
    assert.deepEqual([made.title, made.priority, made.status, made.spentMinutes], ['Real', itemPriority.high, '', 0])
    assert.deepEqual(made.Field[0].value, 4)
    const below = await bob.get(`/item?parentId=${made.id}`)
    assert.deepEqual(
      below.map((each: { title: string }) => each.title),
      ['Step'],
    )
  })

  test('an item cannot be below itself, also after two concurrent moves', async () => {
    const [a, b] = await some(2)
    await Promise.all([
      bob.ask('PUT', `/item/${a.id}`, { body: { parentId: b.id } }),
      bob.ask('PUT', `/item/${b.id}`, { body: { parentId: a.id } }),
    ])
    const parents = [(await ada.get(`/item/${a.id}`)).parentId, (await ada.get(`/item/${b.id}`)).parentId]
    assert.equal(parents.filter(Boolean).length, 1, `one of them: ${parents}`)
  })

  test('the history can be filtered by property', async () => {
    const [one] = await some(1)
    await bob.put(`/item/${one.id}`, { status: 'Doing', Field: [{ key: 'size', value: 1 }] })
    await bob.put(`/item/${one.id}`, { title: 'Another' })
    await bob.put(`/item/${one.id}`, { status: 'Done' })
    const changes = async (path: string) =>
      (await bob.get(path)).map((each: { changes: { status: { from: string; to: string } } }) => each.changes)
    const statuses = [{ status: { from: '', to: 'Doing' } }, { status: { from: 'Doing', to: 'Done' } }]
    assert.deepEqual(await changes(`/item/${one.id}/history?property=status`), statuses)
    assert.deepEqual(await changes(`/item/${one.id}/history?property=Status`), statuses)
    const unknown = await bob.ask('GET', `/item/${one.id}/history?property=statos`)
    assert.deepEqual(
      [unknown.status, unknown.body.Fields[0].Message],
      [400, 'is not a property of this record; did you mean status?'],
    )
    assert.equal((await bob.get(`/item/${one.id}/history?property=Field.${size.id}`)).length, 1)
  })
})
