import { RE2JS } from 're2js'
import { formats, isUrl } from '../../../kernel/schema/formats.ts'
import type { FieldRules, FieldValue, ValueFault } from './value-types.ts'

/** A number is taken as the text it is written as: importers do not know which column is text. */
export function readText(field: FieldRules | undefined, given: unknown, longest: number): FieldValue | ValueFault {
  if (typeof given !== 'string' && typeof given !== 'number') return { code: 'type', message: 'must be a text' }
  const text = String(given)
  if (text.length > longest) return { code: 'maxLength', message: `must have at most ${longest} characters` }
  if (field?.pattern && !matches(field.pattern, text))
    return { code: 'pattern', message: `must match ${field.pattern}` }
  return { shown: text, rows: [{ text }], references: [] }
}

/** Looks anywhere in the text, as JSON Schema does; who wants all of it writes ^ and $. A pattern that cannot be read holds nobody up. */
function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern)
  return compiled === undefined || compiled.matcher(text).find()
}

/** Linear in the text, whatever the pattern; undefined if it is none. */
export function compilePattern(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern)
  } catch {
    return undefined
  }
}

export function readUrl(_field: FieldRules, given: unknown): FieldValue | ValueFault {
  const text = typeof given === 'string' ? given.trim() : ''
  if (text === '' || text.length > 2000 || !isUrl(text)) return { code: 'url', message: formats.url?.says ?? '' }
  return { shown: text, rows: [{ text }], references: [] }
}

/** What is sold is known by its code, as customers' records have it. */
export function readSku(field: FieldRules, given: unknown): FieldValue | ValueFault {
  const text = typeof given === 'string' ? given.trim() : given
  return text === '' ? { code: 'type', message: 'must be the code of something sold' } : readText(field, text, 120)
}

const maxBytes = 16 * 1024

/** Kept as it is; too free to be matched, so it has no rows. */
export function readJson(_field: FieldRules, given: unknown): FieldValue | ValueFault {
  if (Buffer.byteLength(JSON.stringify(given)) > maxBytes)
    return { code: 'maxLength', message: `must have at most ${maxBytes} bytes` }
  return { shown: given, rows: [], references: [] }
}
