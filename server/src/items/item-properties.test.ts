import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../test/support/engines.ts'
import { sharedTestService } from '../../test/support/people.ts'
import { action } from '../containers/action/action.ts'
import { sortModes } from '../containers/board/board.ts'
import { isUsableFor, itemProperties, usableFor } from '../containers/item-property/item-property.ts'
import { itemPriority } from '../containers/item-property/priority.ts'
import { operatorNames } from '../language/conditions/conditions.ts'
import { triggerEvent } from '../notify/trigger-event.ts'
import { ownerKind } from '../records/references/owner.ts'
import { itemVisibility } from './item/item.ts'

// Checks the service against the table of item properties.

const home = await sharedTestService()
const { ada, bob } = home
const desk = await ada.post('/container', { name: 'Desk' })
const team = await ada.post('/user-group', { name: 'Team', members: [bob.id] })
const is = (name: (typeof operatorNames)[number]) => operatorNames.indexOf(name)
const parent = await ada.post('/item', { title: 'Parent', containerId: desk.id })
await ada.post('/item', {
  ...{
    title: 'Grave',
    containerId: desk.id,
    severity: 2,
    resolution: 'Known error',
    progress: 40,
    visibility: itemVisibility.restricted,
  },
  ...{
    restrictedTo: [team.id],
    priority: itemPriority.urgent,
    points: 3,
    parentId: parent.id,
    assignees: [bob.id],
    Tags: ['outage'],
  },
  ...{
    startDate: '2026-03-01',
    dueDate: '2026-03-31',
    estimateMinutes: 60,
    remainingMinutes: 30,
    description: 'Smoke',
  },
})
await ada.post('/item', { title: 'Light', containerId: desk.id, severity: 4, resolution: 'Declined' })

interface Titled {
  title: string
}
const titles = (found: Titled[]) => found.map(each => each.title)

describe('a property of an item, in conditions', () => {
  const asked = async (leftSide: string, operator: number, rightSide: string) => {
    const conditionGroup = [{ condition: [{ leftSide, operator, rightSide }] }]
    return titles(await ada.post('/item/search', { conditionGroup, container: [desk.id], sort: 'created' }))
  }

  test('is a path by its name, such as severity and resolution', async () => {
    assert.deepEqual(await asked('severity', is('lessThan'), '3'), ['Parent', 'Grave'])
    assert.deepEqual(await asked('Severity', is('in'), '["2","3"]'), ['Grave'])
    assert.deepEqual(await asked('resolution', is('contains'), 'KNOWN'), ['Grave'])
    assert.deepEqual(await asked('progress', is('greaterOrEqual'), '40'), ['Grave'])
    assert.deepEqual(await asked('restrictedTo', is('equals'), team.id), ['Grave'])
    assert.deepEqual(await asked('resolvedAt', is('isEmpty'), ''), ['Parent', 'Grave', 'Light'])
    assert.deepEqual(await asked('mergedInto', is('isNotEmpty'), ''), [])
    assert.deepEqual(await asked('rank', is('isNotEmpty'), ''), ['Parent', 'Grave', 'Light'])
  })

  test('filters and sorts lists', async () => {
    const list = (query: string) => ada.get(`/item?containerId=${desk.id}&${query}`)
    assert.deepEqual(titles(await list('severity=2')), ['Grave'])
    assert.deepEqual(titles(await list('severity[gte]=2&q=light')), ['Light'])
    assert.deepEqual(titles(await list('resolution=Declined')), ['Light'])
    assert.deepEqual(titles(await list('resolution[contains]=error')), ['Grave'])
    assert.deepEqual(titles(await list('sort=-severity')), ['Light', 'Grave', 'Parent'])
    assert.deepEqual(titles(await list('sort=resolution')), ['Parent', 'Light', 'Grave'])
  })

  test('can be used in the conditions, the sort order and the grouping of a container filter', async () => {
    const condition = [{ leftSide: 'severity', operator: is('greaterThan'), rightSide: '0' }]
    const filter = await ada.post(`/container/${desk.id}/filter`, {
      name: 'Grave ones',
      criteria: { conditionGroup: [{ condition }], sortField: 'resolution' },
      groupBy: 'resolution',
    })
    const path = `/container/${desk.id}/filter/${filter.id}`
    assert.deepEqual(titles(await ada.get(`${path}/items`)), ['Light', 'Grave'])
    const values = async (query: string) =>
      (await ada.get(`${path}/groups${query}`)).map((each: { value: string }) => each.value).toSorted()
    assert.deepEqual(await values(''), ['Declined', 'Known error'])
    assert.deepEqual(await values('?by=severity'), ['2', '4'])
  })

  test('is a path exactly if the table allows it', async () => {
    const { id } = await ada.post(`/container/${desk.id}/filter`, { name: 'All' })
    for (const property of itemProperties) {
      const { status } = await ada.ask('GET', `/container/${desk.id}/filter/${id}/groups?by=${property}`)
      // `Tags` in any case is another name of labels.
      assert.equal(status, isUsableFor('condition', property) || property === 'Tags' ? 200 : 400, property)
    }
  })
})

