import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/conditions.ts'

interface Found {
  id: string
  difference: string
  changes: Record<string, unknown>
}

describe('comparing items at two moments', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Compared' })
  const shop = await ada.post('/container', { name: 'Other' })
  const cost = await ada.post('/field/number', { name: 'Price' })
  const make = (title: string, more: object = {}) => ada.post('/item', { title, containerId: desk.id, ...more })
  const change = (id: string, body: object) => ada.must('PATCH', `/item/${id}`, { body })
  const after = async (moment: string) => {
    await until(() => Date.now() > Date.parse(moment))
    return moment
  }

  const { updated: eveFrom } = await eve.post('/item', { title: 'Of another tenant' })
  const changed = await make('Changed', { priority: itemPriority.low, Field: [{ fieldId: cost.id, value: 1 }] })
  const back = await make('Back')
  const gone = await make('Gone')
  const left = await make('Left')
  const same = await make('Same')
  const came = await ada.post('/item', { title: 'Came', containerId: shop.id })
  const from = await after(came.updated)
  await change(changed.id, {
    priority: itemPriority.urgent,
    assignees: [bob.id],
    Field: [{ fieldId: cost.id, value: 2 }],
  })
  await change(back.id, { title: 'Away' })
  await change(back.id, { title: 'Back' })
  await ada.must('DELETE', `/item/${gone.id}`)
  await ada.post(`/item/${left.id}/move`, { containerId: shop.id })
  await ada.post(`/item/${came.id}/move`, { containerId: desk.id })
  const fresh = await make('Fresh', { priority: itemPriority.urgent })
  const to = await after(fresh.updated)
  await change(same.id, { title: 'Changed later' })

  const compared = (body: object, who: Person = ada) =>
    who.post('/item/compare', { from, to, container: [desk.id], ...body })
  const ids = (found: { items: Found[] }, difference: string) =>
    found.items
      .filter(each => each.difference === difference)
      .map(each => each.id)
      .sort()

  test('says what came, what left and what has other values', async () => {
    const found = await compared({})
    assert.deepEqual(found.counts, { added: 2, removed: 2, changed: 1 })
    assert.deepEqual(ids(found, 'added'), [came.id, fresh.id].sort())
    assert.deepEqual(ids(found, 'removed'), [gone.id, left.id].sort())
    const changes = new Map(found.items.map((each: Found) => [each.id, each.changes]))
    assert.deepEqual(changes.get(changed.id), {
      priority: { from: itemPriority.low, to: itemPriority.urgent },
      assignees: { from: [], to: [bob.id] },
      [`Field.${cost.id}`]: { from: 1, to: 2 },
    })
    assert.deepEqual(changes.get(gone.id), { deleted: { from: false, to: true } })
    assert.deepEqual(changes.get(fresh.id), {})
    const moved = found.items.find((each: Found) => each.id === came.id).changes.containerId
    assert.deepEqual(moved, { from: shop.id, to: desk.id })
  })

  test('until now it also has what came later', async () => {
    const { counts, items } = await compared({ to: undefined })
    assert.deepEqual(counts, { added: 2, removed: 2, changed: 2 })
    const later = items.find((each: Found) => each.id === same.id)
    assert.deepEqual(later.changes, { title: { from: 'Same', to: 'Changed later' } })
  })

  test('an item that comes to fulfil the conditions is added, with the change that did it', async () => {
    const urgent = [{ condition: [{ leftSide: 'priority', operator: operator.equals, rightSide: '1' }] }]
    const found = await compared({ conditionGroup: urgent })
    assert.deepEqual(found.counts, { added: 2, removed: 0, changed: 0 })
    const one = found.items.find((each: Found) => each.id === changed.id)
    assert.deepEqual(one.changes.priority, { from: itemPriority.low, to: itemPriority.urgent })
  })

  test('a saved filter is a question, too', async () => {
    const urgent = [{ condition: [{ leftSide: 'priority', operator: operator.equals, rightSide: '1' }] }]
    const criteria = { conditionGroup: urgent, includeClosed: true }
    const { id } = await ada.post(`/container/${desk.id}/filter`, { name: 'Urgent', criteria })
    const found = await ada.post('/item/compare', { from, to, filterId: id })
    assert.deepEqual(found.counts, { added: 2, removed: 0, changed: 0 })
    const at = (moment: string) => ada.get(`/container/${desk.id}/filter/${id}/count?asOf=${moment}`)
    assert.deepEqual([await at(from), await at(to)], [{ count: 0 }, { count: 2 }])
    const listed = await ada.get(`/container/${desk.id}/filter/${id}/items?asOf=${to}`)
    assert.deepEqual(listed.map((each: Found) => each.id).sort(), ids(found, 'added'))
    const groups = await ada.ask('GET', `/container/${desk.id}/filter/${id}/groups?asOf=${to}`)
    assert.deepEqual([groups.status, groups.body.Fields[0].Field], [400, 'asOf'])
    const body = { from, filterId: id, container: [desk.id] }
    assert.equal((await ada.ask('POST', '/item/compare', { body })).body.Fields[0].Code, 'not-with-filter')
    const absent = await eve.ask('POST', '/item/compare', { body: { from: eveFrom, filterId: id } })
    assert.deepEqual([absent.status, absent.body.Fields[0].Code], [400, 'unknown-reference'])
  })

  test('pages have all differences once', async () => {
    const all = (await compared({})).items.map((each: Found) => each.id)
    const paged: string[] = []
    let cursor: string | undefined
    do {
      const { items, next } = await compared({ limit: 2, cursor })
      paged.push(...items.map((each: Found) => each.id))
      cursor = next ?? undefined
    } while (cursor)
    assert.deepEqual(paged, all)
  })

  test('nobody is told of what they may not see', async () => {
    const carl = await person({ name: 'Carl', role: roleCode.member })
    const seen = (who: Person) => compared({}, who).then(({ counts }) => counts.changed)
    assert.equal(await seen(carl), 1)
    await change(changed.id, { visibility: itemVisibility.confidential })
    assert.equal(await seen(carl), 0)
    const { updated } = await eve.post('/item', { title: 'Elsewhere' })
    await after(updated)
    const { counts, items } = await compared({ from: updated, to: undefined }, eve)
    assert.deepEqual([counts, items], [{ added: 0, removed: 0, changed: 0 }, []])
  })

  test('a period that is none, and what the log does not tell, are refused', async () => {
    const refused = async (body: object) => {
      const answer = await ada.ask('POST', '/item/compare', { body: { from, ...body } })
      return [answer.status, answer.body.Fields[0].Field, answer.body.Fields[0].Code]
    }
    assert.deepEqual(await refused({ from: to, to: from }), [400, 'to', 'range'])
    assert.deepEqual(await refused({ to: '2999-01-01T00:00:00Z' }), [400, 'to', 'range'])
    assert.deepEqual(await refused({ from: '2000-01-01T00:00:00Z' }), [422, 'from', 'log-too-short'])
    assert.deepEqual(await refused({ cursor: 'x' }), [400, 'cursor', 'cursor'])
    const clock = [{ condition: [{ leftSide: 'clock.state', operator: operator.equals, rightSide: '1' }] }]
    assert.deepEqual(await refused({ conditionGroup: clock }), [
      400,
      'conditionGroup.0.condition.0.leftSide',
      'not-in-past',
    ])
  })
})
