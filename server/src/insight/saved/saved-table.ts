import { maySomewhere } from '../../kernel/access.ts'
import type { Services } from '../../kernel/context.ts'
import { Forbidden, Refusal } from '../../kernel/refusal.ts'
import type { Row } from '../export/csv.ts'
import { bytesOf, columnsOf } from '../export/exported.ts'
import { answer, inert } from './run-saved.ts'
import { savedReports } from './saved-report.ts'

/** Runs a saved report for a message to the caller of the context; undefined if they could not run it themselves. */
export const runSavedReport: Services['runSavedReport'] = async (ctx, id) => {
  const saved = maySomewhere(ctx.caller, savedReports.permissions.read) ? await savedReports.find(ctx, id) : undefined
  if (!saved) return undefined
  try {
    const { text = '[]' } = await answer(ctx, saved, noInput)
    const shown = JSON.parse(await ctx.services.redaction.redactText(ctx, text))
    const rows: readonly Row[] = Array.isArray(shown) ? shown : shown.rows
    const columns = columnsOf(rows)
    return {
      columns,
      rows,
      csv: async () => Buffer.from(await bytesOf(rows, 'csv')).toString(),
      xlsx: async () => await bytesOf(rows, 'xlsx'),
    }
  } catch (error) {
    if (error instanceof Forbidden || (error instanceof Refusal && error.code === inert)) return undefined
    throw error
  }
}

const noInput = { path: '', params: {}, query: {}, body: undefined, raw: undefined, expect: undefined, headers: {} }
