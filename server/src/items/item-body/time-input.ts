import { may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { type Fault, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { raw } from '../../kernel/sql.ts'
import { demandOverride, type NewTime } from '../../time/entry/entry.ts'
import { demandBooking, othersTime } from '../../time/time.ts'
import { readTimeSpan } from '../../time/time-entry.ts'
import { timeSource } from '../../time/time-state.ts'
import type { TimeEntryInput } from './item-body.ts'

/** A time entry of an item, checked. */
export type ReadTime = Omit<NewTime, 'id' | 'itemId' | 'containerId'>

/** Reads the time entries of an item body; every fault has its position in the array. */
export async function readTimes(ctx: Context, inputs: readonly TimeEntryInput[], containerId: Id): Promise<ReadTime[]> {
  const faults: Fault[] = []
  const unknown: Fault[] = []
  const read: ReadTime[] = []
  for (const [i, patch] of inputs.entries()) {
    // Only a correction books a counter-entry; this one was in an earlier reply.
    if (patch.reversesId) continue
    if (patch.billRate) demandOverride(ctx)
    const user = await userFor(ctx, patch)
    const code = patch.nonBillable ? await codeFor(ctx, patch.nonBillable) : undefined
    if (!user)
      unknown.push(
        fault(
          ['Time', i, patch.userId ? 'userId' : 'email'],
          'unknown-reference',
          'there is no such User',
          patch.userId ?? patch.email,
        ),
      )
    if (patch.nonBillable && !code)
      unknown.push(
        fault(['Time', i, 'nonBillable'], 'unknown-reference', 'there is no such NonBillable', patch.nonBillable),
      )
    if (user && user.id !== ctx.caller.userId && !may(ctx.caller, othersTime, { containerId }))
      demandBooking(ctx, user.id, containerId)
    const span = readTimeSpan(patch, { timezone: user?.timezone ?? 'UTC', now: ctx.now }, ['Time', i])
    if (Array.isArray(span)) faults.push(...span)
    else if (user) {
      read.push({
        ...span,
        userId: user.id,
        nonBillable: code ?? null,
        note: patch.note ?? '',
        billable: code ? 0 : billableCode(patch.billable),
        externalId: patch.externalId ?? '',
        timezone: user.timezone,
        source: timeSource.api,
        billRate: patch.billRate ?? null,
      })
    }
  }
  if (faults.length > 0) throw new Invalid([...faults, ...unknown])
  if (unknown.length > 0)
    throw new RuleBroken('unknown-reference', 'the record refers to something that does not exist', unknown)
  return read
}

function billableCode(given: boolean | number | null | undefined): number {
  if (typeof given === 'boolean') return given ? 1 : 0
  return given ?? 2
}

interface Somebody {
  id: Id
  timezone: string
}

async function userFor(ctx: Context, { userId, email }: TimeEntryInput): Promise<Somebody | undefined> {
  const wanted = (userId || email || ctx.caller.userId).toLowerCase()
  if (wanted === ctx.caller.userId) return { id: ctx.caller.userId, timezone: ctx.caller.timezone }
  return await remembered(ctx, `user ${wanted}`, async () => {
    const [row] =
      await ctx.sql<Somebody>`select u.id, coalesce(nullif(u.timezone, ''), nullif(t.timezone, ''), 'UTC') as timezone from "user" u join tenant t on t.tenant_id = u.tenant_id
      where u.tenant_id = ${ctx.caller.tenantId} and not u.deleted and ${isId(wanted) ? raw('u.id::text') : raw('lower(u.email)')} = ${wanted}`
    return row
  })
}

async function codeFor(ctx: Context, wanted: string): Promise<Id | undefined> {
  return await remembered(ctx, `non-billable ${wanted}`, async () => {
    const [row] = await ctx.sql<{
      id: Id
    }>`select id from non_billable where tenant_id = ${ctx.caller.tenantId} and not deleted and (id::text = ${wanted.toLowerCase()} or lower(code) = ${wanted.toLowerCase()})`
    return row?.id
  })
}
