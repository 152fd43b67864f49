// Draws the OpenAPI document of this service. Everything is made by the DOM: no text ever becomes markup.

const base = location.origin
const $ = id => document.getElementById(id)

/** An element: `h('a', {href}, 'text', child)`. */
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (value !== false && value !== undefined) element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children.flat(Infinity).filter(child => child !== undefined && child !== ''))
  return element
}

/** Plain words with `code` in them. */
function prose(text) {
  return text.split(/(`[^`]+`)/).map(part => (/^`.+`$/.test(part) ? h('code', {}, part.slice(1, -1)) : part))
}

const paragraphs = text => text.split(/\n\n+/).map(each => h('p', {}, prose(each)))

// What the document holds -----------------------------------------------------------------------------------------------

let spec = {}
let areas = []

function read(api) {
  spec = api
  const byTag = new Map()
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0]
      const list = byTag.get(tag) ?? []
      // The same operation twice: with the id in the path, and in the body.
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

/** `admin/api-key` → `API key`, under `Admin`. */
function titleOf(tag) {
  const words = tag.split('/').map(step => {
    const text = step.replaceAll('-', ' ').replace(/\b(api|crm)\b/g, word => word.toUpperCase())
    return text.charAt(0).toUpperCase() + text.slice(1)
  })
  return { title: words.at(-1), under: words.length > 1 ? words[0] : '' }
}

const nameOf = ref => ref.split('/').at(-1)
const resolve = schema => (schema?.$ref ? spec.components.schemas[nameOf(schema.$ref)] : schema) ?? {}

/** The record that an area is about: the first that one of its operations answers with. */
function recordOf(area) {
  for (const { responses } of area.operations) {
    for (const { content } of Object.values(responses)) {
      const schema = content?.['application/json']?.schema
      const ref = schema?.$ref ?? schema?.items?.$ref
      if (ref) return nameOf(ref)
    }
  }
}

// Schemas ---------------------------------------------------------------------------------------------------------------

function typeOf(schema) {
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return 'any JSON'
  const named = types.map(type => {
    if (type === 'array') return `array of ${schema.items ? typeOf(schema.items) : 'anything'}`
    return type === 'string' && schema.format ? schema.format : type
  })
  return named.join(' or ')
}

const limits = [-2147483648, 2147483647]

/** What a value must keep to, in words. */
function rulesOf(schema) {
  const rules = []
  const { minLength, maxLength, minimum, maximum, maxItems, pattern } = schema
  if (schema.enum) rules.push(`one of ${schema.enum.join(', ')}`)
  if (minLength === 1 && maxLength) rules.push(`1 to ${maxLength} characters`)
  else if (maxLength && !schema.format && maxLength !== 36)
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

function row(name, schema, required, description = schema.description) {
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

/** The properties of what lies inside, to be unfolded. */
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

function properties(schema) {
  const { properties: all = {}, required = [] } = resolve(schema)
  return h(
    'ul',
    { class: 'rows' },
    Object.entries(all).map(([name, each]) => row(name, each, required.includes(name))),
  )
}

/** A value that fits, for showing. */
function sample(schema, name = '', depth = 0) {
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

function sampleText({ format, description = '' }, name) {
  if (format) return texts[format] ?? ''
  if (description.startsWith('The id of')) return ''
  return { name: 'A name', title: 'A title' }[name] ?? ''
}

// Code ------------------------------------------------------------------------------------------------------------------

function slab(title, text, paint) {
  const code = h('code', {}, paint(text))
  const status = h('span', { class: 'hidden', role: 'status' })
  const button = h('button', { type: 'button', 'aria-label': `Copy: ${title}` }, 'Copy')
  button.addEventListener('click', async () => {
    button.textContent = status.textContent = (await copied(text, code)) ? 'Copied' : 'Selected'
    setTimeout(() => (button.textContent = 'Copy'), 1600)
  })
  return h(
    'figure',
    { class: 'code' },
    h('figcaption', {}, title, button, status),
    h('pre', { tabindex: '0', 'aria-label': title }, code),
  )
}

/** Browsers keep the clipboard from pages that came without TLS; there the text is selected, to be copied by hand. */
async function copied(text, element) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    getSelection().selectAllChildren(element)
    return false
  }
}

/** Gives each piece that the pattern finds the class of the group that found it. */
function painted(text, pattern) {
  const pieces = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    const kind = Object.entries(match.groups).find(([, found]) => found !== undefined)?.[0]
    pieces.push(text.slice(end, match.index), h('span', { class: kind }, match[0]))
    end = match.index + match[0].length
  }
  return [...pieces, text.slice(end)]
}

const paintJson = text =>
  painted(
    text,
    /(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<text>"(?:[^"\\]|\\.)*")|(?<number>\b(?:true|false|null|-?\d[\d.e+-]*)\b)/g,
  )
const paintShell = text => painted(text, /(?<key>(?<=\s)-{1,2}[A-Za-z]+\b)|(?<text>'(?:[^']|'\\'')*'|"[^"]*")/g)

/** The request as a line for the shell; what stands in the path is a variable of it. */
function curl({ method, path, parameters = [], requestBody, responses }) {
  const address = path.replace(
    /\{(\w+)\}/g,
    (_, name) => `$${name.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()}`,
  )
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${base}${address}"`,
    `-H "Authorization: Bearer $GANTRY_KEY"`,
  ]
  if (parameters.some(each => each.name === 'If-Match' && each.required)) lines.push(`-H 'If-Match: "v1"'`)
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {}
  if (json)
    lines.push(
      `-H 'Content-Type: application/json'`,
      `-d '${pretty(json.example ?? sample(json.schema)).replaceAll("'", "'\\''")}'`,
    )
  if (form)
    for (const [name, each] of Object.entries(form.schema.properties))
      if (each.format === 'binary') lines.push(`-F '${name}=@report.pdf'`)
  if (responses['200']?.content?.['application/octet-stream']) lines.push('-OJ')
  return lines.join(' \\\n  ')
}