describe('a change of a property', async () => {
  const running = await engines(home)
  const heard = async (
    leftSide: string,
    operator: (typeof operatorNames)[number],
    rightSide: string,
    change: object,
  ) => {
    const room = await ada.post('/container', { name: `Hears ${leftSide}` })
    const condition = [{ leftSide, operator: is(operator), rightSide }]
    const { id } = await ada.post('/rule', {
      ...{
        name: `${leftSide} ${operator}`,
        active: true,
        container: [room.id],
        triggerEvent: triggerEvent['item.updated'],
      },
      conditionGroup: [{ condition }],
      actionValue: [{ actionType: action.setField, field: 'description', value: 'heard' }],
    })
    const item = await ada.post('/item', { title: 'Rule', containerId: room.id })
    await ada.put(`/item/${item.id}`, change)
    await running.settle()
    await ada.ask('DELETE', `/rule/${id}`)
    return (await ada.get(`/item/${item.id}`)).description === 'heard'
  }

  test('triggers rules, which can use the old and the new value', async () => {
    assert.equal(await heard('severity', 'changed', '', { severity: 3 }), true)
    assert.equal(await heard('severity', 'changed', '', { priority: itemPriority.medium }), false)
    assert.equal(await heard('severity', 'changedTo', '3', { severity: 3 }), true)
    assert.equal(await heard('change.severity.to', 'greaterThan', '9', { severity: 10 }), true)
    assert.equal(await heard('resolution', 'changedTo', 'fixed', { resolution: 'Fixed' }), true)
    assert.equal(await heard('restrictedTo', 'changedTo', team.id, { restrictedTo: [team.id] }), true)
    assert.equal(await heard('Meta', 'changed', '', { Meta: { colour: 'red' } }), false)
  })
})

describe('a property of an item, in formulas', () => {
  test('is a number, a text, a date or a boolean', async () => {
    const place = await ada.post('/container', { name: 'Sums' })
    await ada.post('/field/formula', { key: 'weight', name: 'Weight', formula: 'severity * 10 + length(resolution)' })
    await ada.post('/field/formula', {
      key: 'aside',
      name: 'Aside',
      formula: 'if(archived, "away", concat(name, source))',
    })
    const { Field } = await ada.post('/item', { title: 'A', containerId: place.id, severity: 3, resolution: 'Fixed' })
    const values = Field.map(({ key, value }: { key: string; value: unknown }) => [key, value])
    assert.deepEqual(Object.fromEntries(values), { weight: 35, aside: 'A1' })
  })

  test('can be used exactly if the table allows it', async () => {
    for (const property of itemProperties) {
      const body = { name: `Of ${property}`, formula: `if(empty(${property}), 1, 2)` }
      const { status } = await ada.ask('POST', '/field/formula?dryRun=true', { body })
      assert.equal(status < 400, isUsableFor('formula', property), property)
    }
  })
})

