import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { name, nothing, sql } from '../../kernel/sql.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import type { EventBatch, LargeChange } from './log/event-batch.ts'
import { LiveEvent } from './log/live-event.ts'
import type { KindVisibility } from './visibility/visibility-queries.ts'

/** More containers are not named: the client reads all its lists again. */
const maxContainers = 100

interface KindCount {
  count: number
  containerIds: Id[] | null
}

interface BulkRequest {
  visibilities: readonly KindVisibility[]
  containerId: Id | undefined
  /** Whether the containers of items are hidden from the caller. */
  hidesContainers: boolean
}

/** Says what of a large change a caller sees: how many records of which kinds, in which containers. */
export function openBulkMessages(database: Database, gate: ConcurrencyLimit) {
  /** One query for all callers with the same condition. */
  function count(batch: EventBatch, tenantId: Id, large: LargeChange, visibility: KindVisibility, at: Id | undefined) {
    const { kind, condition, place, key } = visibility
    return batch.once(`bulk ${large.changeSetId} ${at} ${key}`, () =>
      gate.run(async () => {
        const [row] = await database.single(
          tenantCaller(tenantId),
          ctx => ctx.sql<KindCount>`
            select count(*)::int as count, (array_agg(distinct s.place) filter (where s.place is not null))[1:${maxContainers + 1}] as "containerIds"
            from (select t.id, ${place} as place from ${name(kind.table)} t
              where t.tenant_id = ${tenantId} and t.id in (
                select e.record_id from event e where e.tenant_id = ${tenantId} and e.change_set_id = ${large.changeSetId} and e.entity = ${kind.entity}
                  and (e.xact, e.id) > (${large.after.xact}::xid8, ${large.after.id}::uuid) and (e.xact, e.id) <= (${large.position.xact}::xid8, ${large.position.id}::uuid))
              and ${condition}) s
            where true ${at ? sql`and (s.place = ${at} or s.id = ${at})` : nothing}`,
        )
        return row ?? { count: 0, containerIds: null }
      }),
    )
  }

  /** Returns the message, or undefined if the caller sees nothing of the change. */
  return async function bulkMessage(
    batch: EventBatch,
    { tenantId }: Caller,
    large: LargeChange,
    { visibilities, containerId, hidesContainers }: BulkRequest,
  ): Promise<LiveEvent | undefined> {
    const entities: Record<string, number> = {}
    const containerIds = new Set<Id>()
    for (const visibility of visibilities) {
      const found = await count(batch, tenantId, large, visibility, containerId)
      if (found.count > 0) entities[visibility.kind.entity] = found.count
      for (const each of found.containerIds ?? []) containerIds.add(each)
    }
    const total = Object.values(entities).reduce((sum, each) => sum + each, 0)
    if (total === 0) return undefined
    const named = containerIds.size > maxContainers || hidesContainers ? {} : { containerIds: [...containerIds] }
    const { changeSetId, position } = large
    const text = JSON.stringify({ changeSetId, count: total, entities, ...named })
    return new LiveEvent({ ...position, kind: '', entity: '', recordId: '', changeSetId, text }, { name: 'bulk' })
  }
}
