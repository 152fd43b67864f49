import { everyone, superAdmins } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { newId } from '../../kernel/id.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Code, Count, Name, Part, Ref, Text, Texts, Timezone, Weekday } from '../../kernel/schema/values.ts'
import { sql } from '../../kernel/sql.ts'
import { quotaShape } from './quotas.ts'

export { enforceQuota, enforceWriteRate, quotasOf } from './quotas.ts'

/** Days that something is kept; 0 is for ever. */
const Days = Count(36_500)

const shape = {
  name: Name(120),
  slug: Text(60, { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
  locale: Text(35),
  timezone: Timezone,
  currency: Text(3),
  weekStart: Weekday,
  defaultClockId: Ref('Clock'),
  branding: Part({ title: Text(120), color: Text(20), logoUrl: Text(2000), supportEmail: Text(254) }),
  domains: Texts(100, 253),
  features: Texts(200, 60),
  region: Text(60),
  retention: Part({ deletedDays: Days, eventDays: Days, chatDays: Days, mailDays: Days }),
  quotas: quotaShape,
  status: Code({ description: '0 active · 1 suspended: read and not changed · 2 closing: super admins export.' }),
}

/** What the operator of the installation says of a tenant, and no tenant of itself. */
export const operatorProperties = ['slug', 'status', 'region', 'quotas'] as const

/** An organisation on this installation. Its users, its records and its configuration are its own. */
export const tenants = resource('Tenant', {
  about: 'The organisation that everything belongs to. A caller sees their own and no other.',
  shape,
  serverSet: operatorProperties,
  may: { read: everyone, create: superAdmins, update: superAdmins, delete: superAdmins },
  example: { name: 'Acme', timezone: 'Europe/Berlin', currency: 'EUR', weekStart: 'Monday', domains: ['acme.example'] },
  check: checkTenant,
  remembered: true,
})

export type Tenant = Stored<typeof shape>
export type TenantValues = Values<typeof shape>

/** The codes of `status`. */
export const tenantStatus = { active: 0, suspended: 1, closing: 2 } as const

function checkTenant(_ctx: Context, { domains }: TenantValues): void {
  const faults = domains.flatMap((domain, i) =>
    /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(domain)
      ? []
      : [fault(['domains', i], 'domain', 'must be a domain such as example.com', domain)],
  )
  if (faults.length > 0) throw new Invalid(faults)
}

export interface TenantInput {
  name: string
  slug: string
  /** Its super admins make and close other tenants. */
  operating?: boolean
}

/** Makes the tenant's own record; the context already speaks for the new tenant. */
export async function createTenantRecord(
  ctx: Context,
  { name, slug, operating = false }: TenantInput,
): Promise<Tenant> {
  return await tenants.create(
    ctx,
    { name, slug, timezone: 'UTC' },
    { id: ctx.caller.tenantId, own: { operating: sql`${operating}::boolean` } },
  )
}

/** `Acme & Söhne` → `acme-sohne`, with a few letters more so that two of a name can live side by side. */
export function slugFor(name: string, taken: boolean): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')
  const base = plain || 'tenant'
  return taken ? `${base}-${newId().slice(-6)}` : base
}

/** Whether the super admins of the caller's tenant look after the others. */
export async function isOperating(ctx: Context): Promise<boolean> {
  const { tenantId, authority } = ctx.caller
  if (!authority.superAdmin) return false
  const [own] = await ctx.sql<{
    operating: boolean
  }>`select operating from tenant where tenant_id = ${tenantId} and id = ${tenantId}`
  return own?.operating === true
}
