import type { Context } from '../../kernel/context.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { formats, instantOf } from '../../kernel/schema/formats.ts'
import type { Schema } from '../../kernel/schema/shape.ts'

/** The parameter of reads that can answer for an earlier moment. */
export const asOfQuery: Schema = {
  type: 'string',
  format: 'date-time',
  maxLength: 40,
  description:
    'Answers as of this moment, from the event log, with the rights of now. It must not be in the future (400), nor before the log begins (422 `log-too-short`).',
}

/** Reads the moment that a request names, or undefined if it names none. */
export async function readAsOf(ctx: Context, given: unknown, parameter = 'asOf'): Promise<Date | undefined> {
  if (given === undefined) return undefined
  const text = String(given)
  const format = formats['date-time']
  if (!format?.check(text)) throw new Invalid([fault([parameter], 'date-time', format?.says ?? '', text)])
  const at = new Date(instantOf(text))
  await refuseUnreached(ctx, at, parameter)
  return at
}

/** Refuses a moment that is in the future, or before the first event that the log still has. */
export async function refuseUnreached(ctx: Context, at: Date, property = 'at'): Promise<void> {
  if (at > ctx.now) throw new Invalid([fault([property], 'range', 'must not be in the future', at.toISOString())])
  const [first] = await ctx.sql<{ at: Date | string }>`select e.at from event e
    where e.tenant_id = ${ctx.caller.tenantId} order by e.xact, e.id limit 1`
  const since = first && new Date(first.at)
  if (since && at >= since) return
  const message = since ? `the log begins at ${since.toISOString()}` : 'the log is empty'
  throw new RuleBroken('log-too-short', message, [fault([property], 'log-too-short', message, at.toISOString())])
}
