import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { ownTenant, type Sql, sql } from '../../../kernel/sql.ts'

/** The codes of `work`: what is under way with bytes. */
export const byteWork = { none: 0, moving: 1, clearing: 2, erasing: 3 } as const

/** Where bytes are; null is the disk of the service. */
export interface BytePlace {
  storageId: Id | null
  /** There only if `formerUntil` is. */
  formerId: Id | null
  formerUntil: Date | null
  targetId: Id | null
  work: number
  since: Date | null
}

const onDisk: BytePlace = {
  storageId: null,
  formerId: null,
  formerUntil: null,
  targetId: null,
  work: byteWork.none,
  since: null,
}

/** Returns where bytes are; without a row they are on the disk. */
export async function placeOf(ctx: Context, sha256: string): Promise<BytePlace> {
  const [row] =
    await ctx.sql<BytePlace>`select storage_id as "storageId", former_id as "formerId", former_until as "formerUntil", target_id as "targetId", work, since
    from stored_bytes where tenant_id = ${ctx.caller.tenantId} and hash = ${sha256}`
  return row ?? onDisk
}

/** Stores where bytes are, and forgets the row of those that are on the disk alone. */
export async function writePlace(ctx: Context, sha256: string, place: BytePlace): Promise<void> {
  const { tenantId } = ctx.caller
  const { storageId, formerId, formerUntil, targetId, work } = place
  if (storageId === null && formerUntil === null && work === byteWork.none) {
    await ctx.sql`delete from stored_bytes where tenant_id = ${tenantId} and hash = ${sha256}`
    return
  }
  await ctx.sql`insert into stored_bytes (tenant_id, hash, storage_id, former_id, former_until, target_id, work, since)
    values (${tenantId}, ${sha256}, ${storageId}, ${formerId}, ${formerUntil}, ${targetId}, ${work}, ${work === byteWork.none ? null : ctx.now})
    on conflict (tenant_id, hash) do update set storage_id = excluded.storage_id, former_id = excluded.former_id,
      former_until = excluded.former_until, target_id = excluded.target_id, work = excluded.work, since = excluded.since`
}

/** Whether a file, deleted or not, or a stored mail refers to the bytes with this hash. */
export function isReferenced(hash: Sql): Sql {
  return sql`(exists (select 1 from file f where f.tenant_id = ${ownTenant} and f.sha256 = ${hash})
    or exists (select 1 from mail_message m where m.tenant_id = ${ownTenant} and m.sha256 = ${hash} and m.sha256 <> ''))`
}

/** Whether bytes must stay on the disk of the service: a record refers to them, and they are not settled at a store. */
export function neededOnDisk(hash: Sql): Sql {
  return sql`(${isReferenced(hash)} and not exists (select 1 from stored_bytes b where b.tenant_id = ${ownTenant} and b.hash = ${hash}
    and b.storage_id is not null and b.work = ${byteWork.none} and not (b.former_id is null and b.former_until is not null)))`
}

/** Whether there are bytes at a storage, or on their way to it. */
export async function holdsBytes(ctx: Context, storageId: Id): Promise<boolean> {
  const at = (column: Sql) =>
    sql`exists (select 1 from stored_bytes where tenant_id = ${ctx.caller.tenantId} and ${column} = ${storageId})`
  const [row] = await ctx.sql<{
    held: boolean
  }>`select (${at(sql`storage_id`)} or ${at(sql`former_id`)} or ${at(sql`target_id`)}) as held`
  return row?.held === true
}
