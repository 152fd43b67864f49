import { changedSince, type Reversal, type UndoConflict } from '../../engine/undo/reversal.ts'
import type { Undoer } from '../../engine/undo/undo.ts'
import { demand } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { closeTime } from '../permissions.ts'
import { demandApprover } from './approvers.ts'
import { type Timesheet, timesheets } from './sheet.ts'
import { sheetState } from './sheet-state.ts'
import { asSheet, demandSubmitter, refuseInvoiced, write } from './sheet-verbs.ts'

const kept: ReadonlySet<string> = new Set<keyof Timesheet>(['state', 'approval', 'parts', 'submittedAt', 'submittedBy'])

/**
 * Undoing a verb gives the sheet its state before it, for callers who could have performed the verb. Time that was changed since
 * was not submitted as it is now, so that it is a conflict.
 */
export const undoSheets: Undoer = async (ctx, given) => {
  const conflicts: UndoConflict[] = []
  for (const reversal of given) conflicts.push(...(await undoSheet(ctx, reversal)))
  return conflicts
}

async function undoSheet(ctx: Context, reversal: Reversal): Promise<UndoConflict[]> {
  const { entity, recordId, properties } = reversal
  const found = await timesheets.find(ctx, recordId, { lock: true })
  if (!found) return [{ entity, recordId, property: 'id' }]
  const sheet = asSheet(found)
  for (const property of properties.keys()) if (!kept.has(property)) properties.delete(property)
  if (properties.size === 0) return []
  const since = changedSince(reversal, property => Reflect.get(sheet, property))
  if (since.length > 0) return since
  const before: Timesheet = { ...sheet }
  for (const [property, { from }] of properties) Reflect.set(before, property, from)
  await demandUndo(ctx, sheet, before)
  if (await timeChangedSince(ctx, sheet)) return [{ entity, recordId, property: 'state', current: sheet.state }]
  const { state, approval, parts, submittedAt, submittedBy } = before
  await write(ctx, sheet, { state, approval, parts, submittedAt, submittedBy }, 'restored', {})
  return []
}

async function demandUndo(ctx: Context, sheet: Timesheet, before: Timesheet): Promise<void> {
  const states = [sheet.state, before.state]
  if (states.includes(sheetState.locked)) demand(ctx.caller, closeTime)
  // A submission and its recall are between an open (or rejected) sheet and one of which nothing is decided.
  else if (states.includes(sheetState.open) && !states.includes(sheetState.approved)) await demandSubmitter(ctx, sheet)
  else await demandApprover(ctx, sheet.parts.length > 0 ? sheet : before)
  if (sheet.state === sheetState.approved || sheet.state === sheetState.locked) await refuseInvoiced(ctx, sheet)
}

/** Entries get the time of the verb that restated them, so that a later one tells a change of the entry itself. */
async function timeChangedSince(ctx: Context, { userId, updated }: Timesheet): Promise<boolean> {
  const [row] = await ctx.sql`select 1 from time e where e.tenant_id = ${ctx.caller.tenantId} and e.user_id = ${userId}
    and e.updated > ${updated}::timestamptz limit 1`
  return row !== undefined
}
