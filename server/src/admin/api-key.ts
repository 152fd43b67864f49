import { Type } from 'typebox'
import { mintSecret } from '../identity/api-key-secret.ts'
import { isScope, scopeDemand } from '../identity/scope.ts'
import { type Caller, everyone, members } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { get, list, remove, update } from '../kernel/crud.ts'
import { appendEvents } from '../kernel/events.ts'
import type { Id } from '../kernel/id.ts'
import { forgetAfterCommit } from '../kernel/memory.ts'
import { operation, type Routes } from '../kernel/operation.ts'
import type { Stored, Values } from '../kernel/record/record.ts'
import { Forbidden, fault, Invalid, RuleBroken } from '../kernel/refusal.ts'
import { resource } from '../kernel/resource.ts'
import type { Schema } from '../kernel/schema/shape.ts'
import { Instant, Name, Ref, Text, Texts } from '../kernel/schema/values.ts'
import { raw, type Sql, sql } from '../kernel/sql.ts'
import { allows, isNetwork } from '../platform/address-list.ts'
import { setting, settingOf } from '../platform/setting.ts'
import { Code, codeTableOfCodes } from '../records/code-table.ts'
import { history } from '../records/history/history.ts'
import { enforceQuota } from './tenant/tenant.ts'

/** The codes of `kind`: whether a key is of a person or of a program. */
const keyKind = { personal: 0, service: 1 } as const

const shape = {
  name: Name(120),
  expiresAt: Instant,
  prefix: Text(20),
  last4: Text(4),
  scopes: Texts(100, 100),
  ownerUserId: Ref('User'),
  kind: Code(codeTableOfCodes('apiKey.kind', keyKind)),
  allowedIps: Texts(100, 50),
  lastUsedAt: Instant,
  lastUsedIp: Text(60),
}

type ApiKey = Stored<typeof shape>
type KeyValues = Values<typeof shape>
type KeyInput = Partial<KeyValues>

/** A credential for programs. It never has more rights than its owner, and is revoked when the owner leaves. */
const apiKeys = resource('ApiKey', {
  about:
    'A credential for programs. It never has more rights than the user who owns it, and is revoked when that user leaves.',
  shape,
  serverSet: ['prefix', 'last4', 'ownerUserId', 'lastUsedAt', 'lastUsedIp'],
  may: { read: everyone, create: members, update: members, delete: members },
  credential: true,
  visible: ownKeys,
  check: checkKey,
  remembered: true,
})

const maxPerUser = 50

/** Users see their own keys; super admins see all keys of the tenant. */
function ownKeys(caller: Caller, key: Sql): Sql {
  return caller.authority.superAdmin ? raw('true') : sql`${key}.owner_user_id = ${caller.userId}`
}

const maxAgeDays = setting('apiKey.maxAgeDays', {
  security: true,
  schema: Type.Integer({ minimum: 0, maximum: 36_500 }),
  default: 0,
  scopes: ['tenant'],
  description: 'The maximum lifetime of a new key in days; 0 means no limit.',
})

async function checkKey(
  ctx: Context,
  { expiresAt, scopes, allowedIps }: KeyValues,
  before: ApiKey | undefined,
): Promise<void> {
  const faults = []
  await refuseBeyondOwnLimits(ctx, { expiresAt, allowedIps })
  const days = expiresAt === before?.expiresAt ? 0 : await settingOf(ctx, maxAgeDays)
  if (expiresAt !== null && expiresAt !== before?.expiresAt && new Date(expiresAt) <= ctx.now)
    faults.push(fault(['expiresAt'], 'past', 'must be in the future', expiresAt))
  for (const [i, scope] of scopes.entries())
    if (!isScope(scope)) faults.push(fault(['scopes', i], 'scope', scopeDemand, scope))
  for (const [i, entry] of allowedIps.entries())
    if (!isNetwork(entry))
      faults.push(fault(['allowedIps', i], 'network', 'must be an address or a network such as 10.0.0.0/8', entry))
  if (faults.length > 0) throw new Invalid(faults)
  if (days > 0 && (expiresAt === null || Date.parse(expiresAt) > ctx.now.getTime() + days * 86_400_000)) {
    const message = `the maximum lifetime of a key is ${days} days`
    throw new RuleBroken('key-lifetime', message, [fault(['expiresAt'], 'too-late', message, expiresAt)])
  }
}

