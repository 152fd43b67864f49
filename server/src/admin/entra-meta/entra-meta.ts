import { admins } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { type Fault, Forbidden, fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { readMasked, storeMasked } from '../../platform/masked-secrets.ts'
import { urlFault } from '../../platform/outbound/outbound.ts'
import { readSecret, UnsealFailed } from '../../platform/secrets.ts'
import { complete } from '../../records/input/entries.ts'
import { isOffered, metaFindings } from './entra-meta-findings.ts'
import { type EntraMeta, entraMetaShape, groupMapping, type MetaValues } from './entra-meta-shape.ts'
import { issuerOf, normalizedDomain, normalizedIssuer } from './sign-on/issuer.ts'
import type { Registration } from './sign-on/provider-client.ts'

export type { EntraMeta } from './entra-meta-shape.ts'

/** An identity provider: a directory of Microsoft Entra or another OpenID Connect provider. */
export const entraMetas = resource('EntraMeta', {
  about:
    'An identity provider for sign-in: a directory of Microsoft Entra (`provider` entra, with `entraTenantId`) or another OpenID Connect provider (oidc, with `issuer`). The client secret can be written and is never returned; `***` keeps it. The base URL of this installation followed by `redirectPath` is the redirect URI to register at the provider.',
  shape: entraMetaShape,
  derived: {
    redirectPath: { schema: { type: 'string' }, value: alias => sql`'/oauth/callback/' || ${alias}.id` },
  },
  serverSet: ['lastSignOn', 'groupOverage'],
  may: { read: admins },
  // Whoever controls the provider can sign in as its users.
  credential: true,
  check: checkMeta,
  findings: metaFindings,
  example: {
    name: 'Contoso',
    provider: 'entra',
    entraTenantId: '72f988bf-86f1-41af-91ab-2d7cd011db47',
    clientId: '11111111-2222-3333-4444-555555555555',
    clientSecret: 'the secret of the application',
    allowedDomains: ['contoso.com'],
  },
})

function checkMeta(ctx: Context, meta: MetaValues, before: EntraMeta | undefined): void {
  const faults: Fault[] = []
  const { entraTenantId, issuer, scopes, allowedDomains } = meta
  if (entraTenantId !== '' && !isId(entraTenantId))
    faults.push(fault(['entraTenantId'], 'uuid', 'must be the id of one directory, not its name', entraTenantId))
  const wrong = issuer === '' || issuer === before?.issuer ? undefined : urlFault(issuer, ctx.services.outboundRules)
  if (wrong) faults.push(fault([meta.provider === 'entra' ? 'authority' : 'issuer'], 'url', wrong, issuer))
  for (const [i, scope] of scopes.entries())
    if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))
      faults.push(fault(['scopes', i], 'scope', 'must be one word without quotes', scope))
  for (const [i, domain] of allowedDomains.entries())
    if (normalizedDomain(domain) === undefined)
      faults.push(fault(['allowedDomains', i], 'domain', 'must be a domain such as example.com', domain))
  if (faults.length > 0) throw new Invalid(faults)
  if (meta.jitProvisioning && !ctx.caller.authority.superAdmin)
    throw new Forbidden('only a super admin lets a provider create users')
}

export async function createMeta(ctx: Context, values: Partial<MetaValues>): Promise<EntraMeta> {
  const read = readMasked(secretNames, values)
  const meta = await entraMetas.create(ctx, { ...normalizedMeta(values), ...read.shown })
  await storeMasked(ctx, meta.id, read)
  return meta
}

export async function changeMeta(
  ctx: Context,
  id: Id,
  values: Partial<MetaValues>,
  more: { expect?: Expect },
): Promise<EntraMeta> {
  const before = await entraMetas.get(ctx, id, { lock: true })
  const patch = normalizedMeta(values, before)
  const read = readMasked(secretNames, values, before)
  // Otherwise a user who may change the record, but not read its secret, could have the secret sent to their own host.
  if (read.staying.length > 0 && normalizedIssuer(patch.issuer ?? '') !== normalizedIssuer(before.issuer))
    throw new Invalid([
      fault(['clientSecret'], 'other-issuer', 'the issuer has changed: set the secret again, or clear it'),
    ])
  const own = { columns: {}, changes: read.changes }
  const after = await entraMetas.update(ctx, id, { ...patch, ...read.shown }, { ...more, own })
  await storeMasked(ctx, before.id, read)
  return after
}

const secretName = 'clientSecret'
const secretNames = [secretName] as const

/** The values as they are stored: complete mappings, domains in one spelling, and the issuer that follows from the rest. */
function normalizedMeta(values: Partial<MetaValues>, before?: EntraMeta): Partial<MetaValues> {
  const { groupMappings, allowedDomains } = values
  return {
    ...values,
    issuer: issuerOf(entraMetas.completed({ ...before, ...values })),
    ...(groupMappings && { groupMappings: complete(groupMapping, groupMappings) }),
    ...(allowedDomains && { allowedDomains: allowedDomains.map(each => normalizedDomain(each) ?? each) }),
  }
}

/** The registration at the provider, with the secret; it is read for one use and never stored. */
export async function registrationOf(ctx: Context, meta: EntraMeta): Promise<Registration> {
  const { tenantId, provider, issuer, clientId, scopes } = meta
  return { tenantId, provider, issuer, clientId, scopes, secret: await secretOf(ctx, meta) }
}

/** A secret that cannot be unsealed counts as missing: the provider will refuse the sign-on. */
async function secretOf(ctx: Context, { id, clientSecret }: EntraMeta): Promise<string | undefined> {
  if (clientSecret === '') return undefined
  try {
    return await readSecret(ctx, id, secretName)
  } catch (error) {
    if (error instanceof UnsealFailed) return undefined
    throw error
  }
}

/** The providers of the caller's tenant through which people can sign in right now. */
export async function offeredMetas(ctx: Context): Promise<EntraMeta[]> {
  const rows = await ctx.sql<{ json: string }>`select ${entraMetas.json(raw('t'))} as json from entra_meta t
    where t.tenant_id = ${ctx.caller.tenantId} and t.active and not t.deleted order by t.name, t.id limit 100`
  return rows.map(({ json }): EntraMeta => JSON.parse(json)).filter(isOffered)
}
