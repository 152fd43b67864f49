import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { together } from '../../records/together.ts'
import { readWeek, type WeekSources } from './week.ts'
import { completedTarget, keyOf, namesOf, recentTargets, type Target, touchedTargets } from './week-targets.ts'

/** Something that the user may want to book on a day, and why. */
interface Suggestion {
  itemId: Id | ''
  nonBillable: Id | ''
  label: string
  seconds: number | null
  why: 'plan' | 'timer' | 'touched' | 'recent'
}

/** What the user has probably done on a day and not booked yet. */
export async function suggestionsFor(ctx: Context, sources: WeekSources, date: string): Promise<Suggestion[]> {
  const { userId } = ctx.caller
  const week = await readWeek(ctx, sources, userId, date)
  const day = week.days.findIndex(each => each.date === date)
  const booked = new Set(week.rows.filter(row => (row.cells[day]?.seconds ?? 0) > 0).map(keyOf))
  const found: (Target & Pick<Suggestion, 'seconds' | 'why'>)[] = []
  for (const row of week.rows) {
    const missing = (row.plannedSeconds[day] ?? 0) - (row.cells[day]?.seconds ?? 0)
    if (missing > 0) found.push({ ...targetOf(row), seconds: missing, why: 'plan' })
  }
  const { timer } = week
  if (timer) {
    const elapsed = Date.parse(timer.stoppedAt ?? ctx.now.toISOString()) - Date.parse(timer.startedAt ?? '')
    found.push({ ...targetOf(timer), seconds: Math.max(0, Math.floor(elapsed / 1000)), why: 'timer' })
  }
  const [touched, recent] = await together([
    touchedTargets(ctx, userId, { from: date, to: date, timezone: ctx.caller.timezone }),
    recentTargets(ctx, userId, date),
  ])
  const maybe = { touched, recent }
  for (const why of ['touched', 'recent'] as const)
    for (const target of maybe[why]) if (!booked.has(keyOf(target))) found.push({ ...target, seconds: null, why })
  const names = await namesOf(ctx, found)
  const seen = new Set<string>()
  return found.flatMap(({ itemId, nonBillable, billable, seconds, why }) => {
    const target = { itemId, nonBillable, billable }
    const { label, known } = names(target)
    if (!known || seen.has(keyOf(target))) return []
    seen.add(keyOf(target))
    return [{ itemId, nonBillable, label, seconds, why }]
  })
}

const targetOf = ({ itemId, nonBillable, billable }: Target) => completedTarget({ itemId, nonBillable, billable })
