import { Type } from 'typebox'
import { type Caller, everyone, seesEverything } from '../kernel/access.ts'
import type { Context } from '../kernel/database.ts'
import type { Id } from '../kernel/id.ts'
import type { Routes } from '../kernel/operation.ts'
import { refuseUnknown } from '../kernel/references.ts'
import { Forbidden, fault, Invalid, RuleBroken } from '../kernel/refusal.ts'
import { type Expect, type Finding, resource, type Stored, type Values } from '../kernel/resource.ts'
import { dropSecrets, keepSecret, mask } from '../kernel/secrets.ts'
import { raw, type Sql, sql } from '../kernel/sql.ts'
import { check, create, get, history, list, remove, restore, update } from '../kernel/stock.ts'
import { AnyJson, Code, Text } from '../kernel/values.ts'
import { effectiveSetting, scopes } from './effective-setting.ts'

export { effective } from './effective-setting.ts'

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

/** One choice of how the service behaves: for the tenant, in a container, for a user. */
export const appSettings = resource('AppSetting', {
  about:
    'A setting: for the tenant (`scope` 0), in a container (1) or for a user (2). Admins make all of them, everybody their own. The value of a secret is written and never shown.',
  shape,
  required: ['key'],
  // Whose setting it is, is known only with the record at hand.
  may: { read: everyone, create: everyone, update: everyone, delete: everyone },
  visible: whatIsSeen,
  check: checkSetting,
  findings: inertScope,
})

/** Admins see all settings, others their own. */
function whatIsSeen({ authority, userId }: Caller, s: Sql): Sql {
  return seesEverything(authority) ? raw('true') : sql`(${s}.scope = ${scopes.user} and ${s}.owner_id = ${userId})`
}

function inertScope({ scope }: AppSetting): Finding[] {
  const known = Object.values(scopes).some(code => code === scope)
  return known ? [] : [{ path: '/scope', code: 'unknown-code', message: `${scope} means nothing here` }]
}

async function checkSetting(
  ctx: Context,
  { scope, ownerId }: SettingValues,
  before: AppSetting | undefined,
): Promise<void> {
  const { authority, userId } = ctx.caller
  if (scope === scopes.operator) {
    const message = 'settings of the installation are made by its operator'
    throw new RuleBroken('operator-scope', message, [fault(['scope'], 'operator-scope', message, scope)])
  }
  if (!seesEverything(authority) && (scope !== scopes.user || ownerId !== userId)) {
    throw new Forbidden('only admins make settings for others')
  }
  if (before && before.scope === scope && before.ownerId === ownerId) return
  if (scope === scopes.tenant && ownerId !== '') {
    const message = 'must be empty or the id of the tenant'
    throw new RuleBroken('unknown-reference', 'the record points at something that is not there', [
      fault(['ownerId'], 'unknown-reference', message, ownerId),
    ])
  }
  if (scope === scopes.container) await refuseUnknown(ctx, [{ entity: 'Container', id: ownerId, path: ['ownerId'] }])
  if (scope === scopes.user) {
    await refuseUnknown(ctx, [{ entity: 'User', id: ownerId, path: ['ownerId'] }])
    await refuseTooMany(ctx, ownerId)
  }
}

const mostPerUser = 200

async function refuseTooMany(ctx: Context, userId: Id): Promise<void> {
  const [row] = await ctx.sql<{ count: number }>`select count(*)::int as count from app_setting
    where tenant_id = ${ctx.caller.tenantId} and scope = ${scopes.user} and owner_id = ${userId} and not deleted`
  if ((row?.count ?? 0) >= mostPerUser) {
    throw new RuleBroken('too-many-settings', `a user has at most ${mostPerUser} settings`)
  }
}

async function createSetting(ctx: Context, values: Partial<SettingValues>): Promise<AppSetting> {
  const { value = null, ...rest } = placed(ctx, values)
  refuseLarge(value)
  const made = await appSettings.create(ctx, { ...rest, value: rest.secret ? masked(value) : value })
  if (made.secret) await seal(ctx, made.id, value)
  return made
}

/** A secret stays sealed until another value is given: its mask, sent back, is none. */
async function changeSetting(
  ctx: Context,
  id: Id,
  values: Partial<SettingValues>,
  more: { expect?: Expect },
): Promise<AppSetting> {
  const before = await appSettings.get(ctx, id, { lock: true })
  const wish = placed(ctx, values, before)
  const secret = wish.secret === undefined ? before.secret : (wish.secret ?? false)
  const fresh = wish.value !== undefined && !(before.secret && wish.value === mask)
  if (before.secret && !secret && !fresh) {
    throw new Invalid([fault(['value'], 'required', 'must be given anew: what was secret is never shown')])
  }
  const value = fresh ? (wish.value ?? null) : before.value
  refuseLarge(value)
  const sealedAnew = secret && (fresh || !before.secret)
  const shownValue = secret ? masked(value) : value
  // The event says that the value changed, never what it is.
  const own = { own: { columns: {}, changes: { value: { from: mask, to: mask } } } }
  const after = await appSettings.update(
    ctx,
    id,
    { ...wish, value: shownValue },
    { ...more, ...(sealedAnew && value !== null ? own : {}) },
  )
  if (sealedAnew) await seal(ctx, id, value)
  else if (!secret && before.secret) await dropSecrets(ctx, id)
  return after
}

/** A setting of the tenant has no owner, one of a user is the caller's unless another is named. */
function placed(ctx: Context, values: Partial<SettingValues>, before?: AppSetting): Partial<SettingValues> {
  const scope = values.scope === undefined ? (before?.scope ?? scopes.tenant) : (values.scope ?? scopes.tenant)
  const stays = before?.scope === scope ? before.ownerId : ''
  const ownerId = (values.ownerId === undefined ? stays : (values.ownerId ?? '')).toLowerCase()
  if (scope === scopes.tenant && ownerId === ctx.caller.tenantId) return { ...values, scope, ownerId: '' }
  return { ...values, scope, ownerId: scope === scopes.user && ownerId === '' ? ctx.caller.userId : ownerId }
}

const largest = 65_536

function refuseLarge(value: unknown): void {
  if (Buffer.byteLength(JSON.stringify(value)) > largest) {
    throw new Invalid([fault(['value'], 'maxLength', `must have at most ${largest} bytes as JSON`)])
  }
}

function masked(value: unknown): unknown {
  return value === null ? null : mask
}

async function seal(ctx: Context, id: Id, value: unknown): Promise<void> {
  if (value === null) await dropSecrets(ctx, id)
  else await keepSecret(ctx, ctx.secrets, id, 'value', JSON.stringify(value))
}

export const routes: Routes = {
  'GET /admin/setting': list(appSettings),
  'POST /admin/setting': create(appSettings, createSetting),
  'PUT /admin/setting': update(appSettings, changeSetting),
  'GET /admin/setting/effective': effectiveSetting,
  'GET /admin/setting/:id': get(appSettings),
  'PUT /admin/setting/:id': update(appSettings, changeSetting),
  'PATCH /admin/setting/:id': update(appSettings, changeSetting),
  'DELETE /admin/setting/:id': remove(appSettings),
  'POST /admin/setting/:id/restore': restore(appSettings),
  'GET /admin/setting/:id/history': history(appSettings),
  'GET /admin/setting/:id/check': check(appSettings),
}
