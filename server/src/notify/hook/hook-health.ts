import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { forgetAfterCommit } from '../../kernel/memory.ts'
import type { DeliveryOutcome } from '../delivery/delivery-attempt.ts'
import { type Hook, hookState, hooks } from './hook.ts'
import { beginOutage, warnOfDisabledHook } from './hook-outage.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** A hook whose address has failed for this long is disabled; ms. */
const maxOutage = 5 * day

/** After this many failures in a row the address is paused between two calls, whatever waits for it. */
const failuresBeforePause = 5
const maxPause = 5 * minute

/**
 * Records in the hook how a call went, and returns for how many ms its calls pause now. Disables the hook if its address is gone or
 * has failed for days. A failure during a pause does not count: otherwise many calls that were under way in one bad moment would pause the hook for minutes.
 */
export async function recordHookOutcome(
  ctx: Context,
  hook: Hook,
  { status, failure }: DeliveryOutcome,
): Promise<number> {
  const { tenantId } = ctx.caller
  if (!failure) {
    await ctx.sql`update hook set state = ${hookState.well}, failures = 0, failing_since = null, retry_at = null
        where tenant_id = ${tenantId} and id = ${hook.id} and disabled_at is null and failures > 0`
    return 0
  }
  const [row] = await ctx.sql<{
    failures: number
    since: Date
    pause: number
  }>`update hook set state = ${hookState.failing}, failures = case when retry_at > now() then failures else least(failures + 1, 1000000) end,
      failing_since = coalesce(failing_since, now()),
      retry_at = case when retry_at > now() then retry_at when failures + 1 < ${failuresBeforePause} then null
        else now() + least(${maxPause}, 1000 * power(2, least(failures + 1 - ${failuresBeforePause}, 20))) * interval '1 millisecond' end
    where tenant_id = ${tenantId} and id = ${hook.id} and disabled_at is null returning failures, failing_since as since,
      coalesce(extract(epoch from retry_at - now()) * 1000, 0)::float8 as pause`
  forgetAfterCommit(ctx)
  if (!row) return 0
  if (row.failures === 1) await beginOutage(ctx, hook.id, row.since)
  const outage = Date.now() - row.since.getTime()
  if (status !== 410 && outage < maxOutage) return row.pause
  const values = { state: hookState.disabled, disabledAt: ctx.now.toISOString(), retryAt: null }
  const off = await hooks.update(ctx, hook.id, values)
  const reason = status === 410 ? 'the address says that it is gone' : 'the address has failed for five days'
  await appendEvents(ctx, [
    {
      kind: 'hook.disabled',
      entity: hooks.entity,
      recordId: hook.id,
      changes: { disabledAt: { to: ctx.now.toISOString() }, reason: { to: reason } },
    },
  ])
  await warnOfDisabledHook(ctx, off, row.since, reason, failure.message)
  return 0
}
