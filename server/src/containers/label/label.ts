import { Type } from 'typebox'
import { visibleContainers } from '../../identity/visibility.ts'
import { type Caller, managers, members } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record/record.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { Name, Ref, Text, Texts } from '../../kernel/schema/values.ts'
import { or, ownTenant, type Sql, sql } from '../../kernel/sql.ts'
import { byParts } from '../../language/search/name-parts.ts'
import { Code } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { type Owned, ownerKind, ownerKinds, owners, refuseUnknownOwner } from '../../records/references/owner.ts'
import { giveBack, takeFromItems } from './label-items.ts'
import { freeNames, keepNames, labelKey, nameOwner } from './label-names.ts'

export { labelKey, labelNames, labelNamesOfPage, makeLabels } from './label-names.ts'

const shape = {
  name: Name(100),
  color: Text(30),
  description: Text(2000),
  owner: Code(owners),
  ownerId: Text(100),
  group: Text(100, { description: 'The name of a group of labels, such as `severity`.' }),
  exclusive: Type.Boolean({ description: 'Whether an item can have only one label of this group.' }),
  aliases: Texts(50, 100),
  active: Type.Boolean({ default: true }),
}

type Label = Stored<typeof shape>
type LabelValues = Values<typeof shape>

/** A label for items, of the tenant or of one container. */
export const labels = resource('Label', {
  about:
    'A label for items, of the tenant or of one container. Items store the ids of their labels (`labels`) and show the current names (`Tags`), so a new name is visible everywhere at once.',
  shape,
  may: { create: members, update: managers, delete: managers },
  place: placeOf,
  visible: whatIsSeen,
  check: checkLabel,
  findings: ({ owner }) => inertOwner(owner),
  derived: {
    usageCount: {
      schema: {
        type: 'integer',
        description: 'The number of items with this label. Deleted items count until they are purged.',
      },
      value: l =>
        sql`coalesce((select sum(u.items)::int from label_use u where u.tenant_id = ${ownTenant} and u.label_id = ${l}.id), 0)`,
    },
  },
  order: 'group,name',
  remembered: true,
})

function placeOf({ owner, ownerId }: Owned): Place {
  return { containerId: owner === ownerKind.container ? ownerId : null }
}

/** The labels of a container are visible to callers who see the container. */
function whatIsSeen(caller: Caller, l: Sql): Sql {
  const containerId = sql`(case when ${l}.owner = ${ownerKind.container} then ${l}.owner_id::uuid end)`
  return or([sql`${l}.owner <> ${ownerKind.container}`, visibleContainers(caller, containerId)])
}

function inertOwner(owner: number): Finding[] {
  if (owner === ownerKind.tenant || owner === ownerKind.container) return []
  const message = ownerKinds[owner] ? 'labels belong to the tenant or to a container' : `${owner} is not a known code`
  return [{ path: '/owner', code: 'unknown-code', message: `${message}, so no item can have this label` }]
}

async function checkLabel(ctx: Context, label: LabelValues, before: Label | undefined): Promise<void> {
  await refuseUnknownOwner(ctx, label, before)
  const { owner, ownerId } = nameOwner(label)
  if (before && owner !== ownerKind.tenant) {
    const was = nameOwner(before)
    if (was.owner !== owner || was.ownerId !== ownerId)
      throw new RuleBroken('owner-fixed', 'the owner of a label can only change to the tenant', [
        fault(['owner'], 'owner-fixed', 'must be the tenant or stay unchanged'),
      ])
  }
  const taken = await ctx.sql<{ n: number; name: string }>`
    select g.n::int, g.name from unnest(${[label.name, ...label.aliases].map(each => each.trim())}::text[]) with ordinality g(name, n)
    join label_name n on n.tenant_id = ${ctx.caller.tenantId} and n.key = ${labelKey(sql`g.name`)} and n.owner = ${owner} and n.owner_id = ${ownerId}
    where n.label_id is distinct from ${before?.id ?? null}::uuid order by g.n`
  if (taken.length > 0)
    throw new RuleBroken(
      'already-taken',
      'another label has this name or alias',
      taken.map(({ n, name }) =>
        fault(n === 1 ? ['name'] : ['aliases', n - 2], 'already-taken', 'another label has this name or alias', name),
      ),
    )
}

function tidied(values: Partial<LabelValues>): Partial<LabelValues> {
  return {
    ...values,
    ...(values.name ? { name: values.name.trim() } : {}),
    ...(values.ownerId ? { ownerId: values.ownerId.toLowerCase() } : {}),
    ...(values.aliases ? { aliases: [...new Set(values.aliases.map(each => each.trim()))].filter(Boolean) } : {}),
  }
}

async function createLabel(ctx: Context, values: Partial<LabelValues>): Promise<Label> {
  const label = await labels.create(ctx, tidied(values))
  await keepNames(ctx, label)
  return label
}

async function changeLabel(
  ctx: Context,
  id: Id,
  values: Partial<LabelValues>,
  more: { expect?: Expect } = {},
): Promise<Label> {
  const label = await labels.update(ctx, id, tidied(values), more)
  await keepNames(ctx, label)
  return label
}

export async function removeLabel(ctx: Context, id: Id, more: { expect?: Expect } = {}): Promise<Label> {
  const { id: labelId } = await labels.get(ctx, id, { lock: true })
  await takeFromItems(ctx, labelId)
  return await retire(ctx, labelId, more)
}

