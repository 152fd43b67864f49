import { codesOf, codeTable } from '../../records/code-table.ts'

const placementEntries = {
  everywhere: [0, 'Everywhere'],
  createForm: [1, 'When an item is created'],
  editForm: [2, 'When an item is edited'],
  attributes: [3, 'Among the attributes of an item'],
  content: [4, 'In the body of an item'],
  listColumn: [5, 'As a column of lists'],
  boardCard: [6, 'On cards'],
  portalForm: [7, 'When a requester creates an item'],
  portalView: [8, 'When a requester views an item'],
  quickAdd: [9, 'When an item is created by quick add'],
  print: [10, 'In print and exports'],
  timeForm: [11, 'When time is logged'],
  timesheet: [12, 'In the timesheet'],
} as const

/** The codes of `placement`: the places where a field is shown. */
export const placement = codesOf(placementEntries)
export const placements = codeTable('placement', placementEntries)

const usageEntries = {
  item: [0, 'Items'],
  ticket: [1, 'Tickets'],
  time: [2, 'Booked time'],
  container: [3, 'Containers'],
  user: [4, 'Users'],
  crm: [5, 'Customers'],
  document: [6, 'Documents'],
  plan: [7, 'Planned work'],
  cycle: [8, 'Cycles'],
  sku: [9, 'Articles'],
  annotation: [10, 'Annotations'],
} as const

/** The codes of `usage`: the kinds of records that a field applies to. */
export const usage = codesOf(usageEntries)
export const usages = codeTable('usage', usageEntries)
