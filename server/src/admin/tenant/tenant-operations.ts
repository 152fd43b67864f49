import { tenantStatus } from '../../identity/tenant-status.ts'
import { narrowedTo, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { get, idOf, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import { type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { history } from '../../records/history/history.ts'
import { exportTenant, importTenant } from '../tenant-transfer/tenant-transfer.ts'
import { changeOther, getOther, type SeedTenant } from './operate-tenants.ts'
import { closeTenant, createTenant, listAll, listErased, statusOperation } from './operator-operations.ts'
import { isOperating, operatorProperties, type TenantValues, tenants } from './tenant.ts'
import { usageOf, usageSchema } from './usage.ts'

const { permissions } = tenants
const tenantSchema = tenants.schema

const getMine = operation({
  permission: permissions.read,
  mode: 'read',
  summary: 'Get the tenant of the caller',
  description: 'The tenant that the credential of this request belongs to.',
  reply: { status: 200, schema: tenantSchema, description: 'The tenant.' },
  async run(ctx) {
    const tenant = await tenants.get(ctx, ctx.caller.tenantId)
    return { body: tenant, version: tenant.version }
  },
})

/** A change of the caller's own profile, or an operator's change of another tenant. */
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

const changedByOperators = ['name', ...operatorProperties] as const

/** Clients send whole records back, so properties that the caller may not change are ignored. */
function without(patch: TenantPatch, names: readonly (keyof TenantValues)[]): TenantPatch {
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !names.some(each => each === name)))
}

function only(patch: TenantPatch, names: readonly (keyof TenantValues)[]): TenantPatch {
  return Object.fromEntries(Object.entries(patch).filter(([name]) => names.some(each => each === name)))
}

async function updateTenant(ctx: Context, id: Id, patch: TenantPatch, more: object) {
  const other = id.toLowerCase() !== ctx.caller.tenantId && (await isOperating(ctx))
  return other
    ? await changeOther(ctx, id, only(patch, changedByOperators), more)
    : await tenants.update(ctx, id, without(patch, operatorProperties), more)
}

const changeAny: Operation = {
  ...update(tenants, (ctx, id, patch, more) => updateTenant(ctx, id, patch, more)),
  description:
    'Changes the profile of the caller’s own tenant. Super admins of an operating tenant change `name`, `quotas`, `status` and `region` of other tenants.',
  body: {
    schema: patchSchema,
    read: readPatch,
    example: { name: 'Acme', timezone: 'Europe/Berlin', domains: ['acme.example'] },
  },
}

const changeMine: Operation = {
  ...changeAny,
  summary: 'Update the tenant of the caller',
  run: async (ctx, input) => {
    const own = { ...input, params: { ...input.params, id: ctx.caller.tenantId } }
    idOf(own) // refuses a body with the id of another tenant
    return await changeAny.run(ctx, own)
  },
}

const getOwn = get(tenants)

const getAny: Operation = {
  ...getOwn,
  description: `${getOwn.description} Super admins of an operating tenant also get other tenants, with their profile and \`usage\`.`,
  async run(ctx, input) {
    const id = input.params.id ?? ''
    if (id.toLowerCase() === ctx.caller.tenantId || !(await isOperating(ctx))) return await getOwn.run(ctx, input)
    const { tenant, usage } = await getOther(ctx, id)
    return { body: { ...tenant, usage }, version: tenant.version }
  },
}

const usage = operation({
  permission: narrowedTo(staff, permissions.read),
  mode: 'read',
  summary: 'Get the usage of the tenant',
  description:
    'The numbers of users, keys, bytes, items and events, with the quotas. Items and events are counted up to ten thousand; larger figures are estimates, and `estimated` names them.',
  reply: { status: 200, schema: usageSchema, description: 'The usage.' },
  run: async ctx => ({ body: await usageOf(ctx) }),
})

/** The routes of tenants. `seedTenant` creates in a new tenant the records of the rooms above. */
export function tenantRoutes(seedTenant: SeedTenant): Routes {
  return {
    'GET /tenant': getMine,
    'PUT /tenant': changeMine,
    'PATCH /tenant': changeMine,
    'POST /tenant': createTenant(seedTenant),
    'GET /tenant/all': listAll,
    'GET /tenant/erased': listErased,
    'GET /tenant/usage': usage,
    'GET /tenant/export': exportTenant,
    'POST /tenant/import': importTenant,
    'GET /tenant/:id': getAny,
    'PUT /tenant/:id': changeAny,
    'PATCH /tenant/:id': changeAny,
    'DELETE /tenant/:id': closeTenant,
    'POST /tenant/:id/suspend': statusOperation(
      tenantStatus.suspended,
      'suspended',
      'Suspend a tenant',
      'For the super admins of an operating tenant: makes another tenant read only, and stops its background jobs.',
    ),
    'POST /tenant/:id/activate': statusOperation(
      tenantStatus.active,
      'activated',
      'Activate a tenant',
      'For the super admins of an operating tenant: reactivates a suspended or closing tenant.',
    ),
    'GET /tenant/:id/history': history(tenants),
  }
}
