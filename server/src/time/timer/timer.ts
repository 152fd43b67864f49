import { Type } from 'typebox'
import { type Caller, members } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Instant, LongText, Ref } from '../../kernel/schema/values.ts'
import { nothing, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { billables, timeBillable } from '../time-state.ts'

const shape = {
  userId: Ref('User'),
  itemId: Ref('Item'),
  nonBillable: Ref('NonBillable'),
  note: LongText(10_000),
  billable: Code(billables, { default: timeBillable.asContainer }),
  startedAt: Instant,
  stoppedAt: Instant,
  overdue: Type.Boolean(),
}

export type Timer = Stored<typeof shape>
export type TimerValues = Values<typeof shape>

/** The running timer of a user. Each user has one at most; stopping it books the time. */
export const timers = resource('Timer', {
  about:
    'The running timer of a user, who has one at most. Stopping it books the time since `startedAt`, on each local day for itself. `stoppedAt` is set if the time could not be booked when the timer was stopped: it does not grow any more, and can be stopped again. `overdue`: it has run for longer than `time.timerWarnAfter`.',
  shape,
  required: [],
  serverSet: ['userId', 'stoppedAt', 'overdue'],
  may: { read: members, create: members, update: members, delete: members },
  visible: ownTimer,
  check: refuseNoTarget,
})

function ownTimer({ authority, userId }: Caller, t: Sql): Sql {
  return authority.unrestricted ? raw('true') : sql`${t}.user_id = ${userId}`
}

function refuseNoTarget(_ctx: Context, { itemId, nonBillable }: TimerValues): void {
  if (itemId !== '' || nonBillable !== '') return
  const message = 'time needs an item or a non-billable code'
  throw new RuleBroken('time-target', message, [fault(['itemId'], 'time-target', message)])
}

/** The timer that a user has. */
export async function findTimer(ctx: Context, userId: Id, more: { lock?: boolean } = {}): Promise<Timer | undefined> {
  const t = raw('t')
  const [row] = await ctx.sql<{ json: string }>`select ${timers.json(t)} as json from timer t
    where t.tenant_id = ${ctx.caller.tenantId} and t.user_id = ${userId} and not t.deleted ${more.lock ? raw('for update') : nothing}`
  return row && JSON.parse(row.json)
}
