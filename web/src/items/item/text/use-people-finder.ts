import { useCallback } from 'react'
import { useUsers } from '../../catalogue.ts'
import { knownUsers } from '../../properties/catalogue-choices.tsx'
import { findPeople } from '../../properties/find-choices.tsx'

/** Finds people by a part of their name: among those who are known here, and in a large tenant by asking the service. */
export function usePeopleFinder() {
  const users = useUsers()
  return useCallback(
    (text: string) => {
      if (users.size >= knownUsers) return findPeople(text)
      return [...users.values()].filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
    },
    [users],
  )
}
