import { create } from 'zustand'

interface Focus {
  /** The item that keys act on. */
  current: string | undefined
  selected: ReadonlySet<string>
  /** Where a range of selected items began. */
  anchor: string | undefined
}

// Not in the state of a list: a key renders the two rows that change, and no list.
export const useFocus = create<Focus>(() => ({ current: undefined, selected: new Set(), anchor: undefined }))

export const focus = (id: string | undefined) => useFocus.setState({ current: id, anchor: undefined })

export function toggle(id: string): void {
  useFocus.setState(({ selected }) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    return { selected: next, anchor: id }
  })
}

export const select = (ids: Iterable<string>) => useFocus.setState({ selected: new Set(ids) })
export const selectNone = () => useFocus.setState({ selected: new Set(), anchor: undefined })

/** Moves the focus in a list of ids; at its ends it stays. */
export function move(ids: readonly string[], by: number): string | undefined {
  const next = neighbour(ids, by)
  focus(next)
  return next
}

/** Moves the focus and selects everything on the way; the way back takes it out again. */
export function extend(ids: readonly string[], by: number): string | undefined {
  const { current, anchor = current ?? ids[0] } = useFocus.getState()
  const next = current ? neighbour(ids, by) : ids[0]
  if (next && anchor) selectTo(ids, next, anchor)
  return next
}

/** Selects from where the range began to an item. */
export function selectTo(ids: readonly string[], id: string, anchor = useFocus.getState().anchor ?? id): void {
  const [from, to] = [ids.indexOf(anchor), ids.indexOf(id)].sort((one, other) => one - other)
  useFocus.setState(({ selected, current }) => {
    const [low, high] = [ids.indexOf(anchor), ids.indexOf(current ?? anchor)].sort((one, other) => one - other)
    const without = new Set(ids.slice(low, (high ?? 0) + 1))
    const kept = [...selected].filter(each => !without.has(each))
    return { current: id, anchor, selected: new Set([...kept, ...ids.slice(from, (to ?? 0) + 1)]) }
  })
}

function neighbour(ids: readonly string[], by: number): string | undefined {
  const { current } = useFocus.getState()
  const at = current ? ids.indexOf(current) : -1
  return ids[Math.min(ids.length - 1, Math.max(0, at + by))]
}

/** What commands act on: the selection, or else the item in focus. */
export function chosen(): readonly string[] {
  const { selected, current } = useFocus.getState()
  return selected.size > 0 ? [...selected] : current ? [current] : []
}
