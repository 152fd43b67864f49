import type { Schema } from './document.ts'

// JSON Schema as TypeScript.

/** The type of the values that a schema accepts. */
export function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.slice('#/components/schemas/'.length)
  if (schema.anyOf) return union(schema.anyOf.map(typeOf))
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map(value => JSON.stringify(value)))
  if (Array.isArray(schema.type)) return union(schema.type.map(type => typeOf({ ...schema, type })))
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      return arrayOf(schema.items ? typeOf(schema.items) : 'unknown')
    case 'object':
      return objectOf(schema)
    default:
      return 'unknown'
  }
}

function union(types: readonly string[]): string {
  const unique = [...new Set(types)]
  if (unique.includes('unknown')) return 'unknown'
  return unique.map(each => (each.includes('=>') ? `(${each})` : each)).join(' | ')
}

const arrayOf = (type: string) => (/[|&]/.test(outside(type)) ? `(${type})[]` : `${type}[]`)

/** The type without what is in braces, where an operator does not matter. */
function outside(type: string): string {
  for (let shorter = type; ; type = shorter) {
    shorter = type.replace(/\{[^{}]*\}/g, '')
    if (shorter === type) return type
  }
}

function objectOf({ properties, required = [], additionalProperties }: Schema): string {
  const rest = additionalProperties === undefined || additionalProperties === true ? {} : additionalProperties
  const others = rest === false ? undefined : typeOf(rest)
  if (!properties || Object.keys(properties).length === 0)
    return others ? `Record<string, ${others}>` : 'Record<string, never>'
  const members = Object.entries(properties).map(([name, each]) => member(name, each, required.includes(name)))
  return `{ ${members.join('; ')} }`
}

function member(name: string, schema: Schema, required: boolean): string {
  return required ? `${key(name)}: ${typeOf(schema)}` : `${key(name)}?: ${optional(typeOf(schema))}`
}

const optional = (type: string) => (type === 'unknown' ? type : `${type} | undefined`)

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)

/** The declaration of a named type, with what the document says about it. */
export function declaration(name: string, schema: Schema): string {
  if (schema.type !== 'object' || !schema.properties)
    return `${comment(schema.description)}export type ${name} = ${typeOf(schema)}\n`
  const members = Object.entries(schema.properties).map(
    ([property, each]) =>
      `${comment(each.description, '  ')}  ${member(property, each, schema.required?.includes(property) ?? false)}\n`,
  )
  return `${comment(schema.description)}export interface ${name} {\n${members.join('')}}\n`
}

export function comment(text: string | undefined, indent = ''): string {
  if (!text) return ''
  return `${indent}/** ${text.replace(/\s+/g, ' ').replaceAll('*/', '*\\/')} */\n`
}
