import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { items, itemVisibility } from '../item/item.ts'

describe('items as of a moment', async () => {
  const { ada, bob, eve, person, database } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Desk' })
  const shop = await ada.post('/container', { name: 'Shop' })
  await ada.post('/field/number', { name: 'Cost' })
  await ada.post('/field/select', { name: 'Severity', options: [{ label: 'High' }, { label: 'Low' }] })
  const make = (title: string, more: object = {}) => ada.post('/item', { title, containerId: desk.id, ...more })
  const change = (id: string, body: object) => ada.must('PATCH', `/item/${id}`, { body })

  const changed = await make('Changed', {
    description: 'first',
    priority: itemPriority.urgent,
    assignees: [bob.id],
    dueDate: '2030-01-01',
    Tags: ['old'],
    Meta: { ref: 'a' },
    Field: [
      { key: 'cost', value: 10 },
      { key: 'severity', value: 'High' },
    ],
    Time: [{ date: '2026-01-05', minutes: 30 }],
  })
  const moved = await make('Moved', { status: 'Done' })
  const removed = await make('Removed')
  const same = await make('Same', { priority: itemPriority.low })
  const then = same.updated
  await until(() => Date.now() > Date.parse(then))

  await change(changed.id, {
    title: 'Changed twice',
    description: 'second',
    priority: itemPriority.low,
    assignees: [],
    dueDate: null,
    Tags: ['new'],
    Meta: { ref: 'b' },
    Field: [
      { key: 'cost', value: 99 },
      { key: 'severity', value: null },
    ],
    Time: [{ date: '2026-01-06', minutes: 15 }],
  })
  await change(changed.id, { title: 'Changed again' })
  await ada.post(`/item/${moved.id}/move`, { containerId: shop.id })
  await change(moved.id, { status: 'Open' })
  await ada.must('DELETE', `/item/${removed.id}`)
  const added = await make('Added')

  const { updated: eveSince } = await eve.post('/item', { title: 'Elsewhere' })

  const titles = (all: { title: string }[]) => all.map(each => each.title)
  const search = (body: object, who = ada) => who.post('/item/search', { container: [desk.id], asOf: then, ...body })
  const on = (leftSide: string, code: number, rightSide: string) => ({
    conditionGroup: [{ condition: [{ leftSide, operator: code, rightSide }] }],
  })

  test('an item is read as it was, by its id and by each of its keys', async () => {
    const { Field, Time, ...plain } = await ada.get(`/item/${changed.id}?asOf=${then}`)
    const { Field: fields, Time: times, warnings: _none, ...first } = changed
    assert.deepEqual(plain, first)
    assert.deepEqual(Field, fields)
    assert.deepEqual(
      Time.map((each: { minutes: number }) => each.minutes),
      times.map((each: { minutes: number }) => each.minutes),
    )
    for (const key of [moved.key, moved.id]) {
      const { key: was, containerId, status } = await ada.get(`/item/${key}?asOf=${then}`)
      assert.deepEqual([was, containerId, status], [moved.key, desk.id, 'Done'])
    }
    assert.equal((await ada.get(`/item/${removed.id}?asOf=${then}`)).deleted, false)
    const latest = await ada.get(`/item/${changed.id}`)
    assert.deepEqual(await ada.get(`/item/${changed.id}?asOf=${latest.updated}`), latest)
  })

  test('a list shows the values, the order and the places of then', async () => {
    const listed = async (query: string) => titles(await ada.get(`/item?asOf=${then}&${query}`))
    assert.deepEqual(await listed(`containerId=${desk.id}`), ['Changed', 'Moved', 'Removed', 'Same'])
    assert.deepEqual(await listed(`containerId=${shop.id}`), [])
    assert.deepEqual(await listed(`containerId=${desk.id}&priority=1`), ['Changed'])
    assert.deepEqual(await listed(`containerId=${desk.id}&sort=-title`), ['Same', 'Removed', 'Moved', 'Changed'])
    assert.deepEqual(await listed(`containerId=${desk.id}&field.cost=10`), ['Changed'])
    assert.deepEqual(await listed(`containerId=${desk.id}&status=done`), ['Moved'])
    const [one] = await ada.get(`/item?asOf=${then}&containerId=${desk.id}&priority=1&fields=title,spentMinutes,Tags`)
    assert.deepEqual(one, { id: changed.id, entity: 'Item', title: 'Changed', spentMinutes: 30, Tags: ['old'] })
    const all = titles(await ada.get(`/item?asOf=${then}`))
    assert.deepEqual(
      all.filter(title => title !== 'Added'),
      all,
    )
    assert.ok(['Changed', 'Moved', 'Removed', 'Same'].every(title => all.includes(title)))
  })

  test('a search applies its conditions to the values of then', async () => {
    const found = async (body: object) => titles(await search(body))
    assert.deepEqual(await found(on('title', operator.equals, 'changed')), ['Changed'])
    assert.deepEqual(await found(on('assignee', operator.equals, bob.id)), ['Changed'])
    assert.deepEqual(await found(on('tags', operator.equals, 'old')), ['Changed'])
    assert.deepEqual(await found(on('tags', operator.equals, 'new')), [])
    assert.deepEqual(await found(on('field.cost', operator.lessThan, '50')), ['Changed'])
    assert.deepEqual(await found(on('field.severity', operator.equals, 'high')), ['Changed'])
    assert.deepEqual(await found(on('meta.ref', operator.equals, 'a')), ['Changed'])
    assert.deepEqual(await found(on('container.name', operator.equals, 'desk')), [
      'Changed',
      'Moved',
      'Removed',
      'Same',
    ])
    assert.deepEqual(await found({ includeClosed: false, sort: '-cost,id' }), ['Changed', 'Removed', 'Same'])
  })

  test('pages of the past continue where the last one ended, and only there', async () => {
    const page = await ada.ask('GET', `/item?asOf=${then}&containerId=${desk.id}&sort=-title&limit=3`)
    const cursor = page.headers.get('x-next-cursor')
    const rest = await ada.get(`/item?asOf=${then}&containerId=${desk.id}&sort=-title&limit=3&cursor=${cursor}`)
    assert.deepEqual(titles(rest), ['Changed'])
    const now = await ada.ask('GET', `/item?containerId=${desk.id}&sort=-title&limit=3&cursor=${cursor}`)
    assert.deepEqual([now.status, now.body.Fields[0].Code], [400, 'cursor-mismatch'])
  })

  test('history and timeline end at the moment', async () => {
    const kinds = async (path: string) =>
      (await ada.get(`/item/${changed.id}/${path}`)).map(
        (each: { type?: string; activity?: { type: string } }) => each.type ?? each.activity?.type,
      )
    assert.deepEqual(await kinds(`history?asOf=${then}`), ['item.created'])
    assert.equal((await kinds('history')).length, 3)
    assert.deepEqual(await kinds(`timeline?kinds=activity&asOf=${then}`), ['item.created'])
    assert.equal((await kinds(`timeline?kinds=time&asOf=${then}`)).length, 1)
  })

  test('a board shows the cards of then in the columns of then', async () => {
    const columns = [
      { id: 'one', name: 'One', values: ['1'] },
      { id: 'four', name: 'Four', values: ['4'] },
    ]
    const cards = async (board: object, query = '') => {
      const { id } = await ada.post('/board', {
        name: 'Past',
        containerIds: [desk.id],
        columns,
        columnField: 'priority',
        ...board,
      })
      const shown = await ada.get(`/board/${id}/cards?asOf=${then}${query}`)
      return shown.columns.map((each: { cards: { title: string }[]; count: number }) => [
        each.count,
        ...titles(each.cards),
      ])
    }
    assert.deepEqual(await cards({ includeClosedDays: 0 }), [
      [1, 'Changed'],
      [1, 'Same'],
      [1, 'Removed'],
    ])
    assert.deepEqual(await cards({ includeClosedDays: 3 }), [
      [1, 'Changed'],
      [1, 'Same'],
      [2, 'Moved', 'Removed'],
    ])
    assert.deepEqual(await cards({ includeClosedDays: 0 }, '&column=four&fields=priority'), [[1, 'Same']])
    const { id } = await ada.post('/board', {
      name: 'Due',
      containerIds: [desk.id],
      criteria: on('clock.state', operator.equals, '2'),
    })
    const refused = await ada.ask('GET', `/board/${id}/cards?asOf=${then}`)
    assert.deepEqual([refused.status, refused.body.code], [422, 'not-in-past'])
  })

  test('what the log does not tell is refused by name', async () => {
    const faults = async (method: string, path: string, body?: object) => {
      const answer = await ada.ask(method, path, { body })
      return [
        answer.status,
        ...(answer.body.Fields ?? []).map((each: { Field: string; Code: string }) => `${each.Field} ${each.Code}`),
      ]
    }
    const untold = (leftSide: string) => ({ asOf: then, ...on(leftSide, operator.equals, '1') })
    for (const path of ['clock.state', 'links.blocks.count', 'children.count', 'watchers', 'parent.title'])
      assert.deepEqual(await faults('POST', '/item/search', untold(path)), [
        400,
        'conditionGroup.0.condition.0.leftSide not-in-past',
      ])
    const unknown = await faults('POST', '/item/search', untold('nonsense'))
    assert.deepEqual(unknown, [400, 'conditionGroup.0.condition.0.leftSide unknown-path'])
    assert.deepEqual(await faults('GET', `/item/${same.id}?asOf=${then}&include=can`), [400, 'include not-in-past'])
    assert.deepEqual(await faults('GET', `/item?asOf=${then}&watchers=@me`), [400, 'watchers not-in-past'])
    assert.deepEqual(await faults('GET', `/item?asOf=${then}&q=word&include=can`), [
      400,
      'q not-in-past',
      'include not-in-past',
    ])
  })

  test('a moment outside of the log is refused', async () => {
    const future = '2999-01-01T00:00:00Z'
    const paths = ['/item', `/item/${same.id}`, `/item/${same.id}/history`, `/item/${same.id}/timeline`]
    for (const path of paths) {
      const told = async (asOf: string) => {
        const { status, body } = await ada.ask('GET', `${path}?asOf=${asOf}`)
        return [status, body.Fields[0].Field, body.Fields[0].Code]
      }
      assert.deepEqual(await told(future), [400, 'asOf', 'range'])
      assert.deepEqual(await told('yesterday'), [400, 'asOf', 'date-time'])
      assert.deepEqual(await told('2000-01-01T00:00:00Z'), [422, 'asOf', 'log-too-short'])
    }
    for (const path of ['', '/history', '/timeline'])
      assert.equal((await ada.ask('GET', `/item/${added.id}${path}?asOf=${then}`)).status, 404)
  })

  test('a long list of the past is read in pages', async () => {
    const { id } = await ada.post('/container', { name: 'Long' })
    const rows = Array.from({ length: 1001 }, (_, i) => ({ title: `Row ${i}`, containerId: id }))
    await ada.post('/item/bulk', rows)
    const { updated } = await ada.post('/item', { title: 'Last', containerId: id })
    const refused = await ada.ask('GET', `/item?asOf=${updated}&containerId=${id}`)
    assert.deepEqual([refused.status, refused.body.code], [422, 'too-many-records'])
    assert.equal((await ada.get(`/item?asOf=${updated}&containerId=${id}&limit=1000`)).length, 1000)
  })

  test('operations without asOf do not ignore it', async () => {
    const asked: [string, string, object?][] = [
      ['GET', '/container'],
      ['GET', `/container/${desk.id}`],
      ['GET', `/item/${same.id}/transitions`],
      ['PATCH', `/item/${same.id}`, { title: 'Rewritten' }],
      ['POST', '/item', { title: 'Written' }],
      ['DELETE', `/item/${same.id}`],
    ]
    for (const [method, path, body] of asked) {
      const answer = await ada.ask(method, `${path}?asOf=${then}`, { body })
      assert.deepEqual([answer.status, answer.body.Fields[0].Field], [400, 'asOf'], `${method} ${path}`)
    }
  })

  test('the rights of now decide what is seen', async () => {
    const carl = await person({ name: 'Carl', role: roleCode.member })
    const closed = await make('Closed now')
    const opened = await make('Opened now', { visibility: itemVisibility.confidential })
    const moment = opened.updated
    await until(() => Date.now() > Date.parse(moment))
    await change(closed.id, { visibility: itemVisibility.confidential })
    await change(opened.id, { visibility: itemVisibility.normal })
    const seen = async (id: string, who: Person) => (await who.ask('GET', `/item/${id}?asOf=${moment}`)).status
    assert.deepEqual(
      [await seen(closed.id, carl), await seen(opened.id, carl), await seen(opened.id, eve)],
      [404, 200, 404],
    )
    const listed = titles(await carl.get(`/item?asOf=${moment}&containerId=${desk.id}`))
    assert.deepEqual([listed.includes('Closed now'), listed.includes('Opened now')], [false, true])
    assert.equal((await eve.get(`/item?asOf=${eveSince}&containerId=${desk.id}`)).length, 0)
  })

  test('of two changes the one with the lower version was first, whichever transaction began first', async () => {
    const [other, item] = [await make('Other'), await make('First')]
    await until(() => Date.now() > Date.parse(item.updated))
    const caller = tenantCaller(ada.tenantId, ada.id)
    await database.transaction(caller, async ctx => {
      await items.update(ctx, other.id, { title: 'The transaction has its number' })
      await change(item.id, { title: 'Second' })
      await items.update(ctx, item.id, { title: 'Third' })
    })
    assert.equal((await ada.get(`/item/${item.id}`)).title, 'Third')
    assert.equal((await ada.get(`/item/${item.id}?asOf=${item.updated}`)).title, 'First')
  })

  test('a field that a process hides stays hidden, whatever the process was then', async () => {
    const guests = await ada.post('/user-group', { name: 'Guests', members: [bob.id] })
    const [deal, task] = [
      await ada.post('/process', { name: 'Deal', fields: [{ fieldId: 'points', hiddenFor: [guests.id] }] }),
      await ada.post('/process', { name: 'Task', fields: [] }),
    ]
    const sales = await ada.post('/container', {
      name: 'Sales',
      processIds: [task.id, deal.id],
      defaultProcessId: task.id,
    })
    const item = await ada.post('/item', { title: 'Offer', containerId: sales.id, points: 4711 })
    await until(() => Date.now() > Date.parse(item.updated))
    await change(item.id, { processId: deal.id })
    assert.equal((await ada.get(`/item/${item.id}?asOf=${item.updated}`)).points, 4711)
    const secret = /4711/
    assert.doesNotMatch(JSON.stringify(await bob.get(`/item/${item.id}?asOf=${item.updated}`)), secret)
    assert.doesNotMatch(JSON.stringify(await bob.get(`/item?containerId=${sales.id}&asOf=${item.updated}`)), secret)
    const body = { asOf: item.updated, ...on('points', operator.equals, '4711') }
    assert.equal((await bob.ask('POST', '/item/search', { body })).status, 400)
    assert.equal((await bob.ask('GET', `/item?asOf=${item.updated}&points=4711`)).status, 400)
  })
})
