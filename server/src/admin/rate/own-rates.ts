import { isDeepStrictEqual } from 'node:util'
import { managers, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { OwnColumns } from '../../kernel/record/record.ts'
import { type Fault, Invalid } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Parts } from '../../kernel/schema/values.ts'
import { ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Currency, OptionalMoney } from '../../language/money.ts'
import { datedFaults, From, sortedEntries, To } from '../../records/dated.ts'
import type { Entry } from '../../records/input/entries.ts'
import { ofScope, rates } from './rate-record.ts'
import { type RateScope, rateLimits } from './rate-scope.ts'

// The rates of a user or a job role alone are also a list in its record: the same rows.

/** The cost and the price of an hour, until the next entry. */
const entry = {
  from: From,
  to: To,
  cost: OptionalMoney(rateLimits),
  bill: OptionalMoney(rateLimits),
  currency: Currency,
}
type OwnRate = Entry<typeof entry>
export type OwnRates = readonly Partial<OwnRate>[] | null

export const ownRatesSchema = Parts(entry, ['from'], 200)

/** Rates are for those who plan and bill; users do not even see their own. */
export const readRates = permission('userRate.read', managers)

const inBodies: Schema = { ...ownRatesSchema, nullable: true }

/** The schema of a body with `rates`. */
export function withOwnRates(schema: Schema): Schema {
  return { ...schema, properties: { ...schema.properties, rates: inBodies } }
}

/** Rates have events of their own, which fewer may read; that of the record says that they changed. */
export const ratesChanged: OwnColumns = { columns: {}, changes: { rates: {} } }

/** The rates of a record, as the derived property `rates`. */
export function ownRates(property: 'user_id' | 'job_role_id', id: Sql): Sql {
  const [own, other] = property === 'user_id' ? ['user_id', 'job_role_id'] : ['job_role_id', 'user_id']
  return sql`(select coalesce(json_agg(json_build_object('from', r."from", 'to', r."to", 'cost', r.cost::text, 'bill', r.bill::text, 'currency', r.currency)
      order by r."from"), '[]') from rate r
    where r.tenant_id = ${ownTenant} and r.${raw(own)} = ${id} and r.${raw(other)} is null and r.item_id is null and r.container_id is null and r.crm_id is null
      and not r.deleted)`
}

/** The list as it is stored; throws its faults. */
export function readOwnRates(input: OwnRates): OwnRate[] {
  const given = input ?? []
  const faults: Fault[] = datedFaults('rates', given, 'until the next')
  if (faults.length > 0) throw new Invalid(faults)
  return sortedEntries(entry, given)
}

/** Returns the rates of exactly this scope. */
export async function ratesOf(ctx: Context, scope: RateScope): Promise<OwnRate[]> {
  const rows =
    await ctx.sql<OwnRate>`select r."from"::text as "from", r."to"::text as "to", r.cost::text as cost, r.bill::text as bill, r.currency from rate r
    where r.tenant_id = ${ctx.caller.tenantId} and ${ofScope(raw('r'), scope)} and not r.deleted order by r."from"`
  return rows.map(row => ({ ...row }))
}

/** Replaces the rates of a scope if they differ, and tells whether they do. */
export async function changeOwnRates(
  ctx: Context,
  scope: RateScope,
  input: OwnRates,
  permitted: () => void,
): Promise<boolean> {
  const wanted = readOwnRates(input)
  if (isDeepStrictEqual(await ratesOf(ctx, scope), wanted)) return false
  permitted()
  await writeOwnRates(ctx, scope, wanted)
  return true
}

/** Replaces the rates of a scope. Those that begin on the same day keep their id. */
export async function writeOwnRates(ctx: Context, scope: RateScope, wanted: readonly OwnRate[]): Promise<void> {
  const rows = await ctx.sql<
    { id: string } & OwnRate
  >`select r.id, r."from"::text as "from", r."to"::text as "to", r.cost::text as cost, r.bill::text as bill, r.currency
    from rate r where r.tenant_id = ${ctx.caller.tenantId} and ${ofScope(raw('r'), scope)} and not r.deleted order by r.id for update`
  const stored = new Map(rows.map(({ id, ...rate }) => [rate.from, { id, rate }]))
  const kept = new Set(wanted.map(({ from }) => from))
  for (const [from, { id }] of stored) if (!kept.has(from)) await rates.remove(ctx, id)
  for (const each of wanted) {
    const known = stored.get(each.from)
    if (!known) await rates.create(ctx, { ...scope, ...each })
    else if (!isDeepStrictEqual({ ...known.rate }, { ...each })) await rates.update(ctx, known.id, each)
  }
}
