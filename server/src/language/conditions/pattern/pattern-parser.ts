import { characterClass, escaped, patternRefused, type Scanner, spell } from './characters.ts'

/** A part of a pattern in PostgreSQL's syntax, and its size with all repeats expanded. */
interface Part {
  text: string
  /** the number of characters that it consumes */
  size: number
  /** the number of its optional parts */
  optional: number
  /** the number of its zero-width assertions: anchors and word boundaries */
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

// A word boundary has PostgreSQL's meaning: letters of every script form words, not only ASCII letters.
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
    // Flags without a group apply to the end of the enclosing group, across all of its branches.
    const target = end === ')' ? flags : inside
    setFlags(target, on, off)
    if (end === ')') return nothing
  } else scanner.take(/^\?P?<\w+>/)
  const whole = alternation(scanner, inside)
  if (!scanner.take(/^\)/)) throw patternRefused('leaves a group open')
  return { ...whole, text: `(?:${whole.text})` }
}

function setFlags(flags: Flags, on: string, off: string): void {
  // Case is always ignored, so the flag for that is accepted and the opposite flag is refused.
  if (/[^ism]/.test(on) || /[^sm]/.test(off)) throw patternRefused('sets a flag other than i, s and m')
  if (on.includes('s') || off.includes('s')) flags.dotAll = !off.includes('s')
  if (on.includes('m') || off.includes('m')) flags.lines = !off.includes('m')
}

function repeated(scanner: Scanner, part: Part): Part {
  // Greediness changes what is matched, but not whether something matches.
  const [found, symbol, least, comma, most] = scanner.take(/^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/) ?? []
  if (!found) return part
  if (part.size === 0) throw patternRefused('repeats what has no length')
  // In a loop, assertions multiply while PostgreSQL compiles the pattern, until it fails.
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
