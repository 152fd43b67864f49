import type { Property } from '../../kernel/fields/field-type.ts'
import type { StatusShape } from '../../kit/icons.tsx'
import { shapeOf } from '../catalogue.ts'
import { clockPath } from '../clock-badge.tsx'

/** A column of a list. */
export interface Column {
  path: string
  /** In rem; that of the property if undefined. */
  width?: number | undefined
}

/** How a person looks at the list of a container. */
export interface ListView {
  columns?: readonly Column[]
  group?: string
}

export const defaultColumns: readonly Column[] = [
  { path: 'priority' },
  { path: 'key' },
  { path: 'status' },
  { path: 'title' },
  { path: clockPath },
  { path: 'assignees' },
  { path: 'dueDate' },
  { path: 'estimateMinutes' },
]

const widths: Readonly<Record<string, number>> = {
  priority: 1,
  status: 1,
  key: 5.25,
  [clockPath]: 5.25,
  assignees: 1.75,
  dueDate: 5.25,
  estimateMinutes: 3.25,
}
const widthsByType: Readonly<Record<string, number>> = {
  boolean: 3,
  number: 4,
  duration: 4,
  date: 5,
  person: 1.5,
  people: 2.5,
}
const usualWidth = 7
const range = { least: 1, most: 30 }

export const widthOf = ({ path, width }: Column, property?: Property): number =>
  width ?? widths[path] ?? widthsByType[property?.type ?? ''] ?? usualWidth

/** The tracks of the grid: the box, then the columns; the title takes what is left. Where there is little room, `--rest` takes it from clocks and times. */
export function tracksOf(columns: readonly Column[], properties: ReadonlyMap<string, Property>): string {
  const tracks = columns.map(column =>
    column.path === 'title'
      ? 'minmax(8rem, 1fr)'
      : `calc(${widthOf(column, properties.get(column.path))}rem${/^clock|Minutes$/.test(column.path) ? '*var(--rest,1)' : ''})`,
  )
  return ['1rem', ...tracks].join(' ')
}

export function resized(columns: readonly Column[], path: string, width: number): Column[] {
  const fitting = Math.min(range.most, Math.max(range.least, Math.round(width * 4) / 4))
  return columns.map(column => (column.path === path ? { ...column, width: fitting } : column))
}

/** A column moves by some places; at the ends it stays. */
export function moved(columns: readonly Column[], path: string, by: number): Column[] {
  const at = columns.findIndex(column => column.path === path)
  const to = Math.min(columns.length - 1, Math.max(0, at + by))
  const column = columns[at]
  return column ? columns.toSpliced(at, 1).toSpliced(to, 0, column) : [...columns]
}

/** The title stays: without it a row says nothing. */
export function toggledColumn(columns: readonly Column[], path: string): Column[] {
  if (path === 'title') return [...columns]
  const without = columns.filter(column => column.path !== path)
  return without.length < columns.length ? without : [...columns, { path }]
}

/** Only values that one item has once can be groups. */
export const canGroup = ({ type, path }: Property): boolean =>
  path === 'assignees' || (['choice', 'person', 'boolean'].includes(type) && path !== 'parentId' && path !== 'crmId')

/** Work that is under way comes first, then what waits and what is to be done; what is closed comes last. */
const groupOrder: readonly StatusShape[] = ['half', 'full', 'wait', 'todo', 'check', 'cross']

/** The property by which a list is grouped, with its choices in the order of the groups. */
export function groupingOf(properties: ReadonlyMap<string, Property>, path: string): Property | undefined {
  const property = properties.get(path)
  if (path !== 'status' || !property?.choices) return property
  const rank = (choice: object) =>
    'category' in choice ? groupOrder.indexOf(shapeOf(Number(choice.category))) : groupOrder.length
  return { ...property, choices: [...property.choices].sort((one, other) => rank(one) - rank(other)) }
}

/** Days, lengths and numbers stand at the end of their column, so that they can be compared. */
export const isAtEnd = ({ type, path }: Property): boolean =>
  ['date', 'duration', 'number', 'money'].includes(type) || path === clockPath

/** Lists of values have no order. */
export const canSort = ({ type }: Property): boolean => type !== 'choices' && type !== 'people'
