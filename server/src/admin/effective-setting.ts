import { permission, seesEverything, staff } from '../kernel/access.ts'
import type { Context } from '../kernel/database.ts'
import type { Id } from '../kernel/id.ts'
import { operation } from '../kernel/operation.ts'
import { refuseUnknown } from '../kernel/references.ts'
import { Forbidden, fault, Invalid } from '../kernel/refusal.ts'
import type { Schema } from '../kernel/shape.ts'

/** For whom a setting holds; of several the nearest counts. */
export const scopes = { tenant: 0, container: 1, user: 2, operator: 3 } as const

type Source = 'user' | 'container' | 'tenant' | 'default'

interface Level {
  source: Source
  id: Id
  ownerId: Id
  value: unknown
  secret: boolean
}

export interface Effective {
  key: string
  value: unknown
  secret: boolean
  source: Source
  /** All that say something about it, the nearest first. */
  provenance: Level[]
}

/** What counts for this user in this container: user before container before tenant before nothing at all. */
export async function effective(
  ctx: Context,
  key: string,
  at: { userId?: Id | undefined; containerId?: Id | undefined },
): Promise<Effective> {
  const provenance = await ctx.sql<Level>`
    select (array['tenant', 'container', 'user'])[scope + 1] as source, id, owner_id as "ownerId", value, secret from app_setting
    where tenant_id = ${ctx.caller.tenantId} and key = ${key} and not deleted and (scope = ${scopes.tenant}
      or (scope = ${scopes.container} and owner_id = ${at.containerId ?? ''}) or (scope = ${scopes.user} and owner_id = ${at.userId ?? ''}))
    order by scope desc`
  const [nearest] = provenance
  return {
    key,
    value: nearest?.value ?? null,
    secret: nearest?.secret ?? false,
    source: nearest?.source ?? 'default',
    provenance,
  }
}

const source: Schema = { type: 'string', enum: ['user', 'container', 'tenant', 'default'] }
const value: Schema = { description: 'any JSON value; a secret shows as `***`' }

const level: Schema = {
  type: 'object',
  properties: { source, id: { type: 'string' }, ownerId: { type: 'string' }, value, secret: { type: 'boolean' } },
  required: ['source', 'id', 'ownerId', 'value', 'secret'],
}

const schema: Schema = {
  type: 'object',
  title: 'EffectiveSetting',
  properties: {
    key: { type: 'string' },
    value,
    secret: { type: 'boolean' },
    source,
    provenance: { type: 'array', items: level },
  },
  required: ['key', 'value', 'secret', 'source', 'provenance'],
}

export const effectiveSetting = operation({
  permission: permission('appSetting.read', staff),
  mode: 'read',
  summary: 'The setting that counts',
  description:
    'The value that counts for a user, the caller unless another is named, in a container, and where it comes from: user before container before tenant before the default, which is null. Only admins ask for somebody else.',
  query: {
    key: { type: 'string', 'x-required': true, description: 'Which setting.' },
    userId: { type: 'string', description: 'For whom; the caller, if nobody is named.' },
    containerId: { type: 'string', description: 'In which container.' },
  },
  reply: { status: 200, schema, description: 'The value and its provenance.' },
  refusals: [422],
  async run(ctx, { query }) {
    const key = String(query.key ?? '')
    if (key === '') throw new Invalid([fault(['key'], 'required', 'is required')])
    const userId = String(query.userId || ctx.caller.userId).toLowerCase()
    const containerId = String(query.containerId ?? '').toLowerCase()
    if (userId !== ctx.caller.userId && !seesEverything(ctx.caller.authority)) {
      throw new Forbidden('only admins ask for the settings of others')
    }
    await refuseUnknown(ctx, [
      { entity: 'User', id: userId, path: ['userId'] },
      ...(containerId === '' ? [] : [{ entity: 'Container', id: containerId, path: ['containerId'] }]),
    ])
    return { body: await effective(ctx, key, { userId, containerId }) }
  },
})
