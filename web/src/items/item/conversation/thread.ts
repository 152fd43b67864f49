import type { Annotation, Event } from '@gantry/sdk'

/** A message as the service renders it, or one that is on its way. */
export type Message = Annotation & { bodyHtml?: string }

/** A property before and after. */
export interface PropertyChange {
  property: string
  from: unknown
  to: unknown
}

/** A change of the item that people are told about. */
export interface Change {
  id: string
  at: string
  by: string
  kind: 'created' | 'deleted' | 'restored' | 'updated' | 'clock'
  /** The rule that made it; empty if a person did. */
  ruleId: string
  changeSetId: string
  properties: PropertyChange[]
  /** What somebody did with a clock, and why. */
  clock?: { verb: string; reason: string }
}

export type Entry =
  | { kind: 'message'; id: string; at: string; message: Message }
  | { kind: 'change'; id: string; at: string; change: Change }
  | { kind: 'folded'; id: string; at: string; changes: Change[] }

/** What follows from other properties, or has no meaning to people. */
const untold = new Set(
  'statusCategory number rank labels closedAt resolvedAt remainingMinutes progress key source version updated'.split(
    ' ',
  ),
)

const foldedFrom = 3

/** Messages and changes in the order of time. Three changes or more between two messages are folded. */
export function threadOf(messages: readonly Message[], events: readonly Event[]): Entry[] {
  const entries: Entry[] = [
    ...messages.map((message): Entry => ({ kind: 'message', id: message.id, at: message.created, message })),
    ...events.flatMap(event => changeOf(event)).map((change): Entry => ({ ...change, kind: 'change', change })),
  ].sort((one, other) => one.at.localeCompare(other.at))
  const thread: Entry[] = []
  let run: Change[] = []
  const endRun = () => {
    const [first] = run
    if (first && run.length >= foldedFrom) thread.push({ kind: 'folded', id: first.id, at: first.at, changes: run })
    else thread.push(...run.map((change): Entry => ({ kind: 'change', id: change.id, at: change.at, change })))
    run = []
  }
  for (const entry of entries) {
    // What a rule did is always shown: people ask why.
    if (entry.kind === 'change' && entry.change.ruleId === '') run.push(entry.change)
    else {
      endRun()
      thread.push(entry)
    }
  }
  endRun()
  return thread
}

const kinds: Readonly<Record<string, Change['kind']>> = {
  'item.created': 'created',
  'item.deleted': 'deleted',
  'item.restored': 'restored',
  'clock.ordered': 'clock',
}

function changeOf({ id, at, type, actor, changeSetId, changes }: Event): Change[] {
  const kind = kinds[type] ?? 'updated' // the other events of an item are changes
  const told = { id, at, by: actor.id, ruleId: actor.ruleId ?? '', changeSetId }
  // What clocks do by themselves is told by the clocks.
  if (kind !== 'clock' && type.startsWith('clock.')) return []
  if (kind === 'clock') {
    const [verb, reason] = ['verb', 'reason'].map(name => String(toOf(changes[name]) ?? ''))
    return [{ ...told, kind, properties: [], clock: { verb: verb ?? '', reason: reason ?? '' } }]
  }
  const properties = kind === 'updated' ? Object.entries(changes).flatMap(propertyOf) : []
  if (kind === 'updated' && properties.length === 0) return []
  return [{ ...told, kind, properties }]
}

const toOf = (change: unknown): unknown =>
  typeof change === 'object' && change !== null && 'to' in change ? change.to : undefined

function propertyOf([property, change]: [string, unknown]): PropertyChange[] {
  if (untold.has(property) || typeof change !== 'object' || change === null) return []
  const { from, to } = change as { from?: unknown; to?: unknown } // each change in the log has this shape
  return [{ property, from, to }]
}
