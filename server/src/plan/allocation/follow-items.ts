import { Temporal } from 'temporal-polyfill'
import type { ItemChange } from '../../items/validation/validation.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { sql } from '../../kernel/sql.ts'
import { lockRecords, updateRecords } from '../../records/history/rewrite.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { allocations } from './allocation.ts'

interface Dates {
  startDate: string | null
  dueDate: string | null
}

/** By how many days the first and the last day of an item move. */
interface Shift {
  first: number
  last: number
}

/** What is planned for an item moves with its dates: the first day with its start, the last one with its due date. */
export async function allocationsFollow(ctx: Context, accepted: readonly ItemChange[]): Promise<void> {
  const shifts = new Map<Id, Shift>()
  for (const { before, after } of accepted) {
    const shift = before && shiftOf(before, after)
    if (shift) shifts.set(after.id, shift)
  }
  if (shifts.size === 0) return
  const found = await lockRecords(
    ctx,
    allocations,
    sql`t.owner = ${ownerKind.item} and t.owner_id = any(${[...shifts.keys()]}::text[]) and not t.lock_dates`,
  )
  await updateRecords(
    ctx,
    allocations,
    found.map(each => [each, moved(each, shifts.get(each.ownerId))] as const),
  )
}

/** Undefined if the dates stay, or if the item had none or has none. */
function shiftOf(before: Dates, after: Dates): Shift | undefined {
  const [from, to] = [before.startDate ?? before.dueDate, before.dueDate ?? before.startDate]
  const [newFrom, newTo] = [after.startDate ?? after.dueDate, after.dueDate ?? after.startDate]
  if (!from || !to || !newFrom || !newTo || (from === newFrom && to === newTo)) return undefined
  return { first: daysFrom(from, newFrom), last: daysFrom(to, newTo) }
}

/** An allocation keeps at least one day. */
function moved({ from, to }: { from: string | null; to: string | null }, shift: Shift | undefined) {
  if (!from || !to || !shift) return { from, to }
  const [first, last] = [later(from, shift.first), later(to, shift.last)]
  return { from: first, to: last < first ? first : last }
}

const daysFrom = (a: string, b: string) => Math.round((Date.parse(b) - Date.parse(a)) / 86_400_000)

function later(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}
