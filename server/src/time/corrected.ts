import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { RuleBroken } from '../kernel/refusal.ts'
import { ownTenant, raw, type Sql, sql } from '../kernel/sql.ts'

/** Whether a correction relies on an entry (`t`): it takes another one back, or it was taken back itself. */
export function isCorrected(t: Sql): Sql {
  return sql`(${t}.reverses_id is not null or exists (select 1 from time counter
    where counter.tenant_id = ${ownTenant} and counter.reverses_id = ${t}.id and not counter.deleted))`
}

/** The entries of a correction belong together, and to the one that they correct: none of them changes by itself. */
export async function refuseCorrected(
  ctx: Context,
  { id, correctsId }: { id: Id; correctsId: Id | '' },
): Promise<void> {
  if (correctsId !== '')
    throw new RuleBroken('correction', 'a correction cannot be changed: undo it, or correct its last entry')
  const [found] =
    await ctx.sql`select 1 from time t where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id} and ${isCorrected(raw('t'))}`
  if (found) throw new RuleBroken('correction', 'this entry was corrected: undo that, or correct its last entry')
}
