import type { Schema } from '../../../kernel/schema/shape.ts'
import { Code } from '../../../records/code-table.ts'
import { ruleOutcomes } from '../log/log.ts'
import { actionResultSchema, conditionSchema } from '../log/log-operations.ts'
import { type RuleValues, rules } from '../rule.ts'
import { ruleEstimateSchema } from './message-estimate.ts'

/** The maximum numbers of events that are read, replayed, and listed in the result. */
export const dryRunLimits = { read: 20_000, replayed: 500, listed: 200 } as const

export interface DryRunInput {
  rule: Partial<RuleValues>
  itemId?: string
  since?: string
  until?: string
}

const instant: Schema = { type: 'string', format: 'date-time', maxLength: 40 }
export const inputSchema: Schema = {
  type: 'object',
  properties: {
    rule: { ...rules.updateSchema, required: [] },
    itemId: { type: 'string', maxLength: 36, 'x-ref': 'Item' },
    since: instant,
    until: instant,
  },
  required: ['rule'],
  additionalProperties: false,
}

const itemId: Schema = { type: 'string', nullable: true }
const outcome: Schema = Code(ruleOutcomes, { description: 'The code of the outcome, as in the log.' })
const actions: Schema = { type: 'array', items: actionResultSchema }

const followingSchema: Schema = {
  type: 'array',
  description: 'What the saved rules would do in turn, within the limits of chains.',
  items: {
    type: 'object',
    properties: {
      ruleId: { type: 'string' },
      name: { type: 'string' },
      depth: { type: 'integer', description: '1 for a rule that follows from the changes of this one.' },
      itemId,
      outcome,
      actions,
      error: { type: 'string' },
      loop: {
        type: 'array',
        items: { type: 'string' },
        description: 'The names of the rules of a circle, from one of them to the same again; empty if there is none.',
      },
    },
    required: ['ruleId', 'name', 'depth', 'itemId', 'outcome', 'actions', 'error', 'loop'],
  },
}

/** The schema of what a rule would have done to one occurrence. */
export const entrySchema: Schema = {
  type: 'object',
  properties: {
    at: { type: 'string', format: 'date-time' },
    event: { type: 'string' },
    itemId,
    outcome,
    conditions: { type: 'array', items: conditionSchema },
    actions,
    error: { type: 'string' },
    next: followingSchema,
  },
  required: ['at', 'event', 'itemId', 'outcome', 'conditions', 'actions', 'error', 'next'],
}

const count: Schema = { type: 'integer' }
const counts = { matched: count, acted: count, failed: count }
export const resultSchema: Schema = {
  type: 'object',
  title: 'RuleRehearsal',
  properties: {
    events: { ...count, description: 'Events that trigger the rule.' },
    ...counts,
    complete: { type: 'boolean', description: 'Whether the whole time span was read.' },
    days: {
      type: 'array',
      items: {
        type: 'object',
        properties: { date: { type: 'string', format: 'date' }, ...counts },
        required: ['date', ...Object.keys(counts)],
      },
    },
    messages: ruleEstimateSchema,
    would: {
      type: 'array',
      description: `The first ${dryRunLimits.listed} results.`,
      items: entrySchema,
    },
  },
  required: ['events', ...Object.keys(counts), 'complete', 'days', 'messages', 'would'],
}
