/** @import { Schema } from './openapi-types.d.ts' */
import { formatOf, resolve } from './api-document.js'

/**
 * Returns an example value for the schema.
 * @param {Schema} schema
 * @param {string} name
 * @param {number} depth
 * @returns {unknown}
 */
export function sample(schema, name = '', depth = 0) {
  const plain = resolve(schema)
  if (plain.example !== undefined) return plain.example
  if (plain.const !== undefined) return plain.const
  if (plain.default !== undefined) return plain.default
  if (plain.enum) return plain.enum[0]
  const types = [plain.type ?? 'null'].flat()
  if (types.includes('null')) return null
  const [type] = types
  if (type === 'object')
    return depth > 3
      ? {}
      : Object.fromEntries(
          Object.entries(plain.properties ?? {}).map(([key, each]) => [key, sample(each, key, depth + 1)]),
        )
  if (type === 'array')
    return depth > 2 || !plain.items || (depth > 0 && !resolve(plain.items).properties)
      ? []
      : [sample(plain.items, '', depth + 1)]
  if (type === 'integer' || type === 'number') return name === 'version' ? 1 : Math.max(0, plain.minimum ?? 0)
  if (type === 'boolean') return name === 'active'
  return type === 'string' ? sampleText(plain, name) : null
}

/** @type {Readonly<Record<string, string>>} */
const texts = {
  'date-time': '2026-03-31T09:00:00.000Z',
  date: '2026-03-31',
  uuid: '01a1dd18-dac8-728b-868b-2155742713c0',
  email: 'ada@example.com',
  url: 'https://example.com/',
  timezone: 'Europe/Berlin',
  'time-of-day': '09:00',
  weekday: 'Monday',
}

/**
 * @param {Schema} schema
 * @param {string} name
 */
function sampleText(schema, name) {
  const { description = '' } = schema
  const format = formatOf(schema)
  if (format) return texts[format] ?? ''
  if (description.startsWith('The id of')) return ''
  return name === 'name' ? 'A name' : name === 'title' ? 'A title' : ''
}
