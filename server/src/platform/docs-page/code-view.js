// Examples of requests and answers, with their syntax highlighted.
/** @import { Child, Operation } from './openapi-types.d.ts' */
import { h } from './dom.js'
import { sample } from './sample-value.js'

export const base = location.origin

/**
 * @param {string} title
 * @param {string} text
 * @param {(text: string) => Child[]} paint
 */
export function codeBlock(title, text, paint) {
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

/**
 * Browsers deny clipboard access to pages without TLS; there the text is selected for manual copying.
 * @param {string} text
 * @param {HTMLElement} element
 */
async function copied(text, element) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    getSelection()?.selectAllChildren(element)
    return false
  }
}

/**
 * Gives each match of the pattern the class of the group that matched.
 * @param {string} text
 * @param {RegExp} pattern
 * @returns {Child[]}
 */
function painted(text, pattern) {
  /** @type {Child[]} */
  const pieces = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0]
    pieces.push(text.slice(end, match.index), h('span', { class: kind }, match[0]))
    end = match.index + match[0].length
  }
  return [...pieces, text.slice(end)]
}

/** @param {string} text */
export const paintJson = text =>
  painted(
    text,
    /(?<key>"(?:[^"\\]|\\.)*"(?=:))|(?<text>"(?:[^"\\]|\\.)*")|(?<number>\b(?:true|false|null|-?\d[\d.e+-]*)\b)/g,
  )
/** @param {string} text */
export const paintShell = text => painted(text, /(?<key>(?<=\s)-{1,2}[A-Za-z]+\b)|(?<text>'(?:[^']|'\\'')*'|"[^"]*")/g)

/**
 * The request as a curl command; path parameters are shell variables.
 * @param {Operation} operation
 */
export function curl({ method, path, parameters = [], requestBody, responses }) {
  const address = path.replace(
    /\{(\w+)\}/g,
    (_, name) =>
      `$${String(name)
        .replace(/[A-Z]/g, letter => `_${letter}`)
        .toUpperCase()}`,
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
    for (const [name, each] of Object.entries(form.schema.properties ?? {}))
      if (each.format === 'binary') lines.push(`-F '${name}=@report.pdf'`)
  if (responses['200']?.content?.['*/*']) lines.push('-OJ')
  return lines.join(' \\\n  ')
}

/** @param {unknown} value */
function pretty(value) {
  const short = JSON.stringify(value)
  return short.length < 40 ? short : JSON.stringify(value, null, 2)
}
