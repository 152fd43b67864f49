import { effectiveSettings } from '../../admin/effective-setting.ts'
import { everyone, may, permission } from '../../kernel/access.ts'
import { type Operation, operation, type Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { settingCalled } from '../../platform/setting.ts'
import { catalogueHash, permissionsOf, placesOf } from './caller-permissions.ts'

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
  const ordered = permissionsOf(routes)
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
