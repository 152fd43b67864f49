import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { offer, useCommands } from './commands.ts'

const command = (id: string, keys: string, where: string) => ({ id, keys, where, title: id, run: () => undefined })

const ends: (() => void)[] = []
const offered = (...those: Parameters<typeof command>) => void ends.push(offer([command(...those)]))
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

test('the same key has another command in another place', () => {
  offered('list.menu', '.', 'list')
  offered('item.menu', '.', 'item')
  assert.deepEqual([...useCommands.getState().commands.keys()], ['list.menu', 'item.menu'])
})

test('two commands of a place have two keys, and a name belongs to one place', () => {
  offered('list.menu', '.', 'list')
  assert.throws(() => offered('list.open', '.', 'list'), /the same key/)
  assert.throws(() => offered('list.menu', '.', 'item'), /in list and in item/)
})
