import { Temporal } from 'temporal-polyfill'
import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { setting, settingOf } from '../../platform/setting.ts'
import { Code } from '../../records/code-table.ts'
import { counts } from '../minutes-spent.ts'
import { visibleTimes } from '../time.ts'
import { billables, timeBillable } from '../time-state.ts'

/** What a row of the grid is about. */
export interface Target {
  itemId: Id | ''
  nonBillable: Id | ''
  billable: number
}

/** The key of a row: notes split no row. */
export function keyOf({ itemId, nonBillable, billable }: Target): string {
  return `${itemId}/${nonBillable}/${billable}`
}

/** What is planned for an item or a code, as the row that it would be booked in. */
export const withBillable = ({ itemId, nonBillable }: Omit<Target, 'billable'>) =>
  completedTarget({ itemId, nonBillable })

/** A target with the values that are not given; a code alone is not billable by its kind, whatever its entries say. */
export function completedTarget(given: { itemId?: string; nonBillable?: string; billable?: number }): Target {
  const { itemId = '', nonBillable = '', billable = timeBillable.asContainer } = given
  return { itemId: itemId.toLowerCase(), nonBillable: nonBillable.toLowerCase(), billable }
}

const Pinned = Type.Object(
  {
    itemId: Type.Optional(Type.String({ maxLength: 36 })),
    nonBillable: Type.Optional(Type.String({ maxLength: 36 })),
    billable: Type.Optional(Code(billables, { minimum: 0, maximum: 2 })),
  },
  { additionalProperties: false },
)

const pinned = setting('time.pinned', {
  schema: Type.Array(Pinned, { maxItems: 50 }),
  default: [],
  scopes: ['tenant', 'user'],
  description:
    'The items and non-billable codes that are always in the week of a user: `[{"itemId": …}, {"nonBillable": …}]`.',
})

/** Entries of this many days before the week suggest rows. */
const recentDays = 14
const maxRecent = 50

/** What is always in the week of a user. */
export async function pinnedTargets(ctx: Context, userId: Id): Promise<Target[]> {
  return (await settingOf(ctx, pinned, { userId })).map(completedTarget)
}

/** What the user has booked lately, the latest first. */
export async function recentTargets(ctx: Context, userId: Id, before: string): Promise<NamedTarget[]> {
  const t = raw('t')
  return await ctx.sql<NamedTarget>`select ${named} from (select t.item_id, t.non_billable, t.billable, max(t.date) as date, max(t.created) as created from time t where t.tenant_id = ${ctx.caller.tenantId} and t.user_id = ${userId} and t.date >= ${before}::date - ${recentDays}::int and t.date < ${before}::date
      and ${counts(t)} and ${visibleTimes(ctx.caller, t)}
      group by t.item_id, t.non_billable, t.billable order by 4 desc, 5 desc, 1 nulls first, 2 nulls first, 3 limit ${maxRecent}) t ${names(ctx)}
    order by t.date desc, t.created desc, t.item_id nulls first, t.non_billable nulls first, t.billable`
}

/** A change of many items must not fill the grid. */
const maxTouched = 20

/**
 * The items that the user changed or wrote on, from a first to a last day where they are, the latest first. Items that they only
 * created do not count: an import would be the whole list.
 */
export async function touchedTargets(
  ctx: Context,
  userId: Id,
  { from, to, timezone }: { from: string; to: string; timezone: string },
): Promise<NamedTarget[]> {
  const startOf = (day: Temporal.PlainDate) => new Date(day.toZonedDateTime(timezone).epochMilliseconds)
  const [first, after] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to).add({ days: 1 })].map(startOf)
  return await ctx.sql<NamedTarget>`select ${named} from (select coalesce(a.item_id, e.record_id) as item_id, null::uuid as non_billable, ${asContainer} as billable, max(e.at) as at
    from event e left join annotation a on a.tenant_id = ${ownTenant} and e.entity = 'Annotation' and a.id = e.record_id
    where e.tenant_id = ${ctx.caller.tenantId} and e.actor_id = ${userId} and e.at >= ${first ?? ctx.now}::timestamptz and e.at < ${after ?? ctx.now}::timestamptz
      and e.entity in ('Item', 'Annotation') and e.kind <> 'item.created' and e.actor_kind in ('user', 'apiKey')
    group by 1 order by max(e.at) desc, 1 limit ${maxTouched}) t ${names(ctx)} order by t.at desc, t.item_id`
}

/** How a row is called, and where its item is. */
export interface TargetName {
  label: string
  containerId: Id | ''
  known: boolean
}

/** A target that was read together with its name. */
export interface NamedTarget extends Target, TargetName {}

const hiddenName = 'restricted item'
const asContainer = raw(String(timeBillable.asContainer))
const itemLabel = sql`i.key || ' ' || i.title`
const codeLabel = sql`concat_ws(' ', nullif(n.code, ''), n.name)`

/** The columns of a target with its name, of rows `t` with an item or a code, and of what `names` joins to them. */
export const named: Sql = sql`coalesce(t.item_id::text, '') as "itemId", coalesce(t.non_billable::text, '') as "nonBillable", t.billable,
  coalesce(i.container_id::text, '') as "containerId", case when t.item_id is null then n.id else i.id end is not null as known,
  case when i.id is not null then ${itemLabel} when t.item_id is null and n.id is not null then ${codeLabel} else ${raw(`'${hiddenName}'`)} end as label`

/** Joins the items that the caller sees, and the codes. */
export function names({ caller }: Context): Sql {
  return sql`left join item i on i.tenant_id = ${ownTenant} and i.id = t.item_id and not i.deleted and ${kind('Item').visible(caller, raw('i'))}
    left join non_billable n on n.tenant_id = ${ownTenant} and n.id = t.non_billable and not n.deleted`
}

/** The names of targets that were read without them. */
export async function namesOf(ctx: Context, targets: readonly Target[]): Promise<(target: Target) => TargetName> {
  const { caller } = ctx
  const i = raw('i')
  const ids = (property: 'itemId' | 'nonBillable') => targets.map(each => each[property]).filter(isId)
  const read = () => ctx.sql<{ id: Id; label: string; containerId: Id | '' }>`
    select i.id, ${itemLabel} as label, i.container_id::text as "containerId" from item i
    where i.tenant_id = ${caller.tenantId} and i.id = any(${ids('itemId')}::uuid[]) and not i.deleted and ${kind('Item').visible(caller, i)}
    union all select n.id, ${codeLabel}, '' from non_billable n
    where n.tenant_id = ${ownTenant} and n.id = any(${ids('nonBillable')}::uuid[]) and not n.deleted`
  const rows = targets.length === 0 ? [] : await read()
  const byId = new Map(rows.map(row => [row.id, row]))
  return ({ itemId, nonBillable }) => {
    const found = byId.get(itemId || nonBillable)
    return {
      label: found?.label ?? hiddenName,
      containerId: found?.containerId ?? '',
      known: found !== undefined,
    }
  }
}
