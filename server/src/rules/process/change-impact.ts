import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import type { AffectedPlaces } from './process-change.ts'

/** The effect of a change of a process on other records, as a dry run returns it. */
interface ChangeImpact {
  containers: { id: Id; key: string }[]
  items: number
  itemsWithValues: number
  filters: number
  rules: number
}

/** Counts the items of a process. It must be called before the change, because the change may move items to another process. */
export async function itemsOf(ctx: Context, processId: Id): Promise<number> {
  if (!isId(processId)) return 0
  const [row] = await ctx.sql<{ items: number }>`select count(*)::int as items from item
    where tenant_id = ${ctx.caller.tenantId} and process_id = ${processId} and not deleted`
  return row?.items ?? 0
}

/** Counts the records that name a field which leaves containers. */
export async function impactOf(
  ctx: Context,
  { containers, departed, filters }: AffectedPlaces,
  items: number,
): Promise<ChangeImpact> {
  const { tenantId } = ctx.caller
  const names = [...new Set([...departed.values()].flat())]
  const pairs = [...departed].flatMap(([container_id, gone]) =>
    gone.filter(isId).map(field_id => ({ container_id, field_id })),
  )
  // The search is textual: an id is unique, and a key is searched with `field.` before it to avoid false hits.
  const written = names.flatMap(each => (isId(each) ? [each] : [`field.${each}"`]))
  const [row] = await ctx.sql<Omit<ChangeImpact, 'items'>>`select
    (select coalesce(json_agg(json_build_object('id', c.id, 'key', c.key) order by c.key), '[]') from container c
      where c.tenant_id = ${tenantId} and c.id = any(${containers}::uuid[])) as containers,
    (select count(distinct i.id)::int from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as d(container_id uuid, field_id uuid)
      join item i on i.tenant_id = ${tenantId} and i.container_id = d.container_id and not i.deleted and i.fields ? d.field_id::text) as "itemsWithValues",
    (select count(*)::int from container_filter f where f.tenant_id = ${tenantId} and not f.deleted and f.container_id = any(${[...departed.keys()]}::uuid[])
      and f.updated < ${ctx.now} and exists (select 1 from unnest(${written}::text[]) w where position(w in f.criteria::text) > 0)) as filters,
    (select count(*)::int from rule r where r.tenant_id = ${tenantId} and not r.deleted
      and exists (select 1 from unnest(${written}::text[]) w where position(w in r.condition_group::text || r.action_value::text) > 0)) as rules`
  const found = row ?? { containers: [], itemsWithValues: 0, filters: 0, rules: 0 }
  return { ...found, items, filters: found.filters + filters }
}
