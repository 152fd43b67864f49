// Writes XML. Values are escaped here and nowhere else, so that no text can end an element.

/** An element: its content is a text, or other elements; those without content are left out. */
interface Element {
  name: string
  attributes: Readonly<Record<string, string>>
  content: string | readonly Element[]
}

export type Content = string | readonly (Element | undefined)[]

/** Makes an element; undefined if it would be empty, because an empty element says something wrong in most formats. */
export function element(
  name: string,
  content: Content | undefined,
  attributes: Readonly<Record<string, string>> = {},
): Element | undefined {
  if (content === undefined || content === '') return undefined
  const inside = typeof content === 'string' ? content : content.filter(each => each !== undefined)
  return inside.length === 0 ? undefined : { name, attributes, content: inside }
}

/** Writes a document with its declaration. */
export function xmlDocument(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, '')}`
}

function written({ name, attributes, content }: Element, indent: string): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  const inside =
    typeof content === 'string'
      ? escaped(content)
      : `\n${content.map(each => written(each, `${indent}  `)).join('')}${indent}`
  return `${indent}<${name}${given.join('')}>${inside}</${name}>\n`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Control characters cannot be written in XML at all. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"]/g, character => entities[character] ?? '')
}
