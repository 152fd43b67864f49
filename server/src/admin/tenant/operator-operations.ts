import { tenantStatus } from '../../identity/tenant-status.ts'
import { permission, superAdmins } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Operation, operation } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { isEmail } from '../../kernel/schema/formats.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { Code } from '../../records/code-table.ts'
import { certificateSchema, certificates } from './erase-tenants.ts'
import { changeOther, createOther, refuseNonOperators, type SeedTenant, type TenantSeed } from './operate-tenants.ts'
import { slugFor, tenantStatuses, tenants } from './tenant.ts'

const { permissions } = tenants
const tenantSchema = tenants.schema

const listedSchema: Schema = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: { type: 'string' },
    slug: { type: 'string' },
    region: { type: 'string' },
    status: Code(tenantStatuses),
    quotas: { type: 'object' },
    operating: { type: 'boolean' },
    created: { type: 'string', format: 'date-time' },
  },
  required: ['id', 'name', 'slug', 'region', 'status', 'quotas', 'operating', 'created'],
}

export const listAll = operation({
  permission: permission('tenant.operate', superAdmins),
  mode: 'read',
  summary: 'List all tenants',
  description: 'For the super admins of an operating tenant: every tenant of the installation, oldest first.',
  reply: { status: 200, schema: { type: 'array', items: listedSchema }, description: 'The tenants.' },
  async run(ctx) {
    await refuseNonOperators(ctx)
    const rows = await ctx.crossTenantSql`select id, name, slug, region, status, quotas, operating,
      to_char(created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created from tenant where not deleted order by id`
    return { body: rows }
  },
})

export const listErased = operation({
  permission: permission('tenant.operate', superAdmins),
  mode: 'read',
  summary: 'List erased tenants',
  description:
    'For the super admins of an operating tenant: the certificates of the tenants that were closed and erased, with what was erased and when, oldest first. Backups that were made before still contain these tenants.',
  reply: { status: 200, schema: { type: 'array', items: certificateSchema }, description: 'The certificates.' },
  async run(ctx) {
    await refuseNonOperators(ctx)
    return { body: await certificates(ctx.crossTenantSql) }
  },
})

const inputSchema: Schema = {
  type: 'object',
  properties: {
    name: { ...tenants.shape.name },
    slug: {
      ...tenants.shape.slug,
      description: 'The name in addresses; derived from the name of the tenant if absent.',
    },
    email: {
      type: 'string',
      format: 'email',
      maxLength: 254,
      minLength: 3,
      description: 'The address of its first super admin.',
    },
    locale: {
      ...tenants.shape.locale,
      description:
        'The language of the tenant, such as `de-AT`: also that of the container “Start here” (`de`, else `en`).',
    },
    startHere: {
      type: 'boolean',
      default: true,
      description: 'Creates the container “Start here”, whose items teach by doing.',
    },
  },
  required: ['name', 'email'],
  additionalProperties: false,
}

const createdSchema: Schema = {
  type: 'object',
  properties: {
    tenant: tenantSchema,
    userId: { type: 'string', format: 'uuid' },
    email: { type: 'string' },
    password: { type: 'string', description: 'Only this response contains it.' },
    RawKey: { type: 'string', description: 'Only this response contains it.' },
  },
  required: ['tenant', 'userId', 'email', 'password', 'RawKey'],
}

export const createTenant = (seedTenant: SeedTenant): Operation =>
  operation<{ name: string; slug?: string; email: string } & TenantSeed>({
    permission: permissions.create,
    mode: 'write',
    summary: 'Create a tenant',
    description:
      'For the super admins of an operating tenant: creates a tenant with its first super admin and, unless `startHere` is false, the container “Start here”. Only this response contains the password and the key.',
    body: {
      schema: inputSchema,
      read: reader(inputSchema),
      example: { name: 'Globex', slug: 'globex', email: 'hank@globex.example' },
    },
    reply: { status: 201, schema: createdSchema, description: 'The tenant and the credentials.' },
    refusals: [422],
    unrepeatable: true,
    async run(ctx, { body: { name, slug, email, ...seed }, path }) {
      if (!isEmail(email)) throw new Invalid([fault(['email'], 'format', 'must be an e-mail address', email)])
      const free = slug || (await freeSlug(ctx, name))
      const input = { name: name.trim(), slug: free, email, keyName: 'First key', ...seed }
      const created = await createOther(ctx, input, seedTenant)
      return { body: created, headers: { location: `${path}/${created.tenant.id}` } }
    },
  })

/** A slug for a name, with a random suffix if another tenant has it. */
export async function freeSlug({ crossTenantSql }: Pick<Context, 'crossTenantSql'>, name: string): Promise<string> {
  const [taken] = await crossTenantSql`select 1 from tenant where slug = ${slugFor(name, false)}`
  return slugFor(name, taken !== undefined)
}

/** An operation that sets the status of another tenant. */
export function statusOperation(to: number, verb: string, summary: string, description: string): Operation {
  return operation({
    permission: permissions.update,
    mode: 'write',
    summary,
    description,
    reply: { status: 200, schema: tenantSchema, description: 'The tenant after the change.' },
    refusals: [404, 412],
    async run(ctx, { params, expect }) {
      const tenant = await changeOther(ctx, params.id ?? '', { status: to }, { expect, verb })
      return { body: tenant, version: tenant.version }
    },
  })
}

export const closeTenant = operation({
  permission: permissions.delete,
  mode: 'write',
  summary: 'Close a tenant',
  description:
    'For the super admins of an operating tenant: sets the status of another tenant to closing. Only its super admins can still sign in, to export. After the grace of the installation (30 days by default) the tenant is erased, and `GET /tenant/erased` has its certificate; until then activating the tenant reverts it.',
  reply: { status: 204, description: 'The tenant is closing.' },
  refusals: [404, 412],
  async run(ctx, { params, expect }) {
    await changeOther(ctx, params.id ?? '', { status: tenantStatus.closing }, { expect, verb: 'closed' })
    return {}
  },
})
