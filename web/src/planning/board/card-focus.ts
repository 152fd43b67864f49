import { focus } from '../../items/focus.ts'

// The focus of the keyboard follows the card that keys act on, but only after a key: a card that comes into view takes it from nobody.

let wanted: string | undefined

export function focusCard(id: string): void {
  wanted = id
  focus(id)
  takeDomFocus(id, document.querySelector(`[data-card="${id}"]`))
}

export function takeDomFocus(id: string, element: Element | null): void {
  if (wanted !== id || !(element instanceof HTMLElement)) return
  wanted = undefined
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
