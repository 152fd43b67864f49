import { labelKey, labels, makeLabels } from '../../containers/label/label.ts'
import { may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { type Owned, ownerKind } from '../../records/references/owner.ts'
import type { ItemPatch } from './item-body.ts'

/** The parts of a label that items need. */
interface ItemLabel {
  id: Id
  name: string
  owner: number
  ownerId: string
  group: string
  exclusive: boolean
}

/** The container of the item and its labels before the change. */
interface LabelTarget {
  containerId: Id
  before?: { labels: readonly Id[]; Tags: readonly string[]; containerId: Id } | undefined
}

/**
 * The new labels of an item; undefined if they do not change. `Tags` contains names, `labels` ids: the one that differs
 * from the stored item is used, and the ids if both differ. Labels are created for new names.
 */
export async function readLabels(
  ctx: Context,
  patch: ItemPatch,
  at: LabelTarget,
  warnings: string[],
): Promise<ItemLabel[] | undefined> {
  const said = saidOf(patch, at)
  if (!said) return undefined
  const given = 'ids' in said ? await byIds(ctx, said.ids) : await byNames(ctx, said.names, at.containerId, warnings)
  refuseElsewhere(given, at)
  return applyExclusiveGroups(given, at.before?.labels ?? [])
}

function saidOf({ labels: ids, Tags: names }: ItemPatch, { before, containerId }: LabelTarget) {
  if (ids && (!names || !same(lower(ids), before?.labels ?? []))) return { ids: [...new Set(lower(ids))] }
  if (names) return { names }
  if (ids === null || names === null) return { names: [] }
  // An item that moves gets the labels of the same names in its new container.
  return before && before.containerId !== containerId && before.labels.length > 0 ? { names: before.Tags } : undefined
}

const lower = (ids: readonly Id[]) => ids.map(each => each.toLowerCase())
const same = (a: readonly Id[], b: readonly Id[]) => a.length === b.length && a.every((each, i) => each === b[i])

async function byIds(ctx: Context, ids: readonly Id[]): Promise<ItemLabel[]> {
  const known = await lookUp(ctx, ids, '', async missing => {
    const rows = await ctx.sql<ItemLabel>`select ${carried} from label l
      where l.tenant_id = ${ctx.caller.tenantId} and l.id::text = any(${missing}) and not l.deleted`
    return new Map(rows.map(row => [row.id, row]))
  })
  return ids.flatMap(id => known.get(id) ?? []) // an unknown id is refused with the other references
}

async function byNames(
  ctx: Context,
  names: readonly string[],
  containerId: Id,
  warnings: string[],
): Promise<ItemLabel[]> {
  const wanted = [...new Set(names.map(each => each.trim()))].filter(Boolean)
  let known = await lookUp(ctx, wanted, containerId, missing => called(ctx, missing, containerId))
  const unknown = wanted.filter(each => !known.has(each))
  if (unknown.length > 0) {
    const owner = ownerOfNew(ctx, containerId)
    if (owner) {
      await makeLabels(ctx, owner, unknown)
      known = new Map([...known, ...(await called(ctx, unknown, containerId))])
    } else
      for (const each of unknown) warnings.push(`there is no label ${each}, and you may not create one; it was ignored`)
  }
  const found = wanted.flatMap(each => known.get(each) ?? [])
  return [...new Map(found.map(each => [each.id, each])).values()]
}

const carried = raw('l.id, l.name, l.owner, l.owner_id as "ownerId", fold(l."group") as "group", l.exclusive')

/** The labels of these names: the container's own first, then the tenant's. */
async function called(ctx: Context, names: readonly string[], containerId: Id): Promise<Map<string, ItemLabel>> {
  const rows = await ctx.sql<ItemLabel & { called: string }>`select distinct on (g.name) g.name as called, ${carried}
    from unnest(${names}::text[]) g(name)
    join label_name n on n.tenant_id = ${ctx.caller.tenantId} and n.key = ${labelKey(sql`g.name`)} and (n.owner = ${ownerKind.tenant} or (n.owner = ${ownerKind.container} and n.owner_id = ${containerId}))
    join label l on l.tenant_id = ${ctx.caller.tenantId} and l.id = n.label_id
    order by g.name, n.owner desc`
  return new Map(rows.map(({ called, ...label }) => [called, label]))
}

/** Labels by transaction: a label created in it must not enter the shared cache before the commit. */
const inTransaction = new WeakMap<object, Map<string, ItemLabel>>()

/** Reads labels from the cache, and all missing ones by one statement. */
async function lookUp(
  ctx: Context,
  wanted: readonly string[],
  scope: string,
  load: (missing: readonly string[]) => Promise<Map<string, ItemLabel>>,
): Promise<Map<string, ItemLabel>> {
  const found = new Map<string, ItemLabel>()
  let loading: Promise<Map<string, ItemLabel>> | undefined
  const one = async (each: string) => {
    loading ??= load(wanted)
    return (await loading).get(each)
  }
  for (const each of wanted) {
    const key = `label ${scope} ${each}`
    const label = ctx.single ? await remembered(ctx, key, () => one(each)) : await within(ctx, key, () => one(each))
    if (label) found.set(each, label)
  }
  return found
}

async function within(
  ctx: Context,
  key: string,
  load: () => Promise<ItemLabel | undefined>,
): Promise<ItemLabel | undefined> {
  const known = inTransaction.get(ctx.transaction) ?? new Map<string, ItemLabel>()
  inTransaction.set(ctx.transaction, known)
  const label = known.get(key) ?? (await load())
  if (label) known.set(key, label)
  return label
}

/** A new label belongs to the tenant; in a private container, or if the caller may create labels only there, to the container. */
function ownerOfNew({ caller }: Context, containerId: Id): Owned | undefined {
  const own = { owner: ownerKind.container, ownerId: containerId }
  if (may(caller, labels.permissions.create) && !caller.authority.privatePlaces.includes(containerId))
    return { owner: ownerKind.tenant, ownerId: '' }
  return may(caller, labels.permissions.create, { containerId }) ? own : undefined
}

/** An item can only have labels of its container and of the tenant. */
function refuseElsewhere(given: readonly ItemLabel[], { containerId, before }: LabelTarget): void {
  const foreign = given.filter(
    ({ id, owner, ownerId }) =>
      owner !== ownerKind.tenant &&
      !(owner === ownerKind.container && ownerId === containerId) &&
      !(before?.containerId === containerId && before.labels.includes(id)),
  )
  if (foreign.length === 0) return
  const message = 'belongs neither to the container of the item nor to the tenant'
  throw new RuleBroken(
    'label-elsewhere',
    `a label ${message}`,
    foreign.map(({ id }) => fault(['labels'], 'label-elsewhere', message, id)),
  )
}

/** New labels replace the labels that they exclude; two new labels that exclude each other are refused. */
function applyExclusiveGroups(given: readonly ItemLabel[], before: readonly Id[]): ItemLabel[] {
  const fresh = given.filter(({ id }) => !before.includes(id))
  const clash = fresh.find(each => fresh.some(other => excludes(each, other)))
  if (clash)
    throw new RuleBroken('exclusive-labels', 'an item can have only one label of an exclusive group', [
      fault(['labels'], 'exclusive-labels', `only one label of the group ${clash.group} is allowed`, clash.name),
    ])
  return given.filter(each => fresh.includes(each) || !fresh.some(other => excludes(each, other)))
}

function excludes(a: ItemLabel, b: ItemLabel): boolean {
  if (a.id === b.id || a.group === '' || a.group !== b.group || !(a.exclusive || b.exclusive)) return false
  return a.owner === b.owner && (a.owner === ownerKind.tenant || a.ownerId === b.ownerId)
}
