import { create } from 'zustand'
import { sessionNow } from './session.ts'

// What somebody has opened last in this browser, newest first. Addresses only: what they are called is asked when it is shown.

const keptPages = 20

const storeName = () => `recents ${sessionNow()?.user.id ?? ''}`

function stored(): string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storeName()) ?? '[]')
    return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
  } catch {
    return [] // written by something else
  }
}

const useStored = create<{ keys: readonly string[] | undefined }>(() => ({ keys: undefined }))

/** The keys of the items that were opened last. */
export const useRecents = (): readonly string[] => useStored(state => state.keys) ?? stored()

export function rememberOpened(key: string): void {
  const keys = [key, ...stored().filter(each => each !== key)].slice(0, keptPages)
  localStorage.setItem(storeName(), JSON.stringify(keys))
  useStored.setState({ keys })
}
