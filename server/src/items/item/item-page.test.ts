import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'

describe('the items of a page', async () => {
  const { ada } = await sharedTestService()
  const [cost, vendor, hidden] = [
    await ada.post('/field/number', { name: 'Cost' }),
    await ada.post('/field/text', { name: 'Vendor "of" choice' }),
    await ada.post('/field/text', { name: 'Elsewhere' }),
  ]
  const process = await ada.post('/process', {
    name: 'Support',
    fields: [cost, vendor].map(({ id }, order) => ({ fieldId: id, order, required: false })),
  })
  const desk = await ada.post('/container', { name: 'Desk', processIds: [process.id], defaultProcessId: process.id })
  const attic = await ada.post('/container', { name: 'Attic' })
  const removed = await ada.post('/label', { name: 'removed' })
  const value = (key: string, given: unknown) => ({ key, value: given })
  await ada.post('/item', { title: 'Plain', containerId: desk.id })
  const created = await ada.post('/item', {
    title: 'With "quotes", \\ and\nlines\u0001',
    containerId: desk.id,
    description: 'ünïcode \u2028 🎉',
    Tags: ['zulu', 'alpha "a"', 'removed'],
    Field: [value(vendor.key, 'A "b" \\'), value(cost.key, 1.5)],
    Time: [
      { date: '2026-01-01', minutes: 15 },
      { date: '2026-01-02', minutes: 30 },
    ],
    Meta: { deep: { list: [1, null, 'x'] } },
    assignees: [ada.id],
    dueDate: '2026-05-06',
    points: 2.5,
  })
  await ada.post('/item', {
    title: 'In a container with all fields',
    containerId: attic.id,
    Tags: ['removed'],
    Field: [value(hidden.key, 'y'), value(cost.key, 0)],
  })
  const readLater = await ada.get(`/item/${created.id}`)
  await ada.delete(`/label/${removed.id}`)

  test('are answered to their creation as a later read returns them, with new labels, values and time', () => {
    assert.deepEqual({ ...created, warnings: undefined }, { ...readLater, warnings: undefined })
    assert.equal(created.Tags.length, 3)
    assert.equal(created.spentMinutes, 45)
  })

  test('are shown as if each was read by itself', async () => {
    const page = await ada.get('/item?limit=10')
    const properties = Object.keys(page[0]).join()
    assert.equal(JSON.stringify(page), JSON.stringify(await ada.get(`/item?limit=10&fields=${properties}`)))
    // The reply to a write is made by PostgreSQL alone.
    for (const item of page) {
      const written = await ada.put(`/item/${item.id}`, { title: item.title })
      for (const [property, shown] of Object.entries(item)) assert.deepEqual(written[property], shown, property)
    }
    for (const item of page) {
      const alone = await ada.get(`/item/${item.id}`)
      for (const [property, shown] of Object.entries(item)) assert.deepEqual(alone[property], shown, property)
    }
  })

  test('have their labels in order, the fields of their container and the sum of their time', async () => {
    const [plain, full, other] = await ada.get('/item?limit=10')
    assert.deepEqual([plain.Tags, plain.Field, plain.spentMinutes], [[], [], 0])
    assert.deepEqual(full.Tags, ['zulu', 'alpha "a"'])
    assert.deepEqual(
      full.Field.map((each: { key: string; value: unknown }) => [each.key, each.value]).sort(),
      [
        [cost.key, 1.5],
        [vendor.key, 'A "b" \\'],
      ].sort(),
    )
    assert.equal(full.spentMinutes, 45)
    assert.deepEqual(other.Tags, [])
    assert.equal(other.Field.length, 2)
  })

  test('show a new name of a label, and no name of a deleted one, at once', async () => {
    const label = await ada.post('/label', { name: 'before' })
    const { id } = await ada.post('/item', { title: 'Labelled', containerId: attic.id, Tags: ['before', 'zulu'] })
    const shown = async () => {
      const page = await ada.get(`/item?limit=10&containerId=${attic.id}`)
      const listed: { Tags: string[] } = page.find((each: { id: string }) => each.id === id)
      assert.deepEqual((await ada.get(`/item/${id}`)).Tags, listed.Tags)
      return listed.Tags
    }
    assert.deepEqual(await shown(), ['before', 'zulu'])
    await ada.put(`/label/${label.id}`, { name: 'after "it"' })
    assert.deepEqual(await shown(), ['after "it"', 'zulu'])
    await ada.delete(`/label/${label.id}`)
    assert.deepEqual(await shown(), ['zulu'])
    await ada.post(`/label/${label.id}/restore`, {})
    assert.deepEqual(await shown(), ['after "it"', 'zulu'])
  })

  test('show the custom values whose fields their process has now', async () => {
    const { id } = await ada.post('/item', {
      title: 'Valued',
      containerId: desk.id,
      Field: [value(vendor.key, 'Acme'), value(cost.key, 3)],
    })
    const shown = async () => {
      const page = await ada.get(`/item?limit=10&containerId=${desk.id}`)
      const listed: { Field: { key: string }[] } = page.find((each: { id: string }) => each.id === id)
      assert.deepEqual((await ada.get(`/item/${id}`)).Field, listed.Field)
      return listed.Field.map(each => each.key).sort()
    }
    const withFields = (ids: string[]) => ({
      fields: ids.map((fieldId, order) => ({ fieldId, order, required: false })),
    })
    assert.deepEqual(await shown(), [cost.key, vendor.key].sort())
    await ada.put(`/process/${process.id}`, withFields([cost.id]))
    assert.deepEqual(await shown(), [cost.key])
    await ada.put(`/process/${process.id}`, withFields([cost.id, vendor.id]))
    assert.deepEqual(await shown(), [cost.key, vendor.key].sort())
  })
})
