import { RE2JS } from 're2js'
import { patternRefused, Scanner } from './characters.ts'
import { alternation } from './pattern-parser.ts'

/**
 * A pattern as PostgreSQL spells it, or a refusal.
 *
 * It must be one that RE2 takes, so no look-around and no back-reference, and is then written anew for PostgreSQL from
 * what was understood of it, so that nothing reaches the database which only looks alike. PostgreSQL matches such
 * a pattern in time linear in the text. What could still take long there, or fail, is to compile it: the bounds keep
 * that to some milliseconds.
 */
export function readPattern(pattern: string): string {
  if (pattern.length > 512) throw patternRefused('is longer than 512 characters')
  try {
    RE2JS.compile(pattern)
  } catch (error) {
    throw patternRefused(`cannot be read: ${error instanceof Error ? error.message : ''}`)
  }
  const scanner = new Scanner(pattern)
  const whole = alternation(scanner, { dotAll: false, lines: false })
  if (scanner.rest) throw patternRefused('closes a group that is not open')
  if (whole.size > 250) throw patternRefused('is too large with its repeats written out')
  // The time to compile grows with the cube of the parts that may be left out, and doubles with each place.
  if (whole.optional > 60) throw patternRefused('has too many optional parts')
  if (whole.places > 8) throw patternRefused('has too many anchors and word boundaries')
  if (scanner.spread > 100_000) throw patternRefused('has classes of too many characters')
  // `w`: only ^ and $ know lines, and where they should not, \A and \Z are written.
  return `(?w)${whole.text}`
}
