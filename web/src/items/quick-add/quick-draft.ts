import { setDraft } from '../../kernel/data/kept/drafts.ts'

/** What is entered for a new item beside its line: as it is shown, and as it is sent. */
export interface Entered {
  id: string
  [property: string]: unknown
}

export const nothingEntered: Entered = { id: 'new' }

/** A new item that is not sent yet. */
export interface QuickDraft {
  line: string
  entered: Entered
  containerId?: string
  processId?: string
}

export const emptyDraft: QuickDraft = { line: '', entered: nothingEntered }

/** The place of its draft. */
export const place = 'new item'

/** Begins a new item with a title. */
export const draftTitle = (line: string): void => setDraft(place, { ...emptyDraft, line })
