import { admins, everyone } from '../kernel/access.ts'
import type { Context } from '../kernel/database.ts'
import { type Id, newId } from '../kernel/id.ts'
import { operation, type Routes } from '../kernel/operation.ts'
import { resource, type Stored } from '../kernel/resource.ts'
import type { Schema } from '../kernel/shape.ts'
import { get, history, update } from '../kernel/stock.ts'
import { Code, Name, Text, Timezone } from '../kernel/values.ts'

/** An organisation on this installation. Its users, its records and its configuration are its own. */
export const tenants = resource('Tenant', {
  about: 'The organisation that everything belongs to. A caller sees their own and no other.',
  shape: {
    name: Name(120),
    slug: Text(60, { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
    locale: Text(35),
    timezone: Timezone,
    currency: Text(3),
    status: Code(),
  },
  // Made and suspended by the operator of the installation, who is nobody's tenant.
  serverSet: ['slug', 'status'],
  may: { read: everyone, update: admins },
  remembered: true,
})

export type Tenant = Stored<typeof tenants.shape>

/** Makes the tenant's own record; the context already speaks for the new tenant. */
export async function found(ctx: Context, { name, slug }: { name: string; slug: string }): Promise<Tenant> {
  return await tenants.create(ctx, { name, slug, timezone: 'UTC' }, { id: ctx.caller.tenantId })
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
  const base = plain || 'tenant'
  return taken ? `${base}-${newId().slice(-6)}` : base
}

const mine = operation({
  permission: tenants.permissions.read,
  mode: 'read',
  summary: 'The tenant of the caller',
  description: 'The organisation whose records this credential reaches.',
  reply: { status: 200, schema: tenants.schema as Schema, description: 'The tenant.' },
  async run(ctx) {
    const tenant = await tenants.get(ctx, ctx.caller.tenantId as Id)
    return { body: tenant, version: tenant.version }
  },
})

export const routes: Routes = {
  'GET /tenant': mine,
  'GET /tenant/:id': get(tenants),
  'PUT /tenant/:id': update(tenants),
  'PATCH /tenant/:id': update(tenants),
  'GET /tenant/:id/history': history(tenants),
}
