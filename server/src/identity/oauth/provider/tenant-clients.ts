import type { Client, ClientMetadata } from 'oidc-provider'
import type { Database } from '../../../kernel/database.ts'
import type { Id } from '../../../kernel/id.ts'

/** The codes of `kind`: whether a client can keep a secret. */
export const clientKind = { public: 0, confidential: 1 } as const

/** A client that the admins of a tenant have registered, for the users of this tenant. */
export interface TenantClient {
  id: Id
  tenantId: Id
  clientId: string
  name: string
  homepage: string
  kind: number
  redirectUris: string[]
  /** The scopes of the API that it may ask for; with none it only learns who somebody is. */
  scopes: string[]
  /** The digest of its secret, and that of the previous one as long as it counts. */
  secret: string | null
  previousSecret: string | null
}

const form = /^gtc_[0-9A-Za-z]{20}$/

/** Whether a client id is one of those that tenants register. */
export const isTenantClientId = (clientId: string) => form.test(clientId)

export function tenantClientOf(client: Client | undefined): TenantClient | undefined {
  return client?.tenant_client as TenantClient | undefined
}

/** Returns a client that is neither deleted nor switched off. */
export async function findTenantClient(
  { crossTenantSql }: Database,
  clientId: string,
): Promise<TenantClient | undefined> {
  if (!isTenantClientId(clientId)) return undefined
  const [client] = await crossTenantSql<TenantClient>`
    select c.id, c.tenant_id as "tenantId", c.client_id as "clientId", c.name, c.homepage, c.kind, c.redirect_uris as "redirectUris", c.scopes,
      encode(c.secret, 'hex') as secret, case when c.previous_secret_until > now() then encode(c.previous_secret, 'hex') end as "previousSecret"
    from oauth_client c join tenant t on t.tenant_id = c.tenant_id
    where c.client_id = ${clientId} and c.active and not c.deleted and not t.deleted`
  return client
}

/** The client as the authorisation server sees it. */
export function tenantClientMetadata(client: TenantClient): ClientMetadata {
  const confidential = client.kind === clientKind.confidential
  return {
    client_id: client.clientId,
    client_name: client.name,
    redirect_uris: client.redirectUris,
    // A program on the device of a user may listen at any port of it (RFC 8252).
    application_type: client.redirectUris.some(uri => uri.startsWith('http:')) ? 'native' : 'web',
    // OAuth requires a secret; the comparison itself is in `compareByDigest`. Without one the client cannot redeem a code.
    ...(confidential ? { client_secret: client.secret ?? 'none' } : {}),
    token_endpoint_auth_method: confidential ? 'client_secret_basic' : 'none',
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    tenant_client: client,
  }
}
