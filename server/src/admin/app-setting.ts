import { Type } from 'typebox'
import { type Caller, everyone, permission, seesEverything, staff } from '../kernel/access.ts'
import type { Context } from '../kernel/database.ts'
import { append } from '../kernel/events.ts'
import { type Id, newId } from '../kernel/id.ts'
import { check, create, get, history, list, operation, type Routes, remove, restore, update } from '../kernel/operation.ts'
import { refuseUnknown } from '../kernel/references.ts'
import { type Fault, fault, Forbidden, Invalid, RuleBroken } from '../kernel/refusal.ts'
import { type Expect, type Finding, resource, type Stored, type Values } from '../kernel/resource.ts'
import { dropSecrets, keepSecret, mask } from '../kernel/secrets.ts'
import type { Schema } from '../kernel/shape.ts'
import { raw, type Sql, sql } from '../kernel/sql.ts'
import { AnyJson, Code, Text } from '../kernel/values.ts'

const shape = {
  key: Text(120, { minLength: 1, pattern: '^[A-Za-z][A-Za-z0-9]*([._-][A-Za-z0-9]+)*$', examples: ['desk.greeting'] }),
  value: AnyJson,
  scope: Code(),
  ownerId: Text(100),
  secret: Type.Boolean(),
  description: Text(2000),
}

export type AppSetting = Stored<typeof shape>
type SettingValues = Values<typeof shape>

/** For whom a setting holds. The nearest one wins. */
const scopes = { tenant: 0, container: 1, user: 2, operator: 3 } as const

/** One choice of how the service behaves: for the tenant, in a container, for a user. */
export const appSettings = resource('AppSetting', {
  about: 'A setting: for the tenant (`scope` 0), a container (1) or a user (2). Admins set all of them, everybody their own. A secret value is written and never shown.',
  shape,
  required: ['key'],
  may: { read: everyone, create: everyone, update: everyone, delete: everyone },
  visible: whatIsSeen,
  check: checkSetting,
  findings: ({ scope }) => inertScope(scope),
})

/** Admins see all settings, others their own. */
function whatIsSeen({ authority, userId }: Caller, s: Sql): Sql {
  return seesEverything(authority) ? raw('true') : sql`(${s}.scope = ${scopes.user} and ${s}.owner_id = ${userId})`
}

function inertScope(scope: number): Finding[] {
  return Object.values(scopes).some(code => code === scope) ? [] : [{ path: '/scope', code: 'unknown-code', message: `${scope} means nothing here` }]
}

const mostPerUser = 200

async function checkSetting(ctx: Context, { scope, ownerId, key }: SettingValues, before: AppSetting | undefined): Promise<void> {
  const { authority, userId } = ctx.caller
  if (scope === scopes.operator) throw new RuleBroken('operator-scope', 'settings of the installation are made by its operator', [fault(['scope'], 'operator-scope', 'is the operator’s', scope)])
  if (!seesEverything(authority) && (scope !== scopes.user || ownerId !== userId)) throw new Forbidden('only admins make settings for others')
  if (before && before.key !== key) throw new RuleBroken('immutable', 'a setting keeps its key', [fault(['key'], 'immutable', `is ${before.key} for ever`, key)])
  const entity = { [scopes.container]: 'Container', [scopes.user]: 'User' }[scope]
  if (entity && (before?.scope !== scope || before.ownerId !== ownerId)) await refuseUnknown(ctx, [{ entity, id: ownerId, path: ['ownerId'] }])
  if (scope === scopes.tenant && ownerId !== '') throw new RuleBroken('unknown-reference', 'the record points at something that is not there', [fault(['ownerId'], 'unknown-reference', 'must be empty or the id of the tenant', ownerId)])
  if (!before && scope === scopes.user) await refuseTooMany(ctx, ownerId)
}

async function refuseTooMany(ctx: Context, ownerId: Id): Promise<void> {
  const [row] = await ctx.sql<{ count: number }>`select count(*)::int as count from app_setting where tenant_id = ${ctx.caller.tenantId} and scope = ${scopes.user} and owner_id = ${ownerId} and not deleted`
  if ((row?.count ?? 0) >= mostPerUser) throw new RuleBroken('too-many-settings', `a user has at most ${mostPerUser} settings`)
}
