import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { noteWords, vector } from '../../language/search/search.ts'

/** Keeps the words that an annotation is found by, in the transaction that writes it. */
export async function indexAnnotation(ctx: Context, { id, body }: { id: Id; body: string }): Promise<void> {
  await ctx.sql`insert into annotation_search (tenant_id, id, tsv)
    values (${ctx.caller.tenantId}, ${id}, ${vector(raw(`''`), sql`${body}`)})
    on conflict (tenant_id, id) do update set tsv = excluded.tsv`
  noteWords(ctx, [body])
}
