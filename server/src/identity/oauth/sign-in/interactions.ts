import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors, type Interaction } from 'oidc-provider'
import type { Database } from '../../../kernel/database.ts'
import { type AccountRef, accountIdOf, findAccount } from '../accounts.ts'
import { consentPage, errorPage, loginPage, messagePage, pagePolicy } from '../pages/pages.ts'
import type { CurrentProvider } from '../provider/current-provider.ts'
import { base } from '../provider/provider.ts'
import { allScopes, resolveScopes } from '../provider/scopes.ts'
import type { AttemptLimit } from './attempt-limit.ts'
import { type ExternalSignInMeans, mountExternalSignIn } from './external-sign-in.ts'
import { signIn } from './sign-in.ts'

interface InteractionOptions {
  provider: CurrentProvider
  database: Database
  baseUrl: string
  resource: string
  attempts: AttemptLimit
  prepare(request: FastifyRequest): void
  /** The external identity providers. */
  elsewhere?: ExternalSignInMeans | undefined
}

/**
 * The pages for sign-in and consent. The cookie of an interaction is limited to the path of the interaction and is not
 * sent with forms of other sites.
 */
export function mountInteractions(
  scope: FastifyInstance,
  { provider, database, baseUrl, resource, attempts, prepare, elsewhere }: InteractionOptions,
): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(body.toString())))
    },
  )
  scope.get<{ Params: { uid: string } }>(`${base}/interaction/:uid`, async (request, reply) => {
    const interaction = await find(request, reply)
    if (!interaction) return reply
    if (interaction.prompt.name === 'login') {
      const { login_hint: hint, tenant } = interaction.params
      const text = (given: unknown) => (typeof given === 'string' ? given : '')
      return await showLogin(reply, interaction, { email: text(hint), workspace: text(tenant), refused: false })
    }
    const client = await (await provider.get()).Client.find(String(interaction.params.client_id))
    if (client?.first_party === true && wasAsked(interaction)) return await allow(request, reply, interaction)
    const account = await findAccount(database, interaction.session?.accountId ?? '')
    const { name } = (await account?.claims('page', '')) ?? {}
    const asking = {
      client: client?.clientName ?? client?.clientId ?? '',
      account: String(name ?? ''),
      scopes: scopesOf(interaction).map(inWords),
    }
    return sendPage(reply, consentPage(asking), interaction)
  })

  scope.post<{ Params: { uid: string }; Body: Record<string, string> | undefined }>(
    `${base}/interaction/:uid`,
    async (request, reply) => {
      const interaction = await find(request, reply)
      if (!interaction) return reply
      const form = request.body ?? {}
      if (interaction.prompt.name === 'login') return await enter(request, reply, interaction, form)
      if (form.answer === 'allow') return await allow(request, reply, interaction)
      return await finish(request, reply, { error: 'access_denied', error_description: 'the user has refused' })
    },
  )

  if (elsewhere)
    mountExternalSignIn(scope, {
      ...elsewhere,
      provider,
      database,
      baseUrl,
      prepare,
      find,
      admit,
      show: sendPage,
      tooOften: tooManyAttemptsPage,
    })

  async function find(
    request: FastifyRequest<{ Params: { uid: string } }>,
    reply: FastifyReply,
  ): Promise<Interaction | undefined> {
    prepare(request)
    try {
      const interaction = await (await provider.get()).interactionDetails(request.raw, reply.raw)
      if (interaction.uid === request.params.uid) return interaction
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) throw error
    }
    sendPage(
      reply.code(400),
      errorPage(
        'This sign-in has expired, or was begun in another browser. Go back to the program and begin anew.',
        'invalid_request',
      ),
    )
    return undefined
  }

  async function enter(
    request: FastifyRequest,
    reply: FastifyReply,
    interaction: Interaction,
    form: Record<string, string>,
  ) {
    const { email = '', password = '', workspace = '', answer } = form
    if (elsewhere && answer === 'elsewhere')
      return await showLogin(reply, interaction, { email, workspace, refused: false, asked: true })
    const outcome = await signIn(database, attempts, { email, password, workspace, ip: request.ip })
    if (outcome === 'later')
      return sendPage(reply.code(429).header('retry-after', '60'), tooManyAttemptsPage, interaction)
    if (outcome === 'refused') return await showLogin(reply.code(403), interaction, { email, workspace, refused: true })
    return await admit(request, reply, interaction, outcome, 'pwd')
  }

  /** Completes the interaction of a person who was authenticated, by a password or by an external provider. */
  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    interaction: Interaction,
    holder: AccountRef,
    method = 'fed',
  ) {
    const accountId = accountIdOf(holder)
    if (interaction.session && interaction.session.accountId !== accountId) await endSession(interaction)
    return await finish(request, reply, { login: { accountId, amr: [method] } })
  }

  async function showLogin(
    reply: FastifyReply,
    interaction: Interaction,
    known: { email: string; workspace: string; refused: boolean; asked?: boolean },
  ) {
    const { email, workspace, refused } = known
    const offers = await elsewhere?.externalSignIn.providers(workspace)
    const ways = offers?.map(({ id, name }) => ({
      name,
      address: `${baseUrl}${base}/interaction/${interaction.uid}/with/${encodeURIComponent(workspace.trim())}/${id}`,
    }))
    const noWays = known.asked === true && ways?.length === 0
    return sendPage(reply, loginPage({ email, workspace, refused, noWays, ...(ways ? { ways } : {}) }), interaction)
  }

  /** Discards the session of the browser if another person signs in, or the same person with new credentials. */
  async function endSession(interaction: Interaction): Promise<void> {
    const { Session } = await provider.get()
    const session = await Session.findByUid(interaction.session?.uid ?? '')
    await session?.destroy()
    interaction.session = undefined
    await interaction.persist()
  }

  /** Every consent creates a separate grant, so that revoking the grant of one device leaves the others intact. */
  async function allow(request: FastifyRequest, reply: FastifyReply, { params, session }: Interaction) {
    const { Grant } = await provider.get()
    const grant = new Grant({ accountId: session?.accountId ?? '', clientId: String(params.client_id) })
    const { openid, api } = resolveScopes(String(params.scope ?? ''))
    grant.addOIDCScope(openid.join(' '))
    grant.addResourceScope(resource, api.join(' '))
    return await finish(request, reply, { consent: { grantId: await grant.save() } })
  }

  async function finish(request: FastifyRequest, reply: FastifyReply, result: object) {
    const returnTo = await (await provider.get()).interactionResult(request.raw, reply.raw, result)
    return reply.header('cache-control', 'no-store').redirect(returnTo, 303)
  }
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

function scopesOf({ params }: Interaction): string[] {
  return resolveScopes(String(params.scope ?? '')).api
}

function inWords(scope: string): string {
  if (scope === allScopes) return 'Do everything that you may do'
  const [area, level] = scope.split(':')
  const what = area === '*' ? 'everything' : area
  return (
    { read: `Read ${what}`, write: `Read and change ${what}` }[level ?? ''] ?? `Read, change and administer ${what}`
  )
}

export const tooManyAttemptsPage = messagePage(
  'Too many attempts',
  'Too much has been tried from here or for this account. Wait a minute, then try again.',
)

export function sendPage(reply: FastifyReply, page: string, interaction?: Interaction): FastifyReply {
  const { redirect_uri: returnTo } = interaction?.params ?? {}
  return reply
    .headers({
      'content-security-policy': pagePolicy(typeof returnTo === 'string' ? returnTo : undefined),
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(page)
}
