import { codeTableOfCodes } from '../records/code-table.ts'

/** What a status means for lists, boards and clocks. Append only. */
export const statusCategory = { backlog: 0, unstarted: 1, started: 2, waiting: 3, done: 4, cancelled: 5 } as const
export const statusCategories = codeTableOfCodes('statusCategory', statusCategory)
