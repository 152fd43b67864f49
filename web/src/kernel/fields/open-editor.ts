import { create } from 'zustand'
import type { Property } from './field-type.ts'

/** What is being edited: one value, of a record or of several. */
export interface OpenEditor {
  property: Property
  value: unknown
  /** The record, where the choices depend on it. */
  record: object | undefined
  /** The element beside which the editor opens. */
  anchor: Element
  save: (value: unknown) => void
}

interface Editor {
  editing: OpenEditor | undefined
  /** What had the focus before the editor opened, or the first of several that followed each other. */
  origin: Element | null
}

// One editor for the whole app: a cell is a plain button until it is edited.
export const useOpenEditor = create<Editor>(() => ({ editing: undefined, origin: null }))

export const openEditor = (editing: OpenEditor): void =>
  useOpenEditor.setState(({ origin }) => ({ editing, origin: origin ?? document.activeElement }))

export const closeEditor = (): void => useOpenEditor.setState({ editing: undefined })

/** Gives the focus back, unless the next editor has opened meanwhile. */
export function returnFocus(): void {
  const { editing, origin } = useOpenEditor.getState()
  if (editing) return
  useOpenEditor.setState({ origin: null })
  if (origin instanceof HTMLElement && origin.isConnected) origin.focus({ preventScroll: true })
}
