import { call, codes } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { gantry } from '../../kernel/data/client.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { useHere } from '../../kernel/fields/here.ts'
import { useUsers } from '../catalogue.ts'
import { priorityName } from '../properties/core-properties.tsx'
import type { Vocabulary } from './tokens.ts'

/** What the words of a line can mean for this person. */
export function useVocabulary(): Vocabulary {
  const users = useUsers()
  const { containers } = useSession()
  const { today } = useHere()
  return useMemo(() => {
    const priorities = Object.entries(codes.priority)
      .filter(([, value]) => value !== codes.priority.none)
      .map(([name, value]) => ({ value, names: [priorityName(value), name] }))
    return { people: [...users.values()], containers, priorities, today }
  }, [users, containers, today])
}

export function useLabelNames(): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: ['Label'],
    staleTime: 3_600_000,
    queryFn: () => call(gantry, 'GET /label', { query: { limit: 200, sort: 'name', fields: 'name,color' } }),
  })
  return useMemo(() => data.map(({ name }) => name), [data])
}

/** The container of a new item where nobody names one: that of the page, else the one that was used last. */
export function useOwnContainer() {
  const { containers } = useSession()
  const { key = '' } = useParams({ strict: false })
  const here = containers.find(each => each.key === key || key.startsWith(`${each.key}-`))
  const last = localStorage.getItem('quick-add-container')
  return here ?? containers.find(({ id }) => id === last) ?? containers[0]
}

export const rememberContainer = (id: string): void => localStorage.setItem('quick-add-container', id)
