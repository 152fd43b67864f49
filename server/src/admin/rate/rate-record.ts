import { visibleContainers } from '../../identity/visibility.ts'
import { type Caller, managers, may } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { kind } from '../../kernel/kinds.ts'
import type { Routes } from '../../kernel/operation.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { LocalDate, Ref, Text } from '../../kernel/schema/values.ts'
import { and, name, or, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Currency, OptionalMoney } from '../../language/money.ts'
import { amountsOf, withoutAmounts } from '../../records/amounts.ts'
import { history } from '../../records/history/history.ts'
import { isThere } from '../../records/references/is-there.ts'
import { isScope, type RateScope, rateLimits, scopeColumns, scopeProperties } from './rate-scope.ts'

const shape = {
  itemId: Ref('Item'),
  containerId: Ref('Container'),
  crmId: Ref('Crm'),
  userId: Ref('User'),
  jobRoleId: Ref('JobRole'),
  from: LocalDate,
  to: LocalDate,
  bill: OptionalMoney(rateLimits),
  cost: OptionalMoney(rateLimits),
  currency: Currency,
  note: Text(500),
}

type Rate = Stored<typeof shape>
type RateValues = Values<typeof shape>

/** The price and the cost of an hour, for a scope and a period. */
export const rates = resource('Rate', {
  about:
    'The price (`bill`) and the cost of an hour from a day on, until `to` or the next rate of the same scope; null says nothing. The scope is an item, a container or a customer (also with a user or a job role), a user, a job role, or (all empty) the tenant.',
  shape,
  required: ['from'],
  may: { read: managers, create: managers, update: managers, delete: managers },
  place: ({ containerId }) => ({ containerId: containerId || null }),
  visible: visibleRates,
  notForAll: amountsOf('Rate'),
  ofTenant: ctx => withoutAmounts(ctx, 'Rate'),
  check: checkRate,
  order: 'from',
  example: { from: '2025-07-01', bill: '120', currency: 'EUR' },
})

/** Who manages a container only sees its rates; who manages the tenant, those of all containers and items that they see. */
function visibleRates(caller: Caller, r: Sql): Sql {
  if (caller.authority.unrestricted) return raw('true')
  if (may(caller, rates.permissions.read)) return ofVisiblePlaces(caller, r)
  const managed = [...caller.authority.places.container.keys()].filter(containerId =>
    may(caller, rates.permissions.read, { containerId }),
  )
  return sql`${r}.container_id = any(${managed}::uuid[])`
}

function ofVisiblePlaces(caller: Caller, r: Sql): Sql {
  const item = isThere(sql`from item rated where rated.tenant_id = ${ownTenant} and rated.id = ${r}.item_id
    and ${kind('Item').visible(caller, raw('rated'))}`)
  return and([
    or([sql`${r}.container_id is null`, visibleContainers(caller, sql`${r}.container_id`)]),
    or([sql`${r}.item_id is null`, item]),
  ])
}

async function checkRate(ctx: Context, rate: RateValues, before: Rate | undefined): Promise<void> {
  const { from, to, bill, cost } = rate
  const faults = []
  if (from && to && to < from) faults.push(fault(['to'], 'range', 'must not be before from', to))
  // Without the permission the stored amounts are not known here; that there is one was checked when the rate was made.
  if (!before && bill === null && cost === null)
    faults.push(fault(['bill'], 'required', 'is required if there is no cost'))
  if (faults.length > 0) throw new Invalid(faults)
  if (!isScope(rate))
    throw ruleBroken(
      'rate-scope',
      'a rate is of an item, a container, a customer, a user, a job role or the tenant; a user or a job role may be combined with a container or a customer',
    )
  await refuseCostCurrency(ctx, rate)
  await refuseOverlap(ctx, rate, before)
}

/** Costs are compared with each other, so they are in one currency. */
async function refuseCostCurrency(ctx: Context, { cost, currency }: RateValues): Promise<void> {
  if (cost === null || currency === '') return
  const [tenant] = await ctx.sql<{
    currency: string
  }>`select currency from tenant where tenant_id = ${ctx.caller.tenantId}`
  if (tenant && /^[A-Z]{3}$/.test(tenant.currency) && tenant.currency !== currency)
    throw ruleBroken(
      'cost-currency',
      `costs are in ${tenant.currency}, the currency of the tenant`,
      'currency',
      currency,
    )
}

/** Rates of one scope follow each other: on every day at most one is in force. */
async function refuseOverlap(ctx: Context, rate: RateValues, before: Rate | undefined): Promise<void> {
  const { tenantId } = ctx.caller
  const scope = scopeProperties.map(property => rate[property]).join(' ')
  // Two rates that are written at the same time would not see each other.
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`rate ${tenantId} ${scope}`}, 0))`
  const [other] = await ctx.sql<{
    from: string
  }>`select r."from" from rate r where r.tenant_id = ${tenantId} and not r.deleted and ${ofScope(raw('r'), rate)}
    and r.id is distinct from ${before?.id ?? null}::uuid
    and r."from" <= coalesce(${rate.to}::date, ${rate.from}::date) and ${rate.from}::date <= coalesce(r."to", r."from") order by r."from" limit 1`
  if (other)
    throw ruleBroken('rate-overlap', `overlaps with the rate of the same scope from ${other.from}`, 'from', rate.from)
}

/** The condition that a rate has exactly this scope. */
export function ofScope(r: Sql, scope: RateScope): Sql {
  return and(
    scopeColumns.map(({ property, column }) =>
      scope[property] ? sql`${r}.${name(column)} = ${scope[property]}::uuid` : sql`${r}.${name(column)} is null`,
    ),
  )
}

function ruleBroken(code: string, message: string, property = 'containerId', value?: unknown): RuleBroken {
  return new RuleBroken(code, message, [fault([property], code, message, value)])
}

export const routes: Routes = {
  'GET /finance/rate': list(rates),
  'POST /finance/rate': create(rates),
  'PUT /finance/rate': update(rates),
  'GET /finance/rate/:id': get(rates),
  'PUT /finance/rate/:id': update(rates),
  'PATCH /finance/rate/:id': update(rates),
  'DELETE /finance/rate/:id': remove(rates),
  'POST /finance/rate/:id/restore': restore(rates),
  'GET /finance/rate/:id/history': history(rates),
}
