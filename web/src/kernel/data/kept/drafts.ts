import { useCallback, useEffect } from 'react'
import { create } from 'zustand'
import { forget, keep, kept } from './shelves.ts'

// What somebody has typed in a form and not sent yet. It outlives a reload, and the form when it is closed.

const useDrafts = create<{ values: ReadonlyMap<string, unknown> }>(() => ({ values: new Map() }))

const asked = new Set<string>()
const unwritten = new Set<string>()
const writtenAfter = 250 // ms without a key

export interface Draft<T> {
  value: T
  set: (value: T) => void
  /** Forgets the draft: it was sent, or is not wanted. */
  clear: () => void
}

/** The draft of a form, by the place where it is typed: `quick-add`, `reply 0190…`. */
export function useDraft<T>(place: string, empty: T): Draft<T> {
  const value = useDrafts(({ values }) => values.get(place)) as T | undefined // each place has drafts of one type
  useEffect(() => void load(place), [place])
  const set = useCallback((next: T) => setDraft(place, next), [place])
  const clear = useCallback(() => clearDraft(place), [place])
  return { value: value ?? empty, set, clear }
}

export function setDraft(place: string, value: unknown): void {
  change(values => values.set(place, value))
  if (unwritten.size === 0) setTimeout(write, writtenAfter)
  unwritten.add(place)
}

export function clearDraft(place: string): void {
  unwritten.delete(place)
  change(values => values.delete(place))
  void forget('drafts', place)
}

/** Brings back what was sent and refused, before what has been typed since. */
export async function returnDraft(place: string, value: unknown): Promise<void> {
  await load(place)
  const newer = useDrafts.getState().values.get(place)
  setDraft(place, newer === undefined ? value : joined(value, newer))
}

/** Drafts are texts, or have one: as their `line` if it is a single one, otherwise as their `body`. */
function joined(value: unknown, newer: unknown): unknown {
  if (typeof value === 'string' && typeof newer === 'string') return joinedText(value, newer, ' ')
  if (hasText(value, 'line') && hasText(newer, 'line'))
    return { ...value, line: joinedText(value.line, newer.line, ' ') }
  if (hasText(value, 'body') && hasText(newer, 'body'))
    return { ...value, body: joinedText(value.body, newer.body, '\n\n') }
  return newer
}

const joinedText = (text: string, newer: string, gap: string) =>
  newer === '' || newer === text ? text : `${text}${gap}${newer}`

const hasText = <Name extends string>(value: unknown, name: Name): value is Record<Name, string> =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'string'

async function load(place: string): Promise<void> {
  if (asked.has(place)) return
  asked.add(place)
  const value = await kept('drafts', place)
  // What was typed since then is newer.
  if (value !== undefined && !useDrafts.getState().values.has(place)) change(values => values.set(place, value))
}

function change(act: (values: Map<string, unknown>) => void): void {
  const values = new Map(useDrafts.getState().values)
  act(values)
  useDrafts.setState({ values })
}

function write(): void {
  const { values } = useDrafts.getState()
  void keep(
    'drafts',
    [...unwritten].map(place => [place, values.get(place)] as const),
  )
  unwritten.clear()
}

if (typeof window !== 'undefined') window.addEventListener('pagehide', write)
