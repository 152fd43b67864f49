import { flushSync } from 'react-dom'

const duration = 160 // ms

/** Lets cards slide from where they were to where a change puts them. Only for what others do: own moves are there at once. */
export function slideCards(ids: readonly string[], change: () => void): void {
  const boxes = new Map(ids.map(id => [id, boxOf(id)]))
  flushSync(change)
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  for (const [id, before] of boxes) {
    const element = document.querySelector(`[data-card="${id}"]`)
    const after = element?.getBoundingClientRect()
    if (!element || !before || !after) continue
    const [x, y] = [before.left - after.left, before.top - after.top]
    if (x === 0 && y === 0) continue
    element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], {
      duration,
      easing: 'ease-out',
    })
  }
}

const boxOf = (id: string): DOMRect | undefined =>
  document.querySelector(`[data-card="${id}"]`)?.getBoundingClientRect()
