import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import type { PageValue } from '../../records/page/page-values.ts'
import { type Remembered, rememberedEach } from '../../records/page/remembered-each.ts'
import { type Owned, ownerKind } from '../../records/references/owner.ts'

// The names of labels and the lookup by name.

interface Named extends Owned {
  id: Id
  name: string
  aliases: readonly string[]
}

/** The names of these labels (`uuid[]`), in their order. */
export function labelNames(ids: Sql): Sql {
  return sql`array(select l.name from unnest(${ids}) with ordinality u(id, n) join label l on l.tenant_id = ${ownTenant} and l.id = u.id and not l.deleted order by u.n)`
}

/**
 * The names of the labels of the rows of a page. They are remembered by the whole list of ids, because most pages show the same few
 * lists, and one is then found without looking at its ids.
 */
export const labelNamesOfPage: PageValue = {
  columns: { labels: raw('t.labels::text') },
  async read(ctx, rows) {
    const lists = new Set<string>()
    for (const { labels } of rows) if (labels !== '{}') lists.add(String(labels))
    const names = await rememberedEach(ctx, shownNames, lists)
    return ({ labels }) => names.get(String(labels)) ?? '[]'
  },
}

/** The ids in the text of an array that is not empty. */
const idsOf = (list: string): Id[] => list.slice(1, -1).split(',')

/** The names of labels as JSON text, by the text of the array of their ids; a deleted label has none. */
const shownNames: Remembered<string> = {
  subject: 'label names',
  max: 10_000,
  async load(ctx, lists) {
    const rows = await ctx.sql<{ id: Id; name: string }>`select l.id, l.name from label l
      where l.tenant_id = ${ctx.caller.tenantId} and l.id = any(${[...new Set(lists.flatMap(idsOf))]}::uuid[]) and not l.deleted`
    const names = new Map(rows.map(({ id, name }) => [id, name]))
    return lists.map(list => [list, JSON.stringify(idsOf(list).flatMap(id => names.get(id) ?? []))])
  },
}

/** The lookup key of a name, without case and accents; truncated, because index entries are limited in size. */
export function labelKey(name: Sql): Sql {
  return sql`left(fold(${name}), 500)`
}

/** Normalises an owner: the tenant may be given by its id or an empty id, and names are stored under the empty one. */
export function nameOwner({ owner, ownerId }: Owned): Owned {
  return { owner, ownerId: owner === ownerKind.tenant ? '' : ownerId.toLowerCase() }
}

/** Replaces the names by which a label is found. */
export async function keepNames(ctx: Context, { id, name, aliases, ...owned }: Named): Promise<void> {
  const { owner, ownerId } = nameOwner(owned)
  await ctx.sql`delete from label_name where tenant_id = ${ctx.caller.tenantId} and label_id = ${id}`
  await ctx.sql`insert into label_name (tenant_id, key, owner, owner_id, label_id)
    select distinct ${ctx.caller.tenantId}::uuid, ${labelKey(sql`g.name`)}, ${owner}::int, ${ownerId}, ${id}::uuid from unnest(${[name, ...aliases]}::text[]) g(name) returning 1`
}

/**
 * Creates the missing labels of these names in one statement. Of several concurrent writers of the same name one
 * creates it; the others wait and then find it.
 */
export async function makeLabels(ctx: Context, owned: Owned, names: readonly string[]): Promise<void> {
  const { tenantId, userId, kind: actorKind } = ctx.caller
  const { owner, ownerId } = nameOwner(owned)
  const rows = names.map(name => ({ id: newId(), event_id: newId(), name }))
  const place = owner === ownerKind.tenant ? {} : { owner: { to: owner }, ownerId: { to: ownerId } }
  await ctx.sql`
    with wanted as (
      select distinct on (key) w.id, w.event_id, w.name, ${labelKey(sql`w.name`)} as key
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w(id uuid, event_id uuid, name text) order by key
    ), named as (
      insert into label_name (tenant_id, key, owner, owner_id, label_id)
      select ${tenantId}::uuid, key, ${owner}::int, ${ownerId}, id from wanted order by key
      on conflict do nothing returning label_id
    ), made as (
      insert into label (tenant_id, id, created, created_by, updated, updated_by, name, owner, owner_id)
      select ${tenantId}::uuid, w.id, ${ctx.now}::timestamptz, ${userId}::uuid, ${ctx.now}::timestamptz, ${userId}::uuid, w.name, ${owner}::int, ${ownerId}
      from wanted w join named n on n.label_id = w.id
      returning id, version
    )
    insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes, version)
    select ${tenantId}::uuid, w.event_id, ${ctx.now}::timestamptz, 'label.created', 'Label', w.id, ${userId}::uuid, ${actorKind}, ${ctx.changeSet}::uuid,
      jsonb_build_object('name', jsonb_build_object('to', w.name)) || ${JSON.stringify(place)}::jsonb, m.version
    from wanted w join made m on m.id = w.id returning 1`
}

/** The names that no label of this owner has; labels of other owners do not count. */
export async function freeNames(ctx: Context, { owner, ownerId }: Owned, names: readonly string[]): Promise<string[]> {
  const rows = await ctx.sql<{ name: string }>`select g.name from unnest(${names}::text[]) with ordinality g(name, n)
    where not exists (select 1 from label_name n where n.tenant_id = ${ctx.caller.tenantId} and n.key = ${labelKey(sql`g.name`)} and n.owner = ${owner} and n.owner_id = ${ownerId}) order by g.n`
  return rows.map(row => row.name)
}
