import type { Adapter, Client, ClientMetadata } from 'oidc-provider'
import type { Database } from '../../../kernel/database.ts'
import type { Id } from '../../../kernel/id.ts'
import { allScopes } from '../../scope.ts'
import { openTenantStatuses } from '../../tenant-status.ts'
import type { ScopeLimit } from './scopes.ts'
import { findTenantClient, tenantClientMetadata, tenantClientOf } from './tenant-clients.ts'

const deviceCode = 'urn:ietf:params:oauth:grant-type:device_code'

/** First-party clients: they need no consent of the user. */
export function ownClients(baseUrl: string): ClientMetadata[] {
  const common = { token_endpoint_auth_method: 'none', response_types: ['code'], first_party: true }
  return [
    {
      ...common,
      client_id: 'gantry-cli',
      client_name: 'Gantry command line',
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token', deviceCode],
      // Any loopback port is allowed (RFC 8252).
      redirect_uris: ['http://127.0.0.1', 'http://127.0.0.1/', 'http://127.0.0.1/callback', 'http://[::1]/callback'],
    },
    {
      ...common,
      client_id: 'gantry-web',
      client_name: 'Gantry',
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [`${baseUrl}/signed-in`],
      post_logout_redirect_uris: [`${baseUrl}/`],
    },
  ]
}

/** A third-party client, which needs the consent of the user. */
export interface OtherClient {
  client_id: string
  client_name: string
  redirect_uris: string[]
  application_type?: 'web' | 'native'
}

export function otherClient({ client_id, client_name, redirect_uris, application_type = 'web' }: OtherClient) {
  return {
    client_id,
    client_name,
    redirect_uris,
    application_type,
    token_endpoint_auth_method: 'none',
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
  }
}

/** Client metadata beyond that of OAuth. */
export const clientProperties = ['first_party', 'api_key', 'tenant_client']

/** The API key behind a client; tokens that the client obtains act as the owner of the key. */
interface ApiKeyClient {
  id: Id
  tenantId: Id
  userId: Id
  authVersion: number
  prefix: string
  digest: string
  scopes: string[]
  allowedIps: string[]
}

export function apiKeyOf(client: Client | undefined): ApiKeyClient | undefined {
  return client?.api_key as ApiKeyClient | undefined
}

/** What a client may ask for; undefined for clients of the installation, whose users decide. */
export function scopeLimitOf(client: Client | undefined): ScopeLimit | undefined {
  const registered = tenantClientOf(client)
  if (registered) return { ceiling: registered.scopes, unnamed: [] }
  const key = apiKeyOf(client)
  const held = key && (key.scopes.length > 0 ? key.scopes : [allScopes])
  return held && { ceiling: held, unnamed: held }
}

/** The clients in the database: API keys, and those that tenants have registered. */
export function storedClients(database: Database): Adapter {
  const never = async () => {
    throw new Error('clients cannot be stored through this adapter')
  }
  return {
    async find(clientId) {
      const registered = await findTenantClient(database, clientId)
      return registered ? tenantClientMetadata(registered) : await findKeyClient(database, clientId)
    },
    findByUid: never,
    findByUserCode: never,
    upsert: never,
    consume: never,
    destroy: never,
    revokeByGrantId: never,
  }
}

/**
 * Every live API key is a client. It is found by its prefix: `gty_` and twelve characters, or the twelve characters
 * alone.
 */
async function findKeyClient({ crossTenantSql }: Database, clientId: string): Promise<ClientMetadata | undefined> {
  const name = /^(?:gty_)?([0-9A-Za-z]{12})$/.exec(clientId)?.[1]
  if (!name) return undefined
  const [key] = await crossTenantSql<ApiKeyClient>`
    select k.id, k.tenant_id as "tenantId", k.owner_user_id as "userId", u.auth_version as "authVersion", k.prefix,
      encode(k.digest, 'hex') as digest, k.scopes, k.allowed_ips as "allowedIps"
    from api_key k join "user" u on u.tenant_id = k.tenant_id and u.id = k.owner_user_id join tenant t on t.tenant_id = k.tenant_id
    where k.prefix = ${`gty_${name}`} and not k.deleted and (k.expires_at is null or k.expires_at > now())
      and u.active and not u.deleted and (u.locked is null or u.locked <= now()) and (t.status in (${openTenantStatuses}) or u.super_admin) and not t.deleted`
  if (!key) return undefined
  return {
    client_id: clientId,
    client_secret: key.digest, // OAuth requires a secret; the comparison itself is in `compareByDigest`
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    token_endpoint_auth_method: 'client_secret_basic',
    api_key: key,
  }
}