describe('a property of an item, in templates', () => {
  test('is rendered if the table allows it', async () => {
    const { id } = await ada.post('/content-template', {
      name: 'All',
      body: '{{ item.severity }} {{ item.resolution }} {{ item.archived }} {{ item.source }} {{ item.tags | join: "+" }}',
    })
    const [grave] = await ada.get('/item?title=Grave')
    const { text, missing } = await ada.post(`/content-template/${id}/render`, { itemId: grave.id })
    assert.deepEqual([text, missing], ['2 Known error false 1 outage', []])
  })
})

describe('a copy of an item', () => {
  test('has the values that the table allows, and defaults otherwise', async () => {
    const [grave] = await ada.get('/item?title=Grave')
    const copy = await ada.post(`/item/${grave.id}/copy`, {})
    const said = usableFor('copy').filter(each => each !== 'Field')
    for (const property of said) assert.deepEqual(copy[property], grave[property], property)
    assert.deepEqual([copy.severity, copy.Tags, copy.resolution, copy.progress], [2, ['outage'], '', 0])
    await ada.ask('DELETE', `/item/${copy.id}`)
  })
})

describe('a board', () => {
  const board = (more: object) =>
    ada.post('/board', { name: 'Board', owner: ownerKind.container, ownerId: desk.id, ...more })
  interface Columns {
    columns: { name: string; count: number }[]
  }
  const full = ({ columns }: Columns) => columns.filter(each => each.count > 0).map(each => [each.name, each.count])

  test('can have columns by severity and by resolution', async () => {
    const bySeverity = await board({ columnField: 'severity' })
    assert.deepEqual(full(await ada.get(`/board/${bySeverity.id}/cards`)).toSorted(), [
      ['0', 1],
      ['2', 1],
      ['4', 1],
    ])
    const byResolution = await board({ columnField: 'resolution' })
    assert.deepEqual(full(await ada.get(`/board/${byResolution.id}/cards`)).toSorted(), [
      ['Declined', 1],
      ['Known error', 1],
      ['None', 1],
    ])
  })

  test('has a finding for each column field that the table does not allow, and for no other', async () => {
    const said = async (id: string): Promise<string[]> =>
      (await ada.get(`/board/${id}/check`)).map(({ path }: { path: string }) => path)
    for (const property of itemProperties) {
      const { id } = await board({ columnField: property, cardFields: [property] })
      const expected = isUsableFor('grouping', property) ? [] : ['/columnField']
      assert.deepEqual(await said(id), expected, property)
      await ada.ask('DELETE', `/board/${id}`)
    }
  })

  test('sorts cards by a property with one value, and by rank if it has several', async () => {
    const order = async (sortField: string) => {
      const { id } = await board({ columnField: 'containerId', sortMode: sortModes.field, sortField })
      const { columns } = await ada.get(`/board/${id}/cards`)
      return columns.flatMap((each: { cards: Titled[] }) => titles(each.cards))
    }
    assert.deepEqual(await order('resolution'), ['Parent', 'Light', 'Grave'])
    assert.deepEqual(await order('labels'), ['Parent', 'Grave', 'Light'])
  })
})

describe('a screen', () => {
  test('shows all properties that the table allows', async () => {
    const place = await ada.post('/container', { name: 'Screens' })
    const shown = usableFor('screen')
    const screen = (fieldIds: readonly string[]) => ({
      name: 'All',
      containerId: place.id,
      sections: [{ title: '', columns: 1, fields: fieldIds.map(fieldId => ({ fieldId })) }],
    })
    await ada.post('/screen', screen(shown))
    const { id } = await ada.post('/item', { title: 'Seen', containerId: place.id })
    const { sections } = await ada.get(`/item/${id}/screen`)
    const keys = sections[0].fields.map((each: { key: string }) => each.key)
    assert.deepEqual(keys, shown)
    assert.ok(keys.includes('severity') && keys.includes('resolution'))
    for (const property of itemProperties.filter(each => !isUsableFor('screen', each)))
      assert.equal((await ada.ask('POST', '/screen', { body: screen([property]) })).status, 422, property)
  })
})
