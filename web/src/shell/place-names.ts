import { say } from './messages.ts'

const names: Record<string, () => string> = {
  list: () => say.whereList,
  board: () => say.whereBoard,
  item: () => say.whereItem,
  inbox: () => say.inbox,
  undo: () => say.undoCentre,
}

/** What the part of the app is called where a command counts. */
export const placeName = (where: string | undefined): string => (where ? (names[where]?.() ?? where) : say.everywhere)