/** A key that expires or is bound to addresses makes no key that lives longer or works elsewhere, of itself neither. */
async function refuseBeyondOwnLimits(
  { caller, sql: run }: Context,
  { expiresAt, allowedIps }: Pick<KeyValues, 'expiresAt' | 'allowedIps'>,
): Promise<void> {
  if (!caller.keyId) return
  const [own] = await run<{ expiresAt: Date | null; allowedIps: string[] }>`
    select expires_at as "expiresAt", allowed_ips as "allowedIps" from api_key where tenant_id = ${caller.tenantId} and id = ${caller.keyId}`
  if (own?.expiresAt && (expiresAt === null || new Date(expiresAt) > own.expiresAt))
    throw new Forbidden('a key makes no key that outlives it: give an expiresAt that is not after its own')
  const { allowedIps: bounds = [] } = own ?? {}
  if (bounds.length > 0 && (allowedIps.length === 0 || !allowedIps.every(network => allows(bounds, network))))
    throw new Forbidden('a key makes no key for addresses beyond its own: give allowedIps within its own')
}

interface FreshKey extends ApiKey {
  RawKey: string
}

/** Creates a key for the caller. Only this result contains the plaintext; the database stores a digest. */
export async function mint(ctx: Context, input: KeyInput): Promise<FreshKey> {
  const { prefix, raw: rawKey, digest, last4 } = mintSecret()
  const key = await apiKeys.create(
    ctx,
    { ...input, prefix, last4, ownerUserId: ctx.caller.userId },
    { own: { digest: sql`${digest}::bytea` } },
  )
  return { ...key, RawKey: rawKey }
}

async function mintForCaller(ctx: Context, input: KeyInput): Promise<FreshKey> {
  const [row] = await ctx.sql<{
    count: number
  }>`select count(*)::int as count from api_key where tenant_id = ${ctx.caller.tenantId} and owner_user_id = ${ctx.caller.userId} and not deleted and (expires_at is null or expires_at > ${ctx.now})`
  if ((row?.count ?? 0) >= maxPerUser)
    throw new RuleBroken('too-many-keys', `a user has at most ${maxPerUser} keys; revoke one first`)
  await enforceQuota(ctx, 'apiKeys')
  return await mint(ctx, input)
}

/** Revokes all keys of a user who leaves; they do not come back when the user is reactivated. */
export async function revokeKeysOf(ctx: Context, userId: Id): Promise<void> {
  const { tenantId, userId: by } = ctx.caller
  const keys = await ctx.sql<{
    id: Id
  }>`update api_key set deleted = true, updated = ${ctx.now}, updated_by = ${by}, version = version + 1
    where tenant_id = ${tenantId} and owner_user_id = ${userId} and not deleted returning id`
  const changes = { deleted: { from: false, to: true } }
  await appendEvents(
    ctx,
    keys.map(({ id }) => ({ kind: 'apiKey.deleted', entity: 'ApiKey', recordId: id, changes })),
  )
  forgetAfterCommit(ctx)
}

/** Removes the personal data of an anonymised user from their keys: names are free text, and addresses locate a person. */
export async function anonymiseKeysOf(ctx: Context, userId: Id): Promise<void> {
  await ctx.sql`update api_key set name = 'revoked', last_used_ip = '', allowed_ips = '{}'
    where tenant_id = ${ctx.caller.tenantId} and owner_user_id = ${userId}`
}

const freshKeySchema: Schema = {
  ...apiKeys.schema,
  title: 'FreshApiKey',
  properties: {
    ...apiKeys.schema.properties,
    RawKey: { type: 'string', description: 'The whole key in plain text. Only this response contains it.' },
  },
  required: [...(apiKeys.schema.required ?? []), 'RawKey'],
}

const mintKey = operation<KeyInput>({
  permission: apiKeys.permissions.create,
  mode: 'write',
  summary: 'Mint an API key',
  description:
    'Creates a key for the caller. Only this response contains `RawKey`. Without `expiresAt`, or with null, the key never expires. Send it as `Authorization: Bearer gty_…` or `X-Api-Key`.',
  body: {
    schema: apiKeys.createSchema,
    read: apiKeys.readCreate,
    example: { name: 'Nightly import', expiresAt: null },
  },
  reply: { status: 200, schema: freshKeySchema, description: 'The key, with `RawKey`.' },
  refusals: [422],
  unrepeatable: true,
  async run(ctx, { body }) {
    const key = await mintForCaller(ctx, body)
    return { body: key, version: key.version }
  },
})

export const routes: Routes = {
  'GET /admin/api-key': list(apiKeys),
  'POST /admin/api-key': mintKey,
  'PUT /admin/api-key': update(apiKeys),
  'GET /admin/api-key/:id': get(apiKeys),
  'PUT /admin/api-key/:id': update(apiKeys),
  'PATCH /admin/api-key/:id': update(apiKeys),
  'DELETE /admin/api-key/:id': remove(apiKeys),
  'GET /admin/api-key/:id/history': history(apiKeys),
}
