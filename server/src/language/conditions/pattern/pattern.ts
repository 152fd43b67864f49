import { RE2JS } from 're2js'
import { patternRefused, Scanner } from './characters.ts'
import { alternation } from './pattern-parser.ts'

/**
 * Translates a pattern to PostgreSQL's syntax, or refuses it. The pattern must be valid in RE2, so it has no
 * look-around and no back-reference. It is then written anew from its parsed form, so that no construct reaches the
 * database that means something else there. PostgreSQL matches such a pattern in time linear in the text. Only its
 * compilation could take long or fail, and the limits keep that to some milliseconds.
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
  // The time to compile grows with the cube of the number of optional parts, and doubles with each zero-width
  // assertion.
  if (whole.optional > 60) throw patternRefused('has too many optional parts')
  if (whole.places > 8) throw patternRefused('has too many anchors and word boundaries')
  if (scanner.spread > 100_000) throw patternRefused('has classes of too many characters')
  // `w`: only ^ and $ depend on lines; \A and \Z are written where they should not.
  return `(?w)${whole.text}`
}
