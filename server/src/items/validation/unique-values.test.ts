import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'

describe('a unique field', async () => {
  const { ada, eve } = await sharedTestService()
  const make = (key: string, value: unknown) =>
    ada.ask('POST', '/item', { body: { title: 'x', Field: [{ key, value }] } })
  const codes = (answers: { status: number; body: { code?: string } }[]) =>
    answers.map(({ status, body }) => `${status} ${body?.code ?? ''}`.trim()).sort()

  await ada.post('/field', { name: 'Serial', unique: true })

  test('accepts each value once, without regard to case and accents, for every type', async () => {
    assert.equal((await make('serial', 'Ä-1')).status, 201)
    const { status, body } = await make('serial', 'a-1')
    assert.deepEqual([status, body.code, body.Fields[0].Field], [422, 'already-taken', 'Field.serial'])
    assert.equal((await eve.ask('POST', '/field', { body: { name: 'Serial', unique: true } })).status, 201)
    assert.equal(
      (await eve.ask('POST', '/item', { body: { title: 'x', Field: [{ key: 'serial', value: 'a-1' }] } })).status,
      201,
    )
    const values: Record<string, [unknown, unknown]> = {
      number: [5, 6],
      date: ['2026-03-31', '2026-04-01'],
      dateTime: ['2026-03-31T09:00:00Z', '2026-03-31T09:00:01Z'],
      user: [ada.id, (await ada.get('/user')).find((each: { id: string }) => each.id !== ada.id).id],
      money: [
        { amount: 5, currency: 'EUR' },
        { amount: 5, currency: 'USD' },
      ],
      longText: [`${'x'.repeat(600)}1`, `${'x'.repeat(600)}2`],
    }
    for (const [fieldType, [one, other]] of Object.entries(values)) {
      const { key } = await ada.post('/field', { name: `Unique ${fieldType}`, fieldType, unique: true })
      assert.deepEqual(
        codes([await make(key, one), await make(key, one), await make(key, other)]),
        ['201', '201', '422 already-taken'],
        fieldType,
      )
    }
  })

  test('accepts a value in one of twenty concurrent creations', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => make('serial', 'race')))
    assert.equal(answers.filter(({ status }) => status === 201).length, 1, codes(answers).join(', '))
    assert.ok(answers.every(({ status }) => status === 201 || status === 422))
  })

  test('accepts a value in one of twenty concurrent changes', async () => {
    const items = await Promise.all(Array.from({ length: 20 }, (_, n) => make('serial', `before ${n}`)))
    const answers = await Promise.all(
      items.map(({ body }) =>
        ada.ask('PUT', `/item/${body.id}`, { body: { Field: [{ key: 'serial', value: 'after' }] } }),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, codes(answers).join(', '))
    assert.ok(answers.every(({ status }) => status === 200 || status === 422))
  })

  test('frees a value when its item changes or is deleted, and an item is restored only if its value is still free', async () => {
    const { body: first } = await make('serial', 'once')
    await ada.put(`/item/${first.id}`, { Field: [{ key: 'serial', value: 'once' }], title: 'The same again' })
    await ada.put(`/item/${first.id}`, { Field: null })
    const { body: second, status } = await make('serial', 'once')
    assert.equal(status, 201)
    await ada.delete(`/item/${second.id}`)
    assert.equal((await make('serial', 'once')).status, 201)
    const back = await ada.ask('POST', `/item/${second.id}/restore`)
    assert.deepEqual([back.status, back.body.code], [422, 'already-taken'])
  })

  test('accepts a value for the first row of a bulk call', async () => {
    const rows = ['bulk', 'bulk', 'other'].map(value => ({ title: value, Field: [{ key: 'serial', value }] }))
    const outcomes = await ada.post('/item/bulk', rows)
    assert.deepEqual(
      outcomes.map((each: { outcome: string; code?: string }) => each.code ?? each.outcome),
      ['created', 'already-taken', 'created'],
    )
  })

  test('cannot be made unique while items share a value', async () => {
    const { id, key } = await ada.post('/field', { name: 'Plate' })
    await make(key, 'B-XY 1')
    await make(key, 'b-xy 1')
    const { status, body } = await ada.ask('PUT', `/field/${id}`, { body: { unique: true } })
    assert.deepEqual([status, body.code, body.shared[0].items], [422, 'values-not-unique', 2])
    const [, other] = await ada.get(`/item?field.plate=${encodeURIComponent('B-XY 1')}`)
    await ada.put(`/item/${other.id}`, { Field: null })
    assert.equal((await ada.put(`/field/${id}`, { unique: true })).unique, true)
    assert.equal((await make(key, 'B-xy 1')).status, 422)
  })

  test('must have a type that can be unique, and no default', async () => {
    for (const fieldType of ['boolean', 'multiSelect', 'cascade', 'json', 'formula', 'rollup']) {
      const { status, body } = await ada.ask('POST', '/field', { body: { name: 'x', fieldType, unique: true } })
      assert.deepEqual([status, body.Fields[0].Field], [400, 'unique'], fieldType)
    }
    const { body } = await ada.ask('POST', '/field', { body: { name: 'x', unique: true, defaultValue: 'a' } })
    assert.equal(body.Fields[0].Field, 'defaultValue')
  })
})
