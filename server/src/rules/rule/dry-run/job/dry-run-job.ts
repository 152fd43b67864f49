import { enqueue } from '../../../../engine/dispatch/dispatch.ts'
import type { Context } from '../../../../kernel/context.ts'
import { type Id, isId, newId } from '../../../../kernel/id.ts'
import { NotFound, Refusal } from '../../../../kernel/refusal.ts'
import { raw, type Sql } from '../../../../kernel/sql.ts'
import { estimateBody, type MessageCounts } from '../../../../notify/noise/noise.ts'
import { codeTableOfCodes } from '../../../../records/code-table.ts'
import { rules } from '../../rule.ts'
import type { Rule } from '../../rule-shape.ts'
import type { Period, ScanPosition } from '../history-scan.ts'

// The dry run of a rule over a period, which may be so long that no request can wait for it.

export const dryRunTaskName = 'rule-dry-run'

/** The codes of a job's `state`. */
export const dryRunState = { running: 0, done: 1, cancelled: 2, failed: 3 } as const
export const dryRunStates = codeTableOfCodes('rule.dryRun.state', dryRunState)

/** The most jobs that run at a time for one user, and for one tenant. */
export const maxRunning = { user: 1, tenant: 3 } as const

/** The most results of a job that are kept; further ones are counted. */
export const maxResults = 10_000

/** How long a job and its results are kept, in days. */
export const keptDays = 7

interface Counts {
  matched: number
  acted: number
  failed: number
}

/** A job as it is stored; it acts for who began it, within the scopes of the credential that began it. */
export interface DryRunJob extends Counts {
  id: Id
  userId: Id
  scopes: string[]
  rule: Rule
  since: Date
  until: Date
  state: number
  reached: Date
  position: ScanPosition | null
  events: number
  triggered: number
  listed: number
  /** How often each condition held. */
  conditions: number[]
  days: Record<string, Counts>
  messages: number
  messagePeople: MessageCounts
  error: string
  began: Date
  ended: Date | null
}

/** Begins a dry run in the background. */
export async function beginDryRun(ctx: Context, rule: Rule, { since, until }: Period): Promise<DryRunJob> {
  const { tenantId, userId, scopes } = ctx.caller
  // One at a time, so that two requests do not both find that none is running.
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`dry run ${tenantId}`}, 0))`
  const [running] = await ctx.sql<{
    own: number
    all: number
  }>`select count(*) filter (where user_id = ${userId})::int as own, count(*)::int as all
    from rule_dry_run where tenant_id = ${tenantId} and state = ${dryRunState.running}`
  if ((running?.own ?? 0) >= maxRunning.user)
    throw new Refusal(409, 'dry-run-running', 'a dry run of yours is still running; wait for it, or cancel it')
  if ((running?.all ?? 0) >= maxRunning.tenant)
    throw new Refusal(409, 'dry-run-running', `${maxRunning.tenant} dry runs are running; wait until one has ended`)
  const id = newId()
  await ctx.sql`insert into rule_dry_run (tenant_id, id, user_id, scopes, rule, since, until, state, reached, began)
    values (${tenantId}, ${id}, ${userId}, ${[...scopes]}, ${JSON.stringify(rule)}::jsonb, ${since}, ${until}, ${dryRunState.running}, ${since}, ${ctx.now})`
  await enqueue(ctx, { task: dryRunTaskName, payload: { id }, key: id })
  return await ownDryRun(ctx, id)
}

const columns: Sql = raw(
  'id, user_id as "userId", scopes, rule, since, until, state, reached, position, events, triggered, matched, acted, failed, listed, conditions, days, messages, message_people as "messagePeople", error, began, ended',
)

export async function findDryRun(ctx: Context, id: Id): Promise<DryRunJob | undefined> {
  const [job] =
    await ctx.sql<DryRunJob>`select ${columns} from rule_dry_run where tenant_id = ${ctx.caller.tenantId} and id = ${id}`
  return job
}

/** A job of the caller; those of others do not exist for them. */
export async function ownDryRun(ctx: Context, id: string): Promise<DryRunJob> {
  const job = isId(id) ? await findDryRun(ctx, id) : undefined
  if (job?.userId !== ctx.caller.userId) throw new NotFound()
  return job
}

/** The jobs of the caller, the newest first. */
export async function ownDryRuns(ctx: Context, limit: number): Promise<DryRunJob[]> {
  return await ctx.sql<DryRunJob>`select ${columns} from rule_dry_run
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${ctx.caller.userId} order by id desc limit ${limit}`
}

/** Ends a job that is still running. */
export async function endDryRun(ctx: Context, id: Id, state: number, error = ''): Promise<void> {
  await ctx.sql`update rule_dry_run set state = ${state}, error = ${error.slice(0, 500)}, ended = ${ctx.now}
    where tenant_id = ${ctx.caller.tenantId} and id = ${id} and state = ${dryRunState.running}`
}

/** A job as it is sent. */
export function dryRunBody({ rule, userId: _, scopes: _own, position: _at, ...own }: DryRunJob) {
  const { days, conditions, messages, messagePeople, ...job } = own
  const { since, until, reached, began, ended } = job
  const whole = until.getTime() - since.getTime()
  const asked = rule.conditionGroup.flatMap(({ condition }, group) => condition.map(each => ({ group, ...each })))
  return {
    ...job,
    since: since.toISOString(),
    until: until.toISOString(),
    reached: reached.toISOString(),
    began: began.toISOString(),
    ended: ended?.toISOString() ?? null,
    expires: new Date(began.getTime() + keptDays * 86_400_000).toISOString(),
    name: rule.name,
    progress: job.state === dryRunState.done ? 1 : (reached.getTime() - since.getTime()) / whole,
    conditions: asked.map(({ group, id = '', leftSide, operator, rightSide = '' }, i) => ({
      ...{ id, group, leftSide, operator, rightSide, held: conditions[i] ?? 0 },
    })),
    messages: estimateBody(messages, messagePeople, { since, until: reached }),
    days: Object.entries(days).map(([date, counts]) => ({ date, ...counts })),
  }
}

export const dryRunPermission = rules.permissions.create
