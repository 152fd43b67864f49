import type { Edge } from '../../containers/workflow/workflow.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { join, type Sql, sql } from '../../kernel/sql.ts'
import { compile } from '../../language/conditions/conditions.ts'
import { itemVocabulary } from '../vocabulary/vocabulary.ts'

/** A guard to be evaluated for items, with their stored values or with those in `would`. */
export interface GuardQuery {
  edge: Edge
  itemIds: readonly Id[]
  would?: Sql
}

/** The items for which each guard holds; one statement for all guards. */
export async function passedGuards(
  ctx: Context,
  all: readonly GuardQuery[],
): Promise<Map<GuardQuery | undefined, ReadonlySet<Id>>> {
  const guarded = all.filter(({ edge }) => edge.guard.length > 0)
  const open = new Map<GuardQuery | undefined, ReadonlySet<Id>>(
    all.filter(each => !guarded.includes(each)).map(each => [each, new Set(each.itemIds)]),
  )
  if (guarded.length === 0) return open
  const vocabulary = await itemVocabulary(ctx)
  const viewer = { userId: ctx.caller.userId, now: ctx.now, timezone: ctx.caller.timezone }
  const questions = guarded.map(
    ({ edge, itemIds, would }, n) => sql`select ${n}::int as n, t.id
      from item i cross join lateral jsonb_populate_record(i, ${would ?? sql`'{}'::jsonb`}) t
      where i.tenant_id = ${ctx.caller.tenantId} and i.id = any(${itemIds}::uuid[]) and (${compile(edge.guard, vocabulary, viewer)}) is true`,
  )
  const rows = await ctx.sql<{ n: number; id: Id }>`${join(questions, ' union all ')}`
  for (const [n, each] of guarded.entries()) open.set(each, new Set(rows.filter(row => row.n === n).map(row => row.id)))
  return open
}
