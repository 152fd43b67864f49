import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestKey } from './suggest-key.ts'

test('a key is made of the first letters of words, or of the beginning of one', () => {
  assert.equal(suggestKey('Network renewal', []), 'NR')
  assert.equal(suggestKey('Operations', []), 'OPER')
  assert.equal(suggestKey('Änderungen für Köln', []), 'AFK')
  assert.equal(suggestKey('2026 plan', []), 'P')
  assert.equal(suggestKey('  ', []), '')
  assert.equal(suggestKey('مشروع', []), '', 'the person chooses one')
})

test('a key that exists gets a number', () => {
  assert.equal(suggestKey('Operations', ['OPER']), 'OPER2')
  assert.equal(suggestKey('Operations', ['OPER', 'OPER2']), 'OPER3')
})
