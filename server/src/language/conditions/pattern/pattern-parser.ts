import { characterClass, escaped, patternRefused, type Scanner, spell } from './characters.ts'

/** A part of a pattern in PostgreSQL's spelling, and what it comes to with its repeats written out. */
interface Part {
  text: string
  /** how many characters it reads */
  size: number
  /** how many of its parts may be left out */
  optional: number
  /** how many places it looks at without reading: anchors and word boundaries */
  places: number
}

interface Flags {
  dotAll: boolean
  lines: boolean
}

const nothing: Part = { text: '', size: 0, optional: 0, places: 0 }

export function alternation(scanner: Scanner, flags: Flags): Part {
  const first = branch(scanner, flags)
  if (!scanner.take(/^\|/)) return first
  const rest = alternation(scanner, flags)
  return { ...sum(first, rest), text: `${first.text}|${rest.text}` }
}

function branch(scanner: Scanner, flags: Flags): Part {
  const parts: Part[] = []
  while (scanner.rest && !/^[|)]/.test(scanner.rest)) parts.push(repeated(scanner, part(scanner, flags)))
  if (parts.length === 0) return { ...nothing, optional: 1 }
  return parts.reduce((a, b) => ({ ...sum(a, b), text: a.text + b.text }))
}

function sum(a: Part, b: Part): Omit<Part, 'text'> {
  return { size: a.size + b.size, optional: a.optional + b.optional, places: a.places + b.places }
}

function part(scanner: Scanner, flags: Flags): Part {
  if (scanner.take(/^\(/)) return group(scanner, flags)
  if (scanner.take(/^\[/)) return one(characterClass(scanner))
  if (scanner.take(/^\./)) return one(flags.dotAll ? '.' : '[^\\u000a]')
  const [place] = scanner.take(/^(?:[$^]|\\[bBAz])/) ?? []
  if (place) return { ...nothing, text: spellPlace(place, flags), places: 1 }
  if (scanner.take(/^\\/)) return one(escaped(scanner))
  return one(spell(scanner.point()))
}

function one(text: string): Part {
  return { ...nothing, text, size: 1 }
}

// A word boundary is PostgreSQL's: letters of every script make words, not only those of ASCII.
function spellPlace(place: string, flags: Flags): string {
  if (place === '^') return flags.lines ? '^' : '\\A'
  if (place === '$') return flags.lines ? '$' : '\\Z'
  if (place === '\\b') return '\\y'
  if (place === '\\B') return '\\Y'
  return place === '\\A' ? '\\A' : '\\Z'
}

function group(scanner: Scanner, flags: Flags): Part {
  const inside = { ...flags }
  const [, on, off = '', end] = scanner.take(/^\?([a-zA-Z]*)(?:-([a-zA-Z]*))?([:)])/) ?? []
  if (on !== undefined) {
    // Flags that stand alone last to the end of the group around them, over all of its branches.
    const target = end === ')' ? flags : inside
    setFlags(target, on, off)
    if (end === ')') return nothing
  } else scanner.take(/^\?P?<\w+>/)
  const whole = alternation(scanner, inside)
  if (!scanner.take(/^\)/)) throw patternRefused('leaves a group open')
  return { ...whole, text: `(?:${whole.text})` }
}

function setFlags(flags: Flags, on: string, off: string): void {
  // Case never counts, so to say so is fine and to ask for it is not.
  if (/[^ism]/.test(on) || /[^sm]/.test(off)) throw patternRefused('sets a flag other than i, s and m')
  if (on.includes('s') || off.includes('s')) flags.dotAll = !off.includes('s')
  if (on.includes('m') || off.includes('m')) flags.lines = !off.includes('m')
}

function repeated(scanner: Scanner, part: Part): Part {
  // Whether a repeat is greedy changes what is found but not whether something is.
  const [found, symbol, least, comma, most] = scanner.take(/^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/) ?? []
  if (!found) return part
  if (part.size === 0) throw patternRefused('repeats what has no length')
  // In a loop, places multiply while PostgreSQL compiles until it gives up.
  if (part.places > 0 && symbol !== '?') throw patternRefused('repeats an anchor or a word boundary')
  if (symbol) return { ...part, text: part.text + symbol, optional: part.optional + (symbol === '+' ? 0 : 1) }
  const min = Number(least)
  const max = comma ? (most ? Number(most) : undefined) : min
  const times = max ?? min + 1
  if (times === 0 || times > 255) throw patternRefused('repeats a part never or more than 255 times')
  return {
    text: `${part.text}{${min}${max === min ? '' : `,${max ?? ''}`}}`,
    size: part.size * times,
    optional: part.optional * times + (min === 0 ? 1 : 0),
    places: 0,
  }
}
