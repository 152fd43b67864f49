import { type Static, Type } from 'typebox'
import { changedSince, type UndoConflict } from '../../engine/undo/reversal.ts'
import type { Undoer } from '../../engine/undo/undo.ts'
import { appendAudit } from '../../identity/audit/audit.ts'
import { demand, staff, superAdmins } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { forgetAfterCommit } from '../../kernel/memory.ts'
import { bodyOf, operation, type Routes } from '../../kernel/operation.ts'
import { type Expect, expectVersion, type Stored } from '../../kernel/record/record.ts'
import { resource } from '../../kernel/resource.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { LocalDate, Text } from '../../kernel/schema/values.ts'
import { ownTenant, type Sql, sql } from '../../kernel/sql.ts'
import { history } from '../../records/history/history.ts'
import { isCorrected } from '../corrected.ts'
import { closeTime } from '../permissions.ts'
import { closedStates } from '../time-state.ts'

const shape = { until: LocalDate, reason: Text(2000) }

type TimeClosing = Stored<typeof shape>

/** Up to which day time is closed for everybody. It is one record per tenant, with the id of the tenant. */
const timeClosings = resource('TimeClosing', {
  about: 'The last day on which time is closed for everybody, and why; `until` null closes nothing.',
  shape,
  required: [],
  serverSet: ['until', 'reason'],
  may: { read: staff, create: superAdmins, update: superAdmins, delete: superAdmins },
})

/** Writers of time hold this lock together; who closes time holds it alone, so that none of them misses the new day. */
const closingLock = 'closing of time'

export async function holdClosing(ctx: Context): Promise<void> {
  await ctx.sql`select pg_advisory_xact_lock_shared(hashtextextended(${`${closingLock} ${ctx.caller.tenantId}`}, 0))`
}

/** The last closed day; null if none is closed. */
export async function closedUntil(ctx: Context): Promise<string | null> {
  const [row] = await ctx.sql<{ until: string | null }>`select until::text as until from time_closing
    where tenant_id = ${ctx.caller.tenantId} and id = ${ctx.caller.tenantId}`
  return row?.until ?? null
}

/** Restricts entries (`t`) to those that may still change: in no closed state, after the last closed day, and not corrected. */
export function isOpenTime(t: Sql): Sql {
  return sql`(${t}.state <> all(${closedStates}::int[]) and not ${isClosedDay(t)} and not ${isCorrected(t)})`
}

/** The condition that the day of an entry (`t`) is closed for everybody. */
export function isClosedDay(t: Sql): Sql {
  return sql`exists (select 1 from time_closing closing where closing.tenant_id = ${ownTenant} and closing.until >= ${t}.date)`
}

/** Closes time up to a day, or opens it again from a later one, and says so in the audit log. */
export async function closeTimeUntil(
  ctx: Context,
  { until, reason }: { until: string | null; reason: string },
  expect?: Expect,
): Promise<TimeClosing> {
  const { tenantId } = ctx.caller
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`${closingLock} ${tenantId}`}, 0))`
  const before = await timeClosings.find(ctx, tenantId, { lock: true })
  if (before) expectVersion(before, expect)
  const after = before
    ? await timeClosings.update(ctx, tenantId, { until, reason })
    : await timeClosings.create(ctx, { until, reason }, { id: tenantId })
  await appendAudit(ctx, {
    action: 'closeTime',
    reason: `${before?.until ?? 'never'} → ${until ?? 'never'}: ${reason}`,
    recordKind: 'TimeClosing',
    recordId: tenantId,
    changeSetId: ctx.changeSet,
  })
  forgetAfterCommit(ctx)
  return after
}

/** Undoing a closing closes as before; it needs the same permission and is in the audit log, too. */
export const undoClosing: Undoer = async (ctx, given) => {
  const conflicts: UndoConflict[] = []
  for (const reversal of given) {
    demand(ctx.caller, closeTime)
    const current = await timeClosings.find(ctx, ctx.caller.tenantId, { lock: true })
    const since = changedSince(reversal, property => current && Reflect.get(current, property))
    conflicts.push(...since)
    const until = reversal.properties.get('until')?.from
    if (since.length === 0)
      await closeTimeUntil(ctx, { until: typeof until === 'string' ? until : null, reason: 'undone' })
  }
  return conflicts
}

const body = Type.Object(
  {
    until: Type.Unsafe<string | null>({ type: 'string', format: 'date', maxLength: 10, nullable: true }),
    reason: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }),
  },
  { additionalProperties: false },
)

const schema: Schema = timeClosings.schema

const closeOperation = operation<Static<typeof body>>({
  permission: closeTime,
  mode: 'write',
  summary: 'Close time up to a day',
  description:
    'Up to and including `until`, nobody creates, changes or deletes time (422 `period-closed`). An earlier day, or null, opens time again. Each change is in the audit log with its reason.',
  body: bodyOf(body, { until: '2026-03-31', reason: 'The first quarter is reported' }),
  reply: { status: 200, schema, description: 'The last closed day.' },
  refusals: [412],
  async run(ctx, { body: wanted, expect }) {
    const record = await closeTimeUntil(ctx, wanted, expect)
    return { body: record, version: record.version }
  },
})

const getClosing = operation({
  permission: timeClosings.permissions.read,
  mode: 'read',
  summary: 'Get the last closed day',
  description: `${timeClosings.about} Before the first closing it has version 0.`,
  reply: { status: 200, schema, description: 'The last closed day.' },
  async run(ctx) {
    const record = (await timeClosings.find(ctx, ctx.caller.tenantId)) ?? neverClosed(ctx)
    return { body: record, version: record.version }
  },
})

function neverClosed({ caller: { tenantId }, now }: Context): TimeClosing {
  const at = { created: now.toISOString(), createdBy: tenantId, updated: now.toISOString(), updatedBy: tenantId }
  return { entity: 'TimeClosing', tenantId, id: tenantId, ...at, deleted: false, version: 0, until: null, reason: '' }
}

const closingHistory = history(timeClosings)

const historyOfClosing = operation({
  ...closingHistory,
  summary: 'History of the last closed day',
  async run(ctx, input) {
    const { tenantId } = ctx.caller
    if (!(await timeClosings.find(ctx, tenantId))) return { text: '[]' }
    return await closingHistory.run(ctx, { ...input, params: { id: tenantId } })
  },
})

export const routes: Routes = {
  'GET /time/close': getClosing,
  'POST /time/close': closeOperation,
  'GET /time/close/history': historyOfClosing,
}
