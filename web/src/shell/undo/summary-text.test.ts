import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListedChange } from '@gantry/sdk'
import { summaryText } from './summary-text.ts'

type Part = ListedChange['parts'][number]

const part = (entity: string, verb: Part['verb'], records: number, properties: string[] = []): Part => ({
  entity,
  verb,
  records,
  properties,
})
const names: Record<string, string> = { status: 'Status', dueDate: 'Due' }
const said = (parts: Part[], { undoes = null, exact = true }: { undoes?: string | null; exact?: boolean } = {}) =>
  summaryText({ parts, undoes, exact }, each => names[each] ?? each)

test('a change is told with the names that people know, and without those they do not', () => {
  assert.equal(said([part('Item', 'changed', 12, ['dueDate', 'rank', 'status'])]), '12 items changed: Due, Status')
  assert.equal(said([part('Item', 'changed', 1, ['Field'])]), '1 item changed: custom fields')
  assert.equal(said([part('User', 'changed', 1, ['locale'])]), '1 user changed')
  assert.equal(said([part('Item', 'created', 1), part('Sku', 'deleted', 2)]), '1 item created; 2 records deleted')
  assert.equal(said([part('Item', 'restored', 2)], { undoes: 'x' }), 'Undo: 2 items restored')
  assert.equal(said([part('Item', 'deleted', 1000)], { exact: false }), 'at least 1000 items deleted')
  const many = ['Item', 'Label', 'Board', 'File'].map(each => part(each, 'created', 1))
  assert.equal(said(many), '1 item created; 1 label created; 1 board created; and more')
})
