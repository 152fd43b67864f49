import type { Context } from '../../kernel/context.ts'
import type { Reply } from '../../kernel/operation.ts'
import type { Common } from '../../kernel/record/record.ts'

/** The records in one part of a streamed list: each part is a piece of one array that ends between two records. */
export function recordsIn(part: string): Common[] {
  return JSON.parse(`[${part.replace(/^[[,]/, '').replace(/\]$/, '')}]`)
}

/** Returns the records of a page with what was added to them, in their order. */
type Complete = (ctx: Context, records: readonly Common[]) => Promise<object[]>

/** Adds to the records of a list what their kind does not have, page by page. */
export async function completeList(ctx: Context, reply: Reply, complete: Complete): Promise<Reply> {
  const { text, stream } = reply
  const completed = async (inner: Context, part: string) =>
    (await complete(inner, recordsIn(part))).map(each => JSON.stringify(each)).join(',')
  if (text !== undefined) return { ...reply, text: `[${await completed(ctx, text)}]` }
  if (!stream) return reply
  return {
    ...reply,
    async *stream(reopen) {
      for await (const part of stream(reopen))
        yield /^.?\]?$/.test(part) ? part : part.slice(0, 1) + (await reopen(inner => completed(inner, part)))
    },
  }
}
