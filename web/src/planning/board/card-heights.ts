// The heights of cards by item: a card that moves to another column is as high there, so that its place is known before it is measured.
// A card that was never shown is taken to be as high as the last one with a title of about its length.

const heights = new Map<string, number>()
const usual = { short: 90, long: 110 }
const oneLine = 32 // letters

const lengthOf = (title: string) => (title.length > oneLine ? 'long' : 'short')

export const heightOf = (id: string | undefined, title = ''): number =>
  (id && heights.get(id)) || usual[lengthOf(title)]

/** Measures a slot, and remembers the height for its card. */
export function measureSlot(element: Element): number {
  if (!(element instanceof HTMLElement)) return usual.long
  const height = element.offsetHeight
  const { slot } = element.dataset
  const title = element.querySelector('.t')?.textContent
  if (!slot || !title || height === 0) return height || usual.long
  heights.set(slot, height)
  if (!element.querySelector('.why')) usual[lengthOf(title)] = height
  return height
}
