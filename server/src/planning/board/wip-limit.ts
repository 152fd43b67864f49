import { type BoardColumn, wipPolicies } from '../../containers/board/board.ts'
import type { Context } from '../../kernel/context.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { and } from '../../kernel/sql.ts'
import { inColumn, loadOf, type OpenBoard, type Sums, weights } from './open-board.ts'

/** Serializes the moves into a column with a limit. */
export async function lockColumn(ctx: Context, { board }: OpenBoard, { id }: BoardColumn): Promise<void> {
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`column ${board.id} ${id}`}, 0))`
}

/**
 * Refuses a move that exceeds the limit of the column, or warns of it. Cards that the caller cannot see count as well.
 */
export async function checkLimit(ctx: Context, open: OpenBoard, target: BoardColumn): Promise<string[]> {
  if (target.wip === 0) return []
  const { points, minutes } = weights(open)
  const [sums] =
    await ctx.sql<Sums>`select count(*)::int as count, coalesce(sum(${points}), 0)::float8 as points, coalesce(sum(${minutes}), 0)::float8 as minutes
    from ${open.from} where ${and([open.on, inColumn(open, target)])}`
  const load = sums ? loadOf(target, sums) : 0
  if (load <= target.wip) return []
  const unit = ['cards', 'points', 'minutes'][target.wipMode] ?? 'cards'
  const message = `${target.name} is limited to ${target.wip} ${unit} and would have ${load}`
  if (target.wipPolicy === wipPolicies.block)
    throw new RuleBroken('wip-limit', message, [fault(['column'], 'wip-limit', message, target.id)], {
      limit: target.wip,
      load,
    })
  return [message]
}
