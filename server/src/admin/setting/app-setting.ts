import { Type } from 'typebox'
import { seesEverything } from '../../identity/visibility.ts'
import { type Caller, everyone } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { withCheck } from '../../kernel/record/findings.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record/record.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { Forbidden, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { AnyJson, Text } from '../../kernel/schema/values.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { dropSecrets, mask, storeSecret } from '../../platform/secrets.ts'
import { type Scope, scopes, settingCalled, settingScopes } from '../../platform/setting.ts'
import { Code } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { keysOf } from '../../records/references/keys-of.ts'
import { effectiveSetting } from '../effective-setting.ts'
import { settingRegistry } from './setting-registry.ts'
import { valuesAt } from './setting-revert.ts'

const shape = {
  key: Text(120, { minLength: 1, pattern: '^[A-Za-z][A-Za-z0-9]*([._-][A-Za-z0-9]+)*$', examples: ['desk.greeting'] }),
  value: AnyJson,
  scope: Code(settingScopes),
  ownerId: Text(100),
  secret: Type.Boolean(),
  description: Text(2000),
}

type AppSetting = Stored<typeof shape>
type SettingValues = Values<typeof shape>

/** A setting of the service for the tenant, for a container or for a user. */
const appSettings = resource('AppSetting', {
  about:
    'A setting: for the tenant (`scope` 0), in a container (1) or for a user (2). Admins write all settings, other users their own. A registered setting (`GET /api/admin/setting/registry`) accepts only valid values; other keys are stored, but the service does not read them. The value of a secret can be written and is never returned.',
  shape,
  required: ['key'],
  // The check decides about writes, because it needs the owner of the record.
  may: { read: everyone, create: everyone, update: everyone, delete: everyone },
  visible: visibleSettings,
  check: checkSetting,
  findings: settingFindings,
  remembered: true,
})

/** Admins see all settings, other users their own. */
function visibleSettings({ authority, userId }: Caller, s: Sql): Sql {
  return seesEverything(authority) ? raw('true') : sql`(${s}.scope = ${scopes.user} and ${s}.owner_id = ${userId})`
}

/** Reports settings without effect. Strict requests are refused unless the key is registered or begins with `custom.`. */
function settingFindings({ key, value, scope, secret }: AppSetting): Finding[] {
  const findings: Finding[] = []
  const definition = settingCalled(key)
  const named = scopeOf(scope)
  if (!named) findings.push({ path: '/scope', code: 'unknown-code', message: `${scope} is not a known scope` })
  if (!definition && !key.startsWith('custom.'))
    findings.push({
      path: '/key',
      code: 'unknown-setting',
      message: 'the service does not read this key; use custom.… for settings of your own',
    })
  // A setting that was stored before its key was registered may have a scope that has no effect.
  if (definition && named && !takes(definition.scopes, named))
    findings.push({
      path: '/scope',
      code: 'scope',
      message: `this setting can be set for: ${definition.scopes.join(', ')}`,
    })
  if (definition && !secret && value !== null)
    for (const { Pointer, Code: code, Message } of definition.faults(value))
      findings.push({ path: Pointer, code, message: Message })
  return findings
}

function scopeOf(code: number): Scope | undefined {
  return keysOf(scopes).find(each => scopes[each] === code)
}

const takes = (taken: readonly Scope[], scope: Scope) => taken.includes(scope)

/** Refuses a value or a scope that the registration of the key does not allow. */
function validateRegistered(key: string, scope: number, value: unknown): void {
  const definition = settingCalled(key)
  if (!definition) return
  const faults = value === null ? [] : [...definition.faults(value)]
  const named = scopeOf(scope)
  if (named && named !== 'operator' && !takes(definition.scopes, named))
    faults.push(fault(['scope'], 'scope', `this setting can be set for: ${definition.scopes.join(', ')}`, scope))
  if (faults.length > 0)
    throw new Invalid(definition.secret ? faults.map(({ Value: _value, ...each }) => each) : faults)
}

async function checkSetting(
  ctx: Context,
  { scope, ownerId }: SettingValues,
  before: AppSetting | undefined,
): Promise<void> {
  const { authority, userId } = ctx.caller
  if (scope === scopes.operator) {
    const message = 'only the operator changes settings of the installation'
    throw new RuleBroken('operator-scope', message, [fault(['scope'], 'operator-scope', message, scope)])
  }
  if (!seesEverything(authority) && (scope !== scopes.user || ownerId !== userId)) {
    throw new Forbidden('only admins change settings of other users')
  }
  if (before && before.scope === scope && before.ownerId === ownerId) return
  if (scope === scopes.tenant && ownerId !== '') {
    const message = 'must be empty or the id of the tenant'
    throw new RuleBroken('unknown-reference', 'the record refers to something that does not exist', [
      fault(['ownerId'], 'unknown-reference', message, ownerId),
    ])
  }
  if (scope === scopes.container) await refuseUnknown(ctx, [{ entity: 'Container', id: ownerId, path: ['ownerId'] }])
  if (scope === scopes.user) {
    await refuseUnknown(ctx, [{ entity: 'User', id: ownerId, path: ['ownerId'] }])
    await refuseTooMany(ctx, ownerId)
  }
}

const maxPerUser = 200

async function refuseTooMany(ctx: Context, userId: Id): Promise<void> {
  const [row] = await ctx.sql<{ count: number }>`select count(*)::int as count from app_setting
    where tenant_id = ${ctx.caller.tenantId} and scope = ${scopes.user} and owner_id = ${userId} and not deleted`
  if ((row?.count ?? 0) >= maxPerUser) {
    throw new RuleBroken('too-many-settings', `a user has at most ${maxPerUser} settings`)
  }
}

