import { Type } from 'typebox'
import { seesEverything } from '../../identity/visibility.ts'
import { type Caller, members, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Expect, Stored, Values } from '../../kernel/record/record.ts'
import { Forbidden, fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Name, Text } from '../../kernel/schema/values.ts'
import { or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { history } from '../../records/history/history.ts'
import { isSharedWith, refuseUnknownSharers, Shared } from '../../records/sharing.ts'
import { type QueryBody, queryBody } from '../query/query-body.ts'
import { type RelativePeriod, relativePeriods } from './relative-period.ts'
import { savedFindings } from './saved-findings.ts'
import { requestOf } from './saved-request.ts'

const shape = {
  name: Name(200),
  description: Text(2000),
  report: Text(60, { description: 'The name of a report, such as `utilisation`; empty if it is a query.' }),
  input: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    default: {},
    description: 'The request of the report, as it is sent to `POST /api/insight/report/{name}`.',
  }),
  period: Type.Unsafe<RelativePeriod | ''>({
    type: 'string',
    enum: ['', ...relativePeriods],
    default: '',
    description:
      'Gives the report its `startDate` and `endDate` on the day on which it runs, in its time zone; empty if `input` has them.',
  }),
  query: Type.Unsafe<QueryBody | null>({ ...queryBody.schema, default: null }),
  shared: Shared,
}

export type SavedReport = Stored<typeof shape>
type SavedValues = Values<typeof shape>

/** A report or a query that a user keeps and shares. */
export const savedReports = resource('SavedReport', {
  about:
    'A report or a query that a user keeps, and the users and groups who may run it too. It belongs to its creator, who alone changes it, besides admins. Each run has the rights of whoever runs it.',
  shape,
  may: { read: staff, create: members, update: members, delete: members },
  placed: true, // it lies in no container, and those who count the records of one keep reports too
  visible: visibleSavedReports,
  check: checkSavedReport,
  findings: savedFindings,
  example: {
    name: 'Open items',
    query: { entity: 'Item', groupBy: [{ field: 'status' }], measures: [{ op: 'count' }] },
    shared: [],
  },
})

function visibleSavedReports(caller: Caller, s: Sql): Sql {
  if (seesEverything(caller.authority)) return raw('true')
  return or([sql`${s}.created_by = ${caller.userId}`, isSharedWith(caller, sql`${s}.shared`)])
}

/** The maximum of characters of a request; the longest are those with many ids. */
const maxInput = 20_000

async function checkSavedReport(ctx: Context, values: SavedValues, before?: SavedReport): Promise<void> {
  refuseForeign(ctx, before)
  const { report, input, query } = values
  if (report === '' && !query) throw new Invalid([fault(['report'], 'required', 'a report or a query is required')])
  if (report !== '' && query) throw new Invalid([fault(['query'], 'conflict', 'it is a report already')])
  if (report === '' && (Object.keys(input).length > 0 || values.period !== ''))
    throw new Invalid([fault(['input'], 'conflict', 'input and period are for reports; a query has conditions')])
  if (JSON.stringify(input).length > maxInput)
    throw new Invalid([fault(['input'], 'maxLength', `must have at most ${maxInput} characters`)])
  await requestOf(ctx, values)
  await refuseUnknownSharers(ctx, values.shared, before?.shared)
}

/** Those with whom it is shared only use it. */
function refuseForeign({ caller }: Context, before: SavedReport | undefined): void {
  if (before && before.createdBy !== caller.userId && !seesEverything(caller.authority))
    throw new Forbidden('the saved report belongs to another user')
}

async function removeSavedReport(ctx: Context, id: Id, more: { expect?: Expect }): Promise<SavedReport> {
  refuseForeign(ctx, await savedReports.get(ctx, id))
  return await savedReports.remove(ctx, id, more)
}

async function restoreSavedReport(ctx: Context, id: Id): Promise<SavedReport> {
  refuseForeign(ctx, await savedReports.get(ctx, id, { deleted: true }))
  return await savedReports.restore(ctx, id)
}

export const routes: Routes = {
  'GET /insight/saved': list(savedReports),
  'POST /insight/saved': create(savedReports),
  'PUT /insight/saved': update(savedReports),
  'GET /insight/saved/:id': get(savedReports),
  'PUT /insight/saved/:id': update(savedReports),
  'PATCH /insight/saved/:id': update(savedReports),
  'DELETE /insight/saved/:id': remove(savedReports, removeSavedReport),
  'POST /insight/saved/:id/restore': restore(savedReports, restoreSavedReport),
  'GET /insight/saved/:id/history': history(savedReports),
  'GET /insight/saved/:id/check': check(savedReports),
}
