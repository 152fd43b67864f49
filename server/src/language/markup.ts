import MarkdownIt from 'markdown-it'
import sanitize from 'sanitize-html'

// Text that people wrote becomes HTML here and nowhere else, so that what a browser or a mail program is shown has gone
// through one list of what is harmless.

/** Longer texts are no longer formatted, so that nobody waits for one of them. */
const maxFormatted = 30_000

/** Markdown as HTML that can be shown as it is. HTML in the Markdown is text. */
export function safeHtml(markdown: string): string {
  if (markdown.length > maxFormatted) return `<pre>${escapedHtml(markdown)}</pre>`
  return cleanHtml(renderer.render(markdown))
}

/** HTML from anywhere, with everything taken out that is not known to be harmless. */
export function cleanHtml(html: string): string {
  return sanitize(html, harmless)
}

/** What is left for somebody who sees no markup: lines of text. */
export function plainText(html: string): string {
  const lines = cleanHtml(html)
    .replace(/<pre>[\s\S]*?<\/pre>|\n/g, each => (each === '\n' ? ' ' : each))
    .replace(/<li>/g, '- ')
    .replace(/<(br|hr) \/>/g, '\n')
    .replace(/<\/(p|h[1-6]|ul|ol|blockquote|pre|table|dl)>/g, '\n\n')
    .replace(/<\/(div|li|tr|dt|dd|summary)>/g, '\n')
  return unescaped(sanitize(lines, { allowedTags: [], allowedAttributes: {} }))
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Text as HTML that shows just this text. */
export function escapedHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? character)
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Undoes what the sanitiser writes, in the order that does not undo twice. */
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

/** Where a link may lead. Everything else, `javascript:` and `data:` among it, loses its address. */
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
  // The page that a link opens learns neither where it was opened from nor a way back to it.
  transformTags: { a: sanitize.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }) },
}
