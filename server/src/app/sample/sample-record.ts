import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { name, type Sql, sql } from '../../kernel/sql.ts'

// The records that the sample company of a tenant consists of, so that exactly these are removed. Those of a sample that was
// removed stay listed until the next one is loaded: an undo of the removal brings them back.

/** The kinds of the sample; those that refer to others come before them. The facet of a ticket goes with its item. */
export const sampleKinds = [
  ...(['Annotation', 'Time', 'Link', 'Board', 'ContainerFilter', 'Item', 'Cycle'] as const),
  ...(['Container', 'Clock', 'Process', 'User', 'Crm', 'Label'] as const),
]

/** The ids of the sample's records by kind. */
type SampleRecords = Map<string, Id[]>

/** Serialises loading and removing in a tenant. */
export async function lockSample(ctx: Context): Promise<void> {
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`sample ${ctx.caller.tenantId}`}, 0))`
}

/** Lists what this change set has created as the sample. */
export async function rememberRecords(ctx: Context): Promise<void> {
  const { tenantId } = ctx.caller
  await ctx.sql`delete from sample_record where tenant_id = ${tenantId}`
  await ctx.sql`insert into sample_record (tenant_id, entity, record_id)
    select distinct e.tenant_id, e.entity, e.record_id from event e
    where e.tenant_id = ${tenantId} and e.change_set_id = ${ctx.changeSet}
      and (e.kind like '%.created' or e.kind in ('annotation.replied', 'annotation.requesterReplied')) returning 1`
}

/** The records of the sample that are not deleted. */
export async function livingRecords(ctx: Context): Promise<SampleRecords> {
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<{
    entity: string
    ids: Id[]
  }>`select s.entity, array_agg(s.record_id order by s.record_id) as ids
    from sample_record s where s.tenant_id = ${tenantId} and s.entity = any(${sampleKinds}::text[]) group by s.entity`
  const living: SampleRecords = new Map()
  for (const { entity, ids } of rows) {
    const found = await ctx.sql<{ id: Id }>`select t.id from ${name(kind(entity).table)} t
      where t.tenant_id = ${tenantId} and t.id = any(${ids}::uuid[]) and not t.deleted order by t.id`
    if (found.length > 0)
      living.set(
        entity,
        found.map(({ id }) => id),
      )
  }
  return living
}

/** Whether a record (`t`) of this kind belongs to the sample and is not among these. */
export function isOfSample(tenantId: Id, entity: string, kept: readonly Id[]): Sql {
  return sql`(t.id <> all(${kept}::uuid[]) and exists (select 1 from sample_record s
    where s.tenant_id = ${tenantId} and s.entity = ${entity} and s.record_id = t.id))`
}

/** Writes into the log that the sample was loaded or removed; by this an undo knows the change set. */
export async function noteSample(ctx: Context, verb: 'sampleLoaded' | 'sampleRemoved'): Promise<void> {
  const recordId = ctx.caller.tenantId
  await appendEvents(ctx, [{ kind: `tenant.${verb}`, entity: 'Tenant', recordId, changes: {} }])
}
