import { render, TemplateFault } from '../../../../containers/content-template/content-template.ts'
import { shownTo } from '../../../../containers/redaction/redaction.ts'
import { occasionOf } from '../../../../desk/template/template.ts'
import type { Item } from '../../../../items/item/item.ts'
import type { Context } from '../../../../kernel/context.ts'
import { RuleBroken } from '../../../../kernel/refusal.ts'
import type { ActingRule } from '../../engine/evaluate.ts'
import type { Occurrence } from '../../engine/occurrence.ts'

type Render = <T>(value: T) => Promise<T>

/** Renders the templates in values of a rule with the current item and the occurrence. */
export function templateRenderer(
  ctx: Context,
  { rule }: ActingRule,
  occurrence: Occurrence,
  item: () => Promise<Item | undefined>,
): Render {
  let told: { item: Item | undefined; occasion: Awaited<ReturnType<typeof occasionOf>> } | undefined
  return async value => {
    if (!hasTemplate(value)) return value
    const { actor, values } = await templateEvent(ctx, rule, occurrence)
    const now = await item()
    // The records around the item are read once for as long as the item is the same.
    if (!told || told.item !== now) told = { item: now, occasion: await occasionOf(ctx, now, actor) }
    const { scope, timezone } = told.occasion
    return renderDeep(value, { ...values, ...scope }, timezone)
  }
}

/** What the templates of a rule know besides the item: who caused the event, and what its principal may see of it. */
export async function templateEvent(ctx: Context, { id, name }: ActingRule['rule'], occurrence: Occurrence) {
  const { entity, recordId, changes } = occurrence
  const seen = await shownTo(ctx, { entity, recordId, changes })
  const values = {
    event: { type: occurrence.kind, at: occurrence.at.toISOString() },
    change: seen.changes,
    rule: { id, name },
    ...occurrence.more,
  }
  return { actor: { id: occurrence.actorId, kind: occurrence.actorKind }, values: structuredClone(values) }
}

function hasTemplate(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{') || value.includes('{%')
  return value !== null && typeof value === 'object' && Object.values(value).some(hasTemplate)
}

function renderDeep<T>(value: T, scope: Record<string, unknown>, timezone: string): T {
  if (typeof value === 'string') return renderText(value, scope, timezone) as T
  if (Array.isArray(value)) return value.map(each => renderDeep(each, scope, timezone)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renderDeep(each, scope, timezone)])) as T
}

function renderText(body: string, scope: Record<string, unknown>, timezone: string): string {
  if (!hasTemplate(body)) return body
  try {
    return render({ subject: '', body, format: 'text', locales: {} }, scope, { timezone }).body
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error
    throw new RuleBroken('template-failed', `line ${error.line}, column ${error.column}: ${error.message}`)
  }
}
