import { useMemo } from 'react'
import { create } from 'zustand'
import { propertyOf } from '../outbox/write.ts'
import { timeNow } from '../time-now.ts'
import { baseOf, put, remove, type Stored } from './store.ts'

// Records that were created in this browser, until the lists of the service have them: each list shows its own among the others.

interface NewRecord {
  record: Stored
  /** When the service had it at the latest. */
  confirmedAt: number
}

const useNewRecords = create<{ all: readonly NewRecord[] }>(() => ({ all: [] }))

/** A list that is still shown without an answer after this time will not get one. */
const keptFor = 600_000 // ms

/** Shows a record that the service does not have yet. */
export function showNew(record: Stored): void {
  put({ ...record, version: 0 })
  forget(({ id }) => id === record.id)
  useNewRecords.setState(({ all }) => ({ all: [...all, { record, confirmedAt: Number.POSITIVE_INFINITY }] }))
}

/** The service has the record: each list shows it as the service has made it, until it has an answer that was asked for later. */
export function confirmNew(id: string): void {
  const confirmedAt = timeNow()
  forget((_, since) => since < confirmedAt - keptFor)
  useNewRecords.setState(({ all }) => ({
    all: all.map(({ record, ...each }) =>
      record.id === id ? { record: baseOf(record.entity, id) ?? record, confirmedAt } : { record, ...each },
    ),
  }))
}

/** The service has refused the record. */
export function withdrawNew({ entity, id }: Stored): void {
  remove(entity, id)
  forget(each => each.id === id)
}

function forget(isOver: (record: Stored, confirmedAt: number) => boolean): void {
  useNewRecords.setState(state => {
    const all = state.all.filter(({ record, confirmedAt }) => !isOver(record, confirmedAt))
    return all.length < state.all.length ? { all } : state
  })
}

/** The new records of a kind that an answer may lack which was asked for at this time, in the order of their creation. */
export function useAllNew<T extends Stored>(entity: string, askedAt: number): readonly T[] {
  const all = useNewRecords(state => state.all)
  return useMemo(() => {
    const lacking = all.filter(({ record, confirmedAt }) => record.entity === entity && confirmedAt > askedAt)
    return lacking.map(({ record }) => record as T) // the caller names the type of the records of this entity
  }, [all, entity, askedAt])
}

/** Those of them that have this value. */
export function useNew<T extends Stored>(
  entity: string,
  property: string,
  value: string | undefined,
  askedAt: number,
): readonly T[] {
  const all = useAllNew<T>(entity, askedAt)
  return useMemo(() => all.filter(each => propertyOf(each, property) === value), [all, property, value])
}

/** A list of the service with the new records that it does not have yet. */
export const withNew = <T extends { id: string }>(list: readonly T[], added: readonly T[]): readonly T[] =>
  added.length === 0 ? list : [...list, ...added.filter(({ id }) => list.every(each => each.id !== id))]
