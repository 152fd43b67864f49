import { codeTable } from '../kernel/schema/code-table.ts'

/** How urgent an item is. */
export const priorities = codeTable('priority', {
  none: [0, 'None'],
  urgent: [1, 'Urgent'],
  high: [2, 'High'],
  medium: [3, 'Medium'],
  low: [4, 'Low'],
})
