import type { Schema } from '../../kernel/schema/shape.ts'
import { Code } from '../../records/code-table.ts'
import { maxMinutes, maxSeconds } from '../time-entry.ts'
import { billables } from '../time-state.ts'

const integer: Schema = { type: 'integer' }
const text: Schema = { type: 'string' }
const integers: Schema = { type: 'array', items: integer }

function object(properties: Record<string, Schema>, required = Object.keys(properties)): Schema {
  return { type: 'object', properties, required }
}

const target = { itemId: text, nonBillable: text }

const row = object({
  key: { type: 'string', description: '`itemId/nonBillable/billable`; notes split no row.' },
  ...target,
  billable: Code(billables),
  containerId: text,
  label: text,
  origin: {
    type: 'string',
    enum: ['entries', 'plan', 'pinned', 'recent', 'touched'],
    description: 'Why the row is here: the first reason.',
  },
  plannedSeconds: integers,
  cells: {
    type: 'array',
    items: object({
      seconds: integer,
      entries: { type: 'array', items: text, description: 'The ids of the entries.' },
      editable: {
        type: 'boolean',
        description: 'Whether the caller can change the cell: the day is open, and so are the entries.',
      },
    }),
  },
})

const day = object({
  date: { type: 'string', format: 'date' },
  capacitySeconds: integer,
  holiday: {
    type: ['string', 'null'],
    description: 'The name of the holiday or day off of the user’s clock, which may be empty; null if the day is none.',
  },
  leaveSeconds: integer,
  closed: { type: 'boolean', description: 'Whether the caller cannot change the time of this day any more.' },
  totalSeconds: integer,
  correctionSeconds: {
    type: 'integer',
    description: 'Corrections that were booked on this day for others; they are in no cell.',
  },
})

export const weekSchema: Schema = {
  ...object({
    userId: text,
    from: { type: 'string', format: 'date' },
    to: { type: 'string', format: 'date' },
    days: { type: 'array', items: day },
    sheet: {
      type: ['object', 'null'],
      description: 'The timesheet of the day that was asked for, if there is one; see `GET /api/time/sheet/{id}`.',
    },
    timer: {
      type: ['object', 'null'],
      description: 'The running timer of the caller, in their own week; see `GET /api/time/timer`.',
    },
    rows: { type: 'array', items: row },
  }),
  title: 'TimeWeek',
}

const length = { nullable: true, minimum: 0 }
const cell: Schema = {
  type: 'object',
  properties: {
    itemId: { type: 'string', maxLength: 36, 'x-ref': 'Item' },
    nonBillable: { type: 'string', maxLength: 36, 'x-ref': 'NonBillable' },
    billable: Code(billables, { minimum: 0, maximum: 2 }),
    date: { type: 'string', format: 'date', maxLength: 10 },
    seconds: { type: 'integer', maximum: maxSeconds, ...length },
    minutes: { type: 'integer', maximum: maxMinutes, ...length },
    hours: { type: 'number', maximum: maxMinutes / 60, ...length },
    was: { type: 'integer', nullable: true, description: 'The seconds that the client has seen.' },
    note: { type: 'string', maxLength: 10_000, nullable: true },
  },
  required: ['date'],
  additionalProperties: false,
}

export const cellsSchema: Schema = {
  type: 'object',
  properties: {
    userId: { type: 'string', maxLength: 36, 'x-ref': 'User' },
    cells: { type: 'array', items: cell, minItems: 1, maxItems: 500 },
  },
  required: ['cells'],
  additionalProperties: false,
}

export const savedSchema: Schema = object({
  results: {
    type: 'array',
    items: object(
      {
        index: integer,
        outcome: { type: 'string', enum: ['saved', 'unchanged', 'failed'] },
        problem: { type: 'object', description: 'Why the cell is refused: `status`, `code`, `detail`, `Fields`.' },
      },
      ['index', 'outcome'],
    ),
  },
  week: weekSchema,
})

export const suggestionsSchema: Schema = {
  type: 'array',
  items: object({
    ...target,
    label: text,
    seconds: { type: ['integer', 'null'] },
    why: { type: 'string', enum: ['plan', 'timer', 'touched', 'recent'] },
  }),
}
