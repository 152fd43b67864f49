import type { Schema } from '../../kernel/schema/shape.ts'

/** Makes a small body that the schema accepts, for the documentation: the required properties, then up to three in all. */
export function exampleOf({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const names = Object.keys(properties)
  const ordered = [...names.filter(each => required.includes(each)), ...names.filter(each => !required.includes(each))]
  const example: Record<string, unknown> = {}
  for (const property of ordered) {
    const value = plainExample(property, properties[property] ?? {})
    if (value !== undefined && Object.keys(example).length < Math.max(3, required.length)) example[property] = value
  }
  return example
}

/** Ids, endpoints and instants depend on the installation and the purpose, so they have no generic example. */
function plainExample(property: string, { type, format, examples, maxLength, ...schema }: Schema): unknown {
  if (Array.isArray(examples)) return examples[0]
  if (type === 'boolean') return true
  if (type !== 'string' || schema['x-ref'] || /(Id|Endpoint)$/.test(property)) return undefined
  const known: Record<string, string> = {
    'time-of-day': '09:00',
    weekday: 'Monday',
    decimal: '120.0000',
    email: 'ada@example.com',
    url: 'https://example.com/',
  }
  const value = format === undefined ? phrase(property) : known[format]
  if (schema.pattern !== undefined && schema.pattern !== '\\S') return undefined
  return value && value.length <= Number(maxLength ?? 200) ? value : undefined
}

/** `apiName` → `An api name`. */
function phrase(property: string): string {
  return `${/^[aeiou]/i.test(property) ? 'An' : 'A'} ${property.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)}`
}
