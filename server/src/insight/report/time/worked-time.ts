import { codeKind } from '../../../finance/non-billable.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { and, ownTenant, raw, type Sql, sql, unprepared } from '../../../kernel/sql.ts'
import { timeState } from '../../../time/time-state.ts'
import { sources } from '../../query/source.ts'
import { type Bucket, bucketOf, type Period } from '../period.ts'
import { bounded } from '../table.ts'
import { billableNow, type Member } from './team.ts'

/** What a user worked on a day, or in the days from it on, in seconds. */
export interface WorkedDay {
  userId: Id
  date: string
  worked: number
  billable: number
}

const absence = raw(`${codeKind.leave}, ${codeKind.sick}, ${codeKind.holiday}`)

/** The entries (`t`) of a team that are work: neither drafts nor absence. */
export function workedBy(ctx: Context, { first, last }: Period, team: readonly Member[]): Sql {
  return and([
    sources.Time.rows(ctx),
    sql`t.user_id = any(${team.map(each => each.id)}::uuid[]) and t.date between ${first}::date and ${last}::date and t.state <> ${timeState.draft}`,
    // Few entries have a code, and only those are looked up.
    sql`(t.non_billable is null or not exists (select 1 from non_billable n where n.tenant_id = ${ownTenant} and n.id = t.non_billable and n.kind in (${absence})))`,
  ])
}

/**
 * What each of a team worked in each part of a period, with its first day as `date`: in each bucket, or on the whole without one. Parts
 * without work are left out.
 */
export async function workedParts(
  ctx: Context,
  period: Period,
  team: readonly Member[],
  bucket: Bucket | undefined,
): Promise<WorkedDay[]> {
  const part = bucket ? bucketOf(bucket, 'date', raw('t.date'), '') : sql`${period.first}::date`
  const billable = await billableNow(ctx)
  return await bounded(
    ctx,
    () =>
      ctx.sql<WorkedDay>`${unprepared(sql`
    select t.user_id as "userId", to_char(${part}, 'YYYY-MM-DD') as date, sum(t.seconds)::float8 as worked, coalesce(sum(t.seconds) filter (where ${billable}), 0)::float8 as billable
    from time t where ${workedBy(ctx, period, team)} group by 1, 2`)}`,
  )
}
