import { createHash } from 'node:crypto'
import { effectiveSettings } from '../../admin/effective-setting.ts'
import { type Caller, everyone, may, type Permission, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Operation, operation, type Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { settingCalled } from '../../platform/setting.ts'

const schema: Schema = {
  type: 'object',
  title: 'MyConfig',
  properties: {
    caller: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        tenantId: { type: 'string' },
        name: { type: 'string' },
        timezone: { type: 'string' },
        kind: { type: 'string' },
        superAdmin: { type: 'boolean' },
      },
      required: ['id', 'tenantId', 'name', 'timezone', 'kind', 'superAdmin'],
    },
    features: { type: 'array', items: { type: 'string' }, description: 'The areas of the API that are there.' },
    permissions: {
      type: 'object',
      additionalProperties: { type: 'boolean' },
      description: 'Every permission by name: whether the caller has it in the whole tenant.',
    },
    places: {
      type: 'object',
      additionalProperties: { type: 'object' },
      description: 'Permissions that the caller has in some places only: the `containers` and `areas`, by id.',
    },
    settings: { type: 'object', description: 'The effective values of the settings that a user can change.' },
    catalogueHash: { type: 'string', description: 'Changes when a process or a field changes; for caching.' },
  },
  required: ['caller', 'features', 'permissions', 'places', 'settings', 'catalogueHash'],
}

/** What a client needs to know about the signed-in user. */
export function configMe(routes: Routes): Operation {
  const permissions = new Map(Object.values(routes).map(each => [each.permission.name, each.permission]))
  const ordered = [...permissions.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  const features = [...new Set(Object.keys(routes).map(route => route.split('/')[1] ?? ''))].sort()
  return operation({
    permission: permission('config.read', everyone),
    mode: 'read',
    summary: 'Get the caller’s configuration',
    description: 'The caller’s identity, their permissions in the tenant and in single places, and their settings.',
    reply: { status: 200, schema, description: 'The configuration of the caller.' },
    async run(ctx) {
      const { caller } = ctx
      const { userId, tenantId, name, timezone, kind, authority } = caller
      const own = (await effectiveSettings(ctx, { userId })).filter(({ key }) =>
        settingCalled(key)?.scopes.includes('user'),
      )
      return {
        body: {
          caller: { id: userId, tenantId, name, timezone, kind, superAdmin: authority.superAdmin },
          features,
          permissions: Object.fromEntries(ordered.map(each => [each.name, may(caller, each)])),
          places: placesOf(caller, ordered),
          settings: Object.fromEntries(own.map(({ key, value }) => [key, value])),
          catalogueHash: await catalogueHash(ctx),
        },
      }
    },
  })
}

function placesOf(caller: Caller, permissions: readonly Permission[]): Record<string, object> {
  const { container: containers, area: areas } = caller.authority.places
  const held = permissions.flatMap(each => {
    if (may(caller, each)) return []
    const inContainers = [...containers.keys()].filter(containerId => may(caller, each, { containerId }))
    const inAreas = [...areas.keys()].filter(areaId => may(caller, each, { areaId }))
    return inContainers.length + inAreas.length === 0
      ? []
      : [[each.name, { containers: inContainers, areas: inAreas }] as const]
  })
  return Object.fromEntries(held)
}

async function catalogueHash(ctx: Context): Promise<string> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ text: string }>`select concat_ws(' ',
    (select string_agg(id::text || version, ',' order by id) from process where tenant_id = ${tenantId} and not deleted),
    (select string_agg(id::text || version, ',' order by id) from field where tenant_id = ${tenantId} and not deleted)) as text`
  return createHash('sha256')
    .update(row?.text ?? '')
    .digest('hex')
}
