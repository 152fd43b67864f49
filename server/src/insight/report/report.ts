import { hidesSomewhere } from '../../identity/field-limit/hidden-fields.ts'
import { type Permission, permission, type Role, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Body, type Operation, operation } from '../../kernel/operation.ts'
import { Forbidden, fault, Invalid } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { and, raw, type Sql, sql } from '../../kernel/sql.ts'
import type { Source } from '../query/source.ts'
import { drillTokens } from './drill-token.ts'
import { named } from './measures.ts'
import { type Period, readPeriod } from './period.ts'
import type { ReportDeclaration, ReportInput } from './report-declaration.ts'
import { reportBody, rowSchema } from './report-schema.ts'
import {
  countedUnder,
  type Dimension,
  demandTransaction,
  readTable,
  type TableRequest,
  type TableRow,
} from './table.ts'

/** A report: its operation, and the condition on the records (`t`) that a row with this key has counted. */
export interface Report {
  name: string
  permission: Permission
  source: Source
  operation: Operation
  records(ctx: Context, body: unknown, key: string): Promise<Sql>
}

/** Declares a report: schema, SQL, permission, drill-down and description follow from the declaration. */
export function report(name: string, declared: ReportDeclaration): Report {
  const prepare = (ctx: Context, input: ReportInput) => prepareReport(ctx, declared, input)
  return computedReport(name, {
    ...declared,
    about: `${declared.about} Groups by \`groupBy\`: ${Object.keys(declared.dimensions).join(', ')}; an empty \`groupBy\` gives the total.`,
    body: reportBody(declared),
    row: rowSchema(name, declared),
    rows: async (ctx, input) => (await readTable(ctx, await prepare(ctx, input))).rows,
    records: async (ctx, input, key) => countedUnder(await prepare(ctx, input), key),
  })
}

const camelCase = (name: string) => name.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())

/** A report whose rows are not one statement. */
interface ComputedReport<I> {
  about: string
  roles?: readonly Role[]
  source: Source
  reveals?: readonly string[]
  body: Body<I>
  row: Schema
  refusals?: readonly number[]
  /** False if a role in one container is not enough, although it is for the records of the source. */
  placed?: false
  /** A row without a key has no records to list. */
  rows(ctx: Context, input: I): Promise<readonly (Pick<TableRow, 'text'> & { key: string | null })[]>
  records(ctx: Context, input: I, key: string): Promise<Sql>
}

export function computedReport<I>(name: string, declared: ComputedReport<I>): Report {
  const { about, roles = staff, source, body, row, reveals = [], refusals = [] } = declared
  const needed = permission(`report.${camelCase(name)}.read`, roles)
  const admit = (ctx: Context) => {
    if (!source.readable(ctx.caller)) throw new Forbidden('the caller may not read the records that are counted')
    const hidden = reveals.find(property => hidesSomewhere(ctx.caller, 'Item', property))
    if (hidden) throw new Forbidden('a field that this report measures is hidden from the caller')
  }
  return {
    name,
    permission: needed,
    source,
    records: async (ctx, input, key) => {
      admit(ctx)
      return await declared.records(ctx, body.read(input), key)
    },
    operation: operation<I>({
      permission: needed,
      placed: declared.placed ?? source.listed?.placed ?? false,
      mode: 'read',
      summary: `Report: ${name.replaceAll('-', ' ')}`,
      description: `${about} Only records that the caller may see are counted.${source.listed ? ' `GET /api/insight/drill/{drill}` lists the records of a row.' : ''}`,
      body,
      reply: { status: 200, schema: { type: 'array', items: row }, description: 'The rows.' },
      refusals: [422, ...refusals],
      async run(ctx, { body: input }) {
        admit(ctx)
        demandTransaction(ctx)
        const rows = await declared.rows(ctx, input)
        const token = source.listed ? drillTokens(ctx, { of: name, body: input }) : undefined
        const texts = rows.map(({ text, key }) => {
          const drill = token && key !== null ? `"${token(key)}"` : 'null'
          return `${text.slice(0, -1)},"drill":${drill}}`
        })
        return { text: `[${texts.join(',')}]` }
      },
    }),
  }
}

async function prepareReport(ctx: Context, declared: ReportDeclaration, input: ReportInput): Promise<TableRequest> {
  const { source, from = source.from, during, measures, user, maxDays = 3660 } = declared
  const period = readPeriod(ctx, input, maxDays)
  const own = typeof measures === 'function' ? measures(period, ctx) : measures
  return {
    from,
    record: source.record,
    where: and([
      source.rows(ctx),
      during(period, ctx),
      (await source.compile(ctx, input.conditionGroup ?? [])).where,
      oneOf(declared.container, input.containerIds),
      oneOf(user, input.userIds),
    ]),
    dimensions: readDimensions(ctx, declared, input, period),
    measures: named(own),
    limit: 50_000,
  }
}

/** The rows with one of these ids; all if none are asked for. */
export function oneOf(column: Sql | undefined, ids: readonly Id[] | undefined): Sql {
  return column && ids ? sql`${column} = any(${ids.filter(isId)}::uuid[])` : raw('true')
}

/** A value that is hidden from the caller is unknown, like one that does not exist. */
function readDimensions(
  ctx: Context,
  { dimensions, groupBy }: ReportDeclaration,
  { groupBy: asked = [...groupBy] }: ReportInput,
  period: Period,
): Dimension[] {
  return asked.flatMap((each, i) => {
    const found = dimensions[each]?.(period, ctx)
    if (found && !(found.reveals && hidesSomewhere(ctx.caller, 'Item', found.reveals)))
      return [{ name: each, ...found }]
    throw new Invalid([fault(['groupBy', i], 'unknown', 'the report has no such value', each)])
  })
}
