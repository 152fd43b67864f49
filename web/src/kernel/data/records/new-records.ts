import { useMemo } from 'react'
import { create } from 'zustand'
import { propertyOf } from '../outbox/write.ts'
import { put, remove, type Stored } from './store.ts'

// Records that were created in this browser, until the lists of the service have them: each list shows its own among the others.

const useNewRecords = create<{ all: readonly Stored[] }>(() => ({ all: [] }))

/** A list is fetched soon after a creation; one that does not have the record then does not show it. */
const shownAfterAnswer = 5000 // ms

/** Shows a record that the service does not have yet. */
export function showNew(record: Stored): void {
  put({ ...record, version: 0 })
  useNewRecords.setState(({ all }) => ({ all: [...all.filter(({ id }) => id !== record.id), record] }))
}

/** The service has the record: lists show it by themselves. */
export function confirmNew(id: string): void {
  setTimeout(() => forget([id]), shownAfterAnswer)
}

/** The service has refused the record. */
export function withdrawNew({ entity, id }: Stored): void {
  remove(entity, id)
  forget([id])
}

/** The answer to a query has these records. When this turn is over, the query has the answer; until then nothing else would show them. */
export const drop = (ids: readonly string[]): void => void setTimeout(() => forget(ids))

const forget = (ids: readonly string[]): void =>
  useNewRecords.setState(state =>
    state.all.some(({ id }) => ids.includes(id)) ? { all: state.all.filter(({ id }) => !ids.includes(id)) } : state,
  )

/** The new records of a kind, in the order of their creation. */
export function useAllNew<T extends Stored>(entity: string): readonly T[] {
  const all = useNewRecords(state => state.all)
  // The caller names the type of the records of this entity.
  return useMemo(() => all.filter(each => each.entity === entity) as T[], [all, entity])
}

/** Those of them that have this value. */
export function useNew<T extends Stored>(entity: string, property: string, value: string | undefined): readonly T[] {
  const all = useAllNew<T>(entity)
  return useMemo(() => all.filter(each => propertyOf(each, property) === value), [all, property, value])
}

/** A list of the service with the new records that it does not have yet. */
export const withNew = <T extends { id: string }>(list: readonly T[], added: readonly T[]): readonly T[] =>
  added.length === 0 ? list : [...list, ...added.filter(({ id }) => list.every(each => each.id !== id))]
