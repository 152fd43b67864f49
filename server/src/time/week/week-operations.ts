import { createHash } from 'node:crypto'
import { may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { Forbidden, fault, Invalid, NotFound } from '../../kernel/refusal.ts'
import { formats } from '../../kernel/schema/formats.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { demandBooking, othersTime, times } from '../time.ts'
import { localDay } from '../time-entry.ts'
import type { CellInput } from './save-cell.ts'
import { saveCells } from './save-cells.ts'
import { suggestionsFor } from './suggest.ts'
import { readWeek, type WeekSources } from './week.ts'
import { cellsSchema, savedSchema, suggestionsSchema, weekSchema } from './week-schemas.ts'

interface WeekInput {
  userId?: string
  cells: CellInput[]
}

const userQuery = { userId: { type: 'string', description: 'The user; the caller if absent.' } } as const
const atomicQuery = { atomic: { type: 'boolean', description: 'Saves all cells, or none if one is refused.' } } as const

/** The week of a user as a grid of rows and days. `sources` are what later rooms know of it. */
export function weekRoutes(sources: WeekSources): Routes {
  const read = operation({
    permission: times.permissions.read,
    mode: 'read',
    summary: 'The week of a user',
    description:
      'The week that contains the day: capacity and total of each day, the timesheet, and a row for each item or code with entries, firm plans, pins (setting `time.pinned`), entries of the 14 days before, or that the user changed or wrote on in this week. The week begins on the day that the calendar of the user says, else the tenant. The week of somebody else needs `time.others`.',
    query: userQuery,
    reply: { status: 200, schema: weekSchema, description: 'The week.', headers: ['ETag'] },
    also: { 304: 'The week is the one whose ETag `If-None-Match` names.' },
    refusals: [404],
    async run(ctx, { params, query, headers }) {
      const userId = userOf(ctx, query.userId)
      const text = JSON.stringify(await readWeek(ctx, sources, userId, dayIn(params.date)))
      const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
      if (String(headers['if-none-match'] ?? '').includes(etag)) return { status: 304, headers: { etag } }
      return { text, headers: { etag } }
    },
  })
  const save = operation<WeekInput>({
    permission: times.permissions.create,
    mode: 'write',
    summary: 'Save cells of a week',
    description:
      'Each cell sets the total of a row on a day. Without an entry one is created, a single one without start and end is changed, and of several those that the grid has made take the difference; 0 or `null` deletes them. If the time with a start and an end alone is more, the cell is refused with `cell-has-times`; if `was` is not the current total, with `cell-changed` and the `current` one. Cells are judged one by one, and the reply has the outcome of each; with `atomic` one refusal refuses all (422 `cells-refused`). All changes are one change set.',
    query: atomicQuery,
    body: {
      schema: cellsSchema,
      read: reader<WeekInput>(cellsSchema),
      example: { cells: [{ itemId: '01890000-0000-7000-8000-000000000000', date: '2026-03-31', hours: 1.5 }] },
    },
    reply: { status: 200, schema: savedSchema, description: 'The outcome of each cell, and the week after it.' },
    refusals: [404, 422],
    async run(ctx, { params, body, query }) {
      const date = dayIn(params.date)
      const userId = userOf(ctx, body.userId)
      demandBooking(ctx, userId, '')
      const { from, to } = await readWeek(ctx, sources, userId, date)
      const outside = body.cells.flatMap((cell, i) =>
        cell.date < from || cell.date > to
          ? [fault(['cells', i, 'date'], 'range', 'is not in this week', cell.date)]
          : [],
      )
      if (outside.length > 0) throw new Invalid(outside)
      const results = await saveCells(ctx, userId, body.cells, query.atomic === 'true')
      return { body: { results, week: await readWeek(ctx, sources, userId, date) } }
    },
  })
  const suggest = operation({
    permission: times.permissions.create,
    mode: 'read',
    summary: 'Time that the caller may want to book',
    description:
      'What was planned for the day and is not booked (`seconds` is the rest), what the timer runs on, what the caller changed or wrote on that day, and what was booked in the 14 days before.',
    query: { date: { type: 'string', format: 'date', description: 'The day; today where the caller is, if absent.' } },
    reply: { status: 200, schema: suggestionsSchema, description: 'The suggestions, the most certain first.' },
    async run(ctx, { query }) {
      const date = query.date === undefined ? localDay(ctx.now, ctx.caller.timezone) : dayIn(String(query.date))
      return { body: await suggestionsFor(ctx, sources, date) }
    },
  })
  return { 'GET /time/week/:date': read, 'PUT /time/week/:date': save, 'GET /time/suggest': suggest }
}

function dayIn(text: string | undefined): string {
  if (!text || !formats.date?.check(text))
    throw new Invalid([fault(['date'], 'date', 'must be a day: 2026-03-31', text)])
  return text
}

/** The user whose week it is: the caller, or somebody whom the caller may book for. Whether there is one is known when the week is read. */
function userOf(ctx: Context, given: unknown): Id {
  const userId = typeof given === 'string' && given !== '' && given !== '@me' ? given.toLowerCase() : ctx.caller.userId
  if (userId === ctx.caller.userId) return userId
  if (!may(ctx.caller, othersTime)) throw new Forbidden(`the week of others needs the permission ${othersTime.name}`)
  if (!isId(userId)) throw new NotFound('user')
  return userId
}
