import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { itemSource } from '../item-codes.ts'

describe('the fields of an item are those of its process', async () => {
  const { ada } = await sharedTestService()
  const impact = await ada.post('/field/text', { name: 'Impact', key: 'impact', defaultValue: 'unknown' })
  const goal = await ada.post('/field/text', { name: 'Goal', key: 'goal' })
  const story = await ada.post('/process', { name: 'Story', fields: [{ fieldId: goal.id }] })
  const bug = await ada.post('/process', { name: 'Bug', fields: [{ fieldId: 'impact' }] })
  const { id: containerId } = await ada.post('/container', {
    name: 'Product',
    processIds: [story.id, bug.id],
    defaultProcessId: story.id,
  })
  const make = (body: object) => ada.ask('POST', '/item', { body: { title: 'Work', containerId, ...body } })
  const value = (key: string, text: string | null) => ({ Field: [{ key, value: text }] })
  const values = ({ Field }: { Field: { key: string; value: unknown }[] }) => Field.map(each => [each.key, each.value])
  const refused = ({ status, body }: { status: number; body: { Fields?: { Field: string; Code: string }[] } }) => [
    status,
    ...(body.Fields ?? []).map(each => `${each.Field} ${each.Code}`),
  ]

  test('a value for a field of another process is refused, and defaults of such fields are not set', async () => {
    assert.deepEqual(refused(await make(value('impact', 'all'))), [400, 'Field.0.key field-not-in-process'])
    const { body: made } = await make({})
    assert.deepEqual(values(made), [])
    const patched = await ada.ask('PATCH', `/item/${made.id}`, { body: value('impact', 'all') })
    assert.deepEqual(refused(patched), [400, 'Field.0.key field-not-in-process'])
    const empty = await ada.ask('PATCH', `/item/${made.id}`, { body: value('impact', null) })
    assert.equal(empty.status, 200)
    const many = await ada.ask('PATCH', '/item', { body: { ids: [made.id], patch: value('impact', 'all') } })
    assert.match(JSON.stringify(many.body), /field-not-in-process/)
    assert.deepEqual(values(await ada.get(`/item/${made.id}`)), [])
    assert.deepEqual(values((await make({ processId: bug.id })).body), [['impact', 'unknown']])
  })

  test('another process hides the value, says so, and has it back later', async () => {
    const { body: made } = await make({ processId: bug.id, ...value('impact', 'two customers') })
    const listed = async () => {
      const [one] = await ada.get(`/item?id=${made.id}`)
      return values(one)
    }
    assert.deepEqual(await listed(), [['impact', 'two customers']])
    const moved = await ada.must('PATCH', `/item/${made.id}`, { body: { processId: story.id } })
    assert.deepEqual(values(moved), [])
    assert.match(moved.warnings.join(), /impact .* stored but not shown/)
    assert.deepEqual(await listed(), [])
    assert.deepEqual(values(await ada.get(`/item/${made.id}`)), [])
    // A client that sends the whole record back is not refused.
    const { warnings: _told, ...whole } = moved
    assert.equal((await ada.ask('PUT', `/item/${made.id}`, { body: whole })).status, 200)
    const back = await ada.must('PATCH', `/item/${made.id}`, { body: { processId: bug.id } })
    assert.deepEqual(values(back), [['impact', 'two customers']])
  })

  test('imports and copies keep the value with a warning', async () => {
    const { status, body } = await make({ source: itemSource.import, ...value('impact', 'all') })
    assert.equal(status, 201)
    assert.deepEqual(values(body), [])
    assert.match(body.warnings.join(), /impact .* stored but not shown/)
    const { body: source } = await make({ processId: bug.id, ...value('impact', 'one') })
    const other = await ada.post('/container', { name: 'Stories', processIds: [story.id], defaultProcessId: story.id })
    const copied = await ada.post(`/item/${source.id}/copy`, { containerId: other.id })
    assert.deepEqual(values(copied), [])
    await ada.must('PATCH', `/container/${other.id}`, { body: { processIds: [story.id, bug.id] } })
    const back = await ada.must('PATCH', `/item/${copied.id}`, { body: { processId: bug.id } })
    assert.deepEqual(values(back), [['impact', 'one']])
  })

  test('the request form and the screen have the fields of the process', async () => {
    const onScreen = async (processId: string) =>
      JSON.stringify(await ada.get(`/screen/resolve?containerId=${containerId}&processId=${processId}&moment=1`))
    assert.ok((await onScreen(bug.id)).includes(impact.id))
    assert.ok(!(await onScreen(story.id)).includes(impact.id))
  })

  test('an item without a process has the fields of all processes of its container, and one where there is none has all', async () => {
    const free = await ada.post('/container', { name: 'Free' })
    const loose = await ada.post('/item', { title: 'Loose', containerId: free.id, ...value('impact', 'some') })
    assert.deepEqual(values(loose), [['impact', 'some']])
    await ada.must('PATCH', `/container/${free.id}`, { body: { processIds: [story.id] } })
    assert.deepEqual(values(await ada.get(`/item/${loose.id}`)), [])
    await ada.must('PATCH', `/container/${free.id}`, { body: { processIds: [story.id, bug.id] } })
    assert.deepEqual(values(await ada.get(`/item/${loose.id}`)), [['impact', 'some']])
  })
})
