import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { join, name, raw, type Sql } from '../../kernel/sql.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import type { EventBatch } from './event-batch.ts'

/** Which records of one kind a caller sees. */
export interface KindVisibility {
  kind: Kind
  condition: Sql
  /** Callers with the same key have the same condition and see the same records. */
  key: string
}

/** The ids of the visible records, with the container of each. */
export type VisibleRecords = ReadonlyMap<Id, Id | null>

/** A condition that waits for the next query. */
interface PendingCondition {
  condition: Sql
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
      const place = kind.byProperty.has('containerId') ? raw('t.container_id') : raw('null::uuid')
      const seen = join(asked.map(each => each.condition))
      const rows = await database.single(
        tenantCaller(tenantId),
        ctx => ctx.sql<{
          id: Id
          place: Id | null
          seen: (boolean | null)[]
        }>`select t.id, ${place} as place, array[${seen}] as seen
          from ${name(kind.table)} t where t.tenant_id = ${tenantId} and t.id = any(${ids}::uuid[])`,
      )
      for (const [i, { resolve }] of asked.entries())
        resolve(new Map(rows.filter(row => row.seen[i]).map(row => [row.id, row.place])))
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
    { kind, condition, key }: KindVisibility,
  ): Promise<VisibleRecords> {
    return batch.once(`seen ${key}`, () => {
      const { promise, resolve, reject } = Promise.withResolvers<VisibleRecords>()
      const queue = batch.once(`queue ${kind.entity}`, (): PendingCondition[] => [])
      queue.push({ condition, resolve, reject })
      if (queue.length === 1) void gate.run(() => runQuery(batch, tenantId, kind, queue))
      return promise
    })
  }
}
