// The OpenAPI document, and its operations grouped by area.
/** @import { ApiDocument, Area, Operation, Response, Schema } from './openapi-types.d.ts' */

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
        responses: resolvedResponses(operation.responses),
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
 * Puts the described refusals in the place of the references to them.
 * @param {Record<string, Response>} responses
 * @returns {Record<string, Response>}
 */
function resolvedResponses(responses) {
  return Object.fromEntries(
    Object.entries(responses).map(([status, each]) => [
      status,
      (each.$ref && spec.components.responses?.[nameOf(each.$ref)]) || each,
    ]),
  )
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

/** @param {Schema} schema */
const isDryRun = schema => schema.title === 'dry run'

/**
 * Returns the schema of an answer; that of a dry run only where there is no other.
 * @param {Response | undefined} response
 * @returns {Schema | undefined}
 */
export function answerOf(response) {
  const schema = response?.content?.['application/json']?.schema
  return schema?.anyOf?.find(each => !isDryRun(each)) ?? schema
}

/**
 * Returns the answer to a request that succeeds and is no dry run, with its status.
 * @param {Record<string, Response>} responses
 * @returns {[string, Response] | []}
 */
export function successOf(responses) {
  const successes = Object.entries(responses).filter(([status]) => status < '300')
  return successes.find(([, response]) => !isDryRun(answerOf(response) ?? {})) ?? []
}

/**
 * The format of a text; one that may also be empty has it as an alternative.
 * @param {Schema} schema
 */
export const formatOf = schema => schema.format ?? schema.anyOf?.find(each => each.format)?.format

/**
 * Returns the record of an area: the first one that one of its operations returns.
 * @param {Area} area
 * @returns {string | undefined}
 */
export function recordOf(area) {
  for (const { responses } of area.operations) {
    for (const response of Object.values(responses)) {
      const schema = answerOf(response)
      const ref = schema?.$ref ?? schema?.items?.$ref
      if (ref) return nameOf(ref)
    }
  }
  return undefined
}
