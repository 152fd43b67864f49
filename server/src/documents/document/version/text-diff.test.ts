import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkTargets } from '../link-targets.ts'
import { diffTexts, type TextDiff } from './text-diff.ts'

const lines = ({ hunks }: TextDiff) => hunks.flatMap(each => each.lines)

/** The new text, made of the old one and the difference. */
function patched(from: string, { hunks }: TextDiff): string {
  const old = from.split('\n')
  const made: string[] = []
  let at = 0
  for (const { oldStart, oldLines, lines: changed } of hunks) {
    const start = oldLines === 0 && oldStart === 0 ? 0 : oldStart - 1
    made.push(...old.slice(at, start))
    at = start + oldLines
    made.push(...changed.filter(line => /^[ +]/.test(line)).map(line => line.slice(1)))
  }
  return [...made, ...old.slice(at)].join('\n')
}

test('a difference says what went and what came, line by line', () => {
  const { exact, hunks } = diffTexts('a\nb\nc\n', 'a\nx\nc\n')
  assert.equal(exact, true)
  assert.deepEqual(hunks, [{ oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' a', '-b', '+x', ' c'] }])
  assert.deepEqual(diffTexts('same\n', 'same\n').hunks, [])
  assert.deepEqual(lines(diffTexts('', 'new\n')), ['+new'])
})

test('texts that differ everywhere are compared in a bounded time, without the equal ends', () => {
  const many = (prefix: string) => Array.from({ length: 60_000 }, (_, i) => `${prefix}${(i * 7919) % 60_000}`)
  const from = ['begin', ...many('a'), 'end'].join('\n')
  const to = ['begin', ...many('b'), 'end'].join('\n')
  const found = diffTexts(from, to)
  assert.equal(found.exact, false)
  assert.deepEqual([found.hunks.length, found.hunks[0]?.oldStart, found.hunks[0]?.oldLines], [1, 2, 60_000])
  assert.equal(patched(from, found), to)
})

test('the links of a text are keys of items and ids of documents, each once', () => {
  const id = '01890000-0000-7000-8000-00000000000A'
  for (const [text, targets] of [
    ['see [[DEV-1]] and [[dev-1]], not [[DEV-]] or DEV-2 or [DEV-3]', ['DEV-1']],
    [`[guide](/doc/${id}) https://gantry.example/doc/${id}#top`, [id.toLowerCase()]],
    [`/doc/${id}0 /doc/${id}-1 /doc/123 doc/${id.slice(1)}`, []],
    ['[['.repeat(10_000), []],
  ] as const)
    assert.deepEqual(linkTargets(text), targets)
  assert.equal(linkTargets(Array.from({ length: 2000 }, (_, i) => `[[A-${i}]]`).join(' ')).length, 1000)
})
