import { focus } from '../../items/focus.ts'

// The focus of the keyboard follows the card that keys act on, but only after a key: a card that comes into view takes it from nobody.

let wanted: string | undefined
let lost: string | undefined

export function focusCard(id: string): void {
  focusMovedCard(id)
  takeDomFocus(id, document.querySelector(`[data-card="${id}"]`))
}

/** Focuses a card that was just moved: the element that it gets at its new place takes the focus of the keyboard. */
export function focusMovedCard(id: string): void {
  wanted = id
  focus(id)
}

/** The element of a card goes away. If it had the focus, the next one of the card takes it, unless something else has it by then. */
export function leaveDomFocus(id: string, element: Element | null): void {
  if (element !== null && element === document.activeElement) lost = id
}

export function takeDomFocus(id: string, element: Element | null): void {
  const isLost = lost === id && document.activeElement === document.body
  if (!(wanted === id || isLost) || !(element instanceof HTMLElement)) return
  wanted = undefined
  lost = undefined
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
