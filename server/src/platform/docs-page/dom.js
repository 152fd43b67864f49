// Builds the page through the DOM only, so that no text ever becomes markup.
/** @import { Child } from './openapi-types.d.ts' */

/**
 * Returns the element with this id. The page is ours, so a missing element is a programming error.
 * @param {string} id
 */
export function $(id) {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no element #${id}`)
  return element
}

/**
 * Creates an element: `h('a', {href}, 'text', child)`.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | boolean | undefined>} attributes
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== undefined) element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...flatten(children))
  return element
}

/**
 * Text in which `code` is marked up.
 * @param {string} text
 * @returns {Child[]}
 */
export function prose(text) {
  return text.split(/(`[^`]+`)/).map(part => (/^`.+`$/.test(part) ? h('code', {}, part.slice(1, -1)) : part))
}

/** @param {string} text */
export const paragraphs = text => text.split(/\n\n+/).map(each => h('p', {}, prose(each)))

/**
 * Returns the nodes and texts among nested children; empty ones are left out.
 * @param {Child} child
 * @returns {(Node | string)[]}
 */
export function flatten(child) {
  if (Array.isArray(child)) return child.flatMap(flatten)
  return child === undefined || child === '' ? [] : [child]
}
