import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineOf, replaced, tokenAt, written } from './tokens.ts'

const known = {
  people: [
    { id: 'a', name: 'Ana Marković' },
    { id: 'b', name: 'Ben Okafor' },
    { id: 'l', name: 'ليلى حدّاد' },
  ],
  containers: [
    { id: 'o', name: 'Operations', key: 'OPS' },
    { id: 'n', name: 'Network renewal', key: 'NET' },
  ],
  priorities: [
    { value: 1, names: ['Urgent', 'Dringend'] },
    { value: 2, names: ['High', 'Hoch'] },
  ],
  today: '2026-11-16',
}
const read = (text: string) => lineOf(text, known)

test('a line says what, who, where, when and how long', () => {
  const line = read('Replace the switch @ben #net !high /ops ^fri ~2h')
  assert.deepEqual(line, {
    title: 'Replace the switch',
    assignees: [{ id: 'b', name: 'Ben Okafor' }],
    labels: ['net'],
    priority: 2,
    container: { id: 'o', name: 'Operations', key: 'OPS' },
    dueDate: '2026-11-20',
    estimateMinutes: 120,
  })
})

test('people are named by any of their names, without accents, in any script; several are several', () => {
  assert.deepEqual(
    read('x @markovic @"Ben Okafor" @ليلى').assignees.map(({ id }) => id),
    ['a', 'b', 'l'],
  )
  assert.deepEqual(read('@ana @ana x').assignees.length, 1)
})

test('what cannot be read stays in the title', () => {
  assert.equal(read('Ask @nobody about /nothing ^soon ~x !!').title, 'Ask @nobody about /nothing ^soon ~x !!')
  assert.equal(read('C# and a/b, mail to a@b.c, 5 ^ 2 # @').title, 'C# and a/b, mail to a@b.c, 5 ^ 2 # @')
  assert.equal(read('').title, '')
})

test('a sign behind a backslash is a sign', () => {
  const line = read('Write \\#hashtags and \\@ana')
  assert.deepEqual([line.title, line.labels, line.assignees], ['Write #hashtags and @ana', [], []])
})

test('days and durations are read as elsewhere; the last one counts', () => {
  assert.equal(read('x ^+2w').dueDate, '2026-11-30')
  assert.equal(read('x ^12.3.').dueDate, '2027-03-12')
  assert.equal(read('x ^"3 Dec" ^tomorrow').dueDate, '2026-11-17')
  assert.deepEqual(
    [read('x ~1h30').estimateMinutes, read('x ~1:30').estimateMinutes, read('x ~90m').estimateMinutes],
    [90, 90, 90],
  )
  assert.deepEqual([read('x !1').priority, read('x !dring').priority], [1, 1])
})

test('the token under the caret is completed in its place', () => {
  const text = 'Fix @an now'
  const token = tokenAt(text, 7)
  assert.ok(token)
  assert.deepEqual([token.sign, token.word], ['@', 'an'])
  assert.deepEqual(replaced(text, token, written('@', 'Ana Marković')), { text: 'Fix @"Ana Marković" now', caret: 20 })
  assert.equal(tokenAt(text, 2), undefined)
  assert.equal(tokenAt('a@b', 3), undefined)
})
