import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Client, Interaction } from 'oidc-provider'
import type { Database } from '../../../kernel/database.ts'
import { header } from '../../../kernel/http/request-input.ts'
import { hasConsent } from '../../consent/consent.ts'
import { tenantCaller } from '../../tenant-caller.ts'
import { findAccount, readAccountId } from '../accounts.ts'
import { say } from '../pages/html.ts'
import { consentPage, errorPage } from '../pages/pages.ts'
import { describeIdentityScope, describeScope } from '../pages/scope-words.ts'
import { sendPage, sendTooManyAttempts } from '../pages/send-page.ts'
import { scopeLimitOf } from '../provider/clients.ts'
import type { CurrentProvider } from '../provider/current-provider.ts'
import { resolveScopes } from '../provider/scopes.ts'
import { type TenantClient, tenantClientOf } from '../provider/tenant-clients.ts'
import { type AttemptLimit, networkOf } from './attempt-limit.ts'
import type { InteractionFlow } from './interaction-flow.ts'

interface ConsentParts {
  provider: CurrentProvider
  database: Database
  baseUrl: string
  attempts: AttemptLimit
  flow: InteractionFlow
}

/** Asks a person who has signed in whether a client may act for them, unless the answer is known. */
export async function showConsent(
  parts: ConsentParts,
  request: FastifyRequest,
  reply: FastifyReply,
  interaction: Interaction,
): Promise<FastifyReply> {
  const client = await clientOf(parts, interaction)
  if (!client || isForeign(client, interaction)) return refuseAsUnknown(reply)
  if (client.first_party === true ? wasAsked(interaction) : await isRemembered(parts, client, interaction))
    return await parts.flow.allow(request, reply, interaction)
  const account = await findAccount(parts.database, interaction.session?.accountId ?? '')
  const { name } = (await account?.claims('page', '')) ?? {}
  const { openid, api } = resolveScopes(String(interaction.params.scope ?? ''), scopeLimitOf(client))
  const registered = tenantClientOf(client)
  const asking = {
    client: client.clientName ?? client.clientId,
    account: String(name ?? ''),
    scopes: [...api.map(describeScope), ...(registered ? openid.map(describeIdentityScope) : [])],
    ...(registered ? { registered: await registrationOf(parts.database, registered, interaction) } : {}),
  }
  return sendPage(reply, consentPage(asking), interaction)
}

/** Takes the answer of a person to a client. */
export async function submitConsent(
  parts: ConsentParts,
  request: FastifyRequest,
  reply: FastifyReply,
  interaction: Interaction,
  answer: string | undefined,
): Promise<FastifyReply> {
  if (!isOwnForm(request, parts.baseUrl)) return sendPage(reply.code(403), errorPage(notOurs, 'cross-site'))
  const counter = `consent ${networkOf(request.ip)}`
  if (!parts.attempts.take(counter)) return sendTooManyAttempts(reply, interaction)
  const client = await clientOf(parts, interaction)
  if (!client || isForeign(client, interaction)) return refuseAsUnknown(reply)
  if (answer !== 'allow') return await parts.flow.deny(request, reply, interaction)
  parts.attempts.giveBack(counter)
  return await parts.flow.allow(request, reply, interaction)
}

async function clientOf({ provider }: ConsentParts, { params }: Interaction): Promise<Client | undefined> {
  return await (await provider.get()).Client.find(String(params.client_id))
}

/** Whether the client is one of another tenant than that of the person who has signed in. */
function isForeign(client: Client, { session }: Interaction): boolean {
  const registered = tenantClientOf(client)
  return registered !== undefined && registered.tenantId !== readAccountId(session?.accountId)?.tenantId
}

/** The answer that an unknown client gets: a client of another tenant does not exist. Nobody is led to it. */
function refuseAsUnknown(reply: FastifyReply): FastifyReply {
  return sendPage(reply.code(400), errorPage('Client is invalid.', 'invalid_client'))
}

/**
 * Tells whether the person acted for this very request: signed in, or confirmed the code of a device. A session alone
 * is not enough for a native client, because any other program on the machine could impersonate it.
 */
function wasAsked({ prompt, lastSubmission, deviceCode }: Interaction): boolean {
  return (
    !prompt.reasons.includes('native_client_prompt') || lastSubmission?.login !== undefined || deviceCode !== undefined
  )
}

/** Whether the person has allowed this before. A native client, and one that wants the person to be asked, shows the page each time. */
async function isRemembered({ database }: ConsentParts, client: Client, interaction: Interaction): Promise<boolean> {
  const { prompt, params, session } = interaction
  const [registered, holder] = [tenantClientOf(client), readAccountId(session?.accountId)]
  const mustAsk = prompt.reasons.some(each => each === 'native_client_prompt' || each === 'consent_prompt')
  if (!registered || !holder || mustAsk) return false
  const { openid, api } = resolveScopes(String(params.scope ?? ''), scopeLimitOf(client))
  const asked = { userId: holder.userId, client: registered.id, scopes: [...openid, ...api] }
  return await database.single(tenantCaller(holder.tenantId), ctx => hasConsent(ctx, asked))
}

/** Whose client it is, and where the answer leads to. */
async function registrationOf(
  { crossTenantSql }: Database,
  { tenantId, homepage }: TenantClient,
  { params }: Interaction,
) {
  const [tenant] = await crossTenantSql<{ name: string }>`select name from tenant where tenant_id = ${tenantId}`
  const { host } = new URL(String(params.redirect_uri))
  return { tenant: tenant?.name ?? '', homepage, host }
}

/**
 * Whether the form was sent by our own page. Browsers say so themselves; the cookie of the interaction, which they do not send with
 * forms of other sites, does not tell our pages from those of a neighbour on the same domain.
 */
function isOwnForm(request: FastifyRequest, baseUrl: string): boolean {
  const [site, origin] = [header(request, 'sec-fetch-site'), header(request, 'origin')]
  if (site !== '') return site === 'same-origin'
  return origin === '' || origin === 'null' || origin === new URL(baseUrl).origin
}

const notOurs = say(
  'This answer did not come from our page. Go back to the program and start again.',
  'Diese Antwort kam nicht von unserer Seite. Gehen Sie zurück zum Programm, und beginnen Sie neu.',
)
