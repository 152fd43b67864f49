import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { sortModes, wipModes, wipPolicies } from '../../containers/board/board.ts'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { statusCategory } from '../../containers/status-category.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { ownerKind } from '../../records/references/owner.ts'

const { ada, bob, eve, person, happened } = await sharedTestService()

const columns = [
  { id: 'todo', name: 'To do', values: ['To do', 'Open'] },
  { id: 'doing', name: 'Doing', values: ['In progress'] },
  { id: 'done', name: 'Done', values: ['Done'] },
]

interface Column {
  id: string
  name: string
  count: number
  sum: number
  minutes: number
  over: boolean
  next: string | null
  cards: { id: string; title: string; rank: string; swimlane: string }[]
}

async function desk(name: string, more: object = {}) {
  const container = await ada.post('/container', { name })
  const board = await ada.post('/board', { name, owner: ownerKind.container, ownerId: container.id, columns, ...more })
  const add = async (title: string, values: object = {}) =>
    await ada.post('/item', { title, containerId: container.id, status: 'To do', ...values })
  return { container, board, add }
}

async function shown(board: { id: string }, who: Person = ada, query = '') {
  const { columns: all }: { columns: Column[] } = await who.get(`/board/${board.id}/cards${query}`)
  return Object.fromEntries(all.map(each => [each.id, each.cards.map(card => card.title)]))
}

test('cards are in their columns in the order of creation, and those that fit no column are in the last one', async () => {
  const { board, add } = await desk('Plain')
  for (const title of ['a', 'b', 'c']) await add(title)
  await add('d', { status: 'open' })
  await add('e', { status: 'In Progress' })
  await add('f', { status: 'Lost' })
  assert.deepEqual(await shown(board), { todo: ['a', 'b', 'c', 'd'], doing: ['e'], done: [], other: ['f'] })
})

test('a card is moved before or after another or to the end, with its status, in one change set', async () => {
  const { board, add } = await desk('Moving')
  const [a, b, c] = [await add('a'), await add('b'), await add('c')]
  await ada.post(`/board/${board.id}/move`, { itemId: c.id, column: 'todo', before: a.id })
  assert.deepEqual((await shown(board)).todo, ['c', 'a', 'b'])
  await ada.post(`/board/${board.id}/move`, { itemId: c.id, column: 'todo', after: a.id })
  assert.deepEqual((await shown(board)).todo, ['a', 'c', 'b'])
  const moved = await ada.post(`/board/${board.id}/move`, { itemId: a.id, column: 'doing' })
  assert.equal(moved.item.status, 'In progress')
  assert.equal(moved.column, 'doing')
  await ada.post(`/board/${board.id}/move`, { itemId: b.id, column: 'doing' })
  assert.deepEqual(await shown(board), { todo: ['c'], doing: ['a', 'b'], done: [], other: [] })
  assert.deepEqual(await happened(2), ['item.updated', 'board.cardMoved'])
  const history = await ada.get(`/item/${b.id}/history`)
  const [update, move] = history.slice(-2)
  assert.equal(update.changeSetId, move.changeSetId)
  assert.deepEqual(Object.keys(update.changes).sort(), ['rank', 'status', 'statusCategory'])
})

test('a card that has one of the values of a column keeps it', async () => {
  const { board, add } = await desk('Values')
  const [a, b] = [await add('a', { status: 'Open' }), await add('b')]
  const moved = await ada.post(`/board/${board.id}/move`, { itemId: a.id, column: 'todo', after: b.id })
  assert.equal(moved.item.status, 'Open')
})

test('a move that the workflow forbids is refused with its reason, and the card stays', async () => {
  const process = await ada.post('/process', {
    name: 'Strict',
    workflow: [
      { id: 'w1', fieldId: 'status', value: 'To do', next: 'In progress' },
      { id: 'w2', fieldId: 'status', value: 'In progress', next: 'Done' },
      { id: 'w3', fieldId: 'status', value: 'Done', next: '' },
    ],
  })
  const container = await ada.post('/container', {
    name: 'Strict',
    processIds: [process.id],
    defaultProcessId: process.id,
  })
  const board = await ada.post('/board', { name: 'Strict', owner: ownerKind.container, ownerId: container.id })
  const item = await ada.post('/item', { title: 'a', containerId: container.id, status: 'To do' })
  const { columns: derived }: { columns: Column[] } = await ada.get(`/board/${board.id}/cards`)
  assert.deepEqual(
    derived.map(each => each.name),
    ['To do', 'In progress', 'Done', 'Other'],
  )
  const refused = await ada.ask('POST', `/board/${board.id}/move`, { body: { itemId: item.id, column: 'Done' } })
  assert.equal(refused.status, 422)
  assert.notEqual(refused.body.code, 'unknown-column')
  const after = await ada.get(`/item/${item.id}`)
  assert.deepEqual([after.status, after.rank, after.version], ['To do', item.rank, item.version])
  assert.equal(
    (await ada.post(`/board/${board.id}/move`, { itemId: item.id, column: 'In progress' })).item.status,
    'In progress',
  )
})

