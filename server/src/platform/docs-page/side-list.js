// The list of areas and operations at the side of the page.
/** @import { Area, Operation } from './openapi-types.d.ts' */
import { areas } from './api-document.js'
import { verb } from './area-view.js'
import { $, h } from './dom.js'

/**
 * @param {Operation} operation
 * @param {string} says
 */
const link = (operation, says) =>
  h('li', {}, h('a', { href: `#${operation.operationId}` }, verb(operation.method), h('span', {}, says)))

/**
 * @param {Area} [current]
 * @param {string} query
 */
export function drawSide(current, query = '') {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  /** @param {Operation} operation */
  const matches = operation => words.every(word => operation.text.includes(word))
  $('guide').hidden = words.length > 0
  /** @type {HTMLElement[]} */
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

/**
 * Marks the operation that is in view.
 * @param {string} operationId
 */
export function mark(operationId) {
  for (const each of document.querySelectorAll('.side ul ul a')) {
    if (each.getAttribute('href') === `#${operationId}`) {
      each.setAttribute('aria-current', 'location')
      bringIntoView(each)
    } else each.removeAttribute('aria-current')
  }
}

/**
 * Scrolls only the side list.
 * @param {Element} element
 */
export function bringIntoView(element) {
  const side = $('side')
  const { top, bottom } = element.getBoundingClientRect()
  const frame = side.getBoundingClientRect()
  if (top < frame.top || bottom > frame.bottom) side.scrollTop += top - frame.top - frame.height / 3
}
