import { may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { weekday } from '../../kernel/schema/formats.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { raw } from '../../kernel/sql.ts'
import { formatDecimal } from '../../language/decimal.ts'
import { readBill, readCost } from '../../records/amounts.ts'
import type { RowSource } from '../../records/row-source.ts'
import { allocations } from '../allocation/allocation.ts'
import { subjectDays } from '../allocation/subject-days.ts'
import { maxDays, periodOf, periodQuery } from '../capacity/period.ts'
import { rowsFor, scenarioQuery } from '../scenario/scenario.ts'
import { actualIn, type Measured } from './actual.ts'
import { type BucketName, bucketEnd, bucketNames, bucketStart, type More, openSums, type Sums } from './buckets.ts'
import { type LoadUser, loadUsers, type NamedTable, namesOf, weekStartOf } from './load-subjects.ts'
import { type PlannedWork, plannedIn, secondsOf } from './planned.ts'
import { plannedAmounts } from './planned-money.ts'

export { type BucketName as LoadBucket, bucketNames as loadBuckets } from './buckets.ts'
export { committedOn } from './committed.ts'

const usualDays = 28
/** The most days of all users together that one request reads. */
const maxUserDays = 250_000

const groupings = ['user', 'group', 'jobRole', 'container', 'crm'] as const
type Grouping = (typeof groupings)[number]

const tables: Readonly<Record<Grouping, NamedTable>> = {
  user: 'user',
  group: 'user_group',
  jobRole: 'job_role',
  container: 'container',
  crm: 'crm',
}

const seconds = (description: string, type: string | string[] = 'integer'): Schema => ({ type, description })
const ofPeople = ['integer', 'null']
const decimal: Schema = { type: 'string', format: 'decimal' }

/** Compares the capacity of people with what is planned for them and what they have done. */
export const load = operation({
  permission: allocations.permissions.read,
  mode: 'read',
  summary: 'Compare capacity, plan and booked time',
  description: `Capacity, plan and booked time in seconds, by day, week or month. Rows by user, group or job role have a capacity: \`free = capacity − firm\`, \`over = max(0, firm − capacity)\`; rows by container or customer do not. What is planned for a group or a placeholder is in the rows of groups and job roles, and in the row without a key of users. \`delta = actual − firm\`; \`actual\` counts the time that the caller may read. At most ${maxDays} days, and ${maxUserDays} days of all users together (422 \`too-large\`).`,
  query: {
    ...periodQuery(usualDays),
    groupBy: { type: 'string', enum: [...groupings], description: '`user` by default.' },
    bucket: { type: 'string', enum: [...bucketNames], description: '`week` by default.' },
    ...scenarioQuery,
    userId: { type: 'string', description: 'Only this user.' },
    userGroupId: { type: 'string', description: 'Only the members of this group, and of those inside.' },
  },
  reply: {
    status: 200,
    schema: {
      type: 'array',
      items: {
        type: 'object',
        title: 'LoadRow',
        properties: {
          key: { type: 'string', description: 'The id; empty for what is planned for nobody in particular.' },
          name: { type: 'string' },
          buckets: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                from: { type: 'string', format: 'date' },
                capacity: seconds('What can be worked.', ofPeople),
                firm: seconds('Approved and not tentative.'),
                tentative: seconds('Tentative or proposed.'),
                leave: seconds('Absence within the contract.', ofPeople),
                actual: seconds('Booked time.'),
                free: seconds('`capacity − firm`.', ofPeople),
                delta: seconds('`actual − firm`.'),
                over: seconds('`firm` beyond the capacity.', ofPeople),
                cost: { ...decimal, description: 'What `firm` costs at the rates of now. With `cost.read`.' },
                value: {
                  type: 'array',
                  description: 'What customers pay for `firm` at the rates of now, by currency. With `bill.read`.',
                  items: {
                    type: 'object',
                    properties: { currency: { type: 'string' }, amount: decimal },
                    required: ['currency', 'amount'],
                  },
                },
              },
              required: ['from', 'capacity', 'firm', 'tentative', 'leave', 'actual', 'free', 'delta', 'over'],
            },
          },
        },
        required: ['key', 'name', 'buckets'],
      },
    },
    description: 'The rows, by name.',
  },
  refusals: [422],
  async run(ctx, { query }) {
    return { body: await loadRows(ctx, query, await rowsFor(ctx, query.scenario)) }
  },
})

/** The rows of a load, read from the plan as it is or as a scenario makes it. */
export async function loadRows(ctx: Context, query: Record<string, unknown>, source: RowSource) {
  const days = periodOf(ctx.now, query, usualDays)
  const period = { from: days[0]?.date ?? '', to: days.at(-1)?.date ?? '' }
  const { groupBy = 'user', bucket = 'week', userId, userGroupId } = query as LoadQuery
  const sums = openSums(bucket, await weekStartOf(ctx, weekday), period.from)
  const users = await loadUsers(ctx, { userId, userGroupId })
  if (users.length * days.length > maxUserDays)
    throw new RuleBroken('too-large', 'too many users and days; ask for a shorter period or for one group')
  const narrowed = userId !== undefined || userGroupId !== undefined
  const money = { cost: may(ctx.caller, readCost), value: may(ctx.caller, readBill) }
  await addRows(ctx, { groupBy, period, users, narrowed, source, money }, sums.add)
  const names = await namesOf(ctx, tables[groupBy], [...sums.byKey.keys()])
  const hasCapacity = groupBy !== 'container' && groupBy !== 'crm'
  const rows = [...sums.byKey].map(([key, buckets]) => ({
    key,
    name: names.get(key) ?? '',
    buckets: [...buckets]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, each]) => bucketOf(from, each, hasCapacity, money)),
  }))
  return rows.sort((a, b) => a.name.localeCompare(b.name) || (a.key < b.key ? -1 : 1))
}

