import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { folded } from '../../language/folded.ts'
import { wordPieces } from '../../language/search/word-pieces.ts'

describe('parts of descriptions', async () => {
  const { ada } = await sharedTestService()
  const { id: containerId } = await ada.post('/container', { name: 'Parts of descriptions' })
  const texts = [
    'The Café printer_room on floor 977: 100% wrong',
    'Error 1e3abc after 9e1e3x and 27e1bz7, order 8e27e1bz7',
    'x²y costs 5€each, or foo😀bar×baz',
    `${'A'.repeat(3000)}needle ends`,
    'ПРИНТЕР в комнате, Straße 7, ﬁle naïve',
    "it's c:\\temp\\quux 'quoted' 40012345678901234567890",
    `${'far '.repeat(30_000)}beyond`,
  ]
  const names = texts.map((_, i) => `Text ${i}`)
  for (const [i, description] of texts.entries()) await ada.post('/item', { title: names[i], description, containerId })

  const found = async (operator: string, part: string) => {
    const query = `containerId=${containerId}&fields=title&description[${operator}]=${encodeURIComponent(part)}`
    const all: { title: string }[] = await ada.get(`/item?${query}`)
    return all.map(each => names.indexOf(each.title))
  }
  const expected = (part: string, has: (text: string, part: string) => boolean) =>
    texts.flatMap((text, i) => (has(folded(text), folded(part)) ? [i] : []))

  test('every part of a text finds it', async () => {
    for (const text of texts.filter(each => each.length < 100))
      for (let at = 0; at < text.length; at += 4)
        for (const length of [1, 2, 3, 9]) {
          const part = text.slice(at, at + length)
          if (!part.isWellFormed() || part.includes(',') || part.trim() !== part) continue
          assert.deepEqual(
            await found('contains', part),
            expected(part, (all, one) => all.includes(one)),
            part,
          )
        }
  })

  const cases: [operator: string, part: string, texts: number[]][] = [
    ['contains', 'q', [5]],
    ['contains', 'q9', []],
    ['endsWith', 'g', [0]],
    ['startsWith', 'x', [2]],
    ['contains', 'eedle', [3]],
    ['contains', 'eyond', [6]],
    ['contains', 'no such text', []],
    ['contains', 'loor 977', [0]],
    ['contains', 'loor 97', [0]],
    ['contains', 'loor 77', []],
    ['startsWith', 'the cafe print', [0]],
    ['startsWith', 'cafe', []],
    ['endsWith', '% wrong', [0]],
    ['endsWith', 'wron', []],
    ['endsWith', 'naive', [4]],
    ['matches', 'rinter.room', [0]],
    ['matches', 'straße [0-9]', [4]],
  ]
  for (const [operator, part, texts] of cases)
    test(`description[${operator}]=${part} finds ${texts.length}`, async () => {
      assert.deepEqual(await found(operator, part), texts)
    })

  test('a changed description is found by its new words, and not by its old ones', async () => {
    const { id } = await ada.post('/item', { title: names[0], description: 'Xylophagous', containerId })
    assert.deepEqual(await found('contains', 'ylophag'), [0])
    await ada.must('PATCH', `/item/${id}`, { body: { description: 'Zymurgical' } })
    assert.deepEqual(await found('contains', 'ylophag'), [])
    assert.deepEqual(await found('contains', 'ymurgic'), [0])
    await ada.delete(`/item/${id}`)
  })
})

test('the pieces of a part lie within words, without numbers that may be words of their own', () => {
  const pieces = (part: string, start = false, end = false) =>
    wordPieces(part, start, end)
      .map(({ text, begins, ends }) => `${begins ? '^' : ''}${text}${ends ? '$' : ''}`)
      .join(' ')
  assert.equal(pieces('loor 977 migr'), 'loor$ ^977$ ^migr')
  assert.equal(pieces('loor 977', true, true), '^loor$ ^977$')
  assert.equal(pieces('27e1bz7'), 'bz7')
  assert.equal(pieces('zx12-3'), 'zx12$ ^3')
  assert.equal(pieces('5€each 😀bar'), '5 each$ bar')
})
