import { PermanentFailure, Postponed, type Task, type Work } from '../../../../engine/dispatch/dispatch.ts'
import { callerInContext } from '../../../../identity/authority.ts'
import { type Caller, demand } from '../../../../kernel/access.ts'
import type { Context } from '../../../../kernel/context.ts'
import type { Id } from '../../../../kernel/id.ts'
import { Refusal } from '../../../../kernel/refusal.ts'
import { addedMessages, totalOf } from '../../../../notify/noise/noise.ts'
import { outcome } from '../../log/log.ts'
import { entryBody } from '../dry-run.ts'
import { type HistoryPage, historyPage } from '../history-scan.ts'
import { type DryRunEntry, type ReplayedOccurrence, replay } from '../replay.ts'
import {
  type DryRunJob,
  dryRunPermission,
  dryRunState,
  dryRunTaskName,
  endDryRun,
  findDryRun,
  maxResults,
} from './dry-run-job.ts'

/** How many occurrences are replayed in one transaction, which is rolled back. */
const chunk = 20

/** After this time the job makes room for others, and is continued; ms. */
const turn = 10_000

/**
 * Tries a rule on a period, page by page. What a page has found is stored together with how far the job has come, so that it
 * continues there after a stop. The actions are performed in transactions that never commit.
 */
export const dryRunTask: Task = {
  name: dryRunTaskName,
  retryDelays: [1000, 10_000, 60_000],
  async run(work) {
    const id = String(work.payload.id)
    const began = performance.now()
    for (;;) {
      work.signal.throwIfAborted()
      const job = await work.single(work.service, ctx => findDryRun(ctx, id))
      if (job?.state !== dryRunState.running) return
      const isOver = await tryPage(work, job).catch(asFailure)
      if (isOver) return
      if (performance.now() - began > turn) throw new Postponed(0, 'others take their turn')
    }
  },
  async onGiveUp({ payload, service, single }, error) {
    const message = error instanceof PermanentFailure ? error.message : 'it was interrupted'
    await single(service, ctx => endDryRun(ctx, String(payload.id), dryRunState.failed, message))
  },
}

function asFailure(error: unknown): never {
  throw error instanceof Refusal ? new PermanentFailure(error.message) : error
}

/** Tries the rule on the next page of the period; true if it was the last, or the job was cancelled. */
async function tryPage(work: Work, job: DryRunJob): Promise<boolean> {
  const caller = await callerOf(work, job)
  const { rule, position } = job
  const page = await work.single(caller, ctx => historyPage(ctx, rule, job, position ?? undefined))
  const done = rule.oncePerRecord ? await work.single(caller, ctx => actedOn(ctx, job, page.matched)) : new Set<Id>()
  const entries: DryRunEntry[] = []
  for (let start = 0; start < page.matched.length; start += chunk) {
    work.signal.throwIfAborted()
    const some = page.matched.slice(start, start + chunk)
    const found = await rolledBack(work, caller, ctx => replay(ctx, rule, some, done))
    for (const each of found) if (each.outcome === outcome.acted) done.add(each.occurrence.itemId ?? '')
    entries.push(...found)
  }
  return await work.transaction(caller, ctx => storePage(ctx, job, page, entries))
}

/** Ends a transaction without its changes, and carries what was found out of it. */
class RolledBack<T> extends Error {
  readonly found: T
  constructor(found: T) {
    super('a dry run is rolled back')
    this.found = found
  }
}

async function rolledBack<T>(work: Work, caller: Caller, act: (ctx: Context) => Promise<T[]>): Promise<T[]> {
  try {
    return await work.transaction(caller, async ctx => {
      throw new RolledBack(await act(ctx))
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.found
    throw error
  }
}

/** The items of these occurrences on which the rule has acted on an earlier page. */
async function actedOn(
  { caller, sql }: Context,
  { id }: DryRunJob,
  some: readonly ReplayedOccurrence[],
): Promise<Set<Id>> {
  const ids = some.flatMap(each => each.occurrence.itemId ?? [])
  const rows = await sql<{ itemId: Id }>`select distinct item_id as "itemId" from rule_dry_run_result
    where tenant_id = ${caller.tenantId} and run_id = ${id} and outcome = ${outcome.acted} and item_id = any(${ids}::uuid[])`
  return new Set(rows.map(each => each.itemId))
}

async function storePage(
  ctx: Context,
  job: DryRunJob,
  { read, triggered, held, reached, next }: HistoryPage,
  entries: readonly DryRunEntry[],
): Promise<boolean> {
  const { tenantId } = ctx.caller
  const kept = entries.slice(0, maxResults - job.listed).map((each, i) => {
    const { itemId, ...body } = entryBody(ctx.caller, job.rule, each)
    return { n: job.listed + i, item_id: itemId, ...body }
  })
  const counts = tally(entries)
  const messages = addedMessages(...entries.map(each => each.messages))
  const days = { ...job.days }
  for (const [date, some] of Map.groupBy(entries, each => each.occurrence.at.toISOString().slice(0, 10)))
    days[date] = added(days[date], tally(some))
  const conditions = Array.from(
    { length: Math.max(held.length, job.conditions.length) },
    (_, i) => (job.conditions[i] ?? 0) + (held[i] ?? 0),
  )
  const rows = await ctx.sql`update rule_dry_run set events = events + ${read}, triggered = triggered + ${triggered},
      matched = matched + ${counts.matched}, acted = acted + ${counts.acted}, failed = failed + ${counts.failed}, listed = listed + ${kept.length},
      conditions = ${JSON.stringify(conditions)}::jsonb, days = ${JSON.stringify(days)}::jsonb,
      messages = messages + ${totalOf(messages)}, message_people = ${JSON.stringify(addedMessages(job.messagePeople, messages))}::jsonb, reached = ${reached},
      position = ${next ? JSON.stringify(next) : null}::jsonb, state = ${next ? dryRunState.running : dryRunState.done}, ended = ${next ? null : ctx.now}::timestamptz
    where tenant_id = ${tenantId} and id = ${job.id} and state = ${dryRunState.running} returning true`
  if (rows.length === 0) return true
  if (kept.length > 0)
    await ctx.sql`insert into rule_dry_run_result (tenant_id, run_id, n, at, event, item_id, outcome, conditions, actions, next, error)
      select ${tenantId}::uuid, ${job.id}::uuid, r.n, r.at, r.event, r.item_id, r.outcome, r.conditions, r.actions, r.next, left(r.error, 1000)
      from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as r(n int, at timestamptz, event text, item_id uuid, outcome int, conditions jsonb, actions jsonb, next jsonb, error text)
      returning 1`
  return next === undefined
}

const tally = (some: readonly DryRunEntry[]) => ({
  matched: some.length,
  acted: some.filter(each => each.outcome === outcome.acted).length,
  failed: some.filter(each => each.outcome === outcome.failed || each.outcome === outcome.tripped).length,
})

const added = (a = { matched: 0, acted: 0, failed: 0 }, b: ReturnType<typeof tally>) => ({
  matched: a.matched + b.matched,
  acted: a.acted + b.acted,
  failed: a.failed + b.failed,
})

/** Who began the job, with their present rights within the scopes of the credential that they used. */
async function callerOf(work: Work, { userId, scopes }: DryRunJob): Promise<Caller> {
  const caller = await work.single(work.service, ctx => callerInContext(ctx, userId, scopes))
  if (!caller) throw new PermanentFailure('who began it may no longer sign in')
  demand(caller, dryRunPermission)
  return caller
}
