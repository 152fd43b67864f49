import assert from 'node:assert/strict'
import { test } from 'node:test'
import { element, xmlDocument } from './xml.ts'

test('XML has what was given, escaped, and no empty elements', () => {
  const root = element('a', [
    element('b', 'x < y & "z"', { unit: '"&' }),
    element('c', ''),
    element('d', [element('e', undefined)]),
    element('f', '\u0000ok\uD800'),
  ])
  assert.ok(root)
  assert.equal(
    xmlDocument(root),
    '<?xml version="1.0" encoding="UTF-8"?>\n<a>\n  <b unit="&quot;&amp;">x &lt; y &amp; &quot;z&quot;</b>\n  <f>ok</f>\n</a>\n',
  )
})
