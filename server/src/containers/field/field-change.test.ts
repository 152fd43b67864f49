import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/conditions.ts'

const { ada, bob, person } = await sharedTestService()

const give = (key: string, value: unknown, more: object = {}) =>
  ada.post('/item', { title: 'Holds a value', Field: [{ key, value }], ...more })
const heldBy = async (item: { id: string }, key: string) =>
  (await ada.get(`/item/${item.id}`)).Field.find((each: { key: string }) => each.key === key)?.value
const found = async (condition: { leftSide: string; operator: number; rightSide: string }) => {
  const { body } = await ada.ask('POST', '/item/search', { body: { conditionGroup: [{ condition: [condition] }] } })
  return body.map((each: { id: string }) => each.id).sort()
}
const ids = (...items: { id: string }[]) => items.map(each => each.id).sort()

describe('the removal of an option', () => {
  const options = [
    { id: 'new', label: 'New' },
    { id: 'old', label: 'Old' },
    { id: 'odd', label: 'Odd' },
  ]

  test('is refused while items hold it, with the number of items', async () => {
    const { id, key } = await ada.post('/field/select', { name: 'State', options })
    await give(key, 'Old')
    await give(key, 'old')
    await give(key, 'odd')
    const { status, body } = await ada.ask('PUT', `/field/${id}`, { body: { options: options.slice(0, 1) } })
    assert.equal(status, 422)
    assert.equal(body.code, 'options-in-use')
    assert.deepEqual(body.options, [
      { id: 'old', label: 'Old', items: 2 },
      { id: 'odd', label: 'Odd', items: 1 },
    ])
    const half = await ada.ask('PUT', `/field/${id}?map=${encodeURIComponent('{"old":"new"}')}`, {
      body: { options: options.slice(0, 1) },
    })
    assert.deepEqual([half.status, half.body.options], [422, [{ id: 'odd', label: 'Odd', items: 1 }]])
    assert.equal((await ada.get(`/field/${id}`)).options.length, 3)
  })

  test('replaces it in items by another option or by nothing, with an event for each item', async () => {
    const { id, key } = await ada.post('/field/select', { name: 'Stage', options })
    const [a, b, c] = [await give(key, 'old'), await give(key, 'odd'), await give(key, 'new')]
    const map = encodeURIComponent(JSON.stringify({ old: 'new', odd: null }))
    const { status, headers } = await ada.ask('PUT', `/field/${id}?map=${map}`, {
      body: { options: options.slice(0, 1) },
    })
    assert.equal(status, 200)
    assert.deepEqual([await heldBy(a, key), await heldBy(b, key), await heldBy(c, key)], ['new', undefined, 'new'])
    const history = await ada.get(`/item/${a.id}/history`)
    assert.deepEqual(history.at(-1).changes, { [`Field.${id}`]: { from: 'old', to: 'new' } })
    assert.equal(history.at(-1).changeSetId, headers.get('change-set'))
    assert.deepEqual(await found({ leftSide: `field.${key}`, operator: operator.equals, rightSide: 'New' }), ids(a, c))
    assert.equal((await ada.get(`/item/${c.id}`)).version, 1)
  })

  test('keeps the order of lists and the paths of cascades', async () => {
    const many = await ada.post('/field/multiSelect', { name: 'Many', options })
    const item = await give(many.key, ['new', 'old', 'odd'])
    const map = encodeURIComponent(JSON.stringify({ old: 'new', odd: null }))
    await ada.put(`/field/${many.id}?map=${map}`, { options: options.slice(0, 1) })
    assert.deepEqual(await heldBy(item, many.key), ['new'])
    const tree = [
      { id: 'eu', label: 'Europe' },
      { id: 'de', label: 'Germany', parentId: 'eu' },
      { id: 'fr', label: 'France', parentId: 'eu' },
      { id: 'be', label: 'Berlin', parentId: 'de' },
    ]
    const place = await ada.post('/field/cascade', { name: 'Place', options: tree })
    const [deep, other] = [await give(place.key, 'be'), await give(place.key, 'fr')]
    const kept = [tree[0], tree[2]]
    const moved = encodeURIComponent(JSON.stringify({ de: 'fr', be: 'fr' }))
    await ada.put(`/field/${place.id}?map=${moved}`, { options: kept })
    assert.deepEqual(await heldBy(deep, place.key), ['eu', 'fr'])
    await ada.put(`/field/${place.id}?map=${encodeURIComponent('{"fr":null}')}`, { options: [tree[0]] })
    assert.deepEqual([await heldBy(deep, place.key), await heldBy(other, place.key)], [['eu'], ['eu']])
  })

  test('needs a remaining option as replacement', async () => {
    const { id, key } = await ada.post('/field/select', { name: 'Level', options })
    await give(key, 'old')
    for (const map of ['{"old":"nothing"}', '{"old":"odd"}', '{"old":5}', '[]', 'old', 'null']) {
      const { status, body } = await ada.ask('PUT', `/field/${id}?map=${encodeURIComponent(map)}`, {
        body: { options: options.slice(0, 1) },
      })
      assert.equal(status, 400, map)
      assert.equal(body.Fields[0].Field, 'map')
    }
  })

  test('can be replaced by making it inactive: items keep it, and no other item can get it', async () => {
    const { id, key } = await ada.post('/field/select', { name: 'Phase', options })
    const item = await give(key, 'old')
    await ada.put(`/field/${id}`, { options: options.map(each => ({ ...each, active: each.id !== 'old' })) })
    assert.equal(await heldBy(item, key), 'old')
    const whole = await ada.get(`/item/${item.id}`)
    assert.equal((await ada.put(`/item/${item.id}`, { ...whole, title: 'Sent back' })).Field[0].value, 'old')
    const { status, body } = await ada.ask('POST', '/item', { body: { title: 'x', Field: [{ key, value: 'old' }] } })
    assert.deepEqual([status, body.Fields[0].Code], [400, 'option-inactive'])
    const renamed = await ada.put(`/field/${id}`, { options: [{ id: 'old', label: 'Ancient' }] })
    assert.equal(renamed.options[0].id, 'old')
    assert.equal(await heldBy(item, key), 'old')
  })
})

