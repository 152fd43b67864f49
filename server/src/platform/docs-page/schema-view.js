// Schemas as lists of properties with their types and rules.
/** @import { Schema } from './openapi-types.d.ts' */
import { formatOf, nameOf, resolve } from './api-document.js'
import { h, prose } from './dom.js'

/**
 * @param {Schema} schema
 * @returns {string}
 */
export function typeOf(schema) {
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.title) return schema.title
  if (schema.anyOf && !schema.type) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return 'any JSON'
  const named = types.map(type => {
    if (type === 'array') return `array of ${schema.items ? typeOf(schema.items) : 'anything'}`
    return (type === 'string' && formatOf(schema)) || type
  })
  return named.join(' or ')
}

const limits = [-2147483648, 2147483647]

/**
 * Describes the constraints of a value.
 * @param {Schema} schema
 */
function rulesOf(schema) {
  /** @type {string[]} */
  const rules = []
  const { minLength, maxLength, minimum, maximum, maxItems, pattern } = schema
  if (schema.enum) rules.push(`one of ${schema.enum.join(', ')}`)
  if (minLength === 1 && maxLength) rules.push(`1 to ${maxLength} characters`)
  else if (maxLength && !formatOf(schema) && maxLength !== 36)
    rules.push(`up to ${maxLength.toLocaleString('en')} characters`)
  if (minimum !== undefined && !limits.includes(minimum))
    rules.push(maximum === undefined || limits.includes(maximum) ? `at least ${minimum}` : `${minimum} to ${maximum}`)
  else if (maximum !== undefined && !limits.includes(maximum)) rules.push(`at most ${maximum}`)
  if (maxItems) rules.push(`up to ${maxItems.toLocaleString('en')} entries`)
  if (pattern && pattern !== '\\S') rules.push(`matches ${pattern}`)
  if (schema.default !== undefined && schema.default !== '' && schema.default !== false)
    rules.push(`default ${JSON.stringify(schema.default)}`)
  return rules.join(' · ')
}

/**
 * @param {string} name
 * @param {Schema} schema
 * @param {boolean | undefined} required
 * @param {string} [description]
 */
export function row(name, schema, required, description = schema.description) {
  const rules = rulesOf(schema)
  return h(
    'li',
    {},
    h(
      'div',
      { class: 'row' },
      h('b', {}, name),
      h('span', { class: 'type' }, typeOf(schema)),
      required ? h('span', { class: 'must' }, 'required') : undefined,
      rules ? h('span', { class: 'rule' }, rules) : undefined,
    ),
    description ? h('p', {}, prose(description)) : undefined,
    inner(schema),
  )
}

/**
 * The properties of a nested schema, collapsed.
 * @param {Schema} schema
 */
function inner(schema) {
  const content = resolve([schema.type ?? []].flat().includes('array') ? schema.items : schema)
  const names = Object.keys(content.properties ?? {})
  if (names.length === 0 || schema.$ref || schema.items?.$ref) return undefined
  return h(
    'details',
    {},
    h('summary', {}, names.length === 1 ? '1 property' : `${names.length} properties`),
    properties(content),
  )
}

/**
 * @param {Schema} schema
 * @returns {HTMLElement}
 */
export function properties(schema) {
  const { properties: all = {}, required = [] } = resolve(schema)
  return h(
    'ul',
    { class: 'rows' },
    Object.entries(all).map(([name, each]) => row(name, each, required.includes(name))),
  )
}
