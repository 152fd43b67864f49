import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant } from '../../kernel/sql.ts'

const portion = 5000

/** Rebuilds the derived tables of the caller's tenant that no trigger fills. */
export async function rebuildDerived(ctx: Context): Promise<void> {
  const { tenantId } = ctx.caller
  await indexItems(ctx)
  await forgetFlow(ctx)
  await ctx.sql`insert into item_assignee (tenant_id, user_id, item_id, open)
    select distinct tenant_id, unnest(assignees), id, status_category not in (4, 5) from item where tenant_id = ${tenantId} on conflict do nothing returning 1`
  await ctx.sql`insert into container_key (tenant_id, container_id, key)
    select distinct tenant_id, container_id, split_part(key, '-', 1) from item where tenant_id = ${tenantId} on conflict do nothing returning 1`
  await ctx.sql`insert into annotation_search (tenant_id, id, tsv)
    select tenant_id, id, search_vector('', body, '') from annotation where tenant_id = ${tenantId} returning 1`
  await ctx.sql`insert into document_search (tenant_id, id, tsv)
    select d.tenant_id, d.id, search_vector(d.name, c.body, d.author)
    from document d left join document_content c on c.tenant_id = ${ownTenant} and c.id = d.id where d.tenant_id = ${tenantId} returning 1`
  await ctx.sql`insert into file_search (tenant_id, id, tsv)
    select f.tenant_id, f.id, search_vector(f.name, x.body, f.description)
    from file f left join file_text x on x.tenant_id = ${ownTenant} and x.id = f.id where f.tenant_id = ${tenantId} on conflict do nothing returning 1`
  await ctx.sql`insert into search_word (tenant_id, word)
    select distinct ${tenantId}::uuid, word from (
      select unnest(tsvector_to_array(tsv)) as word from annotation_search where tenant_id = ${tenantId}
      union all select unnest(tsvector_to_array(tsv)) from document_search where tenant_id = ${tenantId}
      union all select unnest(tsvector_to_array(tsv)) from file_search where tenant_id = ${tenantId}) w
    where length(word) between 3 and 40 and word ~ '[^0-9]'
      and not exists (select 1 from search_word s where s.tenant_id = ${tenantId} and s.word = w.word) returning 1`
}

/** The items came before their stays, so the steps of the flow are wrong: the job that sums them begins again with the stays. The items are counted. */
async function forgetFlow(ctx: Context): Promise<void> {
  const { tenantId } = ctx.caller
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`flow ${tenantId}`}, 0))`
  await ctx.sql`delete from flow_step where tenant_id = ${tenantId}`
  await ctx.sql`delete from flow_day where tenant_id = ${tenantId}`
  await ctx.sql`delete from flow_zone where tenant_id = ${tenantId}`
  await ctx.sql`delete from item_count where tenant_id = ${tenantId}`
  await ctx.sql`select count_items(${tenantId})`
}

async function indexItems(ctx: Context): Promise<void> {
  const { tenantId } = ctx.caller
  let last: Id | null = null
  do {
    const rows: { id: Id }[] = await ctx.sql`
      select id from item where tenant_id = ${tenantId} and (${last}::uuid is null or id > ${last}::uuid) order by id limit ${portion}`
    await ctx.sql`select index_items(${tenantId}, ${rows.map(row => row.id)}::uuid[])`
    last = rows.at(-1)?.id ?? null
  } while (last !== null)
}
