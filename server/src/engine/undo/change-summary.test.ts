import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KindChange, partsOf, summaryOf } from './change-summary.ts'

const change = (kind: string, records: number, properties: string[] = [], entity = 'Item'): KindChange => ({
  entity,
  kind,
  records,
  properties,
})

test('a change set is described in plain English', () => {
  const cases: [KindChange[], string][] = [
    [[change('item.created', 1, ['title'])], '1 item created'],
    [[change('item.updated', 12, ['status', 'priority'])], '12 items changed: priority, status'],
    [[change('item.updated', 2, ['a', 'b', 'c', 'd', 'e'])], '2 items changed: a, b, c, d, …'],
    [[change('item.updated', 1, ['status']), change('item.linked', 1, ['link'])], '1 item changed: link, status'],
    [
      [
        change('label.deleted', 1, [], 'Label'),
        change('item.updated', 3, ['Tags']),
        change('time.created', 2, [], 'Time'),
      ],
      '3 items changed: Tags; 2 time entries created; 1 label deleted',
    ],
    [
      ['Label', 'Area', 'Board', 'Process'].map((entity, i) => change('x.deleted', 9 - i, [], entity)),
      '9 labels deleted; 8 areas deleted; 7 boards deleted; more',
    ],
    [[change('process.deleted', 2, [], 'Process')], '2 processes deleted'],
    [[change('contentTemplate.updated', 1, ['name'], 'ContentTemplate')], '1 content template changed: name'],
    [[change('folder.restored', 2, [], 'Folder')], '2 folders restored'],
  ]
  for (const [changes, expected] of cases) assert.equal(summaryOf(partsOf(changes)), expected)
  const many = [change('item.updated', 1000, ['status'])]
  assert.equal(summaryOf(partsOf(many), { exact: false }), 'at least 1000 items changed: status')
  assert.equal(summaryOf(partsOf(many), { undoes: true }), 'Undo: 1000 items changed: status')
})

test('the parts of a change set have no words of a language in them', () => {
  const changes = [
    change('label.created', 1, ['name'], 'Label'),
    change('item.updated', 3, ['status']),
    change('item.linked', 1, ['link']),
  ]
  assert.deepEqual(partsOf(changes), [
    { entity: 'Item', verb: 'changed', records: 3, properties: ['link', 'status'] },
    { entity: 'Label', verb: 'created', records: 1, properties: [] },
  ])
})
