import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Property } from '../../kernel/fields/field-type.ts'
import { conditionsOf, inGroup, propertiesOf } from './list-query.ts'
import { layoutOf, type Section, sectionsOf, withAdded } from './sections.ts'

const status: Property = {
  path: 'status',
  name: 'Status',
  type: 'choice',
  choices: ['To do', 'In progress', 'Done'].map(label => ({ value: label, label })),
  read: () => undefined,
  write: () => ({}),
}
const section = (value: string, count: number): Section => ({ value, label: value, count, estimate: 0, spent: 0 })

describe('the groups of a list', () => {
  test('are in the order of the choices, unknown values after them, and none last', () => {
    const rows = [null, 'Odd', 'Done', 'In progress'].map(value => ({ value, count: 2, estimate: '90', spent: 30 }))
    const sections = sectionsOf(rows, status, 'None')
    assert.deepEqual(
      sections.map(({ label }) => label),
      ['In progress', 'Done', 'Odd', 'None'],
    )
    assert.deepEqual(sections[0], {
      value: 'In progress',
      label: 'In progress',
      icon: undefined,
      count: 2,
      estimate: 90,
      spent: 30,
    })
  })

  test('an empty text and no value are one group', () => {
    assert.equal(sectionsOf([{ value: '', count: 1 }], status, 'None')[0]?.value, null)
  })

  test('have the new items under their own headings, each counted once', () => {
    const [one, other, plain] = [
      { id: 'a', status: 'Done' },
      { id: 'b', status: 'To do' },
      { id: 'c', status: '' },
    ]
    const added = [one, other, plain]
    const known = sectionsOf([{ value: 'Done', count: 1 }], status, 'None')
    assert.deepEqual(
      withAdded(known, { added, uncounted: [other, plain] }, 'status', status, 'None').map(
        ({ label, count, added: ids }) => [label, count, ids],
      ),
      [
        ['Done', 1, ['a']],
        ['To do', 1, ['b']],
        ['None', 1, ['c']],
      ],
    )
    const whole = withAdded([], { added, uncounted: added }, undefined, undefined, 'None')
    assert.deepEqual(
      whole.map(({ value, label, count }) => [value, label, count]),
      [[undefined, '', 3]],
    )
  })

  test('without grouping there is one section without a heading', () => {
    const [only] = sectionsOf([{ count: 3 }], undefined, 'None')
    assert.equal(only?.value, undefined)
    const layout = layoutOf(only ? [only] : [], new Set())
    assert.equal(layout.count, 3)
    assert.equal(layout.lineAt(0)?.at, 0)
    assert.equal(layout.lineAt(3), undefined)
  })
})

describe('the lines of a list', () => {
  const sections = [section('a', 3), section('b', 10_000), section('c', 1)]
  const [a, b, c] = sections as [Section, Section, Section]

  test('a heading is followed by its items', () => {
    const layout = layoutOf(sections, new Set())
    assert.equal(layout.count, 10_007)
    assert.deepEqual(layout.lineAt(0), { section: a })
    assert.deepEqual(layout.lineAt(3), { section: a, at: 2 })
    assert.deepEqual(layout.lineAt(4), { section: b })
    assert.deepEqual(layout.lineAt(10_006), { section: c, at: 0 })
    assert.equal(layout.indexOf(b, 0), 5)
  })

  test('a collapsed group is its heading alone', () => {
    const layout = layoutOf(sections, new Set(['=b']))
    assert.equal(layout.count, 7)
    assert.deepEqual(layout.lineAt(5), { section: c })
    assert.deepEqual(layout.partOf(b, 0, 100), { from: 0, to: 0 })
  })

  test('the part of a group between two lines', () => {
    const layout = layoutOf(sections, new Set())
    assert.deepEqual(layout.partOf(a, 0, 30), { from: 0, to: 3 })
    assert.deepEqual(layout.partOf(b, 0, 30), { from: 0, to: 25 })
    assert.deepEqual(layout.partOf(b, 505, 600), { from: 500, to: 595 })
    assert.deepEqual(layout.partOf(c, 0, 30), { from: 0, to: 0 })
  })
})

describe('the query of a list', () => {
  const criteria = {
    containerId: 'C',
    conditions: [],
    text: '',
    includeClosed: false,
    sort: '-dueDate,rank',
    group: 'tags',
  }

  test('asks for the items of the container and of the group', () => {
    assert.deepEqual(conditionsOf(criteria, [inGroup('status', null)]), [
      [
        { path: 'containerId', operator: 'equals', values: ['C'] },
        { path: 'status', operator: 'isEmpty', values: [] },
      ],
    ])
  })

  test('knows the properties that can move its items', () => {
    assert.deepEqual(propertiesOf(criteria), ['dueDate', 'rank', 'labels', 'statusCategory', 'estimateMinutes'])
  })
})
