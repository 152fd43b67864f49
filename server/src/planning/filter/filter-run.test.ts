import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'

describe('running a filter', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Desk' })
  const other = await ada.post('/container', { name: 'Other' })
  const severity = await ada.post('/field/select', { name: 'Severity', options: [{ label: 'High' }, { label: 'Low' }] })
  await ada.post('/field/number', { name: 'Cost' })
  const make = (title: string, more: object = {}) => ada.post('/item', { title, containerId: desk.id, ...more })
  await make('Alpha printer', {
    status: 'Open',
    priority: itemPriority.urgent,
    Tags: ['hardware'],
    dueDate: '2026-03-01',
    Field: [
      { key: 'severity', value: 'High' },
      { key: 'cost', value: 10 },
    ],
  })
  await make('Bravo école', {
    status: 'Open',
    priority: itemPriority.high,
    assignees: [bob.id],
    Field: [
      { key: 'severity', value: 'Low' },
      { key: 'cost', value: 30 },
    ],
  })
  await make('Charlie', { status: 'Done', priority: itemPriority.medium, Field: [{ key: 'cost', value: 20 }] })
  await ada.post('/item', { title: 'Delta', containerId: other.id, status: 'Open' })

  async function found(conditions: [string, number, string][], criteria: object = {}, who = ada): Promise<string[]> {
    const condition = conditions.map(([leftSide, operator, rightSide]) => ({ leftSide, operator, rightSide }))
    const filter = await ada.post(`/container/${desk.id}/filter`, {
      name: 'f',
      criteria: { conditionGroup: [{ condition }], ...criteria },
    })
    const items = await who.get(`/container/${desk.id}/filter/${filter.id}/items`)
    assert.equal((await who.get(`/container/${desk.id}/filter/${filter.id}/count`)).count, items.length)
    return items.map((each: { title: string }) => each.title)
  }

  test('finds items by item properties, custom fields and users', async () => {
    assert.deepEqual(await found([]), ['Alpha printer', 'Bravo école'])
    assert.deepEqual(await found([['title', 2, 'ECOLE']]), ['Bravo école'])
    assert.deepEqual(await found([['priority', 6, '2']]), ['Alpha printer'])
    assert.deepEqual(await found([['field.severity', 0, 'high']]), ['Alpha printer'])
    assert.deepEqual(await found([[`field.${severity.id}`, 9, '']]), ['Alpha printer', 'Bravo école'])
    assert.deepEqual(await found([['field.cost', 14, '15..35']]), ['Bravo école'])
    assert.deepEqual(await found([['tags', 2, 'hardware']]), ['Alpha printer'])
    assert.deepEqual(await found([['dueDate', 6, '@today']]), ['Alpha printer'])
    assert.deepEqual(await found([['assignee', 0, '@me']], {}, bob), ['Bravo école'])
    assert.deepEqual(await found([['title', 16, '^a.*er$']]), ['Alpha printer'])
    assert.deepEqual(await found([['text', 31, 'printer']]), ['Alpha printer'])
  })

  test('includes closed items and other containers on request', async () => {
    assert.deepEqual(await found([], { includeClosed: true }), ['Alpha printer', 'Bravo école', 'Charlie'])
    assert.deepEqual(await found([], { container: [other.id] }), ['Delta'])
  })

  test('sorts by an item property or a custom field, and pages in that order', async () => {
    assert.deepEqual(await found([], { includeClosed: true, sortField: 'priority', sortDescending: true }), [
      'Charlie',
      'Bravo école',
      'Alpha printer',
    ])
    assert.deepEqual(await found([], { includeClosed: true, sortField: 'cost' }), [
      'Alpha printer',
      'Charlie',
      'Bravo école',
    ])
    const filter = await ada.post(`/container/${desk.id}/filter`, {
      name: 'p',
      criteria: { includeClosed: true, sortField: 'cost' },
    })
    const titles: string[] = []
    let path = `/container/${desk.id}/filter/${filter.id}/items?limit=1`
    for (let page = 0; page < 5 && path; page++) {
      const { body, headers } = await ada.ask('GET', path)
      titles.push(...body.map((each: { title: string }) => each.title))
      path = headers.get('link')?.match(/<\/api(.*)>; rel="next"/)?.[1] ?? ''
    }
    assert.deepEqual(titles, ['Alpha printer', 'Charlie', 'Bravo école'])
  })

  test('a condition with an unknown path has no effect and is no error', async () => {
    assert.deepEqual(await found([['field.nothing', 0, 'x']]), [])
    assert.deepEqual(await found([['priority', 0, 'abc']]), [])
    assert.deepEqual(await found([['title', 99, 'abc']]), [])
  })

  test('working time follows the clock', async () => {
    const clock = await ada.post('/clock', { name: 'Office', timezone: 'UTC', dayStart: '00:00', dayEnd: '24:00' })
    const never = await ada
      .post('/clock', {
        name: 'Past',
        timezone: 'UTC',
        dayStart: '09:00',
        dayEnd: '17:00',
        nonWorkingDay: ['2000-01-01/2099-12-31'],
      })
      .catch(() => undefined)
    assert.deepEqual(await found([['created', 26, clock.id]]), ['Alpha printer', 'Bravo école'])
    assert.deepEqual(await found([['created', 27, clock.id]]), [])
    if (never) assert.deepEqual(await found([['created', 26, never.id]]), [])
  })

  test('a filter of another container or another tenant does not exist', async () => {
    const filter = await ada.post(`/container/${desk.id}/filter`, { name: 'x' })
    assert.equal((await ada.ask('GET', `/container/${other.id}/filter/${filter.id}/items`)).status, 404)
    assert.equal((await eve.ask('GET', `/container/${desk.id}/filter/${filter.id}/items`)).status, 404)
    const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
    assert.notEqual((await rita.ask('GET', `/container/${desk.id}/filter/${filter.id}/items`)).status, 200)
  })

  test('groups items by any path, with the first items of each group', async () => {
    const filter = await ada.post(`/container/${desk.id}/filter`, {
      name: 'g',
      groupBy: 'status',
      criteria: { includeClosed: true },
    })
    const groups = async (query: string, who = ada) =>
      (await who.get(`/container/${desk.id}/filter/${filter.id}/groups${query}`)).map(
        (each: { label: string; count: number; items: { title: string }[] }) =>
          [each.label, each.count, ...each.items.map(item => item.title)].join(' '),
      )
    assert.deepEqual(await groups(''), ['Open 2', 'Done 1'])
    assert.deepEqual(await groups('?first=1'), ['Open 2 Alpha printer', 'Done 1 Charlie'])
    assert.deepEqual(await groups('?by=assignee'), ['None 2', 'Bob 1'])
    assert.deepEqual((await groups('?by=field.severity')).sort(), ['High 1', 'Low 1', 'None 1'])
    assert.deepEqual((await groups('?by=cost')).sort(), ['10 1', '20 1', '30 1'])
    assert.equal((await ada.ask('GET', `/container/${desk.id}/filter/${filter.id}/groups?by=nothing`)).status, 400)
  })
})
