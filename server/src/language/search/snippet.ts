import { folded } from '../folded.ts'
import { wordPlaces } from './tokenizer.ts'

/** Returns the part of a text with the most hits as safe HTML, with `<mark>` around each hit. */
export function snippet(text: string, isHit: (word: string) => boolean, length = 200): string {
  const marks = wordPlaces(text)
    .filter(each => isHit(folded(each.text)))
    .map(({ at, text: word }) => ({ from: at, to: at + word.length }))
  const [from, to] = window(text, marks, length)
  let shown = from > 0 ? '…' : ''
  let at = from
  for (const mark of marks) {
    if (mark.from < at || mark.to > to) continue
    shown += `${escaped(text.slice(at, mark.from))}<mark>${escaped(text.slice(mark.from, mark.to))}</mark>`
    at = mark.to
  }
  return `${shown}${escaped(text.slice(at, to))}${to < text.length ? '…' : ''}`
}

interface Span {
  from: number
  to: number
}

/** Chooses a window that begins shortly before the hit with the most others in reach, and ends between words. */
function window(text: string, marks: readonly Span[], length: number): [number, number] {
  if (text.length <= length) return [0, text.length]
  let best = { from: 0, count: 0 }
  for (const [i, { from }] of marks.entries()) {
    const count = marks.findIndex(each => each.to > from + length * 0.75)
    const within = (count === -1 ? marks.length : count) - i
    if (within > best.count) best = { from, count: within }
  }
  const start = Math.max(0, best.from - Math.round(length * 0.2))
  const from = start === 0 ? 0 : text.slice(0, best.from).indexOf(' ', start) + 1 || best.from
  const end = Math.min(text.length, from + length)
  const cut = end === text.length ? end : text.lastIndexOf(' ', end)
  return [from, cut > from ? cut : end]
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? '')
}
