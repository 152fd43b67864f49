import { type Static, Type } from 'typebox'
import type { Permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { get, list } from '../../kernel/crud.ts'
import { type Body, bodyOf, type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { LocalDate, Ref, Text } from '../../kernel/schema/values.ts'
import { raw } from '../../kernel/sql.ts'
import { history } from '../../records/history/history.ts'
import { closeTime } from '../permissions.ts'
import { localDay } from '../time-entry.ts'
import { waitsForCaller } from './approvers.ts'
import { makeSheets, type UserDay } from './make-sheets.ts'
import { type Timesheet, timesheets } from './sheet.ts'
import { bulkVerb } from './sheet-bulk.ts'
import { totalsOf, totalsSchema } from './sheet-totals.ts'
import { asSheet, demandSubmitter, perform, sheetVerbs, type VerbInput } from './sheet-verbs.ts'

const everySheet = list(timesheets, {
  where: async (ctx, { query }) => (query.waitingFor === undefined ? raw('true') : await waitsForCaller(ctx)),
  known: ['waitingFor'],
})

const waitingFor: Schema = {
  type: 'string',
  enum: ['@me'],
  description: 'Only sheets with a part that waits for the decision of the caller, also as a delegate.',
}

const listSheets: Operation = { ...everySheet, query: { ...everySheet.query, waitingFor } }

const withTotals: Schema = {
  ...timesheets.schema,
  properties: { ...timesheets.schema.properties, totals: totalsSchema },
  required: [...(timesheets.schema.required ?? []), 'totals'],
}

const getSheet = operation({
  ...get(timesheets),
  query: {},
  description: `${timesheets.about} The ETag changes with everything that can happen to its entries once it is submitted, so an approval with \`If-Match\` approves what was read.`,
  reply: { status: 200, schema: withTotals, description: 'The sheet with the sums of its entries.' },
  async run(ctx, { params }) {
    const sheet = asSheet(await timesheets.get(ctx, params.id ?? ''))
    return { body: { ...sheet, totals: await totalsOf(ctx, sheet) }, version: sheet.version }
  },
})

const closed = { additionalProperties: false }

const sheetDay = Type.Object({ date: Type.Optional(LocalDate), userId: Type.Optional(Ref('User')) }, closed)

const makeSheet = operation<Static<typeof sheetDay>>({
  permission: timesheets.permissions.create,
  placed: true,
  mode: 'write',
  summary: 'Get the Timesheet of a day',
  description:
    'Returns the sheet that contains the day (`date`, by default today) of the user (`userId`, by default the caller), and makes it if it does not exist. A user whom no calendar covers on that day has none (422 `no-calendar`).',
  body: bodyOf(sheetDay, { date: '2026-04-01' }),
  reply: { status: 201, schema: timesheets.schema, description: 'The new sheet.' },
  also: { 200: 'The sheet existed.' },
  refusals: [422],
  async run(ctx, { body, path }) {
    const { sheet, isNew } = await sheetOn(ctx, body)
    return {
      status: isNew ? 201 : 200,
      body: sheet,
      version: sheet.version,
      headers: { location: `${path.slice(0, path.lastIndexOf('/'))}/${sheet.id}` },
    }
  },
})

async function sheetOn(
  ctx: Context,
  { date, userId }: Static<typeof sheetDay>,
): Promise<{ sheet: Timesheet; isNew: boolean }> {
  const id = (userId || ctx.caller.userId).toLowerCase()
  await refuseUnknown(ctx, [{ entity: 'User', id, path: ['userId'] }])
  await demandSubmitter(ctx, { userId: id })
  const day = { userId: id, date: date || localDay(ctx.now, ctx.caller.timezone) }
  const known = await sheetOf(ctx, day)
  if (known) return { sheet: known, isNew: false }
  await makeSheets(ctx, [day])
  const sheet = await sheetOf(ctx, day)
  if (sheet) return { sheet, isNew: true }
  const message = 'no calendar covers this day of the user'
  throw new RuleBroken('no-calendar', message, [fault(['date'], 'no-calendar', message, day.date)])
}

async function sheetOf(ctx: Context, { userId, date }: UserDay): Promise<Timesheet | undefined> {
  const s = raw('s')
  const [row] = await ctx.sql<{ json: string }>`select ${timesheets.json(s)} as json from timesheet s
    where s.tenant_id = ${ctx.caller.tenantId} and s.user_id = ${userId} and ${date}::date between s."from" and s."to"`
  return row && JSON.parse(row.json)
}

const Comment = Text(2000)
const comment = Type.Object({ comment: Type.Optional(Comment) }, closed)
const decision = Type.Object(
  {
    comment: Type.Optional(Comment),
    containerIds: Type.Optional(
      Type.Array(Text(36), {
        maxItems: 1000,
        description:
          'The parts that are meant, an empty text for that of the person; by default all that wait for the caller.',
      }),
    ),
  },
  closed,
)
const Reason = Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' })
const rejection = Type.Object({ ...decision.properties, comment: Reason }, closed)
const reasoned = Type.Object({ reason: Reason }, closed)

interface VerbDeclaration {
  summary: string
  description: string
  body?: typeof comment | typeof decision | typeof rejection | typeof reasoned
  example?: object
  permission?: Permission
}

/** The operation of a verb. Who may do it depends on the sheet, so that the verb itself checks it. */
function verb(
  name: keyof typeof sheetVerbs,
  { summary, description, body, example, permission = timesheets.permissions.update }: VerbDeclaration,
): Operation {
  return operation<VerbInput>({
    permission,
    placed: true,
    mode: 'write',
    summary,
    description,
    ...(body ? { body: bodyOf<typeof body>(body, example) as Body<VerbInput> } : {}), // each of the bodies is a VerbInput
    reply: { status: 200, schema: timesheets.schema, description: 'The sheet.' },
    refusals: [404, 412, 422],
    async run(ctx, { params, body: input, expect }) {
      const sheet = await perform(ctx, params.id ?? '', sheetVerbs[name], { input: input ?? {}, expect })
      return { body: sheet, version: sheet.version }
    },
  })
}

export const routes: Routes = {
  'GET /time/sheet': listSheets,
  'POST /time/sheet/day': makeSheet,
  'GET /time/sheet/:id': getSheet,
  'GET /time/sheet/:id/history': history(timesheets),
  'POST /time/sheet/bulk': bulkVerb,
  'POST /time/sheet/:id/submit': verb('submit', {
    summary: 'Submit a Timesheet',
    description:
      'From open or rejected; its owner, their manager, and whoever has `time.others`. Its entries can then not be changed. An empty sheet says that there is nothing to book. Refused with `drafts-left`, `timer-running` and `already-submitted`.',
    body: comment,
    example: { comment: 'Complete' },
  }),
  'POST /time/sheet/:id/recall': verb('recall', {
    summary: 'Recall a submitted Timesheet',
    description: 'Its owner, as long as no part is decided (422 `part-decided`).',
  }),
  'POST /time/sheet/:id/approve': verb('approve', {
    summary: 'Approve a Timesheet, or parts of it',
    description:
      'By person: the manager of the user, the group `approverGroupId` of the calendar, and `time.approve` in the tenant; by project: `time.approve` at the container; their delegates. Nobody approves their own time (422 `own-sheet`), unless the calendar has `selfApproval`. When all parts are approved, the sheet is.',
    body: decision,
    example: { comment: 'Thank you' },
  }),
  'POST /time/sheet/:id/reject': verb('reject', {
    summary: 'Reject a Timesheet, or parts of it',
    description: 'Whoever may approve; the comment is required. The entries of the parts can be changed again.',
    body: rejection,
    example: { comment: 'Friday is missing' },
  }),
  'POST /time/sheet/:id/reopen': verb('reopen', {
    summary: 'Reopen an approved Timesheet',
    description: 'Whoever may approve it. Refused with `sheet-locked`, `not-approved` and `entries-invoiced`.',
    body: reasoned,
    example: { reason: 'A day was booked on the wrong project' },
  }),
  'POST /time/sheet/:id/lock': verb('lock', {
    summary: 'Lock an approved Timesheet',
    description: 'Locked time stays as it is until the sheet is unlocked. Refused with `not-approved`.',
    permission: closeTime,
  }),
  'POST /time/sheet/:id/unlock': verb('unlock', {
    summary: 'Unlock a Timesheet',
    description: 'It is approved then. Refused with `not-locked` and `entries-invoiced`.',
    body: reasoned,
    example: { reason: 'The invoice was withdrawn' },
    permission: closeTime,
  }),
}
