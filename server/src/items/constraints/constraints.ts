import {
  activeConstraints,
  type Constraint,
  type Demand,
  type DemandKind,
  demandsOf,
  plainName,
  scopes,
  writeChannel,
} from '../../containers/constraint/constraint.ts'
import { may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Fault, fault, RuleBroken } from '../../kernel/refusal.ts'
import { and, join, raw, type Sql, sql } from '../../kernel/sql.ts'
import { compile } from '../../language/conditions/conditions.ts'
import { severities } from '../../time/time-limits.ts'
import { fieldFinder } from '../fields/fields.ts'
import { backdating, type Item } from '../item/item.ts'
import type { ItemChange, ItemValidator, ValidationResult } from '../validation/item-change.ts'
import { itemVocabulary } from '../vocabulary/vocabulary.ts'
import {
  brokenByChange,
  brokenNow,
  type DemandContext,
  isOfEveryItem,
  kindOf,
  propertyOf,
  valueIn,
} from './constraint-demands.ts'
import { excessItems, groupingOf } from './constraint-groups.ts'

export { brokenNow, type DemandContext, kindOf } from './constraint-demands.ts'
export { exceedsGroup, groupingOf } from './constraint-groups.ts'

/** Validates items against the constraints of their tenant; costs nothing for a tenant without constraints. */
export const constraintValidator: ItemValidator = { appliesToNew: constraintsApply, validate }

/** Whether a constraint applies to new items of this container. */
async function constraintsApply(ctx: Context, containerId: Id): Promise<boolean> {
  return (await activeConstraints(ctx)).some(
    each => (scopes[each.owner] !== 'container' || each.ownerId === containerId) && concernsNew(each),
  )
}

const ofNew: readonly DemandKind[] = ['required', 'allowed', 'pattern', 'unique', 'limit', 'order']

/** A new item cannot break a demand on changes, and demands on time have their own validator. */
function concernsNew(constraint: Constraint): boolean {
  return demandsOf(constraint).some(each => ofNew.includes(kindOf(each) ?? 'hidden'))
}

/** A demand that an item breaks. */
interface BrokenDemand {
  constraint: Constraint
  demand: Demand
  item: Item
  blocks: boolean
}

async function validate(ctx: Context, changes: readonly ItemChange[]): Promise<ValidationResult[]> {
  const found: BrokenDemand[] = []
  let context: DemandContext | undefined
  for (const constraint of await activeConstraints(ctx)) {
    const concerned = changes.filter(each => mayConcern(constraint, each) && isEnforced(ctx, constraint, each))
    if (concerned.length === 0) continue
    context ??= await demandContext(ctx)
    found.push(...(await brokenBy(ctx, context, constraint, concerned)))
  }
  return [...Map.groupBy(found, each => each.item.id)].flatMap(([id, group]) => resultsFor(id, group))
}

/** A cheap check that avoids a database query for most constraints. */
function mayConcern({ owner, ownerId }: Constraint, { after }: ItemChange): boolean {
  const ids: Partial<Record<string, string>> = {
    container: after.containerId,
    process: after.processId,
    crm: after.crmId,
  }
  const scope = scopes[owner]
  return scope !== undefined && (!(scope in ids) || ids[scope] === ownerId)
}

/** An empty `enforceOn` enforces the constraint on every channel. */
function isEnforced(ctx: Context, { enforceOn }: Constraint, change: ItemChange): boolean {
  return enforceOn.length === 0 || enforceOn.includes(writeChannel[channelOf(ctx, change)])
}

/** The channel of a change: a rule, an import by a caller who may import, or else the API. */
function channelOf({ caller }: Context, { before, after }: ItemChange): keyof typeof writeChannel {
  if (String(caller.kind) === 'rule') return 'rule'
  const imported = !before && (after.Meta.externalId !== undefined || after.Meta.created !== undefined)
  return imported && may(caller, backdating, after) ? 'import' : 'api'
}

/** Imported items get warnings instead of refusals, unless the constraint names imports. */
function blocks(ctx: Context, { severity, enforceOn }: Constraint, change: ItemChange): boolean {
  return (
    severity === severities.refuse && (enforceOn.includes(writeChannel.import) || channelOf(ctx, change) !== 'import')
  )
}

export async function demandContext(ctx: Context): Promise<DemandContext> {
  const find = await fieldFinder(ctx)
  return {
    vocabulary: await itemVocabulary(ctx),
    viewer: { userId: ctx.caller.userId, now: ctx.now, timezone: ctx.caller.timezone },
    fieldOf: name => (isOfEveryItem(name) ? undefined : find(plainName(name))),
  }
}

