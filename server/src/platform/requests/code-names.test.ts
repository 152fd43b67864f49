import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { statusCategory } from '../../containers/status-category.ts'
import { operator } from '../../language/conditions/conditions.ts'

const names = { prefer: 'codes=names' }

describe('codes', async () => {
  const { ada } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Words and numbers', kind: 'desk' })
  const item = await ada.post('/item', { title: 'Printer', containerId: desk.id, priority: 'urgent' })

  test('are taken by their names in bodies, also in parts of them and in lists', async () => {
    assert.equal(desk.kind, containerKind.desk)
    assert.equal(item.priority, itemPriority.urgent)
    const filter = await ada.post(`/container/${desk.id}/filter`, {
      name: 'Urgent',
      criteria: {
        conditionGroup: [{ condition: [{ leftSide: 'priority', operator: 'in', rightSide: '["urgent", "high"]' }] }],
      },
    })
    assert.equal(filter.criteria.conditionGroup[0].condition[0].operator, operator.in)
    const found = await ada.get(`/container/${desk.id}/filter/${filter.id}/items`)
    assert.deepEqual(
      found.map((each: { id: string }) => each.id),
      [item.id],
    )
    const field = await ada.post('/field/text', { name: 'Colour of the case', placement: ['createForm', 5] })
    assert.deepEqual(field.placement, [1, 5])
  })

  test('are taken by their names in filters', async () => {
    const count = async (query: string) => (await ada.get(`/item?containerId=${desk.id}&${query}`)).length
    assert.equal(await count('priority=urgent,low'), 1)
    assert.equal(await count('priority[ne]=urgent'), 0)
    assert.equal(await count('priority=none'), 0)
    const { status, body } = await ada.ask('GET', '/item?priority=whenever')
    assert.deepEqual([status, body.Fields[0].Field], [400, 'priority'])
  })

  test('are refused by a name that the table does not have', async () => {
    const { status, body } = await ada.ask('POST', '/item', { body: { title: 'Printer', priority: 'Urgent' } })
    assert.equal(status, 400)
    assert.deepEqual(
      [body.Fields[0].Field, body.Fields[0].Code, body.Fields[0].Message],
      ['priority', 'type', 'must be an integer or a name of the code table priority'],
    )
  })

  test('are answered as names to whoever prefers them, in records, lists and dry runs', async () => {
    const one = await ada.ask('GET', `/item/${item.id}`, { headers: names })
    assert.equal(one.headers.get('preference-applied'), 'codes=names')
    assert.match(one.headers.get('vary') ?? '', /\bprefer\b/)
    assert.deepEqual([one.body.priority, one.body.visibility, one.body.version], ['urgent', 'normal', item.version])
    for (const query of ['', '&limit=5']) {
      const { body } = await ada.ask('GET', `/item?containerId=${desk.id}${query}`, { headers: names })
      assert.deepEqual(
        body.map((each: { title: string; priority: string }) => [each.title, each.priority]),
        [['Printer', 'urgent']],
      )
    }
    const tried = await ada.ask('PATCH', `/item/${item.id}?dryRun=true`, { body: { priority: 'low' }, headers: names })
    assert.equal(tried.body.would.priority, 'low')
    assert.equal((await ada.get(`/item/${item.id}`)).priority, itemPriority.urgent)
  })

  test('stay numbers where they have no name', async () => {
    const odd = await ada.post('/item', { title: 'Odd', containerId: desk.id, priority: 77 })
    const { body } = await ada.ask('GET', `/item/${odd.id}`, { headers: names })
    assert.deepEqual([body.priority, body.statusCategory], [77, 'backlog'])
    assert.equal(odd.statusCategory, statusCategory.backlog)
  })
})
