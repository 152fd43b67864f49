import { codesOf, codeTable } from '../../records/code-table.ts'

const entries = {
  none: [0, 'None'],
  urgent: [1, 'Urgent'],
  high: [2, 'High'],
  medium: [3, 'Medium'],
  low: [4, 'Low'],
} as const

/** The codes of `priority`: how urgent an item is. */
export const itemPriority = codesOf(entries)
export const priorities = codeTable('priority', entries)
