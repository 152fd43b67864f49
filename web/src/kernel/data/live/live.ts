import { eventsOf } from '@gantry/sdk'
import { gantry, isOwnChange, signedIn } from '../client.ts'
import type { Changes } from '../records/store.ts'

// The changes that other people, rules and other tabs make, as they are committed.

/** A change of a record, as the stream tells it. */
export interface LiveChange {
  seq: string
  kind: string
  entity: string
  recordId: string
  changeSetId: string
  actorId: string
  at: string
  version?: number
  containerId?: string
  changes?: Changes
  /** This tab made it: it has the record already, and only its lists may have changed. */
  own: boolean
}

/** Many records have changed at once: a large change set, or so many changes that they are not told one by one. */
export interface LargeChange {
  /** The kinds of records, with numbers; undefined if everything may have changed. */
  entities?: Record<string, number>
  containerIds?: string[]
}

const changeListeners = new Set<(changes: readonly LiveChange[]) => void>()
const largeListeners = new Set<(change: LargeChange) => void>()
const noticeListeners = new Set<(name: string) => void>()

function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Calls back with the changes that arrive, several at a time, until the returned function is called. */
export const onChanges = (listener: (changes: readonly LiveChange[]) => void) => listen(changeListeners, listener)

/** Calls back when too much has changed to tell it record by record. */
export const onLargeChange = (listener: (change: LargeChange) => void) => listen(largeListeners, listener)

/** Calls back with the names of messages that are no changes of records: `inbox.changed`. */
export const onNotice = (listener: (name: string) => void) => listen(noticeListeners, listener)

interface Message {
  type: string
  data: unknown
  /** The position in the log. */
  id?: string | undefined
}

let position: string | undefined
const pauseAfterRefusal = 5000

/** Browsers allow few connections: of several tabs one reads the stream and tells the others. */
export function goLive(signal: AbortSignal): void {
  const tabs = new BroadcastChannel('gantry.live')
  signal.addEventListener('abort', () => tabs.close())
  tabs.onmessage = ({ data }: MessageEvent<Message>) => take(data)
  const read = async () => {
    while (!signal.aborted) {
      try {
        // A tab that takes over goes on where the last one ended.
        const after = position === undefined ? {} : { after: position }
        for await (const { type, data, id } of eventsOf(gantry, 'GET /event/stream', { signal, ...after })) {
          take({ type, data, id })
          tabs.postMessage({ type, data, id })
        }
      } catch {
        await new Promise(resolve => setTimeout(resolve, pauseAfterRefusal))
        await signedIn()
      }
    }
  }
  // Without a secure context there are no locks, and each tab reads for itself.
  if ('locks' in navigator) void navigator.locks.request('gantry.live', { signal }, read).catch(() => undefined)
  else void read()
}

/** Takes a message of the stream. */
export function take({ type, data, id }: Message): void {
  position = id ?? position
  if (isChange(data)) gather({ ...data, own: isOwnChange(data.changeSetId) })
  else if (type === 'bulk') for (const listener of largeListeners) listener(data as LargeChange)
  else if (type === 'reset') for (const listener of largeListeners) listener({})
  else if (type !== 'message') for (const listener of noticeListeners) listener(type)
}

const isChange = (data: unknown): data is Omit<LiveChange, 'own'> =>
  typeof data === 'object' && data !== null && 'recordId' in data && 'changeSetId' in data

/** Tells the lists of a record that this browser has just created, whether the stream is open or not. */
export function tellCreated({ entity, id, containerId }: { entity: string; id: string; containerId?: unknown }): void {
  gather({
    seq: '',
    kind: `${entity.toLowerCase()}.created`,
    entity,
    recordId: id,
    changeSetId: '',
    actorId: '',
    at: '',
    own: true,
    ...(typeof containerId === 'string' ? { containerId } : {}),
  })
}

const gatheredFor = 50 // ms: a bulk change arrives as many events
let gathered: LiveChange[] = []

function gather(change: LiveChange): void {
  if (gathered.length === 0)
    setTimeout(() => {
      const those = gathered
      gathered = []
      for (const listener of changeListeners) listener(those)
    }, gatheredFor)
  gathered.push(change)
}
