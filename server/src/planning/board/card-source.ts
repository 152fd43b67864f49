import type { Board } from '../../containers/board/board.ts'
import { items } from '../../items/item/item.ts'
import { itemsAsOf, itemsAt, itemsOfContainersAt, pastVocabulary, refuseUntold } from '../../items/past/past.ts'
import { itemVocabulary } from '../../items/vocabulary/vocabulary.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import type { Vocabulary } from '../../language/conditions/conditions.ts'

/** Where the cards of a board are read from: the items as they are, or as they were at a moment. */
export interface CardSource {
  kind: Kind
  vocabulary: Vocabulary
  /** The rows of the cards as `t`, without the caller’s visibility. */
  from: Sql
  /** The rows of items that fulfil a condition on the present row `p`. */
  rows(among: Sql): Sql
}

/** The items of now. */
export async function presentCards(ctx: Context, board: Board, containerIds: readonly Id[]): Promise<CardSource> {
  return {
    kind: items,
    vocabulary: await itemVocabulary(ctx),
    from: recent(ctx, board, containerIds),
    rows: () => raw('item'),
  }
}

/** The items of a moment. The board is that of now; it is refused if it asks for what the log does not tell. */
export async function pastCards(
  ctx: Context,
  board: Board,
  containerIds: readonly Id[],
  at: Date,
): Promise<CardSource> {
  const vocabulary = await pastVocabulary(ctx, at)
  refuseUntold(vocabulary, board.criteria.conditionGroup ?? [], [board.sortField, board.estimateField])
  const since = new Date(at.getTime() - board.includeClosedDays * day)
  const from = sql`(select i.* from ${await itemsOfContainersAt(ctx, at, containerIds)} i
    where i.container_id = any(${containerIds}::uuid[]) and not i.deleted and (i.closed_at is null or not i.archived and i.closed_at > ${since})) t`
  return { kind: itemsAsOf(at), vocabulary, from, rows: among => itemsAt(ctx, at, among) }
}

const day = 86_400_000

/**
 * The open items of its containers, and those closed recently. Two selects, each with an index of its own: a single one
 * would read every item that was ever closed.
 */
function recent(ctx: Context, { includeClosedDays }: Board, containerIds: readonly Id[]): Sql {
  const among = sql`i.tenant_id = ${ctx.caller.tenantId} and i.container_id = any(${containerIds}::uuid[]) and not i.deleted`
  const open = sql`select i.* from item i where ${among} and i.closed_at is null`
  if (includeClosedDays === 0) return sql`(${open}) t`
  const since = new Date(ctx.now.getTime() - includeClosedDays * day)
  return sql`(${open} union all select i.* from item i where ${among} and not i.archived and i.closed_at > ${since}) t`
}
