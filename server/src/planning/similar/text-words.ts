import { isCommonWord } from '../../language/search/common-words.ts'
import { wordsOf } from '../../language/search/tokenizer.ts'
import type { WordFrequency } from '../../language/search/word-frequency.ts'

/** A word of a text that items are compared with. */
interface TextWord {
  word: string
  /** Whether the title has it; such a word counts twice. */
  inTitle: boolean
}

/** The words of an item's search row that nobody has typed: labels by their ids, ages, and a mark. */
const internal = /^(l[0-9a-f]{32}|age[0-9]{9}|longtext0)$/
const longestWord = 60
/** Behind this, a description says nothing about its subject that it has not said before. */
const readCharacters = 5000
const maxRead = 150

/** The different words of a text that say something about its subject, those of the title first. */
export function textWords(title: string, description: string): TextWord[] {
  const ofTitle = new Set(wordsOf(title))
  const all = new Set([...ofTitle, ...wordsOf(description.slice(0, readCharacters))])
  return [...all]
    .filter(word => word.length > 1 && word.length <= longestWord && !internal.test(word) && !isCommonWord(word))
    .slice(0, maxRead)
    .map(word => ({ word, inTitle: ofTitle.has(word) }))
}

const maxCompared = 16
const maxFinders = 6
/** A word that more of the sample have is no key to an index: it would find tens of thousands of items. */
const maxFinderCount = 20

interface ChosenWords {
  /** The words that items are compared with, the rarest first. */
  compared: TextWord[]
  /** Those of them that the index of words is asked for. Together, few items have them. */
  finders: string[]
}

/** Chooses the rarest words of a text. */
export function chooseWords(words: readonly TextWord[], frequencies: readonly WordFrequency[]): ChosenWords {
  const byWord = new Map(frequencies.map(each => [each.word, each]))
  const countOf = ({ word }: TextWord) => byWord.get(word)?.count ?? 0
  const compared = words
    .toSorted(
      (a, b) => countOf(a) - countOf(b) || Number(b.inTitle) - Number(a.inTitle) || b.word.length - a.word.length,
    )
    .slice(0, maxCompared)
  const finders: string[] = []
  let left = maxFinderCount
  for (const each of compared) {
    if (finders.length === maxFinders || countOf(each) > left) break
    if (!byWord.get(each.word)?.known) continue
    left -= countOf(each)
    finders.push(each.word)
  }
  return { compared, finders }
}
