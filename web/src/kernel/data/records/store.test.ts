import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { hold, valuesBefore } from './editing.ts'
import { baseOf, clear, listenTo, paint, patch, put, remove, type Stored, shown, watchStore } from './store.ts'

const item = (values: Partial<Stored> & Record<string, unknown>): Stored => ({ entity: 'Item', id: 'a', ...values })

describe('the store of records', () => {
  const asked: string[] = []
  const keptVersions: (number | undefined)[] = []
  watchStore({ outdated: (_, id) => asked.push(id), stored: ({ version }) => keptVersions.push(version) })
  beforeEach(() => {
    clear()
    asked.length = 0
    keptVersions.length = 0
  })

  test('an answer that is older than what is known changes nothing', () => {
    put(item({ version: 3, title: 'new' }))
    put(item({ version: 2, title: 'old' }))
    assert.deepEqual(shown('Item', 'a'), item({ version: 3, title: 'new' }))
    assert.deepEqual(keptVersions, [3])
  })

  test('a partial record leaves the other properties as they were', () => {
    put(item({ version: 3, title: 'new', description: 'long' }))
    put(item({ version: 3, title: 'new' }))
    assert.deepEqual(shown('Item', 'a'), item({ version: 3, title: 'new', description: 'long' }))
    assert.deepEqual(asked, [])
  })

  test('a partial record of a newer version makes those read it again who show it, now or later', () => {
    put(item({ version: 3, title: 'old', description: 'long' }))
    put(item({ version: 4, title: 'new' }))
    assert.deepEqual(asked, [])
    const stop = listenTo('Item', 'a', () => undefined)
    assert.deepEqual(asked, ['a'])
    put(item({ version: 5, title: 'newer' }))
    assert.deepEqual(asked, ['a', 'a'])
    put(item({ version: 5, title: 'newer', description: 'short' }), { whole: true })
    stop()
    listenTo('Item', 'a', () => undefined)()
    assert.deepEqual(asked, ['a', 'a'])
  })

  test('pending values are shown in the order in which they were made, on top of whatever arrives', () => {
    put(item({ version: 1, title: 'one', priority: 0 }))
    const first = paint('Item', 'a', { title: 'two' })
    const second = paint('Item', 'a', { title: 'three' })
    put(item({ version: 2, title: 'theirs', priority: 1 }))
    assert.deepEqual(shown('Item', 'a'), item({ version: 2, title: 'three', priority: 1 }))
    second()
    assert.deepEqual(shown('Item', 'a'), item({ version: 2, title: 'two', priority: 1 }))
    first()
    assert.deepEqual(shown('Item', 'a'), item({ version: 2, title: 'theirs', priority: 1 }))
  })

  test('values of a record that is not known yet are shown when it arrives, and do not outlive it', () => {
    const undo = paint('Item', 'a', { title: 'mine' })
    assert.equal(shown('Item', 'a'), undefined)
    put(item({ version: 1, title: 'theirs' }))
    assert.deepEqual(shown('Item', 'a'), item({ version: 1, title: 'mine' }))
    remove('Item', 'a')
    assert.equal(shown('Item', 'a'), undefined)
    undo()
    assert.equal(baseOf('Item', 'a'), undefined)
  })

  test('a change is applied to the version before it, and to no other', () => {
    put(item({ version: 1, title: 'one', priority: 0 }))
    assert.equal(patch('Item', 'a', 2, { priority: { from: 0, to: 1 } }), 'patched')
    assert.deepEqual(shown('Item', 'a'), item({ version: 2, title: 'one', priority: 1 }))
    assert.equal(patch('Item', 'a', 2, { priority: { to: 9 } }), 'known')
    assert.equal(patch('Item', 'a', 4, { priority: { to: 9 } }), 'outdated')
    assert.equal(patch('Item', 'a', undefined, { priority: { to: 9 } }), 'outdated')
    assert.equal(patch('Item', 'a', 3, undefined), 'outdated')
    assert.equal(patch('Item', 'b', 1, {}), 'unknown')
    assert.equal(baseOf('Item', 'a')?.version, 2)
  })

  test('a ticket is the item of the same id', () => {
    put(item({ version: 1, title: 'one' }))
    assert.equal(patch('Ticket', 'a', 2, { title: { to: 'two' } }), 'patched')
    assert.deepEqual(shown('Item', 'a'), item({ version: 2, title: 'two' }))
  })

  test('properties that a partial record does not have are not added by a change', () => {
    put(item({ version: 1, title: 'one' }))
    assert.equal(patch('Item', 'a', 2, { description: { to: 'long' }, 'Field.x': { to: 1 } }), 'patched')
    assert.deepEqual(shown('Item', 'a'), item({ version: 2, title: 'one' }))
  })

  test('a part of a property, and one from which others are derived, are read from the service', () => {
    put(item({ version: 1, Field: [], description: 'a', descriptionHtml: '<p>a</p>' }))
    assert.equal(patch('Item', 'a', 2, { 'Field.x': { to: 1 } }), 'outdated')
    assert.equal(patch('Item', 'a', 2, { description: { to: 'b' } }), 'outdated')
  })

  test('a property that is edited is not overwritten, and its change is one of the value that was seen', async () => {
    put(item({ version: 1, title: 'one', priority: 0 }))
    const release = hold('Item', 'a', 'title')
    patch('Item', 'a', 2, { title: { to: 'theirs' }, priority: { to: 1 } })
    assert.deepEqual(shown('Item', 'a'), item({ version: 2, title: 'one', priority: 1 }))
    release()
    assert.deepEqual(shown('Item', 'a'), item({ version: 2, title: 'theirs', priority: 1 }))
    assert.deepEqual(valuesBefore('Item', 'a', ['title', 'priority']), { title: 'one', priority: 1 })
    await new Promise(resolve => setTimeout(resolve, 5))
    assert.deepEqual(valuesBefore('Item', 'a', ['title']), { title: 'theirs' })
  })
})
