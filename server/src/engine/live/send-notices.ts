import { tenantCaller } from '../../identity/tenant-caller.ts'
import { type Caller, mayAt, narrowedTo, staff } from '../../kernel/access.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { and, join, name, raw, render, type Sql, sql } from '../../kernel/sql.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import type { EventBatch } from './log/event-batch.ts'
import type { AnyNotice, RecordNotice } from './private-notices.ts'
import type { OpenStream } from './stream-limits.ts'

/** A change of a record of one's own, which is in the log and is also told by a notice that needs no knowledge of the record. */
export interface OwnNotice {
  readonly entity: string
  /** The user to whom the record `t` belongs, as text; null for nobody. */
  readonly userId: Sql
  /** What is sent. */
  readonly notice: { entity: string; name: string; data?: string }
}

/** The maximum of different conditions that one query evaluates. */
const maxAtOnce = 50

/** Sends notices to the open streams of this process whose callers they are for. */
export function openNotices(
  { database, gate, own }: { database: Database; gate: ConcurrencyLimit; own: readonly OwnNotice[] },
  streams: ReadonlySet<OpenStream>,
) {
  const ofTenant = (tenantId: Id) =>
    [...streams].map(each => each.connection).filter(each => each.tenantId === tenantId)

  /** Notices about records are sent one after the other, because the last one counts. */
  let inTurn = Promise.resolve()

  function deliver(notice: AnyNotice): void {
    if ('recordId' in notice)
      inTurn = inTurn.then(() => deliverToStaff(notice)).catch(() => {}) // a lost notice does no harm
    else
      for (const connection of ofTenant(notice.tenantId))
        if (notice.userIds.includes(connection.caller.userId)) connection.sendNotice(notice)
  }

  async function deliverToStaff(notice: RecordNotice): Promise<void> {
    const wanting = ofTenant(notice.tenantId).filter(
      each => each.caller.userId !== notice.exceptId && each.wantsNotice(notice),
    )
    if (wanting.length === 0) return
    const seeing = await staffWhoSee(
      wanting.map(each => each.caller),
      notice,
    )
    for (const connection of wanting) if (seeing.has(connection.caller)) connection.sendNotice(notice)
  }

  /** The callers among these who see the record and are staff where it is. Callers with the same condition are one question. */
  async function staffWhoSee(
    callers: readonly Caller[],
    { tenantId, entity, recordId }: RecordNotice,
  ): Promise<ReadonlySet<Caller>> {
    const groups = [...Map.groupBy(callers, caller => keyOf(seenByStaff(caller, entity))).values()]
    const seeing = new Set<Caller>()
    for (let start = 0; start < groups.length; start += maxAtOnce) {
      const asked = groups.slice(start, start + maxAtOnce)
      const conditions = asked.map(([first]) => (first ? seenByStaff(first, entity) : raw('false')))
      const [row] = await gate.run(() =>
        database.single(
          tenantCaller(tenantId),
          ctx => ctx.sql<{ seen: boolean[] }>`select array[${join(conditions)}] as seen
            from ${name(kindNamed(entity)?.table ?? '')} t where t.tenant_id = ${tenantId} and t.id = ${recordId}`,
        ),
      )
      for (const [i, group] of asked.entries()) if (row?.seen[i]) for (const caller of group) seeing.add(caller)
    }
    return seeing
  }

  /** The notices that follow for a user from the events of a batch. The owners of the records are read once for all streams. */
  async function ownNoticesIn(batch: EventBatch, { tenantId, userId }: Caller): Promise<OwnNotice['notice'][]> {
    const found: OwnNotice['notice'][] = []
    for (const each of own)
      if ((await batch.once(`owners of ${each.entity}`, () => ownersIn(batch, tenantId, each))).has(userId))
        found.push(each.notice)
    return found
  }

  async function ownersIn({ events }: EventBatch, tenantId: Id, { entity, userId }: OwnNotice): Promise<Set<Id>> {
    const ids = [...new Set(events.filter(each => each.entity === entity).map(each => each.recordId))]
    const kind = kindNamed(entity)
    if (ids.length === 0 || !kind) return new Set()
    const rows = await gate.run(() =>
      database.single(
        tenantCaller(tenantId),
        ctx => ctx.sql<{ userId: Id | null }>`select distinct ${userId} as "userId" from ${name(kind.table)} t
          where t.tenant_id = ${tenantId} and t.id = any(${ids}::uuid[])`,
      ),
    )
    return new Set(rows.flatMap(row => row.userId ?? []))
  }

  return { deliver, ownNoticesIn }
}

function seenByStaff(caller: Caller, entity: string): Sql {
  const t = raw('t')
  const kind = kindNamed(entity)
  const places = kind?.placeColumns?.(t)
  if (!kind || !places) return raw('false')
  const permitted = mayAt(caller, narrowedTo(staff, kind.permissions.read), t, places)
  return sql`(${and([sql`not t.deleted`, kind.visible(caller, t), permitted])})`
}

function keyOf(condition: Sql): string {
  const { text, values } = render(condition)
  return JSON.stringify([text, values])
}
