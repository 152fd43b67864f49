import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { sql } from '../../kernel/sql.ts'
import { closedEntries, closesTime, type TimePlace } from '../../time/closed/closed.ts'
import { dayFull, fullDays, limitsDays } from '../../time/entry/entry.ts'
import { limitMessage, limitViolations, severities, timeLimitBroken, timeLimits } from '../../time/time-limits.ts'
import type { ItemChange, ItemValidator, ValidationResult } from './item-change.ts'

/** Validates the time entries of new items against the time limits; later entries are checked when they are added. */
export const timeValidator: ItemValidator = {
  appliesToNew: async ctx => (await timeLimits(ctx)).length > 0 || (await limitsDays(ctx)),
  validate,
}

async function validate(ctx: Context, changes: readonly ItemChange[]): Promise<ValidationResult[]> {
  const fresh = changes.filter(each => each.before === undefined).map(each => each.after.id)
  if (fresh.length === 0) return []
  return [...(await closedTime(ctx, fresh)), ...(await limitedTime(ctx, fresh))]
}

/** Refuses items with time in closed periods. Ids are in the order of the entries in the body. */
async function closedTime(ctx: Context, itemIds: readonly Id[]): Promise<ValidationResult[]> {
  if (!(await closesTime(ctx))) return []
  const rows = await ctx.sql<
    TimePlace & { recordId: Id; index: number }
  >`select a.item_id as "recordId", a.user_id as "userId", a.date::text as date,
      coalesce(a.container_id::text, '') as "containerId", (row_number() over (partition by a.item_id order by a.id))::int - 1 as index
    from time a where a.tenant_id = ${ctx.caller.tenantId} and a.item_id = any(${itemIds}::uuid[])`
  const refused = await closedEntries(
    ctx,
    rows.map(each => ({ ...each, path: ['Time', each.index, 'date'] })),
  )
  return [...refused].map(([id, refusal]) => ({ id, refusal }))
}

async function limitedTime(ctx: Context, fresh: readonly Id[]): Promise<ValidationResult[]> {
  const entries = sql`a.item_id = any(${fresh}::uuid[])`
  const full = (await limitsDays(ctx)) ? await fullDays(ctx, entries) : []
  const tooMuch = full.flatMap(day => day.itemIds.map(id => ({ id, refusal: dayFull([day], ['Time']) })))
  const found = await limitViolations(ctx, entries)
  const broken = [...Map.groupBy(found, each => each.itemId ?? '')].flatMap(([id, group]) => {
    const blocking = group.filter(({ limit }) => limit.severity === severities.refuse)
    const mild = new Map(
      group.filter(({ limit }) => limit.severity === severities.warn).map(({ limit }) => [limit.id, limit]),
    )
    const warnings: ValidationResult[] = [...mild.values()].map(limit => ({
      id,
      warning: `${limit.name}: ${limitMessage(limit)}`,
    }))
    return blocking.length > 0 ? [...warnings, { id, refusal: timeLimitBroken(blocking, ['Time']) }] : warnings
  })
  return [...tooMuch, ...broken]
}