function pretty(value) {
  const short = JSON.stringify(value)
  return short.length < 40 ? short : JSON.stringify(value, null, 2)
}

// Pages -----------------------------------------------------------------------------------------------------------------

const lock = () => {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 20 20')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', 'M6 9V6.5a4 4 0 0 1 8 0V9M4.5 9h11v8h-11z')
  svg.append(path)
  return svg
}

const verb = method => h('span', { class: `verb ${method}` }, method.toUpperCase().replace('DELETE', 'DEL'))

function drawArea(area) {
  const record = recordOf(area)
  const schema = record && spec.components.schemas[record]
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

/** `known` was said at the top of the area already. */
function drawOperation(operation, known = '') {
  const { operationId, method, path, summary, description, parameters = [], requestBody, responses } = operation
  const about = description
    .split(/\n\nPermission /)[0]
    .replace(known, '')
    .trim()
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const [status, success] = Object.entries(responses).find(([code]) => code < '300') ?? []
  const answer = success?.content?.['application/json']?.schema
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
      slab('Request', curl(operation), paintShell),
      answer ? slab(`Answer ${status}`, JSON.stringify(sample(answer), null, 2), paintJson) : undefined,
    ),
  )
}

function rights(operation) {
  const roles = [...operation['x-roles'], 'super admin']
  return h(
    'p',
    { class: 'rights' },
    lock(),
    h('code', {}, operation['x-permission']),
    roles.map(role => h('span', { class: 'chip' }, role)),
  )
}

const placeNames = { path: 'In the path', query: 'In the query', header: 'Headers' }

/** A long list is folded, and says what is in it. */
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

function drawAnswers(responses) {
  return h(
    'ul',
    { class: 'answers' },
    Object.entries(responses).map(([status, { description, content, headers }]) => {
      const schema = Object.values(content ?? {})[0]?.schema
      const [type] = Object.keys(content ?? {})
      const shown =
        status < '300' && schema ? [' ', h('code', {}, type === 'application/json' ? typeOf(schema) : type)] : []
      const more =
        status < '300' && Object.keys(headers ?? {}).length > 0 ? ` Header ${Object.keys(headers).join(', ')}.` : ''
      return h(
        'li',
        {},
        h('span', { class: status < '400' ? 'status ok' : 'status' }, status),
        h('p', {}, prose(description + more), shown),
      )
    }),
  )
}

// The list at the side --------------------------------------------------------------------------------------------------

const link = (operation, says) =>
  h('li', {}, h('a', { href: `#${operation.operationId}` }, verb(operation.method), h('span', {}, says)))

function drawSide(current, query = '') {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = operation => words.every(word => operation.text.includes(word))
  $('guide').hidden = words.length > 0
  const items = []
  let found = 0
  for (const area of areas) {
    const fitting = words.length > 0 ? area.operations.filter(matches) : []
    if (words.length > 0 && fitting.length === 0) continue
    found += fitting.length
    const shown = words.length > 0 ? fitting : area === current ? area.operations : []
    const open = area === current && words.length === 0
    items.push(
      h(
        'li',
        {},
        h(
          'a',
          { href: `#area/${area.tag}`, 'aria-current': open ? 'page' : undefined },
          h('span', {}, area.under ? h('span', { class: 'under' }, `${area.under} / `) : '', area.title),
          h('span', { class: 'count' }, String(words.length > 0 ? fitting.length : area.operations.length)),
        ),
        shown.length > 0
          ? h(
              'ul',
              {},
              shown.map(each => link(each, words.length > 0 ? each.path.replace('/api/', '') : each.summary)),
            )
          : undefined,
      ),
    )
  }
  $('areas').replaceChildren(...items)
  if (words.length > 0) {
    $('found').textContent = `${found} operations found`
    if (found === 0) $('areas').append(h('li', { class: 'none' }, 'Nothing is called that.'))
  }
}

