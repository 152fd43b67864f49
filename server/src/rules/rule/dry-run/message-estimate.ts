import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import type { Rule } from '../rule-shape.ts'

// A rule that is tried has an id of its own, and performs its actions in a transaction that is rolled back. What its messages
// have counted until then (see notify/noise) is therefore what it would send, to those who may see the item and want it.

/** The numbers of messages to users, by their ids. */
export type MessageCounts = Readonly<Record<Id, number>>

/** The messages that the rule has sent in the transaction of the context. */
export async function messagesOf(ctx: Context, { id }: Pick<Rule, 'id'>): Promise<MessageCounts> {
  const rows = await ctx.sql<{
    userId: Id
    count: number
  }>`select user_id as "userId", sum(count)::int as count from message_count
    where tenant_id = ${ctx.caller.tenantId} and source_kind = 'rule' and source_id = ${id} group by user_id`
  return Object.fromEntries(rows.map(({ userId, count }) => [userId, count]))
}

/** Of a job, the users with most messages are kept, at most this many; the messages to all are counted. */
const maxKept = 1000

/** Adds the messages of several occurrences. */
export function addedMessages(...all: readonly MessageCounts[]): MessageCounts {
  const sums = new Map<Id, number>()
  for (const counts of all)
    for (const [userId, count] of Object.entries(counts)) sums.set(userId, (sums.get(userId) ?? 0) + count)
  return Object.fromEntries(mostFirst([...sums]).slice(0, maxKept))
}

export const totalOf = (counts: MessageCounts): number => Object.values(counts).reduce((sum, each) => sum + each, 0)

const mostFirst = (counts: [Id, number][]) =>
  counts.sort(([a, some], [b, more]) => more - some || (a < b ? -1 : a > b ? 1 : 0))

const maxPeople = 20
const day = 86_400_000

/** The messages as they are sent: all of the tried period, in a week, and the users who would get most. */
export function estimateBody(count: number, people: MessageCounts, period: { since: Date; until: Date } | undefined) {
  const tried = period && Math.max(period.until.getTime() - period.since.getTime(), day)
  return {
    count,
    perWeek: tried === undefined ? null : Math.round((count * 7 * day) / tried),
    people: mostFirst(Object.entries(people))
      .slice(0, maxPeople)
      .map(([userId, own]) => ({ userId, count: own })),
  }
}

export const estimateSchema: Schema = {
  type: 'object',
  description:
    'The messages that the rule itself would send to users: by notices, mails and requests for approvals, without what the saved rules do in turn and what watchers are told of its changes.',
  properties: {
    count: { type: 'integer', description: 'In the tried period.' },
    perWeek: {
      type: 'integer',
      nullable: true,
      description: 'As many in a week; a period of less than a day is taken as a day. Null if one item was tried.',
    },
    people: {
      type: 'array',
      description: `The ${maxPeople} users who would get most, in the tried period.`,
      items: {
        type: 'object',
        properties: { userId: { type: 'string' }, count: { type: 'integer' } },
        required: ['userId', 'count'],
      },
    },
  },
  required: ['count', 'perWeek', 'people'],
}
