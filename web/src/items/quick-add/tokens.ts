import { dayOf } from '../../kernel/dates/day-input.ts'
import { durationOf } from '../../kernel/dates/durations.ts'

// One line for an item: `Replace the switch @ben #net !high /ops ^fri ~2h`.

export interface Named {
  id: string
  name: string
}

/** What the words of a line can mean. */
export interface Vocabulary {
  people: readonly Named[]
  containers: readonly (Named & { key: string })[]
  /** The names of each priority, by its code. */
  priorities: readonly { value: number; names: readonly string[] }[]
  today: string
}

export interface Line {
  title: string
  assignees: Named[]
  labels: string[]
  priority?: number
  container?: Named & { key: string }
  dueDate?: string
  estimateMinutes?: number
}

const signs = '@#!/^~'

/** A word with a sign, and where it stands. Several words are put in quotes: `@"Ana M"`. */
export interface Token {
  sign: string
  word: string
  from: number
  to: number
}

const tokenPattern = /(?<=^|\s)([@#!/^~])(?:"([^"]*)"?|(\S*))/gu

export function tokensOf(text: string): Token[] {
  return Array.from(text.matchAll(tokenPattern), ({ 0: whole, 1: sign = '', 2: quoted, 3: plain, index }) => ({
    sign,
    word: quoted ?? plain ?? '',
    from: index,
    to: index + whole.length,
  }))
}

/** The token that somebody types at this place of the line. */
export const tokenAt = (text: string, caret: number): Token | undefined =>
  tokensOf(text).find(({ from, to }) => from < caret && caret <= to)

/** Reads a line. What cannot be read stays in the title, and a sign after `\` is a sign. */
export function lineOf(text: string, known: Vocabulary): Line {
  const line: Line = { title: '', assignees: [], labels: [] }
  let title = ''
  let at = 0
  for (const token of tokensOf(text)) {
    if (!take(token, known, line)) continue
    title += text.slice(at, token.from)
    at = token.to
  }
  title += text.slice(at)
  const unescaped = title.replace(new RegExp(`(^|\\s)\\\\(?=[${signs.replace('^', '\\^')}])`, 'g'), '$1')
  line.title = unescaped.replace(/\s+/g, ' ').trim()
  return line
}

function take({ sign, word }: Token, known: Vocabulary, line: Line): boolean {
  if (word === '') return false
  if (sign === '@') {
    const person = oneOf(word, known.people)
    if (person && !line.assignees.includes(person)) line.assignees.push(person)
    return person !== undefined
  }
  if (sign === '#') {
    if (!line.labels.includes(word)) line.labels.push(word)
    return true
  }
  if (sign === '!') return set(line, 'priority', priorityOf(word, known))
  if (sign === '/') return set(line, 'container', containerOf(word, known))
  if (sign === '^') return set(line, 'dueDate', dayOf(word, known.today))
  return set(line, 'estimateMinutes', durationOf(word))
}

function set<K extends 'priority' | 'container' | 'dueDate' | 'estimateMinutes'>(
  line: Line,
  name: K,
  value: Line[K] | undefined,
): boolean {
  if (value === undefined) return false
  line[name] = value
  return true
}

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\p{M}\s._-]/gu, '')
    .toLowerCase()

/** The one that is meant: by its whole name, the beginning of it, or the beginning of one of its words. */
function oneOf<T extends Named>(word: string, all: readonly T[]): T | undefined {
  const wanted = plain(word)
  const beginsWith = ({ name }: Named) => plain(name).startsWith(wanted)
  const hasWord = ({ name }: Named) => name.split(/\s+/).some(part => plain(part).startsWith(wanted))
  return all.find(({ name }) => plain(name) === wanted) ?? all.find(beginsWith) ?? all.find(hasWord)
}

function containerOf(word: string, { containers }: Vocabulary) {
  return containers.find(({ key }) => key.toLowerCase() === word.toLowerCase()) ?? oneOf(word, containers)
}

function priorityOf(word: string, { priorities }: Vocabulary): number | undefined {
  const wanted = word.toLowerCase()
  const named = priorities.find(({ names }) => names.some(name => name.toLowerCase().startsWith(wanted)))
  return priorities.find(({ value }) => String(value) === wanted)?.value ?? named?.value
}

/** How a value is written into a line. */
export const written = (sign: string, name: string): string => (/\s/.test(name) ? `${sign}"${name}"` : `${sign}${name}`)

/** The line with a token replaced, and the place behind it. */
export function replaced(text: string, { from, to }: Token, by: string): { text: string; caret: number } {
  const rest = text.slice(to)
  const head = `${text.slice(0, from)}${by}${rest.startsWith(' ') ? '' : ' '}`
  return { text: head + rest, caret: head.length + (rest.startsWith(' ') ? 1 : 0) }
}
