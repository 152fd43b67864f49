import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { timeState } from '../time-state.ts'
import type { Timesheet } from './sheet.ts'
import { entryState } from './sheet-state.ts'

/** The entries of a sheet, as a condition on rows `e` of `time`. */
export function isOfSheet({ userId, from, to }: Pick<Timesheet, 'userId' | 'from' | 'to'>): Sql {
  return sql`e.user_id = ${userId} and e.date between ${from}::date and ${to}::date`
}

/** The containers of the entries that count, an empty one for entries without a container. */
export async function containersOfSheet(ctx: Context, sheet: Timesheet): Promise<(Id | '')[]> {
  const rows = await ctx.sql<{ id: Id | '' }>`select distinct coalesce(e.container_id::text, '') as id from time e
    where e.tenant_id = ${ctx.caller.tenantId} and ${isOfSheet(sheet)} and not e.deleted`
  return rows.map(each => each.id)
}

/** How many entries of a sheet are in this state. */
export async function countInState(ctx: Context, sheet: Timesheet, state: number): Promise<number> {
  const [row] = await ctx.sql<{ count: number }>`select count(*)::int as count from time e
    where e.tenant_id = ${ctx.caller.tenantId} and ${isOfSheet(sheet)} and not e.deleted and e.state = ${state}`
  return row?.count ?? 0
}

/**
 * Gives the entries of a sheet the state that follows from it. This is part of the change of the sheet and writes no events.
 * Drafts and invoiced entries keep theirs. Deleted entries follow, because they can be restored.
 */
export async function restateTimes(ctx: Context, sheet: Timesheet): Promise<void> {
  const { tenantId, userId } = ctx.caller
  const containers = await ctx.sql<{ id: Id | null }>`select distinct e.container_id as id from time e
    where e.tenant_id = ${tenantId} and ${isOfSheet(sheet)}`
  const states = containers.map(({ id }) => ({ id, state: entryState(sheet, id ?? '') }))
  await ctx.sql`update time e set state = w.state, updated = ${ctx.now}, updated_by = ${userId}, version = version + 1
    from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as w(id uuid, state int)
    where e.tenant_id = ${tenantId} and ${isOfSheet(sheet)} and e.container_id is not distinct from w.id
      and e.state <> w.state and e.state <> all(${[timeState.draft, timeState.invoiced]}::int[])`
}
