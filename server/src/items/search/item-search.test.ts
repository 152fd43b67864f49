import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/conditions.ts'

describe('searching and listing items', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Desk' })
  const shop = await ada.post('/container', { name: 'Shop' })
  const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
  await ada.post('/field/select', { name: 'Severity', options: [{ label: 'High' }, { label: 'Low' }] })
  await ada.post('/field/number', { name: 'Cost' })
  const make = (title: string, more: object = {}) => ada.post('/item', { title, containerId: desk.id, ...more })
  await make('Alpha printer', {
    priority: itemPriority.urgent,
    dueDate: '2026-03-01',
    Tags: ['hardware'],
    Field: [
      { key: 'severity', value: 'High' },
      { key: 'cost', value: 10 },
    ],
  })
  await make('Bravo scanner', {
    priority: itemPriority.high,
    assignees: [bob.id],
    description: 'no printer',
    requesterId: rita.id,
    Field: [{ key: 'cost', value: 30 }],
  })
  await make('Charlie printer', { priority: itemPriority.medium, status: 'Done', Field: [{ key: 'cost', value: 20 }] })
  await ada.post('/item', { title: 'Delta printer', containerId: shop.id })

  const titles = (all: { title: string }[]) => all.map(each => each.title.split(' ')[0]).join(' ')
  const found = async (body: object, who = ada) => titles(await who.post('/item/search', body))
  const listed = async (query: string, who = ada) => titles(await who.get(`/item?${query}`))
  const on = (leftSide: string, operator: number, rightSide: string) => ({
    condition: [{ leftSide, operator, rightSide }],
  })

  test('a search accepts conditions, words, containers and a sort order', async () => {
    assert.equal(await found({}), 'Alpha Bravo Charlie Delta')
    assert.equal(await found({ includeClosed: false }), 'Alpha Bravo Delta')
    assert.equal(await found({ conditionGroup: [on('priority', 7, '2')], container: [desk.id] }), 'Alpha Bravo')
    assert.equal(
      await found({ conditionGroup: [on('status', 0, 'done'), on('field.severity', 0, 'high')] }),
      'Alpha Charlie',
    )
    assert.equal(await found({ q: 'printer', container: [desk.id], sort: '-cost' }), 'Bravo Charlie Alpha')
    assert.equal(await found({ q: 'printer -scanner' }), 'Alpha Charlie Delta')
    assert.equal(await found({ q: 'prnter', container: [shop.id] }), 'Delta')
    assert.equal(await found({ conditionGroup: [on('title', 31, 'printer')] }), 'Alpha Charlie Delta')
    assert.equal(await found({ conditionGroup: [on('title', 31, 'hardware')] }), '')
    assert.equal(await found({ conditionGroup: [on('description', 31, 'print')] }), 'Bravo')
    assert.equal(await found({ conditionGroup: [on('text', 31, 'hardware')] }), 'Alpha')
    assert.equal(await found({ conditionGroup: [on('assignee', 0, '@me')] }, bob), 'Bravo')
    assert.equal(await found({ conditionGroup: [on('assignee', 1, bob.id)] }), 'Alpha Charlie Delta')
    assert.equal(await found({ q: 'printer' }, rita), 'Bravo')
    assert.equal(await found({ q: 'printer' }, eve), '')
  })

  test('a search pages by cursor, counts, and returns the requested properties', async () => {
    const body = { sort: '-cost', limit: 2, count: 'exact', fields: 'title' }
    const first = await ada.ask('POST', '/item/search', { body })
    assert.equal(titles(first.body), 'Bravo Charlie')
    assert.deepEqual(Object.keys(first.body[0]).sort(), ['entity', 'id', 'title'])
    assert.equal(first.headers.get('x-total-count'), '4')
    const cursor = first.headers.get('x-next-cursor')
    assert.equal(await found({ ...body, cursor }), 'Alpha Delta')
    const other = await ada.ask('POST', '/item/search', { body: { ...body, q: 'printer', cursor } })
    assert.equal(other.body.Fields[0].Code, 'cursor-mismatch')
    assert.equal((await ada.ask('POST', '/item/search', { body: { limt: 1 } })).status, 400)
  })

  test('a list filters by words, custom fields and all paths of conditions', async () => {
    assert.equal(await listed('field.severity=high'), 'Alpha')
    assert.equal(await listed('field.cost[gte]=20&sort=-cost'), 'Bravo Charlie')
    assert.equal(await listed(`q=printer&containerId=${desk.id}&statusCategory[ne]=4`), 'Alpha Bravo')
    assert.equal(await listed('assignee=@me', bob), 'Bravo')
    assert.equal(await listed('dueDate[lte]=@today'), 'Alpha')
    assert.equal(await listed('tags=hardware'), 'Alpha')
    assert.equal(await listed('title[contains]=SCAN'), 'Bravo')
    assert.equal((await ada.ask('GET', '/item?field.cost[gte]=lots')).status, 400)
    assert.equal((await ada.ask('GET', '/item?field.nothing=x')).status, 400)
    assert.equal(await listed('assignees[ne]=@me&sort=created', bob), 'Alpha Charlie Delta')
    assert.equal((await ada.ask('GET', '/item?assignees[gt]=@me')).status, 400)
    assert.equal((await ada.ask('GET', '/item?priority[gt]=1,2')).status, 400)
  })

  test('conditions that read much text are refused with the limit, wherever they are written', async () => {
    const contains = (count: number, rightSide = 'x') =>
      Array.from({ length: count }, () => ({
        condition: [{ leftSide: 'description', operator: operator.contains, rightSide }],
      }))
    const refusalOf = async (path: string, body: unknown) => {
      const { status, body: problem } = await ada.ask('POST', path, { body })
      return [status, problem.Fields?.map((each: { Field: string; Code: string }) => `${each.Field} ${each.Code}`)]
    }
    const tooMany = (at: string) => [400, [`${at} too-many-text-conditions`]]
    assert.equal((await ada.ask('POST', '/item/search', { body: { conditionGroup: contains(10) } })).status, 200)
    assert.deepEqual(await refusalOf('/item/search', { conditionGroup: contains(11) }), tooMany('conditionGroup'))
    assert.deepEqual(
      await refusalOf('/rule', { name: 'Greedy', conditionGroup: contains(11) }),
      tooMany('conditionGroup'),
    )
    assert.deepEqual(
      await refusalOf(`/container/${desk.id}/filter`, { name: 'Greedy', criteria: { conditionGroup: contains(11) } }),
      tooMany('criteria.conditionGroup'),
    )
    const words = Array.from({ length: 101 }, (_, i) => `w${i}`)
    assert.deepEqual(await refusalOf('/item/search', { conditionGroup: contains(1, JSON.stringify(words)) }), [
      400,
      ['conditionGroup too-many-words'],
    ])
    assert.equal((await ada.ask('GET', `/item?title[contains]=${words}`)).status, 400)
    const odd = { conditionGroup: [null, 1, { condition: [null, { operator: 'x' }] }] }
    assert.equal((await ada.ask('POST', '/item/search', { body: odd })).status, 400)
  })

  test('the estimated count of few items is exact', async () => {
    const { headers } = await ada.ask('GET', '/item?limit=1&count=estimate')
    assert.deepEqual([headers.get('x-total-count'), headers.get('x-total-count-kind')], ['4', 'exact'])
  })
})
