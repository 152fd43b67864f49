// The OpenAPI document, and its operations grouped by area.
/** @import { ApiDocument, Area, Operation, Schema } from './openapi-types.d.ts' */

/** @type {ApiDocument} */
export let spec = { paths: {}, components: { schemas: {} } }
/** @type {Area[]} */
export let areas = []

/** @param {ApiDocument} api */
export function readDocument(api) {
  spec = api
  /** @type {Map<string, Operation[]>} */
  const byTag = new Map()
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] ?? ''
      const list = byTag.get(tag) ?? []
      // The same operation exists twice: with the id in the path, and in the body.
      const summary =
        method === 'put' && !path.includes('{') && api.paths[`${path}/{id}`]?.put
          ? `${operation.summary}, id in the body`
          : operation.summary
      list.push({
        ...operation,
        summary,
        method,
        path,
        text: `${method} ${path} ${operation.summary} ${operation['x-permission']}`.toLowerCase(),
      })
      byTag.set(tag, list)
    }
  }
  areas = [...byTag]
    .map(([tag, operations]) => ({ tag, operations, ...titleOf(tag) }))
    .sort((a, b) => (`${a.under} ${a.title}`.trim() < `${b.under} ${b.title}`.trim() ? -1 : 1))
}

/**
 * `admin/api-key` → `API key`, under `Admin`.
 * @param {string} tag
 */
function titleOf(tag) {
  const words = tag.split('/').map(step => {
    const text = step.replaceAll('-', ' ').replace(/\b(api|crm)\b/g, word => word.toUpperCase())
    return text.charAt(0).toUpperCase() + text.slice(1)
  })
  return { title: words.at(-1) ?? '', under: words.length > 1 ? (words[0] ?? '') : '' }
}

/** @param {string} ref */
export const nameOf = ref => ref.split('/').at(-1) ?? ''
/**
 * @param {Schema | undefined} schema
 * @returns {Schema}
 */
export const resolve = schema => (schema?.$ref ? spec.components.schemas[nameOf(schema.$ref)] : schema) ?? {}

/**
 * Returns the record of an area: the first one that one of its operations returns.
 * @param {Area} area
 * @returns {string | undefined}
 */
export function recordOf(area) {
  for (const { responses } of area.operations) {
    for (const { content } of Object.values(responses)) {
      const schema = content?.['application/json']?.schema
      const ref = schema?.$ref ?? schema?.items?.$ref
      if (ref) return nameOf(ref)
    }
  }
  return undefined
}
