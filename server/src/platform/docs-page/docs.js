// Renders the OpenAPI document of this service: shows the part that the address names, and marks it in the side list.
/** @import { Area } from './openapi-types.d.ts' */
import { areas, readDocument } from './api-document.js'
import { drawArea } from './area-view.js'
import { base, codeBlock, paintJson, paintShell } from './code-view.js'
import { $, flatten, h } from './dom.js'
import { bringIntoView, drawSide, mark } from './side-list.js'

/**
 * The area that is shown.
 * @type {Area | undefined}
 */
let shown
const watcher = new IntersectionObserver(
  entries => {
    const visible = entries.find(each => each.isIntersecting)
    if (visible) mark(visible.target.id)
  },
  { rootMargin: '-15% 0px -75% 0px' },
)

/** Shows what the address names: a part of the guide, an area, or one operation of it. */
function go() {
  const place = decodeURIComponent(location.hash.slice(1)) || 'start'
  const area = areas.find(
    each => place === `area/${each.tag}` || each.operations.some(one => one.operationId === place),
  )
  document.body.classList.remove('open')
  menu().setAttribute('aria-expanded', 'false')
  $('intro').hidden = area !== undefined
  $('reference').hidden = area === undefined
  if (area !== shown) {
    watcher.disconnect()
    $('reference').replaceChildren(...flatten(area ? drawArea(area) : []))
    for (const each of document.querySelectorAll('.operation')) watcher.observe(each)
    if (!searchBox().value) drawSide(area)
    shown = area
    const open = document.querySelector('#areas [aria-current]')
    if (open) bringIntoView(open)
  }
  document.title = area ? `${area.title} · Gantry API` : 'Gantry API'
  for (const each of document.querySelectorAll('#guide a')) {
    if (!area && each.getAttribute('href') === `#${place}`) each.setAttribute('aria-current', 'page')
    else each.removeAttribute('aria-current')
  }
  const target = document.getElementById(place)
  if (target && place !== 'start') target.scrollIntoView({ behavior: 'instant' })
  else scrollTo({ top: 0, behavior: 'instant' })
}

const menu = () => {
  const button = document.querySelector('.menu')
  if (!button) throw new Error('the page has no menu button')
  return button
}

const searchBox = () => {
  const input = $('search')
  if (!(input instanceof HTMLInputElement)) throw new Error('the search box is no input')
  return input
}

/**
 * @param {string} selector
 * @returns {HTMLAnchorElement[]}
 */
const links = selector => [...document.querySelectorAll(selector)].filter(each => each instanceof HTMLAnchorElement)

function listen() {
  const button = menu()
  const search = searchBox()
  /** @param {boolean} open */
  const fold = open => {
    document.body.classList.toggle('open', open)
    button.setAttribute('aria-expanded', String(open))
  }
  button.addEventListener('click', () => fold(!document.body.classList.contains('open')))
  $('content').addEventListener('click', () => fold(false))
  search.addEventListener('input', () => drawSide(shown, search.value))
  search.addEventListener('keydown', event => {
    if (event.key === 'Enter') links('#areas ul a')[0]?.click()
  })
  $('side').addEventListener('keydown', event => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    const stops = [search, ...links('.side li a')].filter(each => each.offsetParent)
    const next = stops[stops.findIndex(each => each.matches(':focus')) + step]
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
  const text = each.querySelector('code')?.textContent ?? ''
  each.replaceWith(
    codeBlock(
      each.querySelector('figcaption')?.textContent ?? '',
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
  readDocument(await answer.json())
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
