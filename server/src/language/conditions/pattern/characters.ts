import { InertCondition } from '../condition-fault.ts'

/** Reads the pattern from left to right. */
export class Scanner {
  rest: string
  /** the number of non-ASCII characters in its classes; PostgreSQL looks up both cases of each */
  spread = 0

  constructor(pattern: string) {
    this.rest = pattern
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    const found = pattern.exec(this.rest)
    if (found) this.rest = this.rest.slice(found[0].length)
    return found ?? undefined
  }

  /** The code point of the next character. */
  point(): number {
    const [character = ''] = this.take(/^./su) ?? []
    return character.codePointAt(0) ?? 0
  }
}

export function patternRefused(message: string): InertCondition {
  return new InertCondition('rightSide', 'pattern-refused', `the pattern ${message}`)
}

/** A literal character, inside or outside of brackets; punctuation is escaped, so that it has no other meaning. */
export function spell(point: number): string {
  if (point === 0 || (point >= 0xd800 && point <= 0xdfff)) throw patternRefused('names a character that no text has')
  if (point < 0x80 && !/[0-9a-z]/i.test(String.fromCodePoint(point))) return `\\u${point.toString(16).padStart(4, '0')}`
  return String.fromCodePoint(point)
}

/** Parses the escape after a backslash, unless it is a zero-width assertion. */
export function escaped(scanner: Scanner): string {
  const [shorthand] = scanner.take(/^[dwsDWS]/) ?? []
  if (!shorthand) return spell(escapedPoint(scanner))
  return `[${isUpper(shorthand) ? '^' : ''}${shorthands.get(shorthand.toLowerCase())}]`
}

function isUpper(letter: string): boolean {
  return letter !== letter.toLowerCase()
}

// RE2 limits these classes to ASCII, and so do most engines; PostgreSQL's own classes would depend on the locale.
const shorthands = new Map([
  ['d', '0-9'],
  ['w', '0-9A-Za-z_'],
  ['s', '\\u0009\\u000a\\u000c\\u000d\\u0020'],
])

const posix = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\u0001-\\u007f'],
  ['blank', '\\u0009\\u0020'],
  ['cntrl', '\\u0001-\\u001f\\u007f'],
  ['digit', '0-9'],
  ['graph', '\\u0021-\\u007e'],
  ['lower', 'a-z'],
  ['print', '\\u0020-\\u007e'],
  ['punct', '\\u0021-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u007e'],
  ['space', '\\u0009-\\u000d\\u0020'],
  ['upper', 'A-Z'],
  ['word', '0-9A-Za-z_'],
  ['xdigit', '0-9A-Fa-f'],
])

const controls = new Map([
  ['a', 0x07],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
])

function escapedPoint(scanner: Scanner): number {
  const [, short, long] = scanner.take(/^x(?:([0-9a-f]{2})|\{([0-9a-f]{1,6})\})/i) ?? []
  if (short ?? long) return Number.parseInt(short ?? long ?? '', 16)
  const [sign = ''] = scanner.take(/^[^0-9A-Za-z]|^[afnrtv]/u) ?? []
  if (!sign) throw patternRefused(`has the escape \\${scanner.rest.slice(0, 1)}, which is not known here`)
  return controls.get(sign) ?? sign.codePointAt(0) ?? 0
}

/** Parses a bracket expression after its opening bracket. */
export function characterClass(scanner: Scanner): string {
  const negated = scanner.take(/^\^/) !== undefined
  const members: string[] = []
  // A negated class such as `\D` in a bracket expression is not a range of characters, so it becomes a branch of its
  // own.
  const outside: string[] = []
  do {
    const [, complement, name] = scanner.take(/^\[:(\^?)(\w+):\]/) ?? scanner.take(/^\\()([dwsDWS])/) ?? []
    if (!name) members.push(range(scanner))
    else {
      const named = posix.get(name) ?? shorthands.get(name.toLowerCase())
      if (!named) throw patternRefused(`has the class ${name}, which is not known here`)
      if (complement || (shorthands.has(name.toLowerCase()) && isUpper(name))) outside.push(named)
      else members.push(named)
    }
  } while (scanner.rest && !scanner.take(/^\]/))
  if (outside.length === 0) return `[${negated ? '^' : ''}${members.join('')}]`
  if (negated) throw patternRefused('negates a class that has a negated class in it')
  const branches = outside.map(named => `[^${named}]`)
  if (members.length > 0) branches.push(`[${members.join('')}]`)
  return `(?:${branches.join('|')})`
}

function range(scanner: Scanner): string {
  const begin = end(scanner)
  if (!scanner.take(/^-(?!\])/)) return spell(begin)
  const first = Math.max(begin, 1)
  const last = end(scanner)
  if (last < first) throw patternRefused('has a range that ends before it begins')
  scanner.spread += Math.max(last - Math.max(first, 0x7f), 0)
  return `${spell(first)}-${spell(last)}`
}

function end(scanner: Scanner): number {
  return scanner.take(/^\\/) ? escapedPoint(scanner) : scanner.point()
}