/** The days of the bucket that a day lies in. */
export async function daysOfBucket(
  ctx: Context,
  date: string,
  bucket: BucketName,
): Promise<{ from: string; to: string }> {
  const from = bucketStart(date, bucket, await weekStartOf(ctx, weekday))
  return { from, to: bucketEnd(from, bucket) }
}

interface LoadQuery {
  groupBy?: Grouping
  bucket?: BucketName
  userId?: string
  userGroupId?: string
}

function bucketOf(from: string, sums: Sums, hasCapacity: boolean, money: Money) {
  const { capacity, firm, tentative, leave, actual } = sums
  const plan = { from, firm, tentative, actual, delta: actual - firm, ...moneyOf(sums, money) }
  if (!hasCapacity) return { ...plan, capacity: null, leave: null, free: null, over: null }
  return { ...plan, capacity, leave, free: capacity - firm, over: Math.max(0, firm - capacity) }
}

/** Which amounts the caller may read. */
interface Money {
  cost: boolean
  value: boolean
}

/** What firm work costs and is sold for. */
interface PlannedMoney {
  cost?: string
  value?: { currency: string; amount: string }[]
}

/** Currencies are never added. */
function moneyOf({ cost, value }: Sums, shown: Money): PlannedMoney {
  const amounts = [...value].sort().map(([currency, amount]) => ({ currency, amount: formatDecimal(amount) }))
  return { ...(shown.cost ? { cost: formatDecimal(cost) } : {}), ...(shown.value ? { value: amounts } : {}) }
}

interface Wanted {
  groupBy: Grouping
  period: { from: string; to: string }
  users: readonly LoadUser[]
  /** The query asks for one user or one group, so that what is planned for others is left out. */
  narrowed: boolean
  source: RowSource
  money: Money
}

type Add = (key: string, date: string, more: More) => void

async function addRows(
  ctx: Context,
  { groupBy, period, users, narrowed, source, money }: Wanted,
  add: Add,
): Promise<void> {
  const byPerson = groupBy === 'user' || groupBy === 'group' || groupBy === 'jobRole'
  // Sums of people count everything that is planned for them, whatever it is for: only its length shows.
  const visible = allocations.visible(ctx.caller, raw('p'))
  const work = await plannedIn(ctx, period, byPerson ? raw('true') : visible, source)
  const shown = new Set(users.map(each => each.id))
  const counted = narrowed ? work.filter(each => shown.has(each.userId)) : work
  const groupIds = groupBy === 'group' ? await groupsOf(ctx) : []
  const days = await subjectDays(ctx, counted, {
    userIds: byPerson ? users.map(each => each.id) : [],
    groupIds,
    ...period,
    rows: source,
  })
  const keysOf = keysBy(groupBy, users, days.members)
  if (byPerson)
    for (const { id } of users)
      for (const { date, capacity, leave } of days.users.get(id) ?? [])
        if (date >= period.from && date <= period.to)
          for (const key of keysOf.user(id)) add(key, date, { capacity, leave })
  // The length of work that the caller does not see shows in the sums of people, its price does not.
  const seen = async () => (byPerson ? await plannedIn(ctx, period, visible, source) : counted)
  const priced = money.cost || money.value ? (await seen()).filter(each => each.firm) : []
  const amountsOf = await plannedAmounts(ctx, priced, period)
  for (const each of counted)
    for (const key of keysOf.work(each))
      for (const [date, planned] of secondsOf(each, days, period))
        add(key, date, each.firm ? { firm: planned, ...amountsOf(each, date, planned) } : { tentative: planned })
  for (const each of await actualIn(ctx, period, groupBy, narrowed ? [...shown] : undefined))
    for (const key of keysOf.time(each)) add(key, each.date, { actual: each.seconds })
}

async function groupsOf(ctx: Context): Promise<Id[]> {
  const rows = await ctx.sql<{
    id: Id
  }>`select id from user_group where tenant_id = ${ctx.caller.tenantId} and not deleted order by id`
  return rows.map(row => row.id)
}

interface KeysBy {
  user(id: Id): readonly string[]
  work(work: PlannedWork): readonly string[]
  time(time: Measured): readonly string[]
}

/** The rows in which users, allocations and time count. */
function keysBy(groupBy: Grouping, users: readonly LoadUser[], members: ReadonlyMap<Id, readonly Id[]>): KeysBy {
  const known = (key: string) => (key === '' ? [] : [key])
  switch (groupBy) {
    case 'user':
      return { user: id => [id], work: ({ userId }) => [userId], time: ({ key }) => known(key) }
    case 'group': {
      const groups = new Map<Id, Id[]>()
      for (const [group, ids] of members) for (const id of ids) groups.set(id, [...(groups.get(id) ?? []), group])
      return {
        user: id => groups.get(id) ?? [],
        work: ({ userId, userGroupId }) => (userId ? (groups.get(userId) ?? []) : known(userGroupId)),
        time: ({ key }) => groups.get(key) ?? [],
      }
    }
    case 'jobRole': {
      const roles = new Map(users.map(each => [each.id, each.jobRoleId]))
      return {
        user: id => known(roles.get(id) ?? ''),
        work: ({ userId, jobRoleId }) => known(jobRoleId || (roles.get(userId) ?? '')),
        time: ({ key }) => known(roles.get(key) ?? ''),
      }
    }
    case 'container':
      return { user: () => [], work: ({ containerId }) => known(containerId), time: ({ key }) => known(key) }
    case 'crm':
      return { user: () => [], work: ({ crmId }) => known(crmId), time: ({ key }) => known(key) }
  }
}
