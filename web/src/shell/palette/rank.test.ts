import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distance, fit, markedParts, nearWords, ranked, snippetParts } from './rank.ts'

test('beginnings come before words, words before parts, and accents do not count', () => {
  const titles = ['Open the printer', 'Reprint', 'Printer jams', 'print', 'Fax']
  assert.deepEqual(
    ranked('print', titles, each => each, 10),
    ['print', 'Printer jams', 'Open the printer', 'Reprint'],
  )
  assert.ok(fit('markovic', 'Ana Marković') > 0 && fit('gtm', 'Go to: my work') > 0 && fit('xyz', 'Go to') === 0)
  assert.equal(ranked('', titles, each => each, 2).length, 2)
})

test('what is nearly right is offered', () => {
  assert.deepEqual(nearWords('pritner', ['Printer jams', 'Paint it']), ['printer'])
  assert.deepEqual(nearWords('operatoins', ['Operations', 'Internal']), ['operations'])
  assert.deepEqual(nearWords('zz', ['Operations']), [])
  assert.deepEqual([distance('abc', 'abc'), distance('abc', 'acb'), distance('', 'ab')], [0, 1, 2])
})

test('what was looked for is marked, and nothing that people write becomes markup', () => {
  assert.deepEqual(markedParts('VPN drops (vpn)', 'vpn'), [
    { text: 'VPN', marked: true },
    { text: ' drops (', marked: false },
    { text: 'vpn', marked: true },
    { text: ')', marked: false },
  ])
  assert.deepEqual(markedParts('a.b', '.*'), [{ text: 'a.b', marked: false }])
  assert.deepEqual(snippetParts('&lt;img&gt; <mark>VPN</mark> &amp;amp;'), [
    { text: '<img> ', marked: false },
    { text: 'VPN', marked: true },
    { text: ' &amp;', marked: false },
  ])
})
