import type { RecurringJob } from '../../engine/recurring-jobs/recurring-jobs.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { timeState } from '../time-state.ts'
import { findTimer, type Timer, timers } from './timer.ts'
import { limitsOf, nextLook } from './timer-age.ts'
import { endTimer, holdTimer } from './timer-commands.ts'

const batch = 100

/**
 * Reports timers that run for too long, and stops those that were forgotten and those of users who are no longer active: their
 * time is booked as drafts. Each timer is locked and looked at again in a transaction of its own, so that each start leads to
 * one warning and one stop, whichever process finds it and however often.
 */
export function watchTimers(database: Database, now: () => Date = () => new Date()): RecurringJob {
  return {
    name: 'watch-timers',
    every: 30_000,
    async run(signal) {
      let last = '00000000-0000-0000-0000-000000000000'
      for (;;) {
        signal.throwIfAborted()
        const due = await database.crossTenantSql<{ tenantId: Id; id: Id; userId: Id }>`
          select t.tenant_id as "tenantId", t.id, t.user_id as "userId" from timer t
          where not t.deleted and t.id > ${last}::uuid and (t.look_at <= ${now()} or exists (
            select 1 from "user" u where u.tenant_id = t.tenant_id and u.id = t.user_id and (not u.active or u.deleted)))
          order by t.id limit ${batch}`
        for (const each of due) await look(database, each, now())
        if (due.length < batch) return
        last = due.at(-1)?.id ?? last
      }
    },
  }
}

async function look(database: Database, due: { tenantId: Id; userId: Id }, now: Date): Promise<void> {
  const service = tenantCaller(due.tenantId)
  let end = ''
  try {
    await database.transaction(
      service,
      async ctx => {
        const timer = await findTimer(ctx, due.userId, { lock: true })
        if (!timer || timer.stoppedAt) return
        end = (await endOf(ctx, timer)) ?? ''
        if (end) await endTimer(ctx, timer, end, timeState.draft)
        else await warnIfOverdue(ctx, timer)
      },
      { now },
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // What cannot be booked stays with its length, until its user finds a place for it.
    await database.transaction(service, ctx => holdTimer(ctx, end, due.userId), { now })
  }
}

/** The moment at which a timer ends by itself: when its user left, or when it has run for too long. */
async function endOf(ctx: Context, { userId, startedAt }: Timer): Promise<string | undefined> {
  const [left] = await ctx.sql<{
    at: Date
  }>`select greatest(least(u.updated, ${ctx.now}), ${startedAt}::timestamptz) as at from "user" u
    where u.tenant_id = ${ctx.caller.tenantId} and u.id = ${userId} and (not u.active or u.deleted)`
  const { stopAt } = await limitsOf(ctx, { startedAt })
  const ends = [left?.at, stopAt && stopAt <= ctx.now ? stopAt : undefined].filter(each => each !== undefined)
  if (ends.length === 0) return undefined
  const first = new Date(Math.min(...ends.map(each => new Date(each).getTime())))
  return first.toISOString().replace(/\.\d+Z$/, '.000Z')
}

async function warnIfOverdue(ctx: Context, timer: Timer): Promise<void> {
  const { overdueAt } = await limitsOf(ctx, timer)
  const overdue = timer.overdue || (overdueAt !== undefined && overdueAt <= ctx.now)
  await timers.update(ctx, timer.id, { overdue }, { verb: 'overdue' })
  await ctx.sql`update timer set look_at = ${await nextLook(ctx, { ...timer, overdue })}
    where tenant_id = ${ctx.caller.tenantId} and id = ${timer.id}`
}
