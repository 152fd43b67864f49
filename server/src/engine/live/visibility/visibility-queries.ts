import { tenantCaller } from '../../../identity/tenant-caller.ts'
import type { Caller } from '../../../kernel/access.ts'
import type { Database } from '../../../kernel/database.ts'
import type { Id } from '../../../kernel/id.ts'
import type { Kind } from '../../../kernel/kinds.ts'
import { join, name, type Sql } from '../../../kernel/sql.ts'
import type { ConcurrencyLimit } from '../concurrency-limit.ts'
import type { EventBatch } from '../log/event-batch.ts'

/** Which records of one kind a caller sees, and in which container. */
export interface KindVisibility {
  kind: Kind
  condition: Sql
  /** The container of a record `t`, as text. */
  place: Sql
  /** All records are visible, and none has a container: nothing needs to be looked up. */
  isTrivial: boolean
  /** Callers with the same key see the same records in the same containers. */
  key: string
}

/** The ids of the visible records, with the container of each. */
export type VisibleRecords = ReadonlyMap<Id, Id | null>

/** A condition that waits for the next query. */
interface PendingCondition extends Pick<KindVisibility, 'condition' | 'place'> {
  resolve: (seen: VisibleRecords) => void
  reject: (error: unknown) => void
}

/** The maximum of different conditions that one query evaluates. */
const maxAtOnce = 50

/** Finds out which records of a batch callers see, with few queries for many callers. */
export function openVisibilityQueries(database: Database, gate: ConcurrencyLimit) {
  async function runQuery(batch: EventBatch, tenantId: Id, kind: Kind, queue: PendingCondition[]): Promise<void> {
    await new Promise(resolve => setImmediate(resolve)) // lets the other streams that were woken with the first one join the queue
    const asked = queue.splice(0, maxAtOnce)
    if (queue.length > 0) void gate.run(() => runQuery(batch, tenantId, kind, queue))
    try {
      const ids = [...new Set(batch.events.filter(e => e.entity === kind.entity).map(e => e.recordId))]
      const rows = await database.single(
        tenantCaller(tenantId),
        ctx => ctx.sql<{
          id: Id
          seen: (boolean | null)[]
          places: (Id | null)[]
        }>`select t.id, array[${join(asked.map(each => each.condition))}] as seen, array[${join(asked.map(each => each.place))}] as places
          from ${name(kind.table)} t where t.tenant_id = ${tenantId} and t.id = any(${ids}::uuid[])`,
      )
      for (const [i, { resolve }] of asked.entries())
        resolve(new Map(rows.filter(row => row.seen[i]).map(row => [row.id, row.places[i] ?? null])))
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }

  /**
   * Runs one query for all callers with the same condition. Different conditions wait in one queue and are evaluated
   * together.
   */
  return function visibleRecords(
    batch: EventBatch,
    { tenantId }: Caller,
    { kind, condition, place, key }: KindVisibility,
  ): Promise<VisibleRecords> {
    return batch.once(`seen ${key}`, () => {
      const { promise, resolve, reject } = Promise.withResolvers<VisibleRecords>()
      const queue = batch.once(`queue ${kind.entity}`, (): PendingCondition[] => [])
      queue.push({ condition, place, resolve, reject })
      if (queue.length === 1) void gate.run(() => runQuery(batch, tenantId, kind, queue))
      return promise
    })
  }
}
