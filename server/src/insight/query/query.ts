import { permission, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { type Fault, Forbidden, Invalid } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { and, raw, type Sql } from '../../kernel/sql.ts'
import { drillTokens } from '../report/drill-token.ts'
import { demandTransaction, isPartition, maxGroups, readTable, type TableRequest } from '../report/table.ts'
import { type QueryBody, queryBody } from './query-body.ts'
import { readDimensions, readMeasures, readSort, refuseNames } from './query-columns.ts'
import { type Source, sources } from './source.ts'

/** Tokens repeat the request, so a long answer would mostly consist of them. */
const maxDrillRows = 1000

const replySchema: Schema = {
  type: 'object',
  title: 'QueryResult',
  properties: {
    columns: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          kind: {
            type: 'string',
            description:
              'text, number, decimal (as a text with four places, such as money), duration (minutes), boolean, date, instant, id or user',
          },
          role: { type: 'string', enum: ['dimension', 'measure'] },
        },
        required: ['name', 'kind', 'role'],
      },
    },
    rows: {
      type: 'array',
      items: {
        type: 'object',
        description: 'The columns by their names. `drill` is the token of its records.',
        properties: { drill: { type: ['string', 'null'] } },
        required: ['drill'],
      },
    },
    total: { type: 'object', description: 'The measures over all records that were counted.' },
    groups: { type: 'integer', description: 'The number of groups, also of those beyond `limit`.' },
  },
  required: ['columns', 'rows', 'total', 'groups'],
}

/** The permission to count records; which of them are counted depends on what the caller may see. */
export const readingInsight = permission('insight.read', staff)

/** Counts and measures the records that the caller may see. */
export const query = operation<QueryBody>({
  permission: readingInsight,
  placed: true,
  mode: 'read',
  summary: 'Query records',
  description: `Counts and measures records by up to three values. Only records that the caller may see are counted, and fields that are hidden from the caller are unknown. A record with several values, such as assignees, counts for each, and once in \`total\`. Tickets are the items of service desks. \`Event\` needs the permission \`event.read\`. More than ${maxGroups} groups are refused (422 \`too-many-groups\`), and so is what takes longer than ten seconds (422 \`query-too-long\`). \`GET /api/insight/drill/{token}\` lists the records of a row; answers with more than ${maxDrillRows} rows have no tokens.`,
  body: queryBody,
  reply: { status: 200, schema: replySchema, description: 'The table.' },
  refusals: [422],
  async run(ctx, { body }) {
    demandTransaction(ctx)
    const { table, source } = await prepareQuery(ctx, body)
    const { rows, groups, total } = await readTable(ctx, { ...table, withTotal: isPartition(table.dimensions) })
    const whole = total ?? (await readTable(ctx, { ...table, dimensions: [], sort: [], limit: 1 })).rows[0]?.text
    const token = source.listed && rows.length <= maxDrillRows ? drillTokens(ctx, { of: 'query', body }) : undefined
    const texts = rows.map(row => `${row.text.slice(0, -1)},"drill":${token ? `"${token(row.key)}"` : 'null'}}`)
    const { dimensions, measures } = table
    const columns = [
      ...dimensions.map(({ name, kind }) => ({ name, kind, role: 'dimension' })),
      ...measures.map(({ name, kind }) => ({ name, kind, role: 'measure' })),
    ]
    return {
      text: `{"columns":${JSON.stringify(columns)},"rows":[${texts.join(',')}],"total":${whole ?? '{}'},"groups":${groups}}`,
    }
  },
})

/** Reads a query; all faults of its fields are reported at once. */
export async function prepareQuery(ctx: Context, body: QueryBody): Promise<{ table: TableRequest; source: Source }> {
  const source = sources[body.entity]
  if (!source.readable(ctx.caller)) throw new Forbidden(`reading ${body.entity} records needs their permission`)
  const { where, vocabulary } = await source.compile(ctx, body.conditionGroup ?? [])
  const faults: Fault[] = []
  const reading = { ctx, vocabulary, timezone: body.timezone || ctx.caller.timezone || 'UTC', faults }
  const dimensions = readDimensions(reading, body.groupBy ?? [])
  const measures = readMeasures(reading, body.measures)
  const columns = [...dimensions, ...measures]
  refuseNames(columns, faults)
  const sort = faults.length > 0 ? [] : readSort(body.sort ?? '', columns, faults)
  if (faults.length > 0) throw new Invalid(faults)
  const { from, record } = source
  return {
    source,
    table: {
      from,
      record,
      where: and([source.rows(ctx), where, archivedRows(source, body.archived)]),
      dimensions,
      measures,
      sort,
      limit: body.limit ?? 1000,
    },
  }
}

function archivedRows({ listed }: Source, archived: QueryBody['archived']): Sql {
  if (!listed?.archives || archived === 'include') return raw('true')
  return raw(archived === 'only' ? 't.archived' : 'not t.archived')
}

export const routes: Routes = { 'POST /insight/query': query }
