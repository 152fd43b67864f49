import { type Static, Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { bodyOf, operation } from '../../kernel/operation.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Text } from '../../kernel/schema/values.ts'
import { keysOf } from '../../records/keys-of.ts'
import { timesheets } from './sheet.ts'
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
    state: { type: 'integer' },
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
    const results: object[] = []
    // In the order of the ids, so that two requests wait for each other instead of failing.
    const distinct = [...new Set(ids.map(each => each.toLowerCase()))]
    const done = new Map<Id, object>()
    for (const id of distinct.toSorted()) done.set(id, await attempt(ctx, id, verb, comment))
    for (const id of distinct) results.push(done.get(id) ?? {})
    return { body: results }
  },
})

async function attempt(ctx: Context, id: Id, verb: keyof typeof sheetVerbs, comment: string): Promise<object> {
  await ctx.sql`savepoint sheet`
  try {
    const input = { comment, reason: comment }
    const { state, version } = await perform(ctx, id, sheetVerbs[verb], { input })
    await ctx.sql`release savepoint sheet`
    return { id, outcome: 'updated', status: 200, state, version }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await ctx.sql`rollback to savepoint sheet`
    const { status, code, message: detail, faults } = error
    return { id, outcome: 'failed', status, code, detail, Fields: faults }
  }
}
