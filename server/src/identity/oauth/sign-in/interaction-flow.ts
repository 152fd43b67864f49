import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Interaction } from 'oidc-provider'
import type { Database } from '../../../kernel/database.ts'
import { recordSignIn } from '../../audit/sign-in-audit.ts'
import { recordSession } from '../../session/session.ts'
import { type AccountRef, accountIdOf, findAccount, readAccountId } from '../accounts.ts'
import { say } from '../pages/html.ts'
import { errorPage } from '../pages/pages.ts'
import { sendPage } from '../pages/send-page.ts'
import type { CurrentProvider } from '../provider/current-provider.ts'
import { resolveScopes } from '../provider/scopes.ts'
import { digest } from '../provider/store.ts'
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
  async allow(request: FastifyRequest, reply: FastifyReply, { params, session }: Interaction): Promise<FastifyReply> {
    const { Grant } = await this.#deps.provider.get()
    const grant = new Grant({ accountId: session?.accountId ?? '', clientId: String(params.client_id) })
    const { openid, api } = resolveScopes(String(params.scope ?? ''))
    grant.addOIDCScope(openid.join(' '))
    if (api.length > 0) grant.addResourceScope(this.#deps.resource, api.join(' '))
    const grantId = await grant.save()
    await this.#recordSession(request, session, String(params.client_id), grantId)
    return await this.#finish(request, reply, { consent: { grantId } })
  }

  async #recordSession(
    request: FastifyRequest,
    session: Interaction['session'],
    client: string,
    grantId: string,
  ): Promise<void> {
    const holder = readAccountId(session?.accountId)
    if (!holder) return
    const { applicationType } = (await (await this.#deps.provider.get()).Client.find(client)) ?? {}
    await recordSession(this.#deps.database, {
      ...holder,
      grant: digest(grantId),
      browser: session?.uid ? digest(session.uid) : '',
      native: applicationType === 'native',
      client,
      userAgent: request.headers['user-agent'] ?? '',
      address: request.ip,
    })
  }

  async deny(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
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

const expired = say(
  'This sign-in has expired, or was started in another browser. Go back to the program and start again.',
  'Diese Anmeldung ist abgelaufen oder wurde in einem anderen Browser begonnen. Gehen Sie zurück zum Programm, und beginnen Sie neu.',
)
