import { permission, superAdmins } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { get, history, idOf, update } from '../../kernel/crud.ts'
import { isEmail } from '../../kernel/formats.ts'
import type { Id } from '../../kernel/id.ts'
import { type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/shape.ts'
import { exportTenant, importTenant } from '../tenant-transfer/tenant-transfer.ts'
import { changeOther, createOther, getOther, refuseNonOperators, type SeedTenant } from './operate-tenants.ts'
import { isOperating, operatorProperties, slugFor, status, type TenantValues, tenants } from './tenant.ts'
import { usageOf, usageSchema } from './usage.ts'

export { exportLines } from '../tenant-transfer/export.ts'
export { importTenantAs as importAs, readImportInput as readWish } from '../tenant-transfer/tenant-transfer.ts'

const { permissions } = tenants
const tenantSchema = tenants.schema

const getMine = operation({
  permission: permissions.read,
  mode: 'read',
  summary: 'The tenant of the caller',
  description: 'The organisation whose records this credential reaches.',
  reply: { status: 200, schema: tenantSchema, description: 'The tenant.' },
  async run(ctx) {
    const tenant = await tenants.get(ctx, ctx.caller.tenantId)
    return { body: tenant, version: tenant.version }
  },
})

/** What somebody says of a tenant: of their own its profile, and as an operator of another what operators say. */
type TenantPatch = Partial<TenantValues>

const patchSchema: Schema = {
  ...tenants.updateSchema,
  properties: {
    ...tenants.updateSchema.properties,
    ...Object.fromEntries(
      operatorProperties
        .filter(each => each !== 'slug')
        .map(each => [each, { ...tenants.shape[each], nullable: true }]),
    ),
  },
}
const readPatch = reader<TenantPatch>(patchSchema, { ignored: ['slug'] })

const ofOperators = ['name', ...operatorProperties] as const

/** Whole records are sent back, so what is not one's to say is left alone. */
function without(saying: TenantPatch, names: readonly (keyof TenantValues)[]): TenantPatch {
  return Object.fromEntries(Object.entries(saying).filter(([name]) => !names.some(each => each === name)))
}

function only(saying: TenantPatch, names: readonly (keyof TenantValues)[]): TenantPatch {
  return Object.fromEntries(Object.entries(saying).filter(([name]) => names.some(each => each === name)))
}

async function updateTenant(ctx: Context, id: Id, saying: TenantPatch, more: object) {
  const other = id.toLowerCase() !== ctx.caller.tenantId && (await isOperating(ctx))
  return other
    ? await changeOther(ctx, id, only(saying, ofOperators), more)
    : await tenants.update(ctx, id, without(saying, operatorProperties), more)
}

const changeAny: Operation = {
  ...update(tenants, (ctx, id, saying, more) => updateTenant(ctx, id, saying, more)),
  description:
    'Changes the profile of the caller’s own tenant. `quotas`, `status` and `region` are the operator’s to say: the super admins of an operating tenant change them, and the name, of other tenants.',
  body: {
    schema: patchSchema,
    read: readPatch,
    example: { name: 'Acme', timezone: 'Europe/Berlin', domains: ['acme.example'] },
  },
}

const changeMine: Operation = {
  ...changeAny,
  summary: 'Change one’s own tenant',
  run: async (ctx, input) => {
    const own = { ...input, params: { ...input.params, id: ctx.caller.tenantId } }
    idOf(own) // a body that names another is a mistake
    return await changeAny.run(ctx, own)
  },
}

const getOwn = get(tenants)

const getAny: Operation = {
  ...getOwn,
  description: `${getOwn.description} To the super admins of an operating tenant the others answer with their profile and \`usage\`.`,
  async run(ctx, input) {
    const id = input.params.id ?? ''
    if (id.toLowerCase() === ctx.caller.tenantId || !(await isOperating(ctx))) return await getOwn.run(ctx, input)
    const { tenant, usage } = await getOther(ctx, id)
    return { body: { ...tenant, usage }, version: tenant.version }
  },
}

const usage = operation({
  permission: permissions.read,
  mode: 'read',
  summary: 'What the tenant uses up',
  description:
    'Users, keys, bytes, items and events, with the quotas. Costs the same however large the tenant is: of items and events no more than ten thousand are counted, beyond that the figure is an estimate and named in `estimated`.',
  reply: { status: 200, schema: usageSchema, description: 'The figures.' },
  run: async ctx => ({ body: await usageOf(ctx) }),
})

const listedSchema: Schema = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: { type: 'string' },
    slug: { type: 'string' },
    region: { type: 'string' },
    status: { type: 'integer' },
    quotas: { type: 'object' },
    operating: { type: 'boolean' },
    created: { type: 'string', format: 'date-time' },
  },
  required: ['id', 'name', 'slug', 'region', 'status', 'quotas', 'operating', 'created'],
}

