import * as oidc from 'openid-client'
import {
  type ExternalProviderId,
  type ExternalSignIn,
  type PendingSignIn,
  SignInRefused,
} from '../../../identity/oauth/oauth.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Database } from '../../../kernel/database.ts'
import type { Id } from '../../../kernel/id.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { findIdentity, linkIdentity } from '../../user-identity.ts'
import { type EntraMeta, offeredMetas, registrationOf } from '../entra-meta.ts'
import { tenantBySlug } from '../tenant-by-slug.ts'
import { admitPerson } from './admission.ts'
import { type Claims, type Person, personIn } from './claims.ts'
import { openTicket } from './link-ticket.ts'
import { configure, describeFailure, discover, type Registration, scopeOf } from './provider-client.ts'

interface SignOnDeps {
  database: Database
  outbound: Outbound
  log(line: Record<string, unknown>): void
}

/** How long the configuration of a provider is cached, in milliseconds; its keys are not cached. */
const metadataTtl = 300_000
const maxCached = 1000

/** Signs users in through the identity providers of their workspace. */
export function openSignOn({ database, outbound, log }: SignOnDeps): ExternalSignIn {
  const { secrets, outboundRules: rules } = database.services
  const known = new Map<string, { metadata: oidc.ServerMetadata; until: number }>()
  const inTenant = <T>(tenantId: Id, work: (ctx: Context) => Promise<T>) =>
    database.single(tenantCaller(tenantId), work)

  /** Reads the provider and the registration. No database connection is occupied while the provider answers. */
  async function read({ tenantId, id }: ExternalProviderId): Promise<{ meta: EntraMeta; registration: Registration }> {
    const found = await inTenant(tenantId, async ctx => {
      const meta = (await offeredMetas(ctx)).find(each => each.id === id)
      return meta && { meta, registration: await registrationOf(ctx, meta) }
    })
    if (!found) throw new SignInRefused('This sign-in method is no longer available.')
    return found
  }

  async function metadataOf(registration: Registration): Promise<oidc.ServerMetadata> {
    const key = `${registration.tenantId} ${registration.issuer}`
    const found = known.get(key)
    if (found && found.until > Date.now()) return found.metadata
    const metadata = await discover(registration, outbound, rules)
    if (known.size >= maxCached) known.delete(known.keys().next().value ?? '')
    known.set(key, { metadata, until: Date.now() + metadataTtl })
    return metadata
  }

  /** Logs the reason of a failure; the user reads only the given sentence. */
  async function orRefuse<T>(
    { tenantId, id }: ExternalProviderId,
    sentence: string,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof SignInRefused) throw error
      const why = describeFailure(error)
      log({ level: 'warn', what: 'sign-on refused', tenantId, provider: id, why, error: errorSummary(error) })
      throw new SignInRefused(sentence)
    }
  }

  async function identify({ offer, state, nonce, verifier }: PendingSignIn, answer: URL) {
    const { meta, registration } = await read(offer)
    const sentence = `${meta.name} sent an answer that could not be verified. Try again; if the problem persists, tell an admin of your workspace.`
    const person = await orRefuse(offer, sentence, async () => {
      const config = configure(registration, await metadataOf(registration), outbound, rules)
      const tokens = await oidc.authorizationCodeGrant(config, answer, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      if (![undefined, registration.clientId].includes(tokens.claims()?.azp))
        throw new Error('the token is for another client')
      const claims: Claims = { ...(await moreClaims(config, meta, tokens)), ...tokens.claims() }
      const somebody = personIn(meta, claims)
      if (!somebody) throw new Error('the token is of another directory, or names no person')
      return somebody
    })
    if (!person.groups && meta.groupMappings.length > 0)
      log({ level: 'warn', what: 'group overage', tenantId: offer.tenantId, provider: offer.id })
    return { meta, person }
  }

  return {
    async providers(workspace) {
      const tenant = await tenantBySlug(database, workspace)
      if (!tenant) return []
      const metas = await inTenant(tenant, offeredMetas)
      return metas.map(({ tenantId, id, name }) => ({ tenantId, id, name }))
    },

    async begin(asked, { redirectUri, state, forceLogin, hint }) {
      const { meta, registration } = await read(asked)
      const [nonce, verifier] = [oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
      const url = await orRefuse(asked, `${meta.name} cannot be reached at the moment. Try again later.`, async () => {
        const config = configure(registration, await metadataOf(registration), outbound, rules)
        return oidc.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: scopeOf(registration),
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(forceLogin ? { prompt: 'login' } : {}),
          ...(hint ? { login_hint: hint } : {}),
        })
      })
      const offer = { tenantId: meta.tenantId, id: meta.id, name: meta.name }
      return { url: url.href, pending: { offer, state, nonce, verifier, redirectUri } }
    },

    async finish(pending, answer) {
      const { tenantId } = pending.offer
      const { meta, person } = await identify(pending, answer)
      const entered = await database.transaction(tenantCaller(tenantId), ctx => admitPerson(ctx, meta, person))
      return { tenantId, ...entered }
    },

    readTicket: ticket => openTicket(secrets, ticket),

    async link(pending, answer, { tenantId, userId }) {
      const { person } = await identify(pending, answer)
      await database.transaction(tenantCaller(tenantId, userId), ctx => linkOnce(ctx, userId, person))
    },
  }
}

/** Other providers than Entra may return more claims at the userinfo endpoint than in the token. */
async function moreClaims(
  config: oidc.Configuration,
  { provider }: EntraMeta,
  tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
): Promise<Claims> {
  if (provider === 'entra' || config.serverMetadata().userinfo_endpoint === undefined) return {}
  return { ...(await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')) }
}

async function linkOnce(ctx: Context, userId: Id, { issuer, subject }: Person): Promise<void> {
  const taken = new SignInRefused('That account is already linked with another user.')
  const known = await findIdentity(ctx, issuer, subject)
  if (known && known.userId !== userId) throw taken
  try {
    await linkIdentity(ctx, { userId, issuer, subject })
  } catch (error) {
    if (error instanceof Refusal) throw new SignInRefused(`This cannot be linked: ${error.message}.`)
    throw error
  }
}

/** A summary for the log without the claims of the token. */
function errorSummary(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return `${'code' in error ? `${String(error.code)}: ` : ''}${error.message.slice(0, 200)}`
}
