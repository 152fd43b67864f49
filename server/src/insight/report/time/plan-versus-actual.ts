import { demand } from '../../../kernel/access.ts'
import { isId } from '../../../kernel/id.ts'
import { fault, Invalid } from '../../../kernel/refusal.ts'
import { isDate } from '../../../kernel/schema/formats.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import { and, ownTenant, raw, type Sql, sql } from '../../../kernel/sql.ts'
import { allocations } from '../../../plan/allocation/allocation.ts'
import { daysOfBucket, type LoadBucket, loadBuckets, loadRows } from '../../../plan/load/load.ts'
import { rowsFor } from '../../../plan/scenario/scenario.ts'
import { timeState } from '../../../time/time-state.ts'
import { sources } from '../../query/source.ts'
import { readPeriod } from '../period.ts'
import { computedReport } from '../report.ts'
import type { ReportInput } from '../report-declaration.ts'
import { bodyWith, common, rowOf } from '../report-schema.ts'

const { timezone = {} } = common
const subjects = ['user', 'container', 'crm'] as const
type Subject = (typeof subjects)[number]
const usual = ['user']
const names: readonly string[] = [...subjects, ...loadBuckets]
const maxDays = 366

const seconds = (description: string): Schema => ({ type: 'integer', description })
const measured = {
  planned: seconds('The seconds that are firmly planned.'),
  tentative: seconds('Those that are tentative or proposed.'),
  actual: seconds('The seconds that were booked, without drafts.'),
  delta: seconds('`actual − planned`.'),
  attainment: { type: ['number', 'null'], description: '`actual ÷ planned`; null if nothing was planned.' },
}

/** What was planned, and what was done. */
export const planVersusActual = computedReport<ReportInput>('plan-versus-actual', {
  about: `The seconds that were planned and those that were booked. Groups by \`groupBy\`: one of ${subjects.join(', ')} and one of ${loadBuckets.join(', ')}; \`user\` by default, and an empty one gives the total. The total and users count all that is planned for people, groups and placeholders; what is planned for no user in particular has an empty \`user\`. Containers and customers count the plan that the caller may see. A week or month that the period cuts begins with the period. At most ${maxDays} days.`,
  roles: allocations.permissions.read.roles,
  source: sources.Time,
  placed: false, // the plan of the whole tenant
  body: bodyWith({
    timezone,
    groupBy: { type: 'array', maxItems: 2, uniqueItems: true, items: { type: 'string', enum: names } },
  }),
  row: rowOf(
    'plan-versus-actual',
    {
      ...Object.fromEntries(
        subjects.flatMap(each => [
          [each, { type: 'string' }],
          [`${each}Label`, { type: 'string' }],
        ]),
      ),
      ...Object.fromEntries(loadBuckets.map(each => [each, { type: 'string', format: 'date' }])),
      ...measured,
    },
    Object.keys(measured),
  ),
  async rows(ctx, input) {
    demand(ctx.caller, allocations.permissions.read)
    const { subject, bucket } = readGroups(input)
    const { first: from, last: to } = readPeriod(ctx, input, maxDays)
    const query = { from, to, groupBy: subject ?? 'user', bucket: bucket ?? 'month' }
    const found = await loadRows(ctx, query, await rowsFor(ctx, undefined))
    const parts = found.flatMap(({ key, name, buckets }) => buckets.map(each => ({ ...each, id: key, name })))
    const groups = Map.groupBy(parts, part => [subject ? part.id : '', bucket ? part.from : ''].join('_'))
    return [...groups].map(([key, some]) => {
      const [{ id = '', name = '', from: start = '' } = {}] = some
      const row = {
        ...(subject ? { [subject]: id, [`${subject}Label`]: name } : {}),
        ...(bucket ? { [bucket]: start } : {}),
        ...sums(some),
      }
      return { key, text: JSON.stringify(row) }
    })
  },
  async records(ctx, input, key) {
    demand(ctx.caller, allocations.permissions.read)
    const { subject, bucket } = readGroups(input)
    const period = readPeriod(ctx, input, maxDays)
    const [id = '', start = ''] = key.split('_')
    const days = bucket && isDate(start) ? await daysOfBucket(ctx, start, bucket) : undefined
    return and([
      sources.Time.rows(ctx),
      sql`t.state <> ${timeState.draft} and t.date between ${period.first}::date and ${period.last}::date`,
      days ? sql`t.date between ${days.from}::date and ${days.to}::date` : raw('true'),
      subject ? bookedFor(subject, id) : raw('true'),
    ])
  },
})

/** At most one of each: the plan has no sums by two subjects. */
function readGroups({ groupBy = usual }: ReportInput): { subject?: Subject; bucket?: LoadBucket } {
  const chosen = subjects.filter(each => groupBy.includes(each))
  const buckets = loadBuckets.filter(each => groupBy.includes(each))
  if (chosen.length > 1 || buckets.length > 1)
    throw new Invalid([
      fault(
        ['groupBy'],
        'too-many',
        `must have at most one of ${subjects.join(', ')} and one of ${loadBuckets.join(', ')}`,
        groupBy,
      ),
    ])
  const [subject] = chosen
  const [bucket] = buckets
  return { ...(subject ? { subject } : {}), ...(bucket ? { bucket } : {}) }
}

interface Planned {
  firm: number
  tentative: number
  actual: number
}

function sums(parts: readonly Planned[]) {
  const sum = (of: keyof Planned) => parts.reduce((total, part) => total + part[of], 0)
  const [planned, tentative, actual] = [sum('firm'), sum('tentative'), sum('actual')]
  const attainment = planned === 0 ? null : Math.round((actual / planned) * 10_000) / 10_000
  return { planned, tentative, actual, delta: actual - planned, attainment }
}

/** The entries (`t`) that count for a user, a container or a customer. */
function bookedFor(subject: Subject, id: string): Sql {
  if (!isId(id)) return raw('false') // what is planned for nobody in particular is booked by nobody
  switch (subject) {
    case 'user':
      return sql`t.user_id = ${id}::uuid`
    case 'container':
      return sql`t.container_id = ${id}::uuid`
    case 'crm':
      return sql`coalesce((select i.crm_id from item i where i.tenant_id = ${ownTenant} and i.id = t.item_id),
        (select c.crm_id from container c where c.tenant_id = ${ownTenant} and c.id = t.container_id)) = ${id}::uuid`
  }
}
