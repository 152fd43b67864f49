import { Type } from 'typebox'
import { type Caller, managers, mayAt } from '../kernel/access.ts'
import type { PlaceColumns } from '../kernel/access-rule.ts'
import type { Context } from '../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../kernel/crud.ts'
import type { Routes } from '../kernel/operation.ts'
import type { Finding, Stored, Values } from '../kernel/record/record.ts'
import { fault, Invalid } from '../kernel/refusal.ts'
import { resource } from '../kernel/resource.ts'
import { Count, LocalDate, Name, Text, TimeOfDay } from '../kernel/schema/values.ts'
import { and, raw, type Sql, sql } from '../kernel/sql.ts'
import { OptionalFactor } from '../language/money.ts'
import { amountsOf, withoutAmounts } from '../records/amounts.ts'
import { Code } from '../records/code-table.ts'
import { history } from '../records/history/history.ts'
import { ownerKind, owners, refuseUnknownOwner } from '../records/references/owner.ts'
import { visibleOwner } from '../records/references/visible-owner.ts'

const shape = {
  name: Name(200),
  owner: Code(owners, { description: '0 tenant · 1 container · 4 user · 6 customer' }),
  ownerId: Text(100),
  from: LocalDate,
  to: LocalDate,
  weekdays: Type.Array(Count(7, 1), {
    maxItems: 7,
    description: '1 Monday … 7 Sunday. Without weekdays and holidays it holds on every day.',
  }),
  holidays: Type.Boolean({
    description:
      'Whether it also holds on holidays of the clock of the user, else of the container, else of the tenant.',
  }),
  startTime: TimeOfDay,
  endTime: TimeOfDay,
  bill: OptionalFactor({ least: '0.0001' }),
  cost: OptionalFactor({ least: '0.0001' }),
}

type Multiplier = Stored<typeof shape>
type MultiplierValues = Values<typeof shape>

/** A factor for the price and the cost of an hour on some days or at some times. */
export const multipliers = resource('Multiplier', {
  about:
    'A factor for what an hour is sold for (`bill`) and what it costs (`cost`): overtime, weekends, holidays, nights. It holds on its weekdays and holidays, and with `startTime` and `endTime` only for entries that lie within them. Of several the highest counts; null says nothing.',
  shape,
  required: ['name'],
  may: { read: managers, create: managers, update: managers, delete: managers },
  place: ({ owner, ownerId }) => ({ containerId: owner === ownerKind.container ? ownerId : null }),
  visible: visibleMultipliers,
  notForAll: amountsOf('Multiplier'),
  ofTenant: ctx => withoutAmounts(ctx, 'Multiplier'),
  check: checkMultiplier,
  findings,
  example: { name: 'Sundays and holidays', weekdays: [7], holidays: true, bill: '1.5', cost: '1.25' },
})

/** Who manages one container sees its multipliers only; who manages the tenant, those of what they see. */
function visibleMultipliers(caller: Caller, m: Sql): Sql {
  if (caller.authority.unrestricted) return raw('true')
  const none = raw('null::uuid')
  const at: PlaceColumns = {
    container: sql`(case when ${m}.owner = ${ownerKind.container} then ${m}.owner_id::uuid end)`,
    area: none,
    item: none,
  }
  return and([mayAt(caller, multipliers.permissions.read, m, at), visibleOwner(caller, m, ['Container'])])
}

async function checkMultiplier(
  ctx: Context,
  multiplier: MultiplierValues,
  before: Multiplier | undefined,
): Promise<void> {
  const { from, to, weekdays, startTime, endTime, bill, cost } = multiplier
  const faults = []
  if (from && to && to < from) faults.push(fault(['to'], 'range', 'must not be before from', to))
  if (new Set(weekdays).size < weekdays.length)
    faults.push(fault(['weekdays'], 'unique', 'must not contain a weekday twice', weekdays))
  if ((startTime === '') !== (endTime === ''))
    faults.push(fault([startTime ? 'endTime' : 'startTime'], 'required', 'both times are required, or none'))
  // Without the permission the stored factors are not known here; that there is one was checked when the record was made.
  if (!before && bill === null && cost === null)
    faults.push(fault(['bill'], 'required', 'is required if there is no cost'))
  if (faults.length > 0) throw new Invalid(faults)
  await refuseUnknownOwner(ctx, multiplier, before)
}

const effective: readonly number[] = [ownerKind.tenant, ownerKind.container, ownerKind.user, ownerKind.crm]

function findings({ owner }: Multiplier): Finding[] {
  return effective.includes(owner)
    ? []
    : [{ path: '/owner', code: 'unknown-code', message: 'no time is priced by multipliers of such an owner' }]
}

export const routes: Routes = {
  'GET /finance/multiplier': list(multipliers),
  'POST /finance/multiplier': create(multipliers),
  'PUT /finance/multiplier': update(multipliers),
  'GET /finance/multiplier/:id': get(multipliers),
  'PUT /finance/multiplier/:id': update(multipliers),
  'PATCH /finance/multiplier/:id': update(multipliers),
  'DELETE /finance/multiplier/:id': remove(multipliers),
  'POST /finance/multiplier/:id/restore': restore(multipliers),
  'GET /finance/multiplier/:id/history': history(multipliers),
}