/** Marks a label as deleted and frees its names. */
async function retire(ctx: Context, id: Id, more: { expect?: Expect } = {}): Promise<Label> {
  await ctx.sql`delete from label_name where tenant_id = ${ctx.caller.tenantId} and label_id = ${id}`
  return await labels.remove(ctx, id, more)
}

/** Restores a label on the items that carried it; if it was merged, it gets its names back from the other label. */
export async function restoreLabel(ctx: Context, id: Id): Promise<Label> {
  const before = await labels.get(ctx, id, { lock: true, deleted: true })
  if (!before.deleted) return before
  const changeSet = await departure(ctx, before.id)
  if (changeSet) await takeNamesBack(ctx, changeSet)
  const label = await labels.restore(ctx, before.id)
  await keepNames(ctx, label)
  if (changeSet) await giveBack(ctx, changeSet)
  return await labels.get(ctx, label.id)
}

/** The change set of its last deletion. */
async function departure(ctx: Context, id: Id): Promise<Id | undefined> {
  const [row] = await ctx.sql<{ changeSet: Id }>`select change_set_id as "changeSet" from event
    where tenant_id = ${ctx.caller.tenantId} and record_id = ${id} and kind = 'label.deleted' order by xact desc, id desc limit 1`
  return row?.changeSet
}

async function takeNamesBack(ctx: Context, changeSet: Id): Promise<void> {
  const [merged] = await ctx.sql<{ id: Id; aliases: { from: string[]; to: string[] } }>`
    select record_id as id, changes -> 'aliases' as aliases from event
    where tenant_id = ${ctx.caller.tenantId} and change_set_id = ${changeSet} and kind = 'label.updated' and changes ? 'aliases' limit 1`
  const other = merged && (await labels.find(ctx, merged.id, { lock: true }))
  if (!other) return
  const given = merged.aliases.to.filter(each => !merged.aliases.from.includes(each))
  await changeLabel(ctx, other.id, { aliases: other.aliases.filter(each => !given.includes(each)) })
}

const mergeSchema: Schema = {
  type: 'object',
  properties: { into: Ref('Label', { minLength: 1 }) },
  required: ['into'],
  additionalProperties: false,
}

/** Merges a label into another: items carry the other one, and the names become its aliases. */
const merge = operation<{ into: Id }>({
  permission: labels.permissions.delete,
  placed: true,
  mode: 'write',
  summary: 'Merge a label into another',
  description:
    'All items with this label get the label `into` instead. The name and the aliases become aliases of `into`, and this label is deleted. Restoring it undoes the merge. A label of the tenant cannot be merged into one of a container, and one of a container cannot be merged into one of another container.',
  body: {
    schema: mergeSchema,
    read: reader<{ into: Id }>(mergeSchema),
    example: { into: '01890000-0000-7000-8000-000000000000' },
  },
  reply: { status: 200, schema: labels.schema, description: 'The remaining label.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const label = await labels.get(ctx, params.id ?? '', { lock: true })
    const into = body.into.toLowerCase()
    if (into === label.id) throw new Invalid([fault(['into'], 'same', 'must be another label', into)])
    await refuseUnknown(ctx, [{ entity: 'Label', id: into, path: ['into'] }])
    const other = await mergeInto(ctx, label, await labels.get(ctx, into, { lock: true }))
    return { body: { ...other, check: inertOwner(other.owner) }, version: other.version }
  },
})

export async function mergeInto(ctx: Context, label: Label, other: Label): Promise<Label> {
  const [from, to] = [nameOwner(label), nameOwner(other)]
  if (to.owner !== ownerKind.tenant && (from.owner !== to.owner || from.ownerId !== to.ownerId))
    throw new RuleBroken('other-owner', 'the other label cannot be used in all containers where this one is used', [
      fault(['into'], 'other-owner', 'belongs to another owner', other.id),
    ])
  await takeFromItems(ctx, label.id, { id: other.id, rivals: await rivalsOf(ctx, other) })
  await retire(ctx, label.id)
  const free = await freeNames(ctx, to, [label.name, ...label.aliases])
  await changeLabel(ctx, other.id, { aliases: [...other.aliases, ...free] })
  return await labels.get(ctx, other.id)
}

/** The labels that exclude this one. */
async function rivalsOf(ctx: Context, { id, group, exclusive, ...owned }: Label): Promise<Id[]> {
  if (group === '') return []
  const { owner, ownerId } = nameOwner(owned)
  const rows = await ctx.sql<{ id: Id }>`select id from label
    where tenant_id = ${ctx.caller.tenantId} and owner = ${owner} and (owner = ${ownerKind.tenant} or owner_id = ${ownerId}) and fold("group") = fold(${group}) and (exclusive or ${exclusive}) and id <> ${id} and not deleted`
  return rows.map(row => row.id)
}

export const routes: Routes = {
  'GET /label': list(labels, byParts('label')),
  'POST /label': create(labels, createLabel),
  'PUT /label': update(labels, changeLabel),
  'GET /label/:id': get(labels),
  'PUT /label/:id': update(labels, changeLabel),
  'PATCH /label/:id': update(labels, changeLabel),
  'DELETE /label/:id': remove(labels, removeLabel),
  'POST /label/:id/restore': restore(labels, restoreLabel),
  'GET /label/:id/history': history(labels),
  'GET /label/:id/check': check(labels),
  'POST /label/:id/merge': merge,
}
