import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { usage } from '../../containers/field/field-codes.ts'
import { itemVisibility } from '../item/item.ts'

describe('derived values', async () => {
  const { ada, bob } = await sharedTestService()
  await ada.post('/field/number', { name: 'Size' })
  await ada.post('/field/money', { name: 'Price', currency: 'EUR' })
  await ada.post('/field/date', { name: 'Start' })
  await ada.post('/field/select', { name: 'Risk', options: [{ label: 'High' }, { label: 'Low' }] })
  const desk = await ada.post('/container', { name: 'Desk' })
  let n = 0
  const formula = (text: string) => ada.post('/field/formula', { name: `Formula ${++n}`, formula: text })
  const make = (more: object = {}, who = ada) => who.post('/item', { title: 'An item', containerId: desk.id, ...more })
  const shown = (item: { Field: { key: string; value: unknown }[] }, key: string) =>
    item.Field.find(each => each.key === key)?.value
  const size = (value: unknown) => ({ Field: [{ key: 'size', value }] })

  test('are computed in every reply that contains the item', async () => {
    const { key, check } = await formula('field.size * 2 + points')
    assert.deepEqual(check, [])
    const made = await make({ points: 3, ...size(2.5) })
    assert.equal(shown(made, key), 8)
    assert.equal(shown(await ada.get(`/item/${made.id}`), key), 8)
    const changed = await ada.put(`/item/${made.id}`, { points: 4 })
    assert.equal(shown(changed, key), 9)
    const listed = (await ada.get(`/item?containerId=${desk.id}`)).find((each: { id: string }) => each.id === made.id)
    assert.equal(shown(listed, key), 9)
    const again = await ada.put(`/item/${made.id}`, changed)
    assert.equal(again.version, changed.version)
    assert.deepEqual(again.warnings, [])
    const ignored = await ada.put(`/item/${made.id}`, {
      Field: [
        { key, value: 1000 },
        { key: 'size', value: 1 },
      ],
    })
    assert.equal(shown(ignored, key), 6)
  })

  const cases: [formula: string, item: object, value: unknown][] = [
    ['field.size / 0', size(5), undefined],
    ['field.size % 0', size(5), undefined],
    ['1 / (field.size - 5)', size(5), undefined],
    ['field.size + 1', {}, undefined],
    ['coalesce(field.size, 0) + 1', {}, 1],
    ['1 / 3', {}, 0.3333333333],
    ['0.1 + 0.2', {}, 0.3],
    ['field.size * field.size', size(1e15), undefined],
    ['field.size * field.size / field.size', size(1e15), 1e15],
    [`1${' * field.size'.repeat(60)}`, size(1e15), undefined],
    ['1 / field.size', size(1e-99), undefined],
    ['round(field.size, 1)', size(2.25), 2.3],
    ['round(field.size)', size(-2.5), -3],
    ['abs(field.size)', size(-2.5), 2.5],
    ['7 % 4', {}, 3],
    ['min(field.size, 3, 8)', size(5), 3],
    ['max(field.size, 3)', {}, 3],
    ['if(field.size > 3, "large", "small")', size(5), 'large'],
    ['if(field.size > 3, "large", "small")', {}, 'small'],
    ['field.size > 3', size(5), true],
    ['not (field.size > 3)', size(5), false],
    ['concat(title, ": ", field.size, "/", points)', size(5), 'An item: 5/0'],
    ['concat(field.size, "")', {}, undefined],
    ['length(title)', {}, 7],
    ['field.risk = "HIGH"', { Field: [{ key: 'risk', value: 'High' }] }, true],
    ['concat(field.risk)', { Field: [{ key: 'risk', value: 'low' }] }, 'Low'],
    ['status = "ópen"', { status: 'Open' }, true],
    ['field.price * 2', { Field: [{ key: 'price', value: 12.5 }] }, 25],
    ['days(startDate, dueDate)', { startDate: '2026-02-27', dueDate: '2026-03-01' }, 2],
    ['dueDate - startDate', { startDate: '2026-02-27', dueDate: '2026-03-01' }, 2],
    ['field.start + 1.9', { Field: [{ key: 'start', value: '2026-02-28' }] }, '2026-03-01'],
    ['field.start + 9999999999', { Field: [{ key: 'start', value: '2026-02-28' }] }, undefined],
    ['field.start - 3000000', { Field: [{ key: 'start', value: '2026-02-28' }] }, undefined],
    ['field.start > date("2026-01-01")', { Field: [{ key: 'start', value: '2026-02-28' }] }, true],
    ['max(dueDate, date("2026-01-31"))', { dueDate: '2026-01-30' }, '2026-01-31'],
    ['days(created, today)', {}, 0],
    ['empty(dueDate)', {}, true],
    ['spentMinutes / 60', { Time: [{ date: '2026-03-31', minutes: 90 }] }, 1.5],
  ]
  for (const [text, item, value] of cases)
    test(`${text} of ${JSON.stringify(item)} is ${value}`, async () => {
      const { key } = await formula(text)
      const { id } = await make(item)
      assert.deepEqual(shown(await ada.get(`/item/${id}`), key), value)
    })

  test('can use one another, but not in a circle', async () => {
    const base = await formula('field.size * 2')
    const top = await formula(`field.${base.key} + 1`)
    assert.equal(shown(await make(size(4)), top.key), 9)
    const { status, body } = await ada.ask('PUT', `/field/${base.id}`, { body: { formula: `field.${top.key}` } })
    assert.equal(status, 400)
    assert.match(body.Fields[0].Message, /circle/)
    const gone = await ada.ask('DELETE', `/field/${base.id}`)
    assert.deepEqual([gone.status, gone.body.usedBy[0].id], [409, top.id])
    const retyped = await ada.ask('PUT', `/field/${base.id}`, { body: { fieldType: 'user' } })
    assert.deepEqual([retyped.status, retyped.body.usedBy[0].id], [409, top.id])
  })

  test('with an invalid formula are refused with the position', async () => {
    const { status, body } = await ada.ask('POST', '/field/formula', { body: { name: 'x', formula: 'points + ' } })
    assert.equal(status, 400)
    assert.equal(body.Fields[0].Field, 'formula')
    assert.match(body.Fields[0].Message, /^at character \d+: /)
    const blank = await ada.post('/field/formula', { name: 'Later' })
    assert.equal(blank.check[0].code, 'no-formula')
  })

  test('can be used in conditions and sort orders', async () => {
    const place = await ada.post('/container', { name: 'Sorted' })
    const { key } = await formula('field.size * 10')
    const made = []
    for (const value of [3, 1, 2])
      made.push(await ada.post('/item', { title: `s${value}`, containerId: place.id, ...size(value) }))
    await ada.post('/item', { title: 'none', containerId: place.id })
    const titles = async (query: string) =>
      (await ada.get(`/item?containerId=${place.id}&${query}`)).map((each: { title: string }) => each.title)
    assert.deepEqual(await titles(`field.${key}[gte]=20&sort=field.${key}`), ['s2', 's3'])
    assert.deepEqual(await titles(`sort=-field.${key}`), ['s3', 's2', 's1', 'none'])
    assert.deepEqual(await titles(`field.${key}=`), ['none'])
  })

  describe('over children', async () => {
    const rollup = (name: string, how: string, field = '') =>
      ada.post('/field/rollup', { name, rollup: { source: 'children', field, function: how } })
    const doubled = await formula('field.size * 2')
    for (const [name, how, field] of [
      ['sum', 'sum', 'field.size'],
      ['average', 'avg', 'size'],
      ['least', 'min', 'size'],
      ['first', 'min', 'dueDate'],
      ['children', 'count', ''],
      ['sized', 'count', 'size'],
      ['estimated', 'sum', 'estimateMinutes'],
      ['twice', 'sum', doubled.key],
    ] as const)
      await rollup(`Roll ${name}`, how, field)
    const parent = await make()
    await make({ parentId: parent.id, dueDate: '2026-03-02', estimateMinutes: 30, ...size(1) })
    await make({ parentId: parent.id, dueDate: '2026-03-01', ...size(4) })
    const secret = await make({ parentId: parent.id, visibility: itemVisibility.confidential, ...size(100) })
    const gone = await make({ parentId: parent.id, ...size(1000) })
    await ada.delete(`/item/${gone.id}`)

    test('they include only the children that the caller may see', async () => {
      const values = (item: { Field: { key: string; value: unknown }[] }) =>
        Object.fromEntries(
          item.Field.filter(each => each.key.startsWith('roll-')).map(each => [each.key.slice(5), each.value]),
        )
      assert.deepEqual(values(await ada.get(`/item/${parent.id}`)), {
        sum: 105,
        average: 35,
        least: 1,
        first: '2026-03-01',
        children: 3,
        sized: 3,
        estimated: 30,
        twice: 210,
      })
      const seen = values(await bob.get(`/item/${parent.id}`))
      assert.deepEqual([seen.sum, seen.children, seen.twice], [5, 2, 10])
      const leaf = values(await ada.get(`/item/${secret.id}`))
      assert.deepEqual([leaf.sum, leaf.children], [undefined, 0])
    })

    test('they can be used in conditions and in formulas', async () => {
      const { key } = await formula('field.roll-sum / field.roll-children')
      assert.equal(shown(await ada.get(`/item/${parent.id}`), key), 35)
      const found = await ada.get('/item?field.roll-sum[gt]=100')
      assert.deepEqual(
        found.map((each: { id: string }) => each.id),
        [parent.id],
      )
    })

    test('they accept only children as source, and only numbers or dates', async () => {
      for (const wrong of [
        { source: 'linked', function: 'sum', field: 'size' },
        { source: 'children', function: 'median', field: 'size' },
        { source: 'children', function: 'sum', field: 'title' },
        { source: 'children', function: 'sum' },
        { source: 'children', function: 'sum', field: 'nothing' },
        { source: 'children', function: 'constructor', field: 'size' },
      ]) {
        const { status, body } = await ada.ask('POST', '/field/rollup', { body: { name: 'x', rollup: wrong } })
        assert.deepEqual(
          [status, body.Fields?.[0]?.Field],
          [400, wrong.function === 'constructor' ? 'rollup.function' : 'rollup'],
          JSON.stringify(wrong),
        )
      }
    })
  })

  test('are shown only in containers that have the field', async () => {
    const { id, key } = await formula('points + 1')
    const other = await ada.post('/field', { name: 'Other' })
    const process = await ada.post('/process', { name: 'Narrow', fields: [{ fieldId: other.id }] })
    const narrow = await ada.post('/container', { name: 'Narrow', processIds: [process.id] })
    const item = await ada.post('/item', { title: 'x', containerId: narrow.id })
    assert.equal(shown(item, key), undefined)
    await ada.put(`/process/${process.id}`, { fields: [{ fieldId: other.id }, { fieldId: id }] })
    assert.equal(shown(await ada.get(`/item/${item.id}`), key), 1)
  })

  test('a field that is not for items cannot be set on an item', async () => {
    const { key } = await ada.post('/field', { name: 'For people', usage: [usage.user], defaultValue: 'x' })
    const { status, body } = await ada.ask('POST', '/item', { body: { title: 'x', Field: [{ key, value: 'y' }] } })
    assert.deepEqual([status, body.Fields[0].Code], [400, 'usage'])
  })
})
