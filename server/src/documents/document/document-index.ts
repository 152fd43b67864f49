import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant, raw } from '../../kernel/sql.ts'
import { noteWords, vector } from '../../language/search/search.ts'

/** Updates the search index of a document, in the transaction that writes it. */
export async function indexDocument(ctx: Context, id: Id): Promise<void> {
  const [row] = await ctx.sql<{ text: string }>`with indexed as (
      insert into document_search (tenant_id, id, tsv)
      select d.tenant_id, d.id, ${vector(raw('d.name'), raw('c.body'), raw('d.author'))}
      from document d left join document_content c on c.tenant_id = ${ownTenant} and c.id = d.id
      where d.tenant_id = ${ctx.caller.tenantId} and d.id = ${id}
      on conflict (tenant_id, id) do update set tsv = excluded.tsv returning 1
    )
    select d.name || ' ' || d.author || ' ' || coalesce(left(c.body, 20000), '') as text
    from document d left join document_content c on c.tenant_id = ${ownTenant} and c.id = d.id
    where d.tenant_id = ${ctx.caller.tenantId} and d.id = ${id}`
  noteWords(ctx, [row?.text ?? ''])
}
