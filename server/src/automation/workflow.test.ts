import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Step, workflowFindings } from './workflow.ts'

const state = (id: string, value: string, next: string, more: Partial<Step> = {}): Step => ({
  id,
  fieldId: 'status',
  value,
  next,
  userGroup: [],
  ...more,
})

const found = (...workflow: Step[]) => workflowFindings(workflow).map(({ path, code }) => `${path} ${code}`)

test('next is empty, anything, or the ids and values of entries', () => {
  assert.deepEqual(
    found(state('a', 'New', 'b'), state('b', 'Open', 'Done, New'), state('c', 'Done', ''), state('d', 'Lost', '*')),
    [],
  )
})

test('a value may hold a comma', () => {
  assert.deepEqual(found(state('a', 'Done, or nearly', ''), state('b', 'Open', 'Done, or nearly')), [])
})

test('a next that leads nowhere is told for each target', () => {
  assert.deepEqual(found(state('a', 'New', 'b, Gone,,New')), [
    '/workflow/0/next dangling-next',
    '/workflow/0/next dangling-next',
  ])
})

test('a pseudo-group that nobody is in and a state of no field are told', () => {
  const userGroup = ['@assignee', '@nobody', '0198c0de-0000-7000-8000-000000000000']
  assert.deepEqual(found(state('a', 'New', '', { userGroup }), state('b', 'Open', '', { fieldId: '' })), [
    '/workflow/0/userGroup/1 unknown-group',
    '/workflow/1/fieldId no-field',
  ])
})
