import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { asId, documentPermissions, visibleDocument } from '../visibility.ts'
import { linkTargets } from './link-targets.ts'

/** Stores what a text refers to. */
export async function storeLinks(ctx: Context, { id, body }: { id: Id; body: string }): Promise<void> {
  const { tenantId } = ctx.caller
  const targets = linkTargets(body).filter(target => target !== id)
  await ctx.sql`delete from document_link where tenant_id = ${tenantId} and document_id = ${id} and target <> all(${targets}::text[])`
  if (targets.length > 0)
    await ctx.sql`insert into document_link (tenant_id, document_id, target) select ${tenantId}, ${id}, target from unnest(${targets}::text[]) target
      on conflict do nothing returning 1`
}

/**
 * The condition for documents (`t`) that refer to a record. An item is referred to by each of its keys, if the caller sees it; a
 * key or an id that names nothing finds the texts that contain it.
 */
export function linksTo(ctx: Context, given: string): Sql {
  const { tenantId } = ctx.caller
  const target = isId(given) ? given.toLowerCase() : given.toUpperCase()
  const named = isId(given) ? sql`i.id = ${given}::uuid` : hasKey(sql`${target}`)
  const seen = sql`select i.id, i.key from item i where i.tenant_id = ${tenantId} and ${named} and ${visibleItem(ctx)}`
  return sql`t.id = any(array(
    with seen as (${seen})
    select l.document_id from document_link l where l.tenant_id = ${tenantId} and l.target = any(array(
      select ${target}::text union all select s.key from seen s
      union all select k.key from item_key k join seen s on s.id = k.item_id where k.tenant_id = ${tenantId}))))`
}

/** The condition for items (`i`) that the caller sees. The kind is in a room above, so it is found by its name. */
function visibleItem({ caller }: Context): Sql {
  return sql`not i.deleted and ${kindNamed('Item')?.visible(caller, raw('i')) ?? raw('false')}`
}

const listLinks = operation({
  permission: documentPermissions.read,
  mode: 'read',
  summary: 'List what a document refers to',
  description:
    'The items (`[[DEV-1]]`) and documents (`/doc/{id}`, or the page of an article) that the text names, by their targets. One that does not exist, or that the caller does not see, has no `id`. `GET /docs/doc?linksTo=` finds the documents that refer to a record.',
  reply: {
    status: 200,
    schema: {
      type: 'array',
      items: {
        type: 'object',
        title: 'DocumentLink',
        properties: {
          target: { type: 'string', description: 'As the text names it.' },
          entity: { type: 'string', enum: ['Item', 'Document'] },
          id: { type: 'string', format: 'uuid' },
          key: { type: 'string', description: 'The present key of the item.' },
          title: { type: 'string', description: 'The title of the item.' },
          name: { type: 'string', description: 'The name of the document.' },
        },
        required: ['target', 'entity'],
      },
    },
    description: 'The links.',
  },
  refusals: [404],
  async run(ctx, { params }) {
    const { tenantId } = ctx.caller
    const document = await kindNamed('Document')?.find(ctx, params.id ?? '')
    if (!document) throw new NotFound()
    const ofItem = sql`(l.target !~ '^[0-9a-f]{8}-')`
    const rows = await ctx.sql<{ text: string }>`
      select coalesce(json_agg(link order by target), '[]')::text as text from (
        select l.target, case when not ${ofItem} then json_strip_nulls(json_build_object('target', l.target, 'entity', 'Document', 'id', d.id, 'name', d.name))
          else json_strip_nulls(json_build_object('target', l.target, 'entity', 'Item', 'id', i.id, 'key', i.key, 'title', i.title)) end as link
        from document_link l
        left join item i on ${ofItem} and i.tenant_id = ${ownTenant} and ${visibleItem(ctx)}
          and ${hasKey(raw('l.target'))}
        left join document d on not ${ofItem} and d.tenant_id = ${ownTenant} and d.id = ${asId(sql`l.target`)} and not d.deleted and ${visibleDocument(ctx.caller, raw('d'))}
        where l.tenant_id = ${tenantId} and l.document_id = ${document.id}) found`
    return { text: rows[0]?.text ?? '[]' }
  },
})

/** Whether the item `i` has a key, or had it; as one list of ids, so that the items are found by their primary key. */
function hasKey(key: Sql): Sql {
  return sql`i.id = any(array(select k.id from item k where k.tenant_id = ${ownTenant} and k.key = ${key}
    union all select k.item_id from item_key k where k.tenant_id = ${ownTenant} and k.key = ${key}))`
}

export const routes: Routes = { 'GET /docs/doc/:id/links': listLinks }
