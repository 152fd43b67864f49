import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { NotFound } from '../../kernel/refusal.ts'

/** A block of numbers reserved for this process. */
interface Block {
  next: number
  end: number
  size: number
  takenAt: number
  fetching: Promise<void> | undefined
  waiting: number
}

const largestBlock = 64
const blocks = new Map<string, Block>()

/**
 * Reserves `count` numbers of a container and returns the first. A separate transaction reserves them, because in the
 * transaction of the item the lock on the counter would last until the commit and would serialise all writers of the
 * container. Blocks grow while they are used up quickly and shrink to single numbers under low load, so that users see
 * 1, 2, 3. A crash or a refusal leaves a gap; no number is used twice.
 */
export async function takeNumbers(ctx: Context, containerId: Id, count: number): Promise<number> {
  const key = `${ctx.caller.tenantId} ${containerId}`
  const block = blocks.get(key) ?? { next: 0, end: 0, size: 1, takenAt: 0, fetching: undefined, waiting: 0 }
  blocks.set(key, block)
  for (;;) {
    if (block.next + count <= block.end) {
      const first = block.next
      block.next += count
      return first
    }
    block.waiting += count
    block.fetching ??= refill(ctx, containerId, block).finally(() => {
      block.fetching = undefined
    })
    await block.fetching
  }
}

async function refill(ctx: Context, containerId: Id, block: Block): Promise<void> {
  await Promise.resolve() // so that all concurrent callers have added their count
  const now = Date.now()
  block.size = nextSize(block.size, now - block.takenAt)
  const wanted = Math.max(block.size, block.waiting)
  block.waiting = 0
  const take = (from: Context) =>
    from.sql<{
      first: number
    }>`update container_number set next = next + ${wanted} where tenant_id = ${ctx.caller.tenantId} and container_id = ${containerId} returning next - ${wanted} as first`
  // A container created in this transaction is not visible to a separate one.
  const row = (await ctx.apart(take))[0] ?? (await take(ctx))[0]
  if (!row) throw new NotFound('container')
  if (row.first !== block.end) block.next = row.first
  block.end = row.first + wanted
  block.takenAt = now
}

/** Doubles a block that was used up within a second; returns to single numbers after five seconds. */
function nextSize(size: number, lasted: number): number {
  if (lasted < 1000) return Math.min(largestBlock, size * 2)
  return lasted < 5000 ? size : 1
}
