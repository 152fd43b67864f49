import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isChord, keysOf, keysOfEvent, rivalOf } from './keymap.ts'

const done = { id: 'work.done', title: 'Done', keys: 'e', where: 'list' }
const peek = { id: 'list.peek', title: 'Peek', keys: 'Space', where: 'list' }
const find = { id: 'palette', title: 'Search', keys: '$mod+k' }
const create = { id: 'create', title: 'New', keys: 'c' }

test('a person gives a command other keys, or none', () => {
  assert.equal(keysOf(done, {}), 'e')
  assert.equal(keysOf(done, { keys: { 'work.done': 'Shift+d' } }), 'Shift+d')
  assert.equal(keysOf(done, { keys: { 'work.done': '' } }), undefined)
})

test('single keys can be switched off; keys with a modifier and keys that are no letters stay', () => {
  const off = { singleKeys: false }
  assert.deepEqual(
    [done, peek, find, { ...create, keys: 'g h' }, { ...create, keys: 'Shift+?' }].map(each => keysOf(each, off)),
    [undefined, 'Space', '$mod+k', undefined, undefined],
  )
  assert.equal(keysOf(done, { singleKeys: false, keys: { 'work.done': '$mod+e' } }), '$mod+e')
})

test('keys that are taken in the same place, or everywhere, are found', () => {
  const all = [done, peek, find, create]
  assert.equal(rivalOf(peek, 'e', all, {})?.id, 'work.done')
  assert.equal(rivalOf({ ...peek, where: 'board' }, 'e', all, {}), undefined)
  assert.equal(rivalOf({ ...peek, where: 'board' }, 'c', all, {})?.id, 'create')
  assert.equal(rivalOf(peek, 'c', all, { keys: { create: '' } }), undefined)
  assert.equal(rivalOf(done, 'e', all, {}), undefined)
})

test('what is pressed is written as commands write it', () => {
  const none = { code: '', shiftKey: false, altKey: false, ctrlKey: false, metaKey: false }
  assert.equal(keysOfEvent({ ...none, key: 'S', shiftKey: true }), 'Shift+s')
  assert.equal(keysOfEvent({ ...none, key: ' ' }), 'Space')
  assert.equal(keysOfEvent({ ...none, key: 'k', metaKey: true }), '$mod+k')
  assert.equal(keysOfEvent({ ...none, key: '?', shiftKey: true }), 'Shift+?')
  assert.equal(keysOfEvent({ ...none, key: 'Shift', shiftKey: true }), undefined)
  assert.ok(isChord('Alt+ArrowUp') && !isChord('Shift+j'))
})
