import { type Static, Type } from 'typebox'
import type { Id } from '../../kernel/id.ts'
import { bodyOf, operation } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Text } from '../../kernel/schema/values.ts'
import { Code } from '../../records/code-table.ts'
import { type Attempt, attemptEach, problemOf } from '../../records/input/attempt-each.ts'
import { keysOf } from '../../records/references/keys-of.ts'
import { type Timesheet, timesheets } from './sheet.ts'
import { sheetStateTable } from './sheet-state.ts'
import { perform, sheetVerbs } from './sheet-verbs.ts'

const verbs = keysOf(sheetVerbs)

const body = Type.Object(
  {
    ids: Type.Array(Text(36, { minLength: 1 }), { minItems: 1, maxItems: 500 }),
    verb: Type.Unsafe<keyof typeof sheetVerbs>({ type: 'string', enum: verbs }),
    comment: Type.Optional(Text(2000, { description: 'The comment, or the reason where the verb needs one.' })),
  },
  { additionalProperties: false },
)

const outcome: Schema = {
  type: 'object',
  title: 'TimesheetOutcome',
  properties: {
    id: { type: 'string' },
    outcome: { type: 'string', enum: ['updated', 'failed'] },
    status: { type: 'integer' },
    state: Code(sheetStateTable),
    version: { type: 'integer' },
    code: { type: 'string' },
    detail: { type: 'string' },
    Fields: { type: 'array', items: { type: 'object' } },
  },
  required: ['id', 'outcome', 'status'],
}

/** One verb for many sheets. Each sheet is judged by itself, and the changes form one change set. */
export const bulkVerb = operation<Static<typeof body>>({
  permission: timesheets.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Submit, approve, reject … many Timesheets',
  description:
    'Performs the verb on each sheet by itself, as the operation of this name does; the reply has the outcome of each. All changes form one change set.',
  body: bodyOf(body, { ids: ['01890000-0000-7000-8000-000000000000'], verb: 'approve', comment: 'Thank you' }),
  reply: { status: 200, schema: { type: 'array', items: outcome }, description: 'The outcome of each sheet.' },
  async run(ctx, { body: { ids, verb, comment = '' } }) {
    // In the order of the ids, so that two requests wait for each other instead of failing.
    const distinct = [...new Set(ids.map(each => each.toLowerCase()))]
    const sorted = distinct.toSorted()
    const input = { comment, reason: comment }
    const attempts = await attemptEach(ctx, sorted, id => perform(ctx, id, sheetVerbs[verb], { input }))
    const done = new Map(sorted.map((id, i) => [id, attempts[i]]))
    return { body: distinct.map(id => outcomeOf(id, done.get(id))) }
  },
})

function outcomeOf(id: Id, attempt: Attempt<Timesheet> | undefined): object {
  if (!attempt) return { id }
  if (attempt.refusal) return { id, ...problemOf(attempt.refusal) }
  const { state, version } = attempt.value
  return { id, outcome: 'updated', status: 200, state, version }
}