test('a board without columns and without a process has the standard columns', async () => {
  const container = await ada.post('/container', { name: 'Free' })
  const board = await ada.post('/board', { name: 'Free', owner: ownerKind.container, ownerId: container.id })
  const item = await ada.post('/item', { title: 'a', containerId: container.id })
  assert.deepEqual(await shown(board), {
    Backlog: ['a'],
    'To do': [],
    'In progress': [],
    Waiting: [],
    Done: [],
    Cancelled: [],
    other: [],
  })
  const moved = await ada.post(`/board/${board.id}/move`, { itemId: item.id, column: 'Done' })
  assert.deepEqual([moved.item.status, moved.item.statusCategory], ['Done', statusCategory.done])
  assert.deepEqual((await shown(board)).Done, ['a'])
})

test('cards that were closed long ago are not shown, recently closed ones are', async () => {
  const { board, add } = await desk('Closed', { includeClosedDays: 0 })
  await add('a', { status: 'Done' })
  assert.deepEqual((await shown(board)).done, [])
  await ada.put(`/board/${board.id}`, { includeClosedDays: 3 })
  assert.deepEqual((await shown(board)).done, ['a'])
})

test('columns by a custom field accept its options by id or label', async () => {
  const field = await ada.post('/field/select', { name: 'Stage', options: [{ label: 'Alpha' }, { label: 'Beta' }] })
  const container = await ada.post('/container', { name: 'Stages' })
  const board = await ada.post('/board', {
    name: 'Stages',
    owner: ownerKind.container,
    ownerId: container.id,
    columnField: field.key,
  })
  const item = await ada.post('/item', {
    title: 'a',
    containerId: container.id,
    Field: [{ fieldId: field.id, value: 'Alpha' }],
  })
  const { columns: derived }: { columns: Column[] } = await ada.get(`/board/${board.id}/cards`)
  assert.deepEqual(
    derived.map(each => [each.name, each.count]),
    [
      ['None', 0],
      ['Alpha', 1],
      ['Beta', 0],
      ['Other', 0],
    ],
  )
  await ada.put(`/board/${board.id}`, {
    columns: [
      { id: 'b', values: ['beta'] },
      { id: 'rest', values: ['Alpha', ''] },
    ],
  })
  assert.deepEqual(await shown(board), { b: [], rest: ['a'], other: [] })
  await ada.post(`/board/${board.id}/move`, { itemId: item.id, column: 'b' })
  assert.deepEqual(await shown(board), { b: ['a'], rest: [], other: [] })
})

test('lanes, quick filters and criteria restrict the cards of a board', async () => {
  const person1 = await person({ name: 'Carol', email: 'carol@example.com' })
  const { board, add } = await desk('Lanes', {
    swimlaneField: 'assignees',
    quickFilters: [
      {
        id: 'urgent',
        name: 'Urgent',
        conditionGroup: [{ condition: [{ leftSide: 'priority', operator: operator.equals, rightSide: '1' }] }],
      },
    ],
    criteria: {
      conditionGroup: [{ condition: [{ leftSide: 'title', operator: operator.notEquals, rightSide: 'hidden' }] }],
    },
  })
  const a = await add('a', { assignees: [bob.id], priority: itemPriority.urgent })
  await add('b', { assignees: [person1.id] })
  await add('hidden')
  const { swimlanes } = await ada.get(`/board/${board.id}/cards`)
  assert.deepEqual(swimlanes, [
    { value: bob.id, name: 'Bob', count: 1 },
    { value: person1.id, name: 'Carol', count: 1 },
  ])
  assert.deepEqual((await shown(board, ada, '?quickFilter=urgent')).todo, ['a'])
  assert.deepEqual((await shown(board, ada, `?swimlane=${person1.id}`)).todo, ['b'])
  const moved = await ada.post(`/board/${board.id}/move`, { itemId: a.id, column: 'doing', swimlane: person1.id })
  assert.deepEqual(moved.item.assignees, [person1.id, bob.id])
  const { status } = await ada.ask('GET', `/board/${board.id}/cards?quickFilter=nothing`)
  assert.equal(status, 400)
})