/** The condition that item `t` is in the scope of a constraint: it belongs to the owner and the conditions hold. */
export function itemsInScope(ctx: Context, context: DemandContext, { owner, ownerId, when }: Constraint): Sql {
  return and([
    sql`t.tenant_id = ${ctx.caller.tenantId}`,
    raw('not t.deleted'),
    scopeOf(context, owner, ownerId),
    sql`(${compile(when, context.vocabulary, context.viewer)}) is true`,
  ])
}

function scopeOf({ vocabulary }: DemandContext, owner: number, ownerId: string): Sql {
  const scope = scopes[owner]
  if (scope === 'tenant') return raw('true')
  if (scope === undefined || !isId(ownerId)) return raw('false')
  const below = { area: 'area', item: 'parent' }[scope as string]
  const path = below === undefined ? undefined : vocabulary.resolve(below)
  if (path?.under) return path.under(sql`${[ownerId]}::uuid[]`)
  return sql`t.${raw(`${scope}_id`)} = ${ownerId}::uuid`
}

/** One statement for all items, and further ones for demands on groups. */
async function brokenBy(
  ctx: Context,
  context: DemandContext,
  constraint: Constraint,
  changes: readonly ItemChange[],
): Promise<BrokenDemand[]> {
  const about = itemsInScope(ctx, context, constraint)
  const demands = demandsOf(constraint)
  const ids = changes.map(each => each.after.id)
  const columns = demands.map(each => sql`coalesce(${brokenNow(each, context) ?? raw('false')}, false)`)
  const rows = await ctx.sql<{ id: Id; broken: boolean[] }>`select t.id, array[${join(columns)}]::boolean[] as broken
    from item t where ${about} and t.id = any(${ids}::uuid[])`
  const broken = new Map(rows.map(row => [row.id, row.broken]))
  const concerned = changes.filter(each => broken.has(each.after.id))
  const found: BrokenDemand[] = []
  for (const [index, demand] of demands.entries()) {
    const grouping = groupingOf(demand, context)
    const joined = { constraint, index, demand, about }
    const tooMany = new Set(grouping ? await excessItems(ctx, { ...joined, grouping }, concerned) : [])
    for (const change of concerned) {
      const { id } = change.after
      if (broken.get(id)?.[index] || tooMany.has(id) || brokenByChange(demand, change))
        found.push({ constraint, demand, item: change.after, blocks: blocks(ctx, constraint, change) })
    }
  }
  return found
}

function resultsFor(id: Id, all: readonly BrokenDemand[]): ValidationResult[] {
  const blocking = all.filter(each => each.blocks)
  const results: ValidationResult[] = all
    .filter(each => !each.blocks)
    .map(each => ({ id, warning: `${each.constraint.name}: ${messageOf(each)}` }))
  if (blocking.length > 0) {
    const message = blocking.length === 1 ? '1 constraint is broken' : `${blocking.length} constraints are broken`
    const named = new Map(blocking.map(({ constraint }) => [constraint.id, constraint.name]))
    const refusal = new RuleBroken('constraint-broken', message, blocking.map(faultOf), {
      constraints: [...named].map(([constraintId, name]) => ({ id: constraintId, name })),
    })
    results.push({ id, refusal })
  }
  return results
}

function faultOf(broken: BrokenDemand): Fault {
  const { demand, item } = broken
  const property = propertyOf(demand.field)
  const custom = item.Field.find(each => [each.fieldId, each.key].includes(demand.field.replace(/^field\./i, '')))
  const path = custom ? ['Field', custom.key] : property ? [property] : demand.field ? ['Field', demand.field] : []
  return fault(path, codes[kindOf(demand) ?? 'hidden'] ?? '', messageOf(broken), valueIn(item, demand.field))
}

const codes: Partial<Record<string, string>> = {
  required: 'required',
  readOnly: 'read-only',
  hidden: 'hidden',
  allowed: 'allowed-values',
  pattern: 'pattern',
  unique: 'unique',
  limit: 'limit',
  order: 'order',
  immutable: 'immutable',
}

function messageOf({ constraint, demand }: BrokenDemand): string {
  return constraint.message || defaultMessage(demand)
}

/** The message of a demand whose constraint has none. */
export function defaultMessage(demand: Demand): string {
  const { field, value } = demand
  switch (kindOf(demand)) {
    case 'required':
      return `${field} is required`
    case 'allowed':
      return `${field} must be one of ${[value].flat().slice(0, 20).join(', ')}`
    case 'pattern':
      return `${field} must match ${typeof value === 'string' ? value : JSON.stringify(value)}`
    case 'unique':
      return `another item has this ${field}`
    case 'limit':
      return 'the limit of items is reached'
    case 'order':
      return `${field} must be ${/^\s*[<>]/.test(String(value)) ? '' : '<= '}${value}`
    case 'immutable':
      return field ? `${field} can no longer change` : 'the item can no longer change'
    default:
      return `${field} cannot be changed`
  }
}
