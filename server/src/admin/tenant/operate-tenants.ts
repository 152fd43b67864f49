import { randomBytes } from 'node:crypto'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { roleCode } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { appendEvents, type Changes } from '../../kernel/events.ts'
import { type Id, isId, newId, operatorId } from '../../kernel/id.ts'
import { NeedsTransaction } from '../../kernel/operation.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { Forbidden, NotFound } from '../../kernel/refusal.ts'
import { mint } from '../api-key.ts'
import { storePassword } from '../user/sign-in/password.ts'
import { users } from '../user/user.ts'
import { createTenantRecord, isOperating, type Tenant, type TenantValues, tenants } from './tenant.ts'
import { type TenantUsage, usageOf } from './usage.ts'

// Operations of the super admins of an operating tenant on other tenants. Each runs in a context of the other tenant, so
// that row level security applies, and returns only the record and the usage of that tenant.

/** A tenant as its operator sees it: its record and its usage. */
interface OperatedTenant {
  tenant: Tenant
  usage: TenantUsage
}

/** Refuses callers who are not super admins of an operating tenant. */
export async function refuseNonOperators(ctx: Context): Promise<void> {
  if (!(await isOperating(ctx))) throw new Forbidden('only super admins of an operating tenant may do this')
}

/** Runs work in another tenant. Operators cannot operate their own tenant; other callers get 404. */
async function inOtherTenant<T>(ctx: Context, id: Id, work: (inner: Context) => Promise<T>): Promise<T> {
  if (id.toLowerCase() === ctx.caller.tenantId)
    throw new Forbidden('operators cannot do this to their own tenant; another operating tenant can')
  if (!isId(id) || !(await isOperating(ctx))) throw new NotFound()
  if (ctx.single) throw new NeedsTransaction()
  const [there] = await ctx.crossTenantSql`select 1 from tenant where id = ${id} and not deleted`
  if (!there) throw new NotFound()
  return await ctx.actFor(tenantCaller(id.toLowerCase(), operatorId), work)
}

export async function getOther(ctx: Context, id: Id): Promise<OperatedTenant> {
  return await inOtherTenant(ctx, id, async inner => ({
    tenant: await tenants.get(inner, inner.caller.tenantId),
    usage: await usageOf(inner),
  }))
}

/** Changes the operator's properties of a tenant. The event is in the log of that tenant, and with its actor in the operator's log. */
export async function changeOther(
  ctx: Context,
  id: Id,
  values: Partial<TenantValues>,
  more: { expect?: Expect; verb?: string } = {},
): Promise<Tenant> {
  const [before, after] = await inOtherTenant(ctx, id, async inner => {
    const before = await tenants.get(inner, inner.caller.tenantId)
    return [before, await tenants.update(inner, before.id, values, { expect: more.expect })] as const
  })
  const changes: Changes = {}
  for (const property of ['name', 'status', 'quotas', 'region'] as const)
    if (JSON.stringify(before[property]) !== JSON.stringify(after[property]))
      changes[property] = { from: before[property], to: after[property] }
  if (Object.keys(changes).length > 0) await appendTenantEvent(ctx, more.verb ?? 'updated', after.id, changes)
  return after
}

export async function appendTenantEvent(ctx: Context, verb: string, recordId: Id, changes: Changes): Promise<void> {
  await appendEvents(ctx, [{ kind: `tenant.${verb}`, entity: 'Tenant', recordId, changes }])
}

export interface TenantCredentials {
  userId: Id
  email: string
  password: string
  RawKey: string
}

/** What a new tenant finds, and in which language. */
export interface TenantSeed {
  locale?: string | undefined
  /** Creates the container “Start here”; true by default. */
  startHere?: boolean | undefined
}

interface NewTenant extends TenantSeed {
  name: string
  slug: string
  email: string
  keyName: string
  operating?: boolean
}

/** Creates the records that every tenant begins with; the rooms above supply it. */
export type SeedTenant = (ctx: Context, seed: TenantSeed) => Promise<void>

/** Creates a tenant with its first super admin. The caller of the context is that super admin in the new tenant. */
export async function createTenantWithAdmin(
  ctx: Context,
  input: NewTenant,
  seedTenant: SeedTenant,
): Promise<{ tenant: Tenant } & TenantCredentials> {
  const { email, keyName } = input
  const tenant = await createTenantRecord(ctx, input)
  await users.create(
    ctx,
    { name: email.split('@')[0] || email, email, superAdmin: true, active: true, role: roleCode.admin },
    { id: ctx.caller.userId },
  )
  const credentials = await issueCredentials(ctx, email, keyName)
  await seedTenant(ctx, input)
  return { tenant, ...credentials }
}

/** Sets a new password and mints a key for the user of the context. The result is shown once and stored nowhere. */
export async function issueCredentials(ctx: Context, email: string, keyName: string): Promise<TenantCredentials> {
  const { userId } = ctx.caller
  const password = randomBytes(15).toString('base64url')
  await storePassword(ctx, { id: userId, email, name: '' }, password)
  const { RawKey } = await mint(ctx, { name: keyName })
  return { userId, email, password, RawKey }
}

/** Creates a tenant on behalf of an operator. */
export async function createOther(
  ctx: Context,
  input: NewTenant,
  seedTenant: SeedTenant,
): Promise<{ tenant: Tenant } & TenantCredentials> {
  await refuseNonOperators(ctx)
  const made = await ctx.actFor(tenantCaller(newId(), newId()), inner =>
    createTenantWithAdmin(inner, input, seedTenant),
  )
  await appendTenantEvent(ctx, 'founded', made.tenant.id, { name: { to: input.name }, slug: { to: input.slug } })
  return made
}