test('a column is paged by its cursor, and each card is returned once', async () => {
  const { board, add } = await desk('Long')
  for (let n = 0; n < 7; n++) await add(`c${n}`)
  const seen: string[] = []
  let query = '?limit=3'
  for (;;) {
    const { columns: all }: { columns: Column[] } = await ada.get(`/board/${board.id}/cards${query}`)
    const todo = all.find(each => each.id === 'todo')
    assert.equal(todo?.count, 7)
    seen.push(...(todo?.cards.map(card => card.title) ?? []))
    if (!todo?.next) break
    query = `?limit=3&column=todo&cursor=${todo.next}`
  }
  assert.deepEqual(seen, ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6'])
  assert.equal((await ada.ask('GET', `/board/${board.id}/cards?cursor=abc`)).status, 400)
  assert.equal((await ada.ask('GET', `/board/${board.id}/cards?column=todo&cursor=abc`)).status, 400)
})

test('a board can be sorted by a field', async () => {
  const { board, add } = await desk('Sorted', {
    sortMode: sortModes.field,
    sortField: 'priority',
    sortDescending: true,
  })
  await add('low', { priority: itemPriority.urgent })
  await add('high', { priority: 9 })
  await add('middle', { priority: 5 })
  assert.deepEqual((await shown(board)).todo, ['high', 'middle', 'low'])
  const { columns: all }: { columns: Column[] } = await ada.get(`/board/${board.id}/cards?limit=2`)
  const { next } = all.find(each => each.id === 'todo') ?? {}
  assert.deepEqual((await shown(board, ada, `?limit=2&column=todo&cursor=${next}`)).todo, ['low'])
})

test('a limit blocks or warns, and does not apply to reordering inside a full column', async () => {
  const limited = [
    columns[0],
    { ...columns[1], wip: 1, wipPolicy: wipPolicies.block },
    { ...columns[2], wip: 5, wipMode: wipModes.points },
  ]
  const { board, add } = await desk('Limited', { columns: limited })
  const [a, b] = [await add('a', { points: 3 }), await add('b', { points: 3, estimateMinutes: 90 })]
  await ada.post(`/board/${board.id}/move`, { itemId: a.id, column: 'doing' })
  const refused = await ada.ask('POST', `/board/${board.id}/move`, { body: { itemId: b.id, column: 'doing' } })
  assert.equal(refused.status, 422)
  assert.equal(refused.body.code, 'wip-limit')
  assert.deepEqual([refused.body.limit, refused.body.load], [1, 2])
  await ada.post(`/board/${board.id}/move`, { itemId: a.id, column: 'done' })
  const warned = await ada.post(`/board/${board.id}/move`, { itemId: b.id, column: 'done' })
  assert.deepEqual(warned.warnings, ['Done is limited to 5 points and would have 6'])
  await ada.post(`/board/${board.id}/move`, { itemId: b.id, column: 'done', before: a.id })
  const { columns: all }: { columns: Column[] } = await ada.get(`/board/${board.id}/cards`)
  const done = all.find(each => each.id === 'done')
  assert.deepEqual([done?.sum, done?.over, done?.cards.map(card => card.title)], [6, true, ['b', 'a']])
  assert.equal(done?.minutes, 90)
})

test('a refused move has a reason', async () => {
  const { board, add } = await desk('Refusals')
  const other = await desk('Elsewhere')
  const [here, there] = [await add('here'), await other.add('there')]
  const theirs = await eve.post('/item', { title: 'theirs' })
  const code = async (body: object) => {
    const answer = await ada.ask('POST', `/board/${board.id}/move`, { body })
    return [answer.status, answer.body.code]
  }
  assert.deepEqual(await code({ itemId: here.id, column: 'other' }), [422, 'column-other'])
  assert.deepEqual(await code({ itemId: here.id, column: 'nowhere' }), [422, 'unknown-column'])
  assert.deepEqual(await code({ itemId: there.id, column: 'doing' }), [422, 'not-on-board'])
  assert.deepEqual(await code({ itemId: theirs.id, column: 'doing' }), [422, 'unknown-reference'])
  assert.deepEqual(await code({ itemId: here.id, column: 'doing', after: theirs.id }), [422, 'unknown-reference'])
  assert.equal((await eve.ask('GET', `/board/${board.id}/cards`)).status, 404)
  assert.equal((await ada.ask('POST', `/board/${board.id}/move`, { body: { itemId: here.id } })).status, 400)
})

test('callers see only boards and cards that they may see', async () => {
  const secret = await ada.post('/container', { name: 'Secret', private: true })
  const board = await ada.post('/board', { name: 'Secret', owner: ownerKind.container, ownerId: secret.id })
  assert.equal((await bob.ask('GET', `/board/${board.id}`)).status, 404)
  const { board: open, container } = await desk('Open')
  await ada.post('/item', {
    title: 'confidential',
    containerId: container.id,
    status: 'To do',
    visibility: itemVisibility.confidential,
  })
  assert.deepEqual((await shown(open)).todo, ['confidential'])
  assert.deepEqual((await shown(open, bob)).todo, [])
  const mine = await bob.post('/board', {
    name: 'Mine',
    owner: ownerKind.user,
    ownerId: bob.id,
    containerIds: [container.id],
  })
  const stranger = await person({ name: 'Dora', email: 'dora@example.com' })
  assert.equal((await stranger.ask('GET', `/board/${mine.id}`)).status, 404)
})

test('parts of a board without effect are findings', async () => {
  const board = await ada.post('/board', {
    name: 'Odd',
    columnField: 'nonsense',
    cardFields: ['title', 'nothing'],
    sortMode: 7,
    columns: [{ wipMode: 9, wipPolicy: 4 }],
  })
  const found = await ada.get(`/board/${board.id}/check`)
  assert.deepEqual(
    found.map((each: { path: string }) => each.path),
    ['/columnField', '/cardFields/1', '/columns/0/wipMode', '/columns/0/wipPolicy', '/sortMode'],
  )
})

test('columns of states and options that no longer exist are findings, and so are conditions that never hold', async () => {
  const workflow = ['Open', 'Doing', 'Done'].map(value => ({ fieldId: 'status', value }))
  const process = await ada.post('/process', { name: 'Shrinks', workflow })
  const place = { name: 'Shrinks', processIds: [process.id], defaultProcessId: process.id }
  const container = await ada.post('/container', place)
  const field = await ada.post('/field/select', { name: 'Size', options: [{ id: 's', label: 'Small' }] })
  const of = { owner: ownerKind.container, ownerId: container.id }
  const columns = [{ values: ['open', ''] }, { values: ['Doing'] }]
  const board = await ada.post('/board', { name: 'By state', ...of, columns })
  assert.deepEqual(board.check, [])
  await ada.put(`/process/${process.id}`, { workflow: workflow.filter(({ value }) => value !== 'Doing') })
  const found = async (id: string) =>
    (await ada.get(`/board/${id}/check`)).map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)
  assert.deepEqual(await found(board.id), ['/columns/1/values/0 unknown-state'])

  const sizes = [{ values: ['small', 's'] }, { values: ['Large'] }]
  const condition = { leftSide: 'nothing.like.it', operator: operator.equals, rightSide: 'x' }
  const quickFilters = [{ name: 'Odd', conditionGroup: [{ condition: [condition] }] }]
  const bySize = await ada.post('/board', {
    name: 'By size',
    ...of,
    columnField: field.key,
    columns: sizes,
    quickFilters,
  })
  assert.deepEqual(await found(bySize.id), [
    '/columns/1/values/0 unknown-option',
    '/quickFilters/0/conditionGroup/0/condition/0/leftSide unknown-path',
  ])
})