const listAll = operation({
  permission: permission('tenant.operate', superAdmins),
  mode: 'read',
  summary: 'All tenants',
  description: 'For the super admins of an operating tenant: every tenant of the installation, oldest first.',
  reply: { status: 200, schema: { type: 'array', items: listedSchema }, description: 'The tenants.' },
  async run(ctx) {
    await refuseNonOperators(ctx)
    const rows = await ctx.crossTenantSql`select id, name, slug, region, status, quotas, operating,
      to_char(created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created from tenant where not deleted order by id`
    return { body: rows }
  },
})

const inputSchema: Schema = {
  type: 'object',
  properties: {
    name: { ...tenants.shape.name },
    slug: { ...tenants.shape.slug, description: 'What it is called in addresses; made from the name if not said.' },
    email: { type: 'string', format: 'email', maxLength: 254, minLength: 3, description: 'Of its first super admin.' },
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
    password: { type: 'string', description: 'Shown here and never again.' },
    RawKey: { type: 'string', description: 'Shown here and never again.' },
  },
  required: ['tenant', 'userId', 'email', 'password', 'RawKey'],
}

const create = (seedTenant: SeedTenant): Operation =>
  operation<{ name: string; slug?: string; email: string }>({
    permission: permissions.create,
    mode: 'write',
    summary: 'Make a tenant',
    description:
      'For the super admins of an operating tenant: a new tenant with its first super admin, whose password and key are in this answer and cannot be had again.',
    body: {
      schema: inputSchema,
      read: reader(inputSchema),
      example: { name: 'Globex', slug: 'globex', email: 'hank@globex.example' },
    },
    reply: { status: 201, schema: createdSchema, description: 'The tenant and the credentials, shown once.' },
    refusals: [422],
    unrepeatable: true,
    async run(ctx, { body: { name, slug, email }, path }) {
      if (!isEmail(email)) throw new Invalid([fault(['email'], 'format', 'must be an e-mail address', email)])
      const wish = { name: name.trim(), slug: slug || (await freeSlug(ctx, name)), email, keyName: 'First key' }
      const founded = await createOther(ctx, wish, seedTenant)
      return { body: founded, headers: { location: `${path}/${founded.tenant.id}` } }
    },
  })

/** The plain one, if nobody has it yet. */
export async function freeSlug({ crossTenantSql }: Pick<Context, 'crossTenantSql'>, name: string): Promise<string> {
  const [taken] = await crossTenantSql`select 1 from tenant where slug = ${slugFor(name, false)}`
  return slugFor(name, taken !== undefined)
}

function statusOperation(to: number, verb: string, summary: string, description: string): Operation {
  return operation({
    permission: permissions.update,
    mode: 'write',
    summary,
    description,
    reply: { status: 200, schema: tenantSchema, description: 'The tenant as it is now.' },
    refusals: [404, 412],
    async run(ctx, { params, expect }) {
      const tenant = await changeOther(ctx, params.id ?? '', { status: to }, { expect, verb })
      return { body: tenant, version: tenant.version }
    },
  })
}

const close = operation({
  permission: permissions.delete,
  mode: 'write',
  summary: 'Close a tenant',
  description:
    'For the super admins of an operating tenant: another tenant is closing. Nobody comes in any more but its super admins, to export. Nothing is removed; activating takes it back.',
  reply: { status: 204, description: 'It is closing.' },
  refusals: [404, 412],
  async run(ctx, { params, expect }) {
    await changeOther(ctx, params.id ?? '', { status: status.closing }, { expect, verb: 'closed' })
    return {}
  },
})

/** The addresses of tenants. `seedTenant` puts into a new one what the rooms above want to be there. */
export function tenantRoutes(seedTenant: SeedTenant): Routes {
  return {
    'GET /tenant': getMine,
    'PUT /tenant': changeMine,
    'PATCH /tenant': changeMine,
    'POST /tenant': create(seedTenant),
    'GET /tenant/all': listAll,
    'GET /tenant/usage': usage,
    'GET /tenant/export': exportTenant,
    'POST /tenant/import': importTenant,
    'GET /tenant/:id': getAny,
    'PUT /tenant/:id': changeAny,
    'PATCH /tenant/:id': changeAny,
    'DELETE /tenant/:id': close,
    'POST /tenant/:id/suspend': statusOperation(
      status.suspended,
      'suspended',
      'Suspend a tenant',
      'For the super admins of an operating tenant: another tenant can be read and not changed, and nothing happens in it by itself.',
    ),
    'POST /tenant/:id/activate': statusOperation(
      status.active,
      'activated',
      'Activate a tenant',
      'For the super admins of an operating tenant: a tenant that was suspended or closing works again.',
    ),
    'GET /tenant/:id/history': history(tenants),
  }
}
