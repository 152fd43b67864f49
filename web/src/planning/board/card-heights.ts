import { heldItem } from '../../items/held-item.ts'

// The heights of cards by item: a card that moves to another column is as high there, so that its place is known before it is measured.
// A card that was never shown is taken to be as high as the last one with a title of about its length.

const heights = new Map<string, number>()
const usual = { short: 90, long: 110 }
const oneLine = 32 // letters

const lengthOf = (title: string) => (title.length > oneLine ? 'long' : 'short')

/** The height of a card, or of one that is not loaded yet. */
export const heightOf = (id: string | undefined): number =>
  id === undefined ? usual.short : (heights.get(id) ?? usual[lengthOf(heldItem(id)?.title ?? '')])

/**
 * Measures a slot, and remembers the height for its card. A card of known height is not measured before the browser lays the page out anyway
 * and reports its box: a move then costs no layout of its own.
 */
export function measureSlot(element: Element, box?: ResizeObserverEntry): number {
  if (!(element instanceof HTMLElement)) return usual.long
  const { slot } = element.dataset
  const known = !box && slot && heights.get(slot)
  if (known) return known
  const height = element.offsetHeight
  const title = element.querySelector('.t')?.textContent
  if (!slot || !title || height === 0) return height || usual.long
  heights.set(slot, height)
  if (!element.querySelector('.why')) usual[lengthOf(title)] = height
  return height
}

const placed = new Map<Element, () => void>()
const measured = new WeakSet<Element>()

/**
 * Measures a slot once all slots of this commit have their places: the browser then lays the page out once, and not for each of them. What
 * changes its height later is observed.
 */
export function measureOnce(element: Element, measure: () => void): void {
  if (measured.has(element)) return
  if (placed.size === 0) queueMicrotask(measurePlaced)
  placed.set(element, measure)
}

function measurePlaced(): void {
  const those = [...placed]
  placed.clear()
  for (const [element, measure] of those) {
    if (!element.isConnected) continue
    measured.add(element)
    measure()
  }
}
