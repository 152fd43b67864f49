import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editDistance } from './edit-distance.ts'
import { hitMatcher, noNeighbours, parseSearchQuery, typedWords } from './search-query.ts'
import { snippet } from './snippet.ts'
import { wordsOf } from './tokenizer.ts'

const said = (text: string) =>
  parseSearchQuery(text)
    .map(group =>
      group
        .map(
          ({ words, not, quoted, open }) =>
            `${not ? '-' : ''}${quoted ? `"${words.join(' ')}"` : words.join('+')}${open ? '*' : ''}`,
        )
        .join(' '),
    )
    .join(' | ')

test('the text of a search box is parsed into terms', () => {
  for (const [text, meant] of [
    ['printer toner', 'printer toner*'],
    ['printer toner ', 'printer toner'],
    ['"floor three" -toner OR scanner', '"floor three" -toner | scanner*'],
    ['DESK-12', 'desk+12'],
    ['DESK-12a', 'desk+12a*'],
    ['École', 'ecole*'],
    ['a "b', 'a "b"'],
    ['-only', ''],
    ['or or or', ''],
    ['ada@example.com', 'ada+example+com*'],
    ["':* & | ! <-> \\", ''],
    ['pr', 'pr'],
  ] as const)
    assert.equal(said(text), meant, text)
  assert.equal(parseSearchQuery('a '.repeat(100)).flat().length, 20)
})

test('only single words of sufficient length may be mistyped', () => {
  assert.deepEqual(typedWords(parseSearchQuery('prnter the "tonner" -papper desk-12 x12345')), ['prnter'])
})

test('the edit distance counts typing errors', () => {
  for (const [a, b, slips] of [
    ['printer', 'printer', 0],
    ['prnter', 'printer', 1],
    ['pritner', 'printer', 1],
    ['printers', 'scanner', 5],
    ['', 'abc', 3],
  ] as const)
    assert.equal(editDistance(a, b), slips, `${a} ${b}`)
})

test('a snippet shows the hits, and its only markup is the marks', () => {
  const isHit = hitMatcher(parseSearchQuery('toner "floor 3"'), noNeighbours)
  assert.equal(
    snippet('No <i>toner</i> & "no"', isHit),
    'No &lt;i&gt;<mark>toner</mark>&lt;/i&gt; &amp; &quot;no&quot;',
  )
  assert.equal(snippet('TÖNER', hitMatcher(parseSearchQuery('toner'), noNeighbours)), '<mark>TÖNER</mark>')
  assert.equal(snippet('', isHit), '')
  const long = `${'before '.repeat(100)}the toner on floor 3 ${'behind '.repeat(100)}`
  const shown = snippet(long, isHit)
  assert.match(shown, /^…before .*the <mark>toner<\/mark> on <mark>floor<\/mark> <mark>3<\/mark> behind.*…$/)
  assert.ok(shown.replace(/<\/?mark>/g, '').length <= 202)
  assert.ok(snippet('x'.repeat(1000), isHit).length <= 201)
})

test('words are delimited by separators, in any script', () => {
  assert.deepEqual(wordsOf('Ärger—mit foo_bar, Привет! 日本語 “x”'), [
    'arger',
    'mit',
    'foo',
    'bar',
    'привет',
    '日本語',
    'x',
  ])
})