test('a field that is removed from the process is removed from the cards', async () => {
  const field = await ada.post('/field/text', { name: 'Room' })
  const process = await ada.post('/process', { name: 'Rooms', fields: [{ fieldId: field.id }, { fieldId: 'title' }] })
  const container = await ada.post('/container', { name: 'Rooms', processIds: [process.id] })
  const board = await ada.post('/board', {
    name: 'Rooms',
    owner: ownerKind.container,
    ownerId: container.id,
    cardFields: ['title', field.key],
  })
  await ada.put(`/process/${process.id}`, { fields: [{ fieldId: 'title' }] })
  assert.deepEqual((await ada.get(`/board/${board.id}`)).cardFields, ['title'])
})

test('an item can be ranked without a board', async () => {
  const { container, add } = await desk('Ranked')
  const [a, b, c] = [await add('a'), await add('b'), await add('c')]
  await ada.post(`/item/${c.id}/rank`, { before: a.id })
  await ada.post(`/item/${a.id}/rank`, { after: b.id })
  const list = await ada.get(`/item?containerId=${container.id}&sort=rank`)
  assert.deepEqual(
    list.map((each: { title: string }) => each.title),
    ['c', 'b', 'a'],
  )
  assert.equal((await ada.ask('POST', `/item/${a.id}/rank`, { body: {} })).status, 400)
  assert.equal((await ada.ask('POST', `/item/${a.id}/rank`, { body: { before: a.id, after: b.id } })).status, 400)
  assert.equal((await ada.ask('POST', `/item/${a.id}/rank`, { body: { before: board0 } })).status, 422)
})

const board0 = '01890000-0000-7000-8000-000000000000'
