import type { Problem, Route } from '@gantry/sdk'
import { returnDraft } from './kept/drafts.ts'
import type { Delivery } from './outbox/deliver.ts'
import { post, type Sent } from './outbox/outbox.ts'
import { ownTab } from './outbox/tabs.ts'
import { propertyOf, type Write } from './outbox/write.ts'
import { setOutcome } from './outcomes.ts'
import { valuesBefore } from './records/editing.ts'
import { newId } from './records/ids.ts'
import { baseOf, type Stored, type Values } from './records/store.ts'
import { begin, notify, remember } from './undo.ts'

export { type Conflict, useOutcomes } from './outcomes.ts'

// A change is painted at once and sent after it, with the version that it was made on. It waits while the service cannot be reached.

export interface Update {
  entity: string
  id: string
  /** The operation that changes such a record. */
  route: Route
  values: Values
  /** What is shown until the service answers, if that is not the values alone. */
  painted?: Values | undefined
  /** What the undo centre and the toast say about it. */
  text: string
}

/** Changes a record: painted at once, sent when its earlier changes are through. Resolves to the refusal, if there is one. */
export async function updateRecord({ entity, id, route, values, painted, text }: Update): Promise<Problem | undefined> {
  setOutcome(id, undefined, [])
  const before = valuesBefore(entity, id, Object.keys(values))
  const { problem } = await send({
    ...writeOf(entity, id, route, values, text),
    path: { id },
    painted,
    before,
    madeOn: baseOf(entity, id)?.version,
  })
  return problem
}

export interface Creation {
  /** As it is shown until the service answers; its id is one of `newId`. */
  record: Stored
  /** The operation that creates it, and the record in its path. */
  route: Route
  path?: Record<string, string>
  body: Values
  /** The form whose text comes back if the service refuses the record, and the text. */
  draft: { place: string; value: unknown }
  text: string
}

/** Creates a record: shown at once, sent when the service can be reached. Changes of it go out after it. */
export function createRecord({ record, route, path, body, draft, text }: Creation): Promise<Sent> {
  setOutcome(draft.place, undefined, [])
  const write = writeOf(record.entity, record.id, route, { id: record.id, ...body }, text)
  return send({ ...write, path, record, draft })
}

export interface Action {
  entity: string
  id: string
  /** The operation, and the record in its path if that is another one. */
  route: Route
  path?: Record<string, string>
  body: Values
  /** What this record and others show until the service answers, by id. */
  paintedIn?: Readonly<Record<string, Values>>
  /** Ids of waiting writes that have to be through before it. */
  follows: readonly string[]
  text: string
}

/** Does something to a record that is no change of its properties. Lists paint it as long as it waits. */
export function actOnRecord({
  entity,
  id,
  route,
  path = { id },
  body,
  paintedIn,
  follows,
  text,
}: Action): Promise<Sent> {
  setOutcome(id, undefined, [])
  return send({ ...writeOf(entity, id, route, body, text), path, paintedIn, follows })
}

function send(write: Write): Promise<Sent> {
  const sent = post(write)
  begin(write.id, sent)
  return sent
}

const writeOf = (entity: string, recordId: string, route: Route, body: Values, text: string): Write => ({
  id: newId(),
  tab: ownTab,
  entity,
  recordId,
  route,
  body,
  text,
})

type Follower = (delivery: Delivery, write: Write) => boolean
const followers = new Set<Follower>()

/** Calls back with what became of each write, before it is no longer painted. Returns true where the page says itself why it was refused. */
export function followOutcomes(follower: Follower): () => void {
  followers.add(follower)
  return () => void followers.delete(follower)
}

/** Tells a person what became of a write; also of one that was made before a reload. */
export function tellOutcome(delivery: Delivery, write: Write): void {
  const { id, recordId, text, draft } = write
  const isTold = [...followers].some(each => each(delivery, write))
  if (delivery.outcome === 'done') remember(delivery.reply?.changeSet, text, id)
  if (delivery.outcome === 'contested') askAbout(delivery, write)
  if (delivery.outcome === 'refused' && !isTold) {
    if (draft) void returnDraft(draft.place, draft.value)
    setOutcome(draft?.place ?? recordId, delivery.problem, [])
    notify(delivery.problem.message)
  }
}

/** Somebody else was faster. What they did not touch goes on top of theirs; about the rest a person decides. */
function askAbout({ properties, current }: Delivery & { outcome: 'contested' }, write: Write): void {
  const { entity, recordId: id, route, body, text } = write
  const change = (values: Values) => void updateRecord({ entity, id, route, values, text })
  const free = Object.fromEntries(Object.entries(body).filter(([name]) => !properties.includes(name)))
  if (Object.keys(free).length > 0) change(free)
  setOutcome(
    id,
    undefined,
    properties.map(property => ({
      property,
      mine: body[property],
      theirs: propertyOf(current, property),
      keepMine: () => change({ [property]: body[property] }),
      takeTheirs: () => setOutcome(id, undefined, []),
    })),
  )
}