/** Marks where the reader is. */
function mark(operationId) {
  for (const each of document.querySelectorAll('.side ul ul a')) {
    if (each.getAttribute('href') === `#${operationId}`) {
      each.setAttribute('aria-current', 'location')
      bringIntoView(each)
    } else each.removeAttribute('aria-current')
  }
}

/** Scrolls the list at the side, and nothing else. */
function bringIntoView(element) {
  const side = $('side')
  const { top, bottom } = element.getBoundingClientRect()
  const frame = side.getBoundingClientRect()
  if (top < frame.top || bottom > frame.bottom) side.scrollTop += top - frame.top - frame.height / 3
}

// Going about -----------------------------------------------------------------------------------------------------------

let shown
const watcher = new IntersectionObserver(
  entries => {
    const visible = entries.find(each => each.isIntersecting)
    if (visible) mark(visible.target.id)
  },
  { rootMargin: '-15% 0px -75% 0px' },
)

/** Shows what the address says: a part of the guide, an area, or one operation of it. */
function go() {
  const place = decodeURIComponent(location.hash.slice(1)) || 'start'
  const area = areas.find(
    each => place === `area/${each.tag}` || each.operations.some(one => one.operationId === place),
  )
  document.body.classList.remove('open')
  document.querySelector('.menu').setAttribute('aria-expanded', 'false')
  $('intro').hidden = area !== undefined
  $('reference').hidden = area === undefined
  if (area !== shown) {
    watcher.disconnect()
    $('reference').replaceChildren(...(area ? drawArea(area).filter(Boolean) : []))
    for (const each of document.querySelectorAll('.operation')) watcher.observe(each)
    if (!$('search').value) drawSide(area)
    shown = area
    const open = document.querySelector('#areas [aria-current]')
    if (open) bringIntoView(open)
  }
  document.title = area ? `${area.title} · Gantry API` : 'Gantry API'
  for (const each of document.querySelectorAll('#guide a')) {
    if (!area && each.getAttribute('href') === `#${place}`) each.setAttribute('aria-current', 'page')
    else each.removeAttribute('aria-current')
  }
  const target = $(place)
  if (target && place !== 'start') target.scrollIntoView({ behavior: 'instant' })
  else scrollTo({ top: 0, behavior: 'instant' })
}

function listen() {
  const menu = document.querySelector('.menu')
  const search = $('search')
  const fold = open => {
    document.body.classList.toggle('open', open)
    menu.setAttribute('aria-expanded', String(open))
  }
  menu.addEventListener('click', () => fold(!document.body.classList.contains('open')))
  $('content').addEventListener('click', () => fold(false))
  search.addEventListener('input', () => drawSide(shown, search.value))
  search.addEventListener('keydown', event => {
    if (event.key === 'Enter') document.querySelector('#areas ul a')?.click()
  })
  $('side').addEventListener('keydown', event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    const stops = [search, ...document.querySelectorAll('.side li a')].filter(each => each.offsetParent)
    const next = stops[stops.indexOf(document.activeElement) + step]
    if (next) event.preventDefault()
    next?.focus()
  })
  addEventListener('keydown', event => {
    if (event.key === '/' && document.activeElement !== search && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      fold(true)
      search.focus()
    }
    if (event.key === 'Escape') {
      fold(false)
      search.value = ''
      drawSide(shown)
    }
  })
  addEventListener('hashchange', go)
}

for (const each of document.querySelectorAll('[data-base]')) each.textContent = base
for (const each of document.querySelectorAll('#intro .code')) {
  const text = each.querySelector('code').textContent
  each.replaceWith(
    slab(
      each.querySelector('figcaption').textContent,
      text,
      text.startsWith('curl') || text.startsWith('export')
        ? paintShell
        : text.startsWith('{')
          ? paintJson
          : plain => [plain],
    ),
  )
}

try {
  const answer = await fetch('/openapi/v1.json')
  read(await answer.json())
  $('count-operations').textContent = String(areas.reduce((sum, area) => sum + area.operations.length, 0))
  $('count-areas').textContent = String(areas.length)
  drawSide()
  listen()
  go()
} catch {
  $('content').prepend(
    h('p', { class: 'notice' }, 'The list of operations could not be read. Reload the page to try again.'),
  )
}
