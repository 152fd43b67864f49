import type { Item } from '@gantry/sdk'
import type { ReactNode } from 'react'
import type { Part } from './rank.ts'

/** One line of the palette. */
export interface Row {
  id: string
  group: Group
  title: string
  /** The title with what was looked for marked. */
  parts?: Part[]
  icon?: ReactNode
  /** The key of an item. */
  itemKey?: string | undefined
  meta?: ReactNode
  /** The keys of a command. */
  keys?: string | undefined
  /** Why it cannot be chosen. */
  why?: string | undefined
  /** The item that the actions of the line are for. */
  item?: Pick<Item, 'id' | 'key' | 'title'>
  /** Whether the palette stays open. */
  stays?: boolean
  run: () => void | Promise<void>
}

/** In the order in which they are shown. */
export const groups = [
  'items',
  'commands',
  'places',
  'people',
  'labels',
  'customers',
  'files',
  'near',
  'create',
  'actions',
] as const
export type Group = (typeof groups)[number]

/** What the first sign says is looked for. */
export type Mode = 'all' | 'commands' | 'labels' | 'people' | 'places'

const signs: Record<string, Mode> = { '>': 'commands', '#': 'labels', '@': 'people', '/': 'places' }

export function wantedOf(text: string): { mode: Mode; needle: string } {
  const given = text.trimStart()
  const mode = signs[given[0] ?? '']
  return mode ? { mode, needle: given.slice(1).trim() } : { mode: 'all', needle: given.trim() }
}

export const maxRows = 50

/** The groups of lines, that with the best line first; what fits equally stays in the order above. */
export function groupsByFit(rows: readonly Row[], fitOf: (row: Row) => number): Group[] {
  const best = (group: Group) => Math.max(0, ...rows.filter(row => row.group === group).map(fitOf))
  const last = (group: Group) => group === 'near' || group === 'create'
  return groups
    .filter(group => rows.some(row => row.group === group))
    .toSorted((one, other) => Number(last(one)) - Number(last(other)) || best(other) - best(one))
}
