import { everyone, superAdmins, tenantStatus } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { newId } from '../../kernel/id.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, Name, Part, Ref, Text, Texts, Timezone, Weekday } from '../../kernel/schema/values.ts'
import { sql } from '../../kernel/sql.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { quotaShape } from './quotas.ts'

export { enforceQuota, enforceWriteRate, quotasOf } from './quotas.ts'

/** A retention time in days; 0 means no limit. */
const Days = (description: string) =>
  Count(36_500, 0, { description: `${description} After so many days; 0 is never.` })

export const tenantStatuses = codeTableOfCodes('tenant.status', tenantStatus)

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
  retention: Part({
    deletedDays: Days('Deleted items, documents, annotations, files, links and time entries are removed for good.'),
    archivedDays: Days('Archived items that nobody changed are deleted.'),
    eventDays: Days('Events and audit entries are removed; the rest of the log is still proven to be complete.'),
    chatDays: Days('Messages of chats are removed.'),
    mailDays: Days('Received and sent mail is removed; tickets stay.'),
  }),
  quotas: quotaShape,
  status: Code(tenantStatuses, {
    description: '0 active · 1 suspended: read only · 2 closing: only super admins, to export.',
  }),
}

/** The properties of a tenant that only an operator changes. */
export const operatorProperties = ['slug', 'status', 'region', 'quotas'] as const

/** An organisation on this installation, with its own users, records and configuration. */
export const tenants = resource('Tenant', {
  about: 'The organisation that all records belong to. Callers see only their own tenant.',
  shape,
  serverSet: operatorProperties,
  may: { read: everyone, create: superAdmins, update: superAdmins, delete: superAdmins },
  example: { name: 'Acme', timezone: 'Europe/Berlin', currency: 'EUR', weekStart: 'Monday', domains: ['acme.example'] },
  check: checkTenant,
  remembered: true,
})

export type Tenant = Stored<typeof shape>
export type TenantValues = Values<typeof shape>

function checkTenant(_ctx: Context, { domains }: TenantValues): void {
  const faults = domains.flatMap((domain, i) =>
    /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(domain)
      ? []
      : [fault(['domains', i], 'domain', 'must be a domain such as example.com', domain)],
  )
  if (faults.length > 0) throw new Invalid(faults)
}

interface TenantInput {
  name: string
  slug: string
  locale?: string | undefined
  /** Whether its super admins manage other tenants. */
  operating?: boolean
}

/** Creates the record of a tenant; the caller of the context belongs to the new tenant. */
export async function createTenantRecord(
  ctx: Context,
  { name, slug, locale = '', operating = false }: TenantInput,
): Promise<Tenant> {
  return await tenants.create(
    ctx,
    { name, slug, locale, timezone: 'UTC' },
    { id: ctx.caller.tenantId, own: { operating: sql`${operating}::boolean` } },
  )
}

/** A slug for a name, `Acme & Söhne` → `acme-sohne`, with a random suffix if it is taken. */
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

/** Whether the caller is a super admin of an operating tenant. */
export async function isOperating(ctx: Context): Promise<boolean> {
  const { tenantId, authority } = ctx.caller
  if (!authority.superAdmin) return false
  const [own] = await ctx.sql<{
    operating: boolean
  }>`select operating from tenant where tenant_id = ${tenantId} and id = ${tenantId}`
  return own?.operating === true
}
