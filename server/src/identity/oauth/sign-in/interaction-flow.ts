import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Client, Interaction } from 'oidc-provider'
import type { Database } from '../../../kernel/database.ts'
import type { Origin } from '../../audit/audit.ts'
import { recordSignIn } from '../../audit/sign-in-audit.ts'
import { auditConsent, recordConsent } from '../../consent/consent.ts'
import { recordSession } from '../../session/session.ts'
import { tenantCaller } from '../../tenant-caller.ts'
import { type AccountRef, accountIdOf, findAccount, readAccountId } from '../accounts.ts'
import { say } from '../pages/html.ts'
import { errorPage } from '../pages/pages.ts'
import { sendPage } from '../pages/send-page.ts'
import { scopeLimitOf } from '../provider/clients.ts'
import type { CurrentProvider } from '../provider/current-provider.ts'
import { resolveScopes } from '../provider/scopes.ts'
import { digest } from '../provider/store.ts'
import { tenantClientOf } from '../provider/tenant-clients.ts'
import { type Methods, methods } from './second-step.ts'

interface FlowDeps {
  provider: CurrentProvider
  database: Database
  resource: string
  prepare(request: FastifyRequest): void
}

export type InteractionRequest = FastifyRequest<{ Params: { uid: string } }>

interface Refusal {
  tenantId: AccountRef['tenantId']
  userId?: AccountRef['userId']
  credential: 'password' | 'passkey' | 'provider'
  outcome: 'refused' | 'locked'
  reason: string
}

/** The steps of an interaction between the authorisation server and a person. */
export class InteractionFlow {
  readonly #deps: FlowDeps

  constructor(deps: FlowDeps) {
    this.#deps = deps
  }

  /** Returns the interaction of this browser; without one it sends an error page and returns undefined. */
  async find(request: InteractionRequest, reply: FastifyReply): Promise<Interaction | undefined> {
    this.#deps.prepare(request)
    try {
      const interaction = await (await this.#deps.provider.get()).interactionDetails(request.raw, reply.raw)
      if (interaction.uid === request.params.uid) return interaction
    } catch (error) {
      const { errors } = await import('oidc-provider')
      if (!(error instanceof errors.SessionNotFound)) throw error
    }
    sendPage(reply.code(400), errorPage(expired, 'invalid_request'))
    return undefined
  }

  /** Completes the interaction of a person who was authenticated, by a password or by an external provider. */
  async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    interaction: Interaction,
    holder: AccountRef,
    amr: Methods = methods.provider,
  ): Promise<FastifyReply> {
    const accountId = accountIdOf(holder)
    const credential = amr === methods.provider ? 'provider' : amr === methods.passkey ? 'passkey' : 'password'
    const success = { ...comingFrom(request, interaction), userId: holder.userId, credential, outcome: 'ok' } as const
    await recordSignIn(this.#deps.database, holder.tenantId, success)
    if (interaction.session && interaction.session.accountId !== accountId) await this.#endSession(interaction)
    return await this.#finish(request, reply, { login: { accountId, amr } })
  }

  /** Writes a refused sign-in: by an external provider, by its rules here, or for a wrong code. */
  async recordRefusal(
    request: FastifyRequest,
    interaction: Interaction,
    { tenantId, ...refusal }: Refusal,
  ): Promise<void> {
    await recordSignIn(this.#deps.database, tenantId, { ...comingFrom(request, interaction), ...refusal })
  }

  /** Every consent creates a separate grant, so that revoking the grant of one device leaves the others intact. */
  async allow(request: FastifyRequest, reply: FastifyReply, interaction: Interaction): Promise<FastifyReply> {
    const { params, session } = interaction
    const { Grant, Client } = await this.#deps.provider.get()
    const client = await Client.find(String(params.client_id))
    const grant = new Grant({ accountId: session?.accountId ?? '', clientId: String(params.client_id) })
    const { openid, api } = resolveScopes(String(params.scope ?? ''), scopeLimitOf(client))
    grant.addOIDCScope(openid.join(' '))
    if (api.length > 0) grant.addResourceScope(this.#deps.resource, api.join(' '))
    const grantId = await grant.save()
    await this.#record(request, interaction, client, { grantId, scopes: [...openid, ...api] })
    return await this.#finish(request, reply, { consent: { grantId } })
  }

  /** Records the session and, of a client that needs it, the consent: both or none. */
  async #record(
    request: FastifyRequest,
    interaction: Interaction,
    client: Client | undefined,
    { grantId, scopes }: { grantId: string; scopes: string[] },
  ): Promise<void> {
    const { session, params } = interaction
    const holder = readAccountId(session?.accountId)
    if (!holder) return
    const registered = tenantClientOf(client)
    const origin = consentOrigin(request, interaction)
    await this.#deps.database.transaction({ ...tenantCaller(holder.tenantId, holder.userId), origin }, async ctx => {
      await recordSession(ctx, {
        ...holder,
        grant: digest(grantId),
        browser: session?.uid ? digest(session.uid) : '',
        native: client?.applicationType === 'native',
        client: String(params.client_id),
        userAgent: request.headers['user-agent'] ?? '',
        address: request.ip,
      })
      if (registered) await recordConsent(ctx, { userId: holder.userId, client: registered.id, scopes })
    })
  }

  /** Tells the client that the person has refused. */
  async deny(request: FastifyRequest, reply: FastifyReply, interaction: Interaction): Promise<FastifyReply> {
    const holder = readAccountId(interaction.session?.accountId)
    const { Client } = await this.#deps.provider.get()
    const registered = tenantClientOf(await Client.find(String(interaction.params.client_id)))
    if (registered && holder) {
      const caller = { ...tenantCaller(holder.tenantId, holder.userId), origin: consentOrigin(request, interaction) }
      await this.#deps.database.single(caller, ctx => auditConsent(ctx, registered.id, 'refused', 'refused'))
    }
    return await this.#finish(request, reply, { error: 'access_denied', error_description: 'the user has refused' })
  }

  /** Returns the account that is signed in in this browser, outside any interaction. */
  async signedIn(request: FastifyRequest, reply: FastifyReply): Promise<AccountRef | undefined> {
    this.#deps.prepare(request)
    const { Session } = await this.#deps.provider.get()
    const { accountId = '' } = await Session.get({ req: request.raw, res: reply.raw })
    const account = await findAccount(this.#deps.database, accountId)
    return account && readAccountId(account.accountId)
  }

  /** Discards the session of the browser if another person signs in, or the same person with new credentials. */
  async #endSession(interaction: Interaction): Promise<void> {
    const { Session } = await this.#deps.provider.get()
    const session = await Session.findByUid(interaction.session?.uid ?? '')
    await session?.destroy()
    interaction.session = undefined
    await interaction.persist()
  }

  async #finish(request: FastifyRequest, reply: FastifyReply, result: object): Promise<FastifyReply> {
    const returnTo = await (await this.#deps.provider.get()).interactionResult(request.raw, reply.raw, result)
    return reply.header('cache-control', 'no-store').redirect(returnTo, 303)
  }
}

const comingFrom = ({ ip }: FastifyRequest, { params }: Interaction) => ({
  address: ip,
  client: String(params.client_id ?? ''),
})

const consentOrigin = (request: FastifyRequest, interaction: Interaction): Origin => ({
  ...comingFrom(request, interaction),
  credential: 'session',
  credentialId: '',
})

const expired = say(
  'This sign-in has expired, or was started in another browser. Go back to the program and start again.',
  'Diese Anmeldung ist abgelaufen oder wurde in einem anderen Browser begonnen. Gehen Sie zurück zum Programm, und beginnen Sie neu.',
)
