import { type Amount, type Cycle, type CycleOwner, cycles, done } from '../../containers/cycle/cycle.ts'
import { visibleItems } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { readWhole } from '../../kernel/schema/whole-number.ts'
import { raw } from '../../kernel/sql.ts'
import { progressOf } from './burndown.ts'
import { burndownOf, snapshotOf } from './cycle-log.ts'

const amount: Schema = {
  type: 'object',
  title: 'CycleAmount',
  properties: { count: { type: 'number' }, points: { type: 'number' }, minutes: { type: 'number' } },
}

const tally: Record<string, Schema> = { scope: amount, done: amount, inProgress: amount, remaining: amount }
const ids: Schema = { type: 'array', items: { type: 'string' } }

/** The burndown of a cycle by day. */
export const burndown = operation({
  permission: cycles.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Burndown of a cycle',
  description:
    'The scope, the done and the remaining work at the end of each day, in items, points and estimated minutes, and the ideal line. It is computed from the log and stored when the cycle is finished. Days end at midnight in the time zone of the container’s clock, or else of the tenant. Cancelled items are out of scope. `progress` is the done items plus a quarter of those in progress, divided by the scope. `uncompleted` lists the items that were open at the finish and `rolledOver` those that moved to `rolledTo`, limited to what the caller may see.',
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'CycleBurndown',
      properties: {
        cycleId: { type: 'string' },
        timezone: { type: 'string' },
        committed: amount,
        now: { type: 'object', properties: tally, required: Object.keys(tally) },
        progress: { type: 'number', description: '0 to 1' },
        days: {
          type: 'array',
          items: {
            type: 'object',
            description: 'A future day has only its date and the ideal.',
            properties: { date: { type: 'string', format: 'date' }, ...tally, ideal: amount },
            required: ['date', 'ideal'],
          },
        },
        uncompleted: ids,
        rolledOver: ids,
        rolledTo: { type: 'string' },
      },
      required: [
        'cycleId',
        'timezone',
        'committed',
        'now',
        'progress',
        'days',
        'uncompleted',
        'rolledOver',
        'rolledTo',
      ],
    },
    description: 'The days of the cycle.',
  },
  refusals: [404],
  async run(ctx, { params }) {
    const cycle = await cycles.get(ctx, params.id ?? '')
    const went = await burndownOf(ctx, cycle)
    const kept = cycle.state === done ? await snapshotOf(ctx, cycle.id) : undefined
    return {
      body: {
        cycleId: cycle.id,
        timezone: went.timezone,
        committed: cycle.committed,
        now: went.now,
        progress: progressOf(went.now),
        days: went.days,
        uncompleted: await seen(ctx, kept?.uncompleted ?? []),
        rolledOver: await seen(ctx, kept?.rolledOver ?? []),
        rolledTo: kept?.rolledTo ?? '',
      },
    }
  },
})

async function seen(ctx: Context, wanted: readonly string[]): Promise<string[]> {
  const t = raw('t')
  const rows = await ctx.sql<{ id: string }>`select t.id from item t
    where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${wanted}::uuid[]) and ${visibleItems(ctx.caller, t)} order by t.rank, t.id`
  return rows.map(row => row.id)
}

/** The amount of work that is usually done in a cycle. */
export const velocity = operation({
  permission: cycles.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Velocity',
  description:
    'The committed and the completed work of the last finished cycles of a container, of a group or of all, newest first, and the average of the completed work.',
  query: {
    containerId: { type: 'string', description: 'Cycles of this container.' },
    userGroupId: { type: 'string', description: 'Cycles of this group.' },
    last: { type: 'integer', minimum: 1, maximum: 50, description: 'The number of cycles; the default is 5.' },
  },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'Velocity',
      properties: {
        average: amount,
        cycles: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string' },
              number: { type: 'integer' },
              name: { type: 'string' },
              completedAt: { type: 'string', format: 'date-time' },
              committed: amount,
              completed: amount,
            },
            required: ['id', 'number', 'name', 'completedAt', 'committed', 'completed'],
          },
        },
      },
      required: ['average', 'cycles'],
    },
    description: 'The last cycles and their average.',
  },
  async run(ctx, { query }) {
    const [containerId, userGroupId] = [String(query.containerId ?? ''), String(query.userGroupId ?? '')]
    const last = readWhole('last', query.last, 1, 50) ?? 5
    const found = await lastDone(ctx, { containerId, userGroupId }, last)
    return {
      body: {
        average: average(found.map(each => each.completed as Amount)),
        cycles: found.map(({ id, number, name, completedAt, committed, completed }) => ({
          id,
          number,
          name,
          completedAt,
          committed,
          completed,
        })),
      },
    }
  },
})

async function lastDone(ctx: Context, owner: CycleOwner, last: number): Promise<Cycle[]> {
  const t = raw('t')
  const { containerId, userGroupId } = owner
  if ([containerId, userGroupId].some(each => each !== '' && !isId(each))) return []
  const rows = await ctx.sql<{ json: string }>`select ${cycles.json(t)} as json from cycle t
    where t.tenant_id = ${ctx.caller.tenantId} and t.state = ${done} and not t.deleted and ${cycles.visible(ctx.caller, t)}
      and (${containerId} = '' or t.container_id = nullif(${containerId}, '')::uuid) and (${userGroupId} = '' or t.user_group_id = nullif(${userGroupId}, '')::uuid)
    order by t.completed_at desc, t.id limit ${last}`
  return rows.map(row => JSON.parse(row.json))
}

function average(amounts: readonly Amount[]): Amount {
  const mean = (of: (amount: Amount) => number) =>
    amounts.length === 0
      ? 0
      : Math.round((amounts.reduce((sum, each) => sum + of(each), 0) / amounts.length) * 100) / 100
  return { count: mean(each => each.count), points: mean(each => each.points), minutes: mean(each => each.minutes) }
}
