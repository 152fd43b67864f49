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
/** How long the numbers of a block are used; ms. */
const lifetime = 1000
const blocks = new Map<string, Block>()

/**
 * Reserves `count` numbers of a container and returns the first. A separate transaction reserves them, because in the
 * transaction of the item the lock on the counter would last until the commit and would serialise all writers of the
 * container. Blocks grow while they are used up quickly and shrink to what a second needs, so that users see 1, 2, 3
 * under low load. A block lasts a second: the rest of an older one is given back, or left as a gap if another process
 * has reserved numbers after it, so that processes are out of order by a second at most. A crash or a refusal leaves a
 * gap, too; no number is used twice.
 */
export async function takeNumbers(ctx: Context, containerId: Id, count: number): Promise<number> {
  const key = `${ctx.caller.tenantId} ${containerId}`
  const block = blocks.get(key) ?? { next: 0, end: 0, size: 1, takenAt: 0, fetching: undefined, waiting: 0 }
  blocks.set(key, block)
  for (;;) {
    if (block.next + count <= block.end && age(block) < lifetime) {
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
  // Nobody takes a number of the rest while it is given back.
  const rest = { next: block.next, end: block.end }
  block.next = block.end
  block.size = nextSize(block.size, rest.end - rest.next, age(block))
  const wanted = Math.max(block.size, block.waiting)
  block.waiting = 0
  const take = (from: Context) =>
    from.sql<{
      first: number
    }>`update container_number set next = case when next = ${rest.end} then ${rest.next} else next end + ${wanted}
      where tenant_id = ${ctx.caller.tenantId} and container_id = ${containerId} returning next - ${wanted} as first`
  // A container created in this transaction is not visible to a separate one.
  const row = (await ctx.apart(take))[0] ?? (await take(ctx))[0]
  if (!row) throw new NotFound('container')
  block.next = row.first
  block.end = row.first + wanted
  block.takenAt = Date.now()
}

const age = ({ takenAt }: Block) => Math.abs(Date.now() - takenAt)

/** Doubles a block that was used up within a second, else returns to the numbers that were used of it. */
function nextSize(size: number, unused: number, lasted: number): number {
  if (lasted < lifetime) return Math.min(largestBlock, size * 2)
  return lasted < 5000 ? Math.max(1, size - unused) : 1
}
