import { type Caller, may, members } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { Forbidden, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { LocalDate, Ref, Text } from '../../kernel/schema/values.ts'
import { or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { history } from '../../records/history/history.ts'
import { closeTime } from '../permissions.ts'
import { localDay } from '../time-entry.ts'

const shape = {
  fromUserId: Ref('User', { description: 'The approver who is represented; by default the caller.' }),
  toUserId: Ref('User'),
  from: LocalDate,
  to: LocalDate,
  note: Text(500),
}

type TimeDelegation = Stored<typeof shape>
type DelegationValues = Values<typeof shape>

/** Who approves time for somebody else, on which days. */
const timeDelegations = resource('TimeDelegation', {
  about:
    'From `from` to `to`, the user `toUserId` may approve the timesheets that `fromUserId` may approve, but never those of either of them.',
  shape,
  required: ['toUserId', 'from', 'to'],
  may: { read: members, create: members, update: members, delete: members },
  visible: visibleDelegations,
  check: checkDelegation,
  order: 'from',
  example: { toUserId: '01890000-0000-7000-8000-000000000000', from: '2026-04-13', to: '2026-04-17' },
})

function visibleDelegations(caller: Caller, d: Sql): Sql {
  if (may(caller, closeTime)) return raw('true')
  return or([sql`${d}.from_user_id = ${caller.userId}`, sql`${d}.to_user_id = ${caller.userId}`])
}

/** Users delegate what they may approve themselves; those who close time delegate for others, too. */
function checkDelegation(ctx: Context, record: DelegationValues, before: TimeDelegation | undefined): void {
  if (record.fromUserId === '') {
    const message = 'a delegation names who is represented'
    throw new RuleBroken('no-approver', message, [fault(['fromUserId'], 'no-approver', message)])
  }
  for (const { fromUserId } of before ? [before, record] : [record]) demandDelegation(ctx, fromUserId)
  const { from, to, fromUserId, toUserId } = record
  if (from !== null && to !== null && to < from)
    throw new Invalid([fault(['to'], 'range', 'must not be before from', to)])
  if (fromUserId === toUserId) {
    const message = 'nobody represents themselves'
    throw new RuleBroken('own-delegation', message, [fault(['toUserId'], 'own-delegation', message, toUserId)])
  }
}

function demandDelegation({ caller }: Context, fromUserId: Id): void {
  if (fromUserId !== caller.userId && !may(caller, closeTime))
    throw new Forbidden(`delegating for others needs the permission ${closeTime.name}`)
}

async function createDelegation(ctx: Context, values: Partial<DelegationValues>): Promise<TimeDelegation> {
  return await timeDelegations.create(ctx, { ...values, fromUserId: values.fromUserId || ctx.caller.userId })
}

async function removeDelegation(ctx: Context, id: Id, more: object): Promise<TimeDelegation> {
  demandDelegation(ctx, (await timeDelegations.get(ctx, id)).fromUserId)
  return await timeDelegations.remove(ctx, id, more)
}

/** The users whom the caller represents today. */
export async function representedBy(ctx: Context): Promise<Id[]> {
  const today = localDay(ctx.now, ctx.caller.timezone)
  const rows = await ctx.sql<{ id: Id }>`select distinct from_user_id as id from time_delegation
    where tenant_id = ${ctx.caller.tenantId} and to_user_id = ${ctx.caller.userId} and not deleted and ${today}::date between "from" and "to" order by 1`
  return rows.map(each => each.id)
}

export const routes: Routes = {
  'GET /time/delegation': list(timeDelegations),
  'POST /time/delegation': create(timeDelegations, createDelegation),
  'PUT /time/delegation': update(timeDelegations),
  'GET /time/delegation/:id': get(timeDelegations),
  'PUT /time/delegation/:id': update(timeDelegations),
  'PATCH /time/delegation/:id': update(timeDelegations),
  'DELETE /time/delegation/:id': remove(timeDelegations, removeDelegation),
  'POST /time/delegation/:id/restore': restore(timeDelegations),
  'GET /time/delegation/:id/history': history(timeDelegations),
}