async function createSetting(ctx: Context, values: Partial<SettingValues>): Promise<AppSetting> {
  const { value = null, ...rest } = withRegisteredSecrecy(withOwner(ctx, values))
  refuseLarge(value)
  validateRegistered(rest.key ?? '', rest.scope ?? scopes.tenant, value)
  const made = await appSettings.create(ctx, { ...rest, value: rest.secret ? masked(value) : value })
  if (made.secret) await storeSecretValue(ctx, made.id, value)
  return made
}

/** Changes a setting. A secret keeps its value when the request contains its mask, as clients send whole records back. */
async function changeSetting(
  ctx: Context,
  id: Id,
  values: Partial<SettingValues>,
  more: { expect?: Expect },
): Promise<AppSetting> {
  const before = await appSettings.get(ctx, id, { lock: true })
  const patch = withRegisteredSecrecy(withOwner(ctx, values, before), before)
  const secret = patch.secret === undefined ? before.secret : (patch.secret ?? false)
  const fresh = patch.value !== undefined && !(before.secret && patch.value === mask)
  if (before.secret && !secret && !fresh) {
    throw new Invalid([
      fault(['value'], 'required', 'is required, because the stored value was secret and is never returned'),
    ])
  }
  const value = fresh ? (patch.value ?? null) : before.value
  refuseLarge(value)
  validateRegistered(patch.key ?? before.key, patch.scope ?? before.scope, before.secret && !fresh ? null : value)
  const sealedAnew = secret && (fresh || !before.secret)
  const shownValue = secret ? masked(value) : value
  // The event records that the value changed, but not the value.
  const own = { own: { columns: {}, changes: { value: { from: mask, to: mask } } } }
  const after = await appSettings.update(
    ctx,
    id,
    { ...patch, value: shownValue },
    { ...more, ...(sealedAnew && value !== null ? own : {}) },
  )
  if (sealedAnew) await storeSecretValue(ctx, id, value)
  else if (!secret && before.secret) await dropSecrets(ctx, id)
  return after
}

/** A key that is registered as secret makes the setting secret, whatever the request contains. */
function withRegisteredSecrecy(values: Partial<SettingValues>, before?: AppSetting): Partial<SettingValues> {
  return settingCalled(values.key ?? before?.key ?? '')?.secret ? { ...values, secret: true } : values
}

/** A setting of the tenant has no owner; a setting of a user belongs to the caller unless the request names another user. */
function withOwner(ctx: Context, values: Partial<SettingValues>, before?: AppSetting): Partial<SettingValues> {
  const scope = values.scope === undefined ? (before?.scope ?? scopes.tenant) : (values.scope ?? scopes.tenant)
  const stays = before?.scope === scope ? before.ownerId : ''
  const ownerId = (values.ownerId === undefined ? stays : (values.ownerId ?? '')).toLowerCase()
  if (scope === scopes.tenant && ownerId === ctx.caller.tenantId) return { ...values, scope, ownerId: '' }
  return { ...values, scope, ownerId: scope === scopes.user && ownerId === '' ? ctx.caller.userId : ownerId }
}

const maxBytes = 65_536

function refuseLarge(value: unknown): void {
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes) {
    throw new Invalid([fault(['value'], 'maxLength', `must have at most ${maxBytes} bytes as JSON`)])
  }
}

function masked(value: unknown): unknown {
  return value === null ? null : mask
}

async function storeSecretValue(ctx: Context, id: Id, value: unknown): Promise<void> {
  if (value === null) await dropSecrets(ctx, id)
  else await storeSecret(ctx, id, 'value', JSON.stringify(value))
}

const revertSchema: Schema = {
  type: 'object',
  properties: { version: { type: 'integer', minimum: 1, maximum: 2147483647 } },
  required: ['version'],
  additionalProperties: false,
}

const revert = operation<{ version: number }>({
  permission: appSettings.permissions.update,
  mode: 'write',
  summary: 'Revert a setting to an earlier version',
  description:
    'Restores the values of that version as a new version; a deleted setting is restored. Earlier values of a secret are not stored, so a change of its value cannot be reverted (422).',
  body: { schema: revertSchema, read: reader<{ version: number }>(revertSchema), example: { version: 1 } },
  reply: { status: 200, schema: appSettings.schema, description: 'The setting after the change.' },
  refusals: [404, 412, 422],
  async run(ctx, { params, body, expect }) {
    const now = await appSettings.get(ctx, params.id ?? '', { lock: true, deleted: true })
    const was = await valuesAt(ctx, now, body.version)
    if (now.deleted) await appSettings.restore(ctx, now.id)
    const setting = await changeSetting(ctx, now.id, was, now.deleted ? {} : { expect })
    return { body: await withCheck(ctx, setting, appSettings.findings), version: setting.version }
  },
})

export const routes: Routes = {
  'GET /admin/setting': list(appSettings),
  'POST /admin/setting': create(appSettings, createSetting),
  'PUT /admin/setting': update(appSettings, changeSetting),
  'GET /admin/setting/effective': effectiveSetting,
  'GET /admin/setting/registry': settingRegistry,
  'GET /admin/setting/:id': get(appSettings),
  'PUT /admin/setting/:id': update(appSettings, changeSetting),
  'PATCH /admin/setting/:id': update(appSettings, changeSetting),
  'DELETE /admin/setting/:id': remove(appSettings),
  'POST /admin/setting/:id/restore': restore(appSettings),
  'GET /admin/setting/:id/history': history(appSettings),
  'GET /admin/setting/:id/check': check(appSettings),
  'POST /admin/setting/:id/revert': revert,
}