interface Way {
  from: object
  to: object
  values: [given: unknown, becomes: unknown][]
}

const ways: Record<string, Way> = {
  'text to longText': { from: { fieldType: 'text' }, to: { fieldType: 'longText' }, values: [['a', 'a']] },
  'text to number': { from: { fieldType: 'text' }, to: { fieldType: 'number' }, values: [['12.5', 12.5]] },
  'text to date': { from: { fieldType: 'text' }, to: { fieldType: 'date' }, values: [['2026-03-31', '2026-03-31']] },
  'number to text': { from: { fieldType: 'number' }, to: { fieldType: 'text' }, values: [[12.5, '12.5']] },
  'number to money': {
    from: { fieldType: 'number' },
    to: { fieldType: 'money', currency: 'EUR' },
    values: [[12.5, { amount: 12.5, currency: 'EUR' }]],
  },
  'money to number': {
    from: { fieldType: 'money', currency: 'EUR' },
    to: { fieldType: 'number' },
    values: [[12.5, 12.5]],
  },
  'date to dateTime': {
    from: { fieldType: 'date' },
    to: { fieldType: 'dateTime' },
    values: [['2026-03-31', '2026-03-31T00:00:00.000Z']],
  },
  'boolean to select': {
    from: { fieldType: 'boolean' },
    to: { fieldType: 'select' },
    values: [
      [true, 'true'],
      [false, 'false'],
    ],
  },
  'time to number': { from: { fieldType: 'time' }, to: { fieldType: 'number' }, values: [['2h', 120]] },
  'select to multiSelect': {
    from: { fieldType: 'select', options: [{ id: 'a', label: 'A' }] },
    to: { fieldType: 'multiSelect' },
    values: [['a', ['a']]],
  },
  'select to text': {
    from: { fieldType: 'select', options: [{ id: 'a', label: 'Alpha' }] },
    to: { fieldType: 'text' },
    values: [['a', 'Alpha']],
  },
  'select to cascade': {
    from: { fieldType: 'select', options: [{ id: 'a', label: 'A' }] },
    to: { fieldType: 'cascade' },
    values: [['a', ['a']]],
  },
  'multiSelect to text': {
    from: {
      fieldType: 'multiSelect',
      options: [
        { id: 'a', label: 'A' },
        { id: 'b', label: 'B' },
      ],
    },
    to: { fieldType: 'text' },
    values: [[['b', 'a'], 'B, A']],
  },
  'one address to several': {
    from: { fieldType: 'url' },
    to: { multiple: true },
    values: [['https://a.example/', ['https://a.example/']]],
  },
}

