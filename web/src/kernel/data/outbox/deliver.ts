import { call, isProblem, type Problem, type Reply, type Route } from '@gantry/sdk'
import { gantry } from '../client.ts'
import { baseOf, put, remove, type Stored } from '../records/store.ts'
import { contested, hasArrived, type Write } from './write.ts'

/** What became of a write. */
export type Delivery =
  /** Without a reply if it had arrived before; then the record is the current one. */
  | { outcome: 'done'; reply?: Reply<unknown>; current?: Stored }
  | { outcome: 'refused'; problem: Problem }
  /** Somebody else has set these properties. */
  | { outcome: 'contested'; properties: string[]; current: Stored }
  /** The service could not be reached, or does not know this browser. */
  | { outcome: 'waits' }

/** Sends a write, and decides what its answer means. `mark` notes that it may have arrived, before it is sent. */
export async function deliver(write: Write, mark: (sentOn: number | undefined) => void): Promise<Delivery> {
  const { entity, recordId, route, path, query, body, before, id } = write
  const base = baseOf(entity, recordId)
  if (before && base && !write.attempted) {
    const properties = contested(write, base)
    if (properties.length > 0) return { outcome: 'contested', properties, current: base }
  }
  // What may have arrived is sent as it was: then the service refuses it, instead of doing it twice.
  const version = write.attempted ? write.sentOn : (base?.version ?? write.madeOn)
  mark(version)
  try {
    const reply = await call(gantry, route, {
      ...(path ? { path } : {}),
      ...(query ? { query } : {}),
      body,
      ...(before && version !== undefined ? { ifMatch: `"v${version}"` } : {}),
      ...(route.startsWith('POST') ? { idempotencyKey: id } : {}),
    } as never).withResponse() // the route is known at run time only
    for (const each of recordsIn(reply.answer)) put(each)
    return { outcome: 'done', reply }
  } catch (error) {
    if (!isProblem(error)) {
      if (error instanceof TypeError) return { outcome: 'waits' } // fetch could not reach the service
      throw error
    }
    return onProblem(write, error, mark)
  }
}

const passing = new Set([401, 429, 502, 503, 504])

async function onProblem(
  write: Write,
  problem: Problem,
  mark: (sentOn: number | undefined) => void,
): Promise<Delivery> {
  const { entity, recordId, before } = write
  if (passing.has(problem.status) || problem.code === 'in-progress') return { outcome: 'waits' }
  const { current } = problem.body
  if (problem.status === 412 && before && isRecord(current)) {
    put(current)
    // An earlier attempt arrived, and its answer was lost.
    if (hasArrived(write, current)) return { outcome: 'done', current }
    return deliver({ ...write, attempted: false, sentOn: undefined }, mark)
  }
  if (problem.code === 'id-taken' && write.record) return readCreated(entity, recordId)
  if (problem.status === 404 && before) remove(entity, recordId)
  return { outcome: 'refused', problem }
}

/** An earlier attempt to create the record arrived, and its answer was lost. */
async function readCreated(entity: string, id: string): Promise<Delivery> {
  const route = `GET /${entity.toLowerCase()}/{id}` as Route // the kinds that are created here are read like this
  try {
    const current: unknown = await call(gantry, route, { path: { id } } as never)
    if (!isRecord(current)) return { outcome: 'done' }
    put(current)
    return { outcome: 'done', current }
  } catch (error) {
    if (!isProblem(error)) return { outcome: 'waits' }
    // Somebody has deleted it since.
    return passing.has(error.status) ? { outcome: 'waits' } : { outcome: 'done' }
  }
}

/** The records of an answer: one, or those of an operation on several items. */
export function recordsIn(answer: unknown): Stored[] {
  if (isRecord(answer)) return [answer]
  if (typeof answer !== 'object' || answer === null) return []
  if ('items' in answer && Array.isArray(answer.items)) return answer.items.filter(isRecord)
  return 'item' in answer && isRecord(answer.item) ? [answer.item] : []
}

const isRecord = (value: unknown): value is Stored =>
  typeof value === 'object' && value !== null && 'id' in value && 'entity' in value
