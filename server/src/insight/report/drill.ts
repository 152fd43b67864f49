import { items } from '../../items/item/item.ts'
import { may, maySomewhere, missing } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { list } from '../../kernel/crud.ts'
import type { Kind } from '../../kernel/kinds.ts'
import { answerList } from '../../kernel/list/list-operation.ts'
import { readListing } from '../../kernel/list/listing.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { Forbidden, NotFound } from '../../kernel/refusal.ts'
import type { Sql } from '../../kernel/sql.ts'
import { prepareQuery, readingInsight } from '../query/query.ts'
import { queryBody } from '../query/query-body.ts'
import type { Source } from '../query/source.ts'
import { type DrillSubject, readDrillToken } from './drill-token.ts'
import type { Report } from './report.ts'
import { countedUnder } from './table.ts'

/** What a token can be of: a report, or another answer that counts records. */
export type Drilled = Pick<Report, 'name' | 'permission' | 'source' | 'records'> & {
  operation: Pick<Report['operation'], 'placed'>
}

const stock = list(items)

/** Lists the records that a row of a report or a query has counted. */
export function drillRoutes(reports: readonly Drilled[]): Routes {
  const drill = operation({
    permission: readingInsight,
    placed: true,
    mode: 'read',
    summary: 'List the records of a row',
    description:
      'The records that a row of a report or of a query has counted, as the list of their kind shows them, paged and sorted like it. The token gives no rights: the caller needs the permission of the report, and sees the records that they may see now. A token of another tenant is unknown (404).',
    filters: true,
    query: stock.query ?? {},
    reply: {
      status: 200,
      schema: { type: 'array', items: { type: 'object' } },
      description: 'The records.',
      headers: ['X-Limit', 'X-Next-Cursor', 'X-Total-Count', 'X-Total-Count-Kind', 'Link'],
    },
    refusals: [404],
    async run(ctx, input) {
      const { subject, key } = readDrillToken(ctx, input.params.token ?? '')
      const { where, listed } = await recordsOf(ctx, reports, subject, key)
      const query = listed.archives ? { archived: 'include', ...input.query } : input.query
      return await answerList(
        ctx,
        await readListing(ctx, listed, query, { where, about: input.params.token, varied: true }),
        input,
      )
    },
  })
  return { 'GET /insight/drill/:token': drill }
}

/** Reads the request again, as of the time when it was asked and with the rights of the caller now. */
async function recordsOf(
  ctx: Context,
  reports: readonly Drilled[],
  { of, body, now }: DrillSubject,
  key: string,
): Promise<{ where: Sql; listed: Kind }> {
  const then = ctx.derive({ now: new Date(now) })
  if (of === 'query') {
    const { table, source } = await prepareQuery(then, queryBody.read(body))
    return { where: countedUnder(table, key), listed: listedBy(source) }
  }
  const report = reports.find(each => each.name === of)
  if (!report) throw new NotFound()
  const holds = report.operation.placed ? maySomewhere : may
  if (!holds(ctx.caller, report.permission)) throw new Forbidden(missing(ctx.caller, report.permission))
  return { where: await report.records(then, body, key), listed: listedBy(report.source) }
}

function listedBy({ listed }: Source): Kind {
  if (!listed) throw new NotFound()
  return listed
}
