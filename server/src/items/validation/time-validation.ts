import type { Context } from '../../kernel/context.ts'
import { sql } from '../../kernel/sql.ts'
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
