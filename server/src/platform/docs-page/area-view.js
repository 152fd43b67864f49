// The page of one area: its record and its operations.
/** @import { Area, Child, Operation, Parameter, Response } from './openapi-types.d.ts' */
import { answerOf, recordOf, spec, successOf } from './api-document.js'
import { codeBlock, curl, paintJson, paintShell } from './code-view.js'
import { h, paragraphs, prose } from './dom.js'
import { sample } from './sample-value.js'
import { properties, row, typeOf } from './schema-view.js'

const lock = () => {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 20 20')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', 'M6 9V6.5a4 4 0 0 1 8 0V9M4.5 9h11v8h-11z')
  svg.append(path)
  return svg
}

/** @param {string} method */
export const verb = method => h('span', { class: `verb ${method}` }, method.toUpperCase().replace('DELETE', 'DEL'))

/**
 * @param {Area} area
 * @returns {Child[]}
 */
export function drawArea(area) {
  const record = recordOf(area)
  const schema = record ? spec.components.schemas[record] : undefined
  return [
    area.under ? h('p', { class: 'crumb' }, area.under) : undefined,
    h('h1', {}, area.title),
    schema?.description ? h('p', { class: 'lead' }, prose(schema.description)) : undefined,
    h(
      'ul',
      { class: 'index' },
      area.operations.map(each =>
        h(
          'li',
          {},
          h(
            'a',
            { href: `#${each.operationId}` },
            verb(each.method),
            h('span', { class: 'path' }, each.path),
            h('span', { class: 'says' }, each.summary),
          ),
        ),
      ),
    ),
    schema
      ? h(
          'details',
          {},
          h('summary', {}, `The ${record} record: ${Object.keys(schema.properties ?? {}).length} properties`),
          properties(schema),
        )
      : undefined,
    area.operations.map(each => drawOperation(each, schema?.description)),
  ].flat()
}

/**
 * `known` is the text that the top of the area shows already.
 * @param {Operation} operation
 * @param {string} known
 * @returns {HTMLElement}
 */
function drawOperation(operation, known = '') {
  const { operationId, method, path, summary, description, parameters = [], requestBody, responses } = operation
  const about = (description.split(/\n\nPermission /)[0] ?? '').replace(known, '').trim()
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const [status, success] = successOf(responses)
  const answer = answerOf(success)
  return h(
    'section',
    { class: 'operation', id: operationId },
    h(
      'div',
      {},
      h('h2', {}, h('a', { href: `#${operationId}` }, summary)),
      h(
        'p',
        { class: 'address' },
        verb(method),
        h(
          'span',
          {},
          path.split(/(\{\w+\})/).map(step => (step.startsWith('{') ? h('var', {}, step) : step)),
        ),
      ),
      paragraphs(about),
      rights(operation),
      drawParameters('path', parameters),
      body ? [h('h3', {}, 'Body', h('small', {}, type)), properties(body.schema)] : [],
      drawParameters('query', parameters),
      drawParameters('header', parameters),
      h('h3', {}, 'Answers', h('small', {}, 'refusals are ', h('a', { href: '#errors' }, 'problem bodies'))),
      drawAnswers(responses),
    ),
    h(
      'div',
      { class: 'show' },
      codeBlock('Request', curl(operation), paintShell),
      answer ? codeBlock(`Answer ${status}`, JSON.stringify(sample(answer), null, 2), paintJson) : undefined,
    ),
  )
}

/** @param {Operation} operation */
function rights(operation) {
  const roles = [...(operation['x-roles'] ?? []), 'super admin']
  return h(
    'p',
    { class: 'rights' },
    lock(),
    h('code', {}, operation['x-permission'] ?? ''),
    roles.map(role => h('span', { class: 'chip' }, role)),
  )
}

const placeNames = { path: 'In the path', query: 'In the query', header: 'Headers' }

/**
 * A long list is collapsed, with a summary of its content.
 * @param {'path' | 'query' | 'header'} place
 * @param {Parameter[]} all
 * @returns {Child[]}
 */
function drawParameters(place, all) {
  const list = all.filter(each => each.in === place)
  if (list.length === 0) return []
  const rows = h(
    'ul',
    { class: 'rows' },
    list.map(each => row(each.name, each.schema, each.required, each.description)),
  )
  const title = h('h3', {}, placeNames[place])
  if (list.length < 4) return [title, rows]
  const names = list.slice(0, 5).flatMap(({ name }, i) => [i > 0 ? ', ' : '', h('code', {}, name)])
  return [title, h('details', {}, h('summary', {}, names, list.length > 5 ? ` and ${list.length - 5} more` : ''), rows)]
}

/** @param {Record<string, Response>} responses */
function drawAnswers(responses) {
  return h(
    'ul',
    { class: 'answers' },
    Object.entries(responses).map(([status, { description, content, headers }]) => {
      const schema = Object.values(content ?? {})[0]?.schema
      const [type] = Object.keys(content ?? {})
      const shown =
        status < '300' && schema
          ? [' ', h('code', {}, type === 'application/json' ? typeOf(schema) : (type ?? ''))]
          : []
      const more =
        status < '300' && Object.keys(headers ?? {}).length > 0
          ? ` Header ${Object.keys(headers ?? {}).join(', ')}.`
          : ''
      return h(
        'li',
        {},
        h('span', { class: status < '400' ? 'status ok' : 'status' }, status),
        h('p', {}, prose(description + more), shown),
      )
    }),
  )
}
