import type { Id } from '../../kernel/id.ts'
import type { Schema } from '../../kernel/schema/shape.ts'

// What a rule or a notification would send, as its dry run or preview tells it.

/** The numbers of messages to users, by their ids. */
export type MessageCounts = Readonly<Record<Id, number>>

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

/** The schema of an estimate; `about` says which messages are counted, and `weekless` when there is no number for a week. */
export const estimateSchema = (about: string, weekless: string): Schema => ({
  type: 'object',
  description: about,
  properties: {
    count: { type: 'integer', description: 'In the tried period.' },
    perWeek: {
      type: 'integer',
      nullable: true,
      description: `As many in a week; a period of less than a day is taken as a day. ${weekless}`,
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
})
