import { RE2JS } from 're2js'
import { formats, isUrl } from '../../../kernel/schema/formats.ts'
import type { FieldRules, FieldValue, ValueFault } from './value-types.ts'

/** Reads a text. A number is accepted as text, because importers do not know which column is text. */
export function readText(field: FieldRules | undefined, given: unknown, longest: number): FieldValue | ValueFault {
  if (typeof given !== 'string' && typeof given !== 'number') return { code: 'type', message: 'must be a text' }
  const text = String(given)
  if (text.length > longest) return { code: 'maxLength', message: `must have at most ${longest} characters` }
  if (field?.pattern && !matches(field.pattern, text))
    return { code: 'pattern', message: `must match ${field.pattern}` }
  return { shown: text, rows: [{ text }], references: [] }
}

/**
 * Matches anywhere in the text, as JSON Schema does; `^` and `$` anchor the pattern. An invalid pattern refuses
 * nothing.
 */
function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern)
  return compiled === undefined || compiled.matcher(text).find()
}

/** Compiles a pattern that runs in linear time; undefined if it is invalid. */
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

/** A product is identified by its code, as in the records of customers. */
export function readSku(field: FieldRules, given: unknown): FieldValue | ValueFault {
  const text = typeof given === 'string' ? given.trim() : given
  return text === '' ? { code: 'type', message: 'must be the code of a product' } : readText(field, text, 120)
}

const maxBytes = 16 * 1024

/** JSON is stored as given and has no rows in `item_value`, because conditions cannot match it. */
export function readJson(_field: FieldRules, given: unknown): FieldValue | ValueFault {
  if (Buffer.byteLength(JSON.stringify(given)) > maxBytes)
    return { code: 'maxLength', message: `must have at most ${maxBytes} bytes` }
  return { shown: given, rows: [], references: [] }
}
