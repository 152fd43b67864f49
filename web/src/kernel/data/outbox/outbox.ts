import type { Problem, Reply } from '@gantry/sdk'
import { create } from 'zustand'
import { useConnection } from '../client.ts'
import { forget, keep } from '../kept/shelves.ts'
import { tellCreated } from '../live/live.ts'
import { painted } from '../painted.ts'
import { confirmNew, showNew, withdrawNew } from '../records/new-records.ts'
import { paint } from '../records/store.ts'
import { type Delivery, deliver, recordsIn } from './deliver.ts'
import { enqueue, onTopOf, type Write } from './write.ts'

// Writes wait here until the service has answered: in order for each record, kept in IndexedDB, so that neither a lost network nor a
// closed tab loses one.

export const useOutbox = create<{ waiting: readonly Write[] }>(() => ({ waiting: [] }))

/** What a write came to: a reply, a refusal, or nothing, because a newer change replaced it or a person has to decide. */
export type Sent = { reply?: Reply<unknown>; problem?: Problem }

type Settled = (delivery: Delivery, write: Write) => void

const queues = new Map<string, Write[]>()
const unpaints = new Map<string, () => void>()
const resolves = new Map<string, (sent: Sent) => void>()
const busy = new Set<string>()

/** When the service is reached but asks for patience; otherwise it is sent when it can be reached again. */
const pauseBeforeRetry = 1000

let onSettled: Settled = () => undefined

/** Says who tells people what became of their writes; the app has one. */
export function tellOutcomes(tell: Settled): void {
  onSettled = tell
}

/** Takes a write: shows it, keeps it, and sends it when it has been painted and the earlier ones of its record are through. */
export function post(write: Write): Promise<Sent> {
  const known = queues.get(write.recordId) ?? []
  // The first one may be on its way already.
  const inFlight = known.slice(0, busy.has(write.recordId) ? 1 : 0)
  const { queue, replaced } = enqueue(known.slice(inFlight.length), write)
  queues.set(write.recordId, [...inFlight, ...queue])
  show(write)
  for (const each of replaced) finish(each, {})
  void keep(
    'outbox',
    queue.map(each => [each.id, each] as const),
  )
  tellWaiting()
  const sent = new Promise<Sent>(resolve => resolves.set(write.id, resolve))
  void drain(write.recordId)
  return sent
}

function show({ id, entity, recordId, body, painted, paintedIn, before, record }: Write): void {
  if (record) showNew(record)
  const values = paintedIn ?? (before ? { [recordId]: painted ?? body } : {})
  const undos = Object.entries(values).map(([each, shown]) => paint(entity, each, shown))
  if (undos.length > 0)
    unpaints.set(id, () => {
      for (const undo of undos) undo()
    })
}

/** Sends everything that waits. */
export function drainAll(): void {
  for (const recordId of queues.keys()) void drain(recordId)
}

async function drain(recordId: string): Promise<void> {
  const { offline, signedOut } = useConnection.getState()
  if (busy.has(recordId) || offline || signedOut) return
  busy.add(recordId)
  try {
    await painted()
    for (let write = nextOf(recordId); write; write = nextOf(recordId)) {
      const now = write
      const delivery = await deliver(now, sentOn => replace({ ...now, attempted: true, sentOn }))
      if (delivery.outcome === 'waits') {
        setTimeout(() => void drain(recordId), pauseBeforeRetry)
        return
      }
      pass(now, delivery)
    }
  } finally {
    busy.delete(recordId)
  }
}

/** The next write of a record, unless it follows one that still waits. */
function nextOf(recordId: string): Write | undefined {
  const next = queues.get(recordId)?.[0]
  const isFollowed = ({ id }: Write) => next?.follows?.includes(id)
  return next?.follows && [...queues.values()].flat().some(isFollowed) ? undefined : next
}

function replace(write: Write): void {
  const [, ...later] = queues.get(write.recordId) ?? []
  queues.set(write.recordId, [write, ...later])
  void keep('outbox', [[write.id, write]])
}

/** A write is through: the next one of its record follows. */
function pass(write: Write, delivery: Delivery): void {
  const [, ...later] = queues.get(write.recordId) ?? []
  const answers = delivery.outcome === 'done' ? recordsIn(delivery.reply?.answer ?? delivery.current) : []
  const answer = answers.find(({ id }) => id === write.recordId)
  const isRefused = delivery.outcome === 'refused'
  // What was changed in a record that is not created has nowhere to go.
  const next = isRefused && write.record ? [] : answer ? onTopOf(later, write, answer) : later
  if (next.length > 0) queues.set(write.recordId, next)
  else queues.delete(write.recordId)
  if (write.record && isRefused) {
    withdrawNew(write.record)
    for (const each of later) finish(each, { problem: delivery.problem })
  } else if (write.record) {
    confirmNew(write.recordId)
    tellCreated(write.record)
  }
  onSettled(delivery, write)
  if (isRefused) finish(write, { problem: delivery.problem })
  else finish(write, delivery.outcome === 'done' && delivery.reply ? { reply: delivery.reply } : {})
  tellWaiting()
}

function finish({ id }: Write, sent: Sent): void {
  unpaints.get(id)?.()
  unpaints.delete(id)
  resolves.get(id)?.(sent)
  resolves.delete(id)
  void forget('outbox', id)
  for (const [next] of queues.values()) if (next?.follows?.includes(id)) void drain(next.recordId)
}

const tellWaiting = () => useOutbox.setState({ waiting: [...queues.values()].flat() })

/** Resolves when what waits for these records is through: what is not sent from here comes after it. */
export function settled(recordIds: readonly string[]): Promise<void> {
  const isOver = () => !recordIds.some(id => queues.has(id))
  return new Promise(resolve => {
    if (isOver()) return resolve()
    const stop = useOutbox.subscribe(() => {
      if (!isOver()) return
      stop()
      resolve()
    })
  })
}

/** Takes over writes of a tab that is gone. They may have arrived. */
export function adopt(writes: readonly Write[]): void {
  const known = new Set([...queues.values()].flat().map(({ id }) => id))
  for (const write of writes) {
    if (known.has(write.id)) continue
    known.add(write.id)
    queues.set(write.recordId, [...(queues.get(write.recordId) ?? []), write])
    show(write)
  }
  tellWaiting()
  drainAll()
}

/** Forgets everything that waits: the person has signed out. */
export function emptyOutbox(): void {
  for (const undo of unpaints.values()) undo()
  unpaints.clear()
  resolves.clear()
  queues.clear()
  tellWaiting()
}
