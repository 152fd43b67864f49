import { Type } from 'typebox'
import { admins } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import type { Expect, Stored, Values } from '../../kernel/record.ts'
import { type Fault, Forbidden, fault, Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { Code, Instant, Name, Parts, Ref, Text, Texts, Url } from '../../kernel/values.ts'
import { readMasked, storeMasked } from '../../platform/masked-secrets.ts'
import { urlFault } from '../../platform/outbound/outbound.ts'
import { readSecret, UnsealFailed } from '../../platform/secrets.ts'
import { complete } from '../../records/entries.ts'
import { isOffered, metaFindings } from './entra-meta-findings.ts'
import { issuerOf, plainDomain, plainIssuer } from './issuer.ts'
import type { Registration } from './provider-client.ts'

const mapping = { externalGroupId: Text(200, { minLength: 1 }), userGroupId: Ref('UserGroup'), role: Code() }

const shape = {
  name: Name(120),
  provider: Text(20, { default: 'entra', examples: ['entra'] }),
  entraTenantId: Text(36),
  authority: Url,
  issuer: Url,
  clientId: Text(200),
  clientSecret: Text(1000, { writeOnly: true }),
  scopes: Texts(20, 100),
  groupClaim: Text(100),
  groupMappings: Parts(mapping, ['externalGroupId'], 500),
  jitProvisioning: Type.Boolean(),
  allowedDomains: Texts(100, 253),
  active: Type.Boolean(),
  lastSignOn: Instant,
  groupOverage: Instant,
}

export type EntraMeta = Stored<typeof shape>
type MetaValues = Values<typeof shape>

/** Another place that says who people are: a directory of Microsoft Entra, or any provider of OpenID Connect. */
export const entraMetas = resource('EntraMeta', {
  about:
    'A provider through which people sign in: a directory of Microsoft Entra (`provider` entra, with `entraTenantId`) or any other of OpenID Connect (oidc, with `issuer`). The client secret is written and never shown; `***` sent back keeps it. `redirectPath`, behind the address of this installation, is what the provider must be told to lead back to.',
  shape,
  derived: {
    redirectPath: { schema: { type: 'string' }, value: alias => sql`'/oauth/callback/' || ${alias}.id` },
  },
  serverSet: ['lastSignOn', 'groupOverage'],
  may: { read: admins },
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
    if (plainDomain(domain) === undefined)
      faults.push(fault(['allowedDomains', i], 'domain', 'must be a domain such as example.com', domain))
  if (faults.length > 0) throw new Invalid(faults)
  if (meta.jitProvisioning && !ctx.caller.authority.superAdmin)
    throw new Forbidden('only a super admin makes users, or lets a provider make them')
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
  const wish = normalizedMeta(values, before)
  const read = readMasked(secretNames, values, before)
  // Else whoever may change the record but not read its secret could have it sent to a host of their own.
  if (read.staying.length > 0 && plainIssuer(wish.issuer ?? '') !== plainIssuer(before.issuer))
    throw new Invalid([
      fault(['clientSecret'], 'other-issuer', 'the issuer is another: give the secret anew, or clear it'),
    ])
  const own = { columns: {}, changes: read.changes }
  const after = await entraMetas.update(ctx, id, { ...wish, ...read.shown }, { ...more, own })
  await storeMasked(ctx, before.id, read)
  return after
}

const secretName = 'clientSecret'
const secretNames = [secretName] as const

/** Nothing left out of a mapping, domains in one spelling, and the issuer that follows from the rest. */
function normalizedMeta(values: Partial<MetaValues>, before?: EntraMeta): Partial<MetaValues> {
  const { groupMappings, allowedDomains } = values
  return {
    ...values,
    issuer: issuerOf(entraMetas.completed({ ...before, ...values })),
    ...(groupMappings && { groupMappings: complete(mapping, groupMappings) }),
    ...(allowedDomains && { allowedDomains: allowedDomains.map(each => plainDomain(each) ?? each) }),
  }
}

/** What we are at the provider, with the secret: for the moment of use only. */
export async function registrationOf(ctx: Context, meta: EntraMeta): Promise<Registration> {
  const { tenantId, provider, issuer, clientId, scopes } = meta
  return { tenantId, provider, issuer, clientId, scopes, secret: await secretOf(ctx, meta) }
}

/** One that no longer opens is as good as none: the provider will say so. */
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
