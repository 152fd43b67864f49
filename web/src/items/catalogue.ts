import { call, codes, type Process, type User } from '@gantry/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Condition } from '../kernel/conditions/conditions.ts'
import { gantry } from '../kernel/data/client.ts'
import type { StatusShape } from '../kit/icons.tsx'

/** A state of a process. */
export interface Status {
  name: string
  category: number
}

const { statusCategory } = codes

const hour = 3_600_000

// The same objects each time: what depends on them is not computed again.
const noProcesses: Process[] = []
const nobody: ReadonlyMap<string, User> = new Map()

export const processesQuery = queryOptions({
  queryKey: ['Process'],
  staleTime: hour,
  queryFn: () => call(gantry, 'GET /process', { query: { limit: 200 } }),
})

export const useProcesses = (): Process[] => useQuery(processesQuery).data ?? noProcesses

export const usersQuery = queryOptions({
  queryKey: ['User'],
  staleTime: hour,
  queryFn: async () => {
    const users = await call(gantry, 'GET /user', { query: { limit: 200, fields: 'name,email' } })
    return new Map(users.map(user => [user.id, user]))
  },
})

export const useUsers = (): ReadonlyMap<string, User> => useQuery(usersQuery).data ?? nobody

/** The states of a process, in the order in which work goes through them. */
export function statusesOf(process: Process | undefined): Status[] {
  const states = (process?.workflow ?? []).filter(({ fieldId }) => !fieldId || fieldId === 'status')
  const names = [...new Set(states.flatMap(({ value, next }) => [value ?? '', next ?? '']))].filter(
    name => name !== '' && name !== '*', // the star stands for every state
  )
  const categoryOf = (name: string) =>
    states.find(({ value, category }) => value === name && category !== undefined)?.category ?? statusCategory.backlog
  return names.map(name => ({ name, category: categoryOf(name) })).sort((one, other) => one.category - other.category)
}

const shapes: Readonly<Record<number, StatusShape>> = {
  [statusCategory.backlog]: 'todo',
  [statusCategory.unstarted]: 'todo',
  [statusCategory.started]: 'half',
  [statusCategory.waiting]: 'wait',
  [statusCategory.done]: 'check',
  [statusCategory.cancelled]: 'cross',
}

export const shapeOf = (category: number = statusCategory.backlog): StatusShape => shapes[category] ?? 'todo'

/** The condition of items that are still to be done. */
export const openItems: Condition = {
  path: 'statusCategory',
  operator: 'lessThan',
  values: [String(statusCategory.done)],
}

/** Whether an item of this category of status is still to be done. */
export const isOpen = (category: number = statusCategory.backlog): boolean => category < statusCategory.done
