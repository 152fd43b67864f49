import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { tenantStatuses } from '../../admin/tenant/tenant.ts'
import { containers } from '../../containers/container/container.ts'
import { containerKinds } from '../../containers/container-kind.ts'
import { everyone, may, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { kind } from '../../kernel/kinds.ts'
import { type Operation, operation, type Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { join, name, ownTenant, raw, sql } from '../../kernel/sql.ts'
import { countUnread } from '../../notify/inbox/inbox.ts'
import { setting, settingOf } from '../../platform/setting.ts'
import { Code } from '../../records/code-table.ts'
import { roles } from '../../records/role-table.ts'
import { findTimer, timers } from '../../time/timer/timer.ts'
import { catalogueHash, namesHeld, permissionsOf, placesOf } from './caller-permissions.ts'

/** The kinds that can be starred, each with the column of the container in which it is shown. */
const starrable = ['Container', 'ContainerFilter', 'Board'] as const
const containerColumn = { Container: 'r.id', ContainerFilter: 'r.container_id', Board: 'r.container_ids[1]' } as const
const maxStars = 30

const preferences = setting('ui.preferences', {
  schema: Type.Object(
    {
      starred: Type.Optional(
        Type.Array(
          Type.Object(
            { entity: Type.Enum([...starrable]), id: Type.String({ maxLength: 36 }) },
            { additionalProperties: false },
          ),
          { maxItems: maxStars },
        ),
      ),
    },
    { additionalProperties: true },
  ),
  default: {},
  scopes: ['user'],
  description:
    'What the web app remembers for a user: an object of up to 64 KiB. The service reads `starred[] {entity, id}` of it: containers, filters (`ContainerFilter`) and boards that are always at hand.',
})

/** The number of containers that are sent at once: more would be searched for, not looked for. */
const maxContainers = 30

const text: Schema = { type: 'string' }
const texts: Schema = { type: 'array', items: text }
const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

const schema: Schema = {
  ...object({
    user: object({
      id: text,
      name: text,
      initials: text,
      email: text,
      locale: text,
      timezone: { type: 'string', description: 'That of the user, else of the tenant.' },
      darkMode: text,
      avatarFileId: { type: ['string', 'null'] },
      role: Code(roles),
      superAdmin: { type: 'boolean' },
    }),
    tenant: object({
      id: text,
      name: text,
      slug: text,
      locale: text,
      timezone: text,
      branding: { type: 'object' },
      weekStart: text,
      currency: text,
      status: Code(tenantStatuses),
    }),
    permissions: {
      ...texts,
      description: 'The permissions that the caller has in the whole tenant; `item.*` stands for all of an area.',
    },
    places: {
      type: 'object',
      additionalProperties: { type: 'object' },
      description: 'Permissions that the caller has in some places only: the `containers` and `areas`, by id.',
    },
    preferences: { type: 'object', description: 'The setting `ui.preferences`.' },
    containers: {
      type: 'array',
      items: object({ id: text, key: text, name: text, kind: Code(containerKinds), processIds: texts }),
      description: `The containers that the caller sees and that are not archived: starred ones first, then by name; at most ${maxContainers}.`,
    },
    moreContainers: { type: 'boolean', description: 'There are more containers than these.' },
    starred: {
      type: 'array',
      items: object({ entity: text, id: text, name: text, containerId: { type: ['string', 'null'] } }),
      description:
        'What the caller has starred and still sees, in the order of the preferences, with the container in which it is shown.',
    },
    unread: { type: 'integer', description: 'The number of unread inbox entries; 1000 means 1000 or more.' },
    timer: { anyOf: [timers.schema, { type: 'null' }], description: 'The running timer.' },
    features: { ...texts, description: 'The features of the tenant.' },
    version: { type: 'string', description: 'The version of the service.' },
    now: { type: 'string', format: 'date-time', description: 'The clock of the service.' },
    catalogueHash: { type: 'string', description: 'Changes when a process or a field changes; for caching.' },
  }),
  title: 'SessionState',
}

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
)

/** Everything that the web app needs before it shows anything, in one call. */
export function sessionState(routes: Routes): Operation {
  const permissions = permissionsOf(routes)
  return operation({
    permission: permission('session.read', everyone),
    mode: 'read',
    summary: 'Get what the web app needs to start',
    description:
      'The caller, the tenant, what the caller may do and sees first, in one call. Without preferences and timer it has at most 8 kB for a usual caller.',
    reply: { status: 200, schema, description: 'The state of the session.' },
    async run(ctx) {
      const { caller } = ctx
      const preferred = await settingOf(ctx, preferences, { userId: caller.userId })
      const stars = (preferred.starred ?? []).filter(({ id }) => isId(id))
      const shown = await shownContainers(
        ctx,
        stars.map(({ id }) => id),
      )
      const timer = may(caller, timers.permissions.read) ? await findTimer(ctx, caller.userId) : undefined
      return {
        body: {
          ...(await identity(ctx)),
          permissions: namesHeld(caller, permissions),
          places: placesOf(caller, permissions),
          preferences: preferred,
          containers: shown.slice(0, maxContainers),
          moreContainers: shown.length > maxContainers,
          starred: await visibleStars(ctx, stars),
          unread: await countUnread(ctx),
          timer: timer ?? null,
          version,
          now: ctx.now.toISOString(),
          catalogueHash: await catalogueHash(ctx),
        },
      }
    },
  })
}

async function identity(ctx: Context): Promise<object> {
  const { tenantId, userId, timezone } = ctx.caller
  const [row] = await ctx.sql<object>`select
      json_build_object('id', u.id, 'name', u.name, 'initials', u.initials, 'email', u.email, 'locale', u.locale, 'timezone', ${timezone}::text,
        'darkMode', u.dark_mode, 'avatarFileId', u.avatar_file_id, 'role', u.role, 'superAdmin', u.super_admin) as "user",
      json_build_object('id', t.id, 'name', t.name, 'slug', t.slug, 'locale', t.locale, 'timezone', t.timezone, 'branding', t.branding,
        'weekStart', t.week_start, 'currency', t.currency, 'status', t.status) as tenant, t.features
    from "user" u join tenant t on t.tenant_id = ${ownTenant} where u.tenant_id = ${tenantId} and u.id = ${userId}`
  return row ?? {}
}

/** One container more than is shown, so that it is known whether there are more. */
async function shownContainers(ctx: Context, first: readonly Id[]): Promise<object[]> {
  const c = raw('c')
  return await ctx.sql`select c.id, c.key, c.name, c.kind, c.process_ids as "processIds" from container c
    where c.tenant_id = ${ctx.caller.tenantId} and not c.deleted and not c.archived and ${containers.visible(ctx.caller, c)}
    order by array_position(${first}::uuid[], c.id), c.name, c.id limit ${maxContainers + 1}`
}

type Star = { entity: (typeof starrable)[number]; id: Id }

async function visibleStars(ctx: Context, stars: readonly Star[]): Promise<object[]> {
  if (stars.length === 0) return []
  const r = raw('r')
  const wanted = starrable.map(entity => {
    const ids = stars.filter(star => star.entity === entity).map(star => star.id)
    const { table, visible } = kind(entity)
    return sql`select ${entity}::text as entity, r.id, r.name, ${raw(containerColumn[entity])} as "containerId" from ${name(table)} r
      where r.tenant_id = ${ownTenant} and r.id = any(${ids}::uuid[]) and not r.deleted and ${visible(ctx.caller, r)}`
  })
  const found = await ctx.sql<Star & { name: string }>`${join(wanted, ' union all ')}`
  return stars.flatMap(star => found.filter(({ entity, id }) => entity === star.entity && id === star.id.toLowerCase()))
}
