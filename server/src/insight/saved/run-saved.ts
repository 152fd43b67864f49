import type { Context } from '../../kernel/context.ts'
import { type Input, type Operation, operation, type Reply, type Routes } from '../../kernel/operation.ts'
import { Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { query } from '../query/query.ts'
import { refuseForbidden, unknownReport } from './saved-findings.ts'
import { type SavedReport, savedReports } from './saved-report.ts'
import { requestOf, within } from './saved-request.ts'

const run: Operation = operation({
  permission: savedReports.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Run a saved report',
  description:
    'Answers like the report or the query that it is, with the rights of the caller, not of its owner: the caller needs the permission of the report, and only records that the caller may see are counted. What `check` reports is refused (422 `report-inert`).',
  reply: {
    status: 200,
    schema: {
      oneOf: [{ type: 'array', items: { type: 'object' } }, query.reply.schema ?? {}],
    },
    description: 'The rows of the report, or the table of the query.',
  },
  refusals: [404, 422],
  run: async (ctx, input) => await answer(ctx, await savedReports.get(ctx, input.params.id ?? ''), input),
})

/** The code of the refusal of what `check` reports. */
export const inert = 'report-inert'

/** The answer to a saved report, with the rights of the caller. */
export async function answer(ctx: Context, saved: SavedReport, input: Input): Promise<Reply> {
  const request = await requestOf(ctx, saved)
  if (!request) throw new RuleBroken(inert, unknownReport(saved.report).message)
  refuseForbidden(ctx, request.operation)
  try {
    return await request.operation.run(ctx, { ...input, params: {}, query: {}, body: request.body, raw: request.body })
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const faults = error.faults.map(each => within(request.property, each))
    throw new RuleBroken(inert, 'the saved report names what does not exist for the caller', faults)
  }
}

export const routes: Routes = {
  'GET /insight/saved/:id/run': run,
  'POST /insight/saved/:id/run': run,
}
