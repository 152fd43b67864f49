import MarkdownIt from 'markdown-it'
import sanitize from 'sanitize-html'

// All user text becomes HTML here, so that everything a browser or a mail program shows has passed the same allow-list.

/** Longer texts are not formatted, so that rendering time stays bounded. */
const maxFormatted = 30_000

/** Renders Markdown as safe HTML. HTML in the Markdown is treated as text. */
export function safeHtml(markdown: string): string {
  if (markdown.length > maxFormatted) return `<pre>${escapedHtml(markdown)}</pre>`
  const { formatted, rest } = boundMarks(markdown)
  return cleanHtml(renderer.render(formatted)) + (rest === '' ? '' : `<pre>${escapedHtml(rest)}</pre>`)
}

/** The marks that are parsed. For each the parser may look for a partner, and an address costs as much as several. */
const maxMarks = 5000
const marks = /[[\]!*_~`|<>&#+\\\n-]|@|:\/\/|www\./g
const addressMarks = new Set(['@', '://', 'www.'])
const addressCost = 5

/** Divides Markdown before the mark that exceeds the limit, if possible between two lines. The rest is shown as text. */
function boundMarks(markdown: string): { formatted: string; rest: string } {
  let cost = 0
  for (const { 0: mark, index } of markdown.matchAll(marks)) {
    cost += addressMarks.has(mark) ? addressCost : 1
    if (cost <= maxMarks) continue
    const end = markdown.lastIndexOf('\n', index) + 1 || index
    return { formatted: markdown.slice(0, end), rest: markdown.slice(end) }
  }
  return { formatted: markdown, rest: '' }
}

/** Sanitises HTML from any source: everything that is not on the allow-list is removed. */
export function cleanHtml(html: string): string {
  const { formatted, rest } = boundTags(html)
  const text = textOnly(rest.slice(0, maxRest)).trim()
  return sanitize(formatted, harmless) + (text === '' ? '' : `<pre>${escapedHtml(text)}</pre>`)
}

/**
 * The tags that are parsed, and the characters inside of them. The parser moves its whole stack at each tag that is left
 * open, so the time for nested tags grows with their square, and the sanitiser looks at each attribute.
 */
const maxTags = 2500
const maxTagText = 100_000

/** The characters and entities that are parsed, and the characters of the rest that are shown. */
const maxParsed = 200_000
const maxEntities = 30_000
const maxRest = 300_000

/** Divides HTML before what exceeds a limit. The rest is shown as text. */
export function boundTags(given: string): { formatted: string; rest: string } {
  const most = parsedLength(given)
  const html = given.slice(0, most)
  const { formatted, rest } = dividedAtTag(html)
  return { formatted, rest: rest + given.slice(most) }
}

/** Returns how much of the HTML is parsed because of its length and its entities; a tag is not divided. */
function parsedLength(html: string): number {
  let end = Math.min(html.length, maxParsed)
  for (let entities = 1, at = html.indexOf('&'); at !== -1 && at < end; entities++, at = html.indexOf('&', at + 1))
    if (entities > maxEntities) end = at
  if (end === html.length) return end
  const tag = html.lastIndexOf('<', end)
  const close = html.indexOf('>', tag)
  return tag !== -1 && (close === -1 || close >= end) ? tag : end
}

function dividedAtTag(html: string): { formatted: string; rest: string } {
  let tagText = 0
  let end = 0
  for (let tags = 1, at = html.indexOf('<'); at !== -1; tags++, at = html.indexOf('<', at + 1)) {
    if (end !== -1 && end < at) end = html.indexOf('>', at)
    tagText += (end === -1 ? html.length : end) - at
    if (tags > maxTags || tagText > maxTagText) return { formatted: html.slice(0, at), rest: html.slice(at) }
  }
  return { formatted: html, rest: '' }
}

/** Removes tags in one pass. What remains may still look like markup, so it must be escaped. */
function textOnly(html: string): string {
  return unescaped(html.replace(/<[^<>]*>/g, ''))
}

/**
 * Keeps browsers from loading images of other servers, which would learn when and where a text is read. Their addresses stay in
 * `data-src`, for readers who want to see them. The HTML must be sanitised: then no attribute contains an angle bracket.
 */
export function withoutRemoteImages(html: string): string {
  return html.replace(/<img [^>]*>/g, tag => tag.replace(/ src="(https?:[^"]*)"/gi, ' data-src="$1"'))
}

/** Shows images of other servers only to readers who ask for them (`images=remote`). */
export function imagesFor(query: Record<string, unknown>, html: string): string {
  return query.images === 'remote' ? html : withoutRemoteImages(html)
}

/** The parameter of operations that reply with HTML. */
export const imagesQuery = {
  type: 'string',
  enum: ['remote'],
  description:
    'With `render=html`: also show images of other servers, which thereby learn that the text is read. Otherwise their addresses are in `data-src`.',
}

/** Converts HTML to plain text lines for readers without markup. */
export function plainText(html: string): string {
  const lines = cleanHtml(html)
    .replace(/<pre>[\s\S]*?<\/pre>|\n/g, each => (each === '\n' ? ' ' : each))
    .replace(/<li>/g, '- ')
    .replace(/<(br|hr) \/>/g, '\n')
    .replace(/<\/(p|h[1-6]|ul|ol|blockquote|pre|table|dl)>/g, '\n\n')
    .replace(/<\/(div|li|tr|dt|dd|summary)>/g, '\n')
  return textOnly(lines)
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Escapes text so that HTML shows exactly this text. */
export function escapedHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** Undoes the sanitiser's escaping, in the order that does not unescape twice. */
function unescaped(text: string): string {
  return text
    .replaceAll('&nbsp;', ' ')
    .replaceAll('\u00a0', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

/** The permitted URL schemes of a link. A link with another scheme, such as `javascript:` or `data:`, loses its URL. */
const schemes = ['http', 'https', 'mailto', 'tel']

const renderer = new MarkdownIt({ html: false, linkify: true, breaks: false, maxNesting: 40 })
renderer.validateLink = address => {
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]
  return scheme === undefined || schemes.includes(scheme.toLowerCase())
}

const harmless: sanitize.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'div', 'span', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code', 'a', 'img'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption'],
    ...['b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'sub', 'sup', 'small', 'mark', 'kbd', 'q', 'abbr'],
  ],
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    code: ['class'],
    th: ['colspan', 'rowspan', 'style'],
    td: ['colspan', 'rowspan', 'style'],
  },
  allowedClasses: { code: [/^language-[\w+-]{1,30}$/] },
  allowedStyles: { '*': { 'text-align': [/^(left|right|center)$/] } },
  allowedSchemes: schemes,
  allowedSchemesByTag: { img: ['http', 'https', 'cid'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: 60,
  // The page that a link opens receives neither a referrer nor a handle to the opening window.
  transformTags: { a: sanitize.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }) },
}