describe('the change of the type of a field', () => {
  for (const [way, { from, to, values }] of Object.entries(ways)) {
    test(`converts its values from ${way}`, async () => {
      const { id, key } = await ada.post('/field', { name: way, ...from })
      const items: { id: string }[] = []
      for (const [given] of values) items.push(await give(key, given))
      const preview = await ada.must('PUT', `/field/${id}?dryRun=true`, { body: to })
      assert.deepEqual(preview.would.conversion, {
        values: values.length,
        converted: values.length,
        lost: 0,
        samples: [],
      })
      const changed = await ada.put(`/field/${id}`, to)
      assert.equal(changed.conversion.converted, values.length)
      for (const [n, [, becomes]] of values.entries()) {
        const item = items[n] ?? { id: '' }
        assert.deepEqual(await heldBy(item, key), becomes)
        assert.deepEqual(
          await found({ leftSide: `field.${key}`, operator: operator.isNotEmpty, rightSide: '' }),
          ids(...items),
        )
        // The value is one of the new type: it can be sent back, and is found by what it is now.
        assert.equal(
          (await ada.ask('PUT', `/item/${item.id}`, { body: { Field: [{ key, value: becomes }] } })).status,
          200,
        )
      }
    })
  }

  test('from text creates an option for each value', async () => {
    const { id, key } = await ada.post('/field', { name: 'Colour' })
    const items = [await give(key, 'Red'), await give(key, 'red'), await give(key, 'Blue'), await give(key, 'BLUE')]
    const { options } = await ada.put(`/field/${id}`, { fieldType: 'select' })
    assert.deepEqual(
      options.map((each: { label: string }) => each.label),
      ['Red', 'Blue'],
    )
    assert.equal(await heldBy(items[1], key), options[0].id)
    assert.deepEqual(
      await found({ leftSide: `field.${key}`, operator: operator.equals, rightSide: 'blue' }),
      ids(items[2], items[3]),
    )
    await give(key, 'RED')
  })

  test('loses values only with lossy=true, and its dry run lists the values that would be lost', async () => {
    const { id, key } = await ada.post('/field', { name: 'Count' })
    const [seven, many] = [await give(key, '7'), await give(key, 'many')]
    const preview = await ada.must('PUT', `/field/${id}?dryRun=true`, { body: { fieldType: 'number' } })
    assert.deepEqual(preview.would.conversion, {
      values: 2,
      converted: 1,
      lost: 1,
      samples: [{ itemId: many.id, key: many.key, value: 'many' }],
    })
    const refused = await ada.ask('PUT', `/field/${id}`, { body: { fieldType: 'number' } })
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.conversion.lost],
      [422, 'values-would-be-lost', 1],
    )
    assert.equal(await heldBy(many, key), 'many')
    await ada.put(`/field/${id}?lossy=true`, { fieldType: 'number' })
    assert.deepEqual([await heldBy(seven, key), await heldBy(many, key)], [7, undefined])
    assert.deepEqual(
      await found({ leftSide: `field.${key}`, operator: operator.greaterOrEqual, rightSide: '7' }),
      ids(seven),
    )
  })

  test('is for admins only, because they see every item', async () => {
    const manager = await person({ name: 'Ann', role: roleCode.manager })
    const { id, key } = await ada.post('/field', { name: 'Guarded' })
    await give(key, 'five')
    for (const who of [manager, bob])
      assert.equal((await who.ask('PUT', `/field/${id}?dryRun=true`, { body: { fieldType: 'number' } })).status, 403)
  })

  test('is refused if values would change their meaning', async () => {
    for (const [from, to, value] of [
      ['user', 'text', ada.id],
      ['json', 'text', { a: 1 }],
      ['dateTime', 'date', '2026-03-31T09:00:00Z'],
      ['text', 'formula', 'a'],
      ['number', 'date', 5],
    ] as const) {
      const { id, key } = await ada.post('/field', { name: `${from} to ${to}`, fieldType: from })
      await give(key, value)
      const { status, body } = await ada.ask('PUT', `/field/${id}`, { body: { fieldType: to } })
      assert.deepEqual([status, body.code], [422, 'type-change-unsafe'], `${from} to ${to}`)
    }
  })

  test('converts the values of deleted items, too', async () => {
    const { id, key } = await ada.post('/field', { name: 'Buried' })
    const item = await give(key, '5')
    await ada.delete(`/item/${item.id}`)
    await ada.put(`/field/${id}`, { fieldType: 'number' })
    await ada.must('POST', `/item/${item.id}/restore`)
    assert.equal(await heldBy(item, key), 5)
  })

  test('is refused if If-Match names an older version', async () => {
    const { id, key } = await ada.post('/field', { name: 'Stale' })
    await give(key, '5')
    await ada.put(`/field/${id}`, { name: 'Fresh' })
    const { status } = await ada.ask('PUT', `/field/${id}`, {
      body: { fieldType: 'number' },
      headers: { 'if-match': '"v1"' },
    })
    assert.equal(status, 412)
    assert.equal((await ada.get(`/field/${id}`)).fieldType, 'text')
  })
})
