import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Adapter, Interaction } from 'oidc-provider'
import type { Database } from '../../../kernel/database.ts'
import { type PasskeySignIn, sendPasskeyScript } from '../../passkey/passkey-sign-in.ts'
import { base } from '../base-path.ts'
import type { Brand } from '../pages/page-style.ts'
import { loginPage } from '../pages/pages.ts'
import { sendPage, sendTooManyAttempts } from '../pages/send-page.ts'
import type { CurrentProvider } from '../provider/current-provider.ts'
import { type AttemptLimit, networkOf } from './attempt-limit.ts'
import { showConsent, submitConsent } from './consent-prompt.ts'
import { type ExternalSignInDeps, mountExternalSignIn } from './external-sign-in.ts'
import { InteractionFlow, type InteractionRequest } from './interaction-flow.ts'
import { methods, nextStep } from './second-step.ts'
import { continueSignIn, submitSecondStep } from './second-step-pages.ts'
import { signIn } from './sign-in.ts'
import type { SignInTickets } from './sign-in-ticket.ts'

interface InteractionOptions {
  provider: CurrentProvider
  database: Database
  baseUrl: string
  resource: string
  attempts: AttemptLimit
  /** The sign-ins whose password was right, by interaction, sealed. */
  pending: Adapter
  tickets: SignInTickets
  passkeys: PasskeySignIn
  /** How a workspace wants to be seen, by its slug; undefined if there is none. */
  brandOf(workspace: string): Promise<Brand | undefined>
  prepare(request: FastifyRequest): void
  /** The external identity providers. */
  external?: ExternalSignInDeps | undefined
}

interface Parts extends InteractionOptions {
  flow: InteractionFlow
}

type FormRequest = FastifyRequest<{ Params: { uid: string }; Body: Record<string, string> | undefined }>

/**
 * The pages for sign-in and consent. The cookie of an interaction is limited to the path of the interaction and is not
 * sent with forms of other sites.
 */
export function mountInteractions(scope: FastifyInstance, options: InteractionOptions): void {
  const flow = new InteractionFlow(options)
  const parts: Parts = { ...options, flow }
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(body.toString())))
    },
  )
  scope.get(`${base}/interaction/:uid`, (request: InteractionRequest, reply) => showPrompt(parts, request, reply))
  scope.post(`${base}/interaction/:uid`, (request: FormRequest, reply) => submitPrompt(parts, request, reply))
  scope.post(`${base}/interaction/:uid/passkey`, (request: FormRequest, reply) => submitPasskey(parts, request, reply))
  scope.get(`${base}/passkey.js`, sendPasskeyScript)
  if (options.external) mountExternalSignIn(scope, options.external, { flow, baseUrl: options.baseUrl })
}

async function showPrompt(parts: Parts, request: InteractionRequest, reply: FastifyReply): Promise<FastifyReply> {
  const interaction = await parts.flow.find(request, reply)
  if (!interaction) return reply
  if (interaction.prompt.name === 'login') {
    const holder = await parts.tickets.take(request, reply)
    if (holder) {
      const next = await nextStep(parts.database, holder)
      return await continueSignIn(parts, request, reply, interaction, { ...holder, next })
    }
    const { login_hint: hint, tenant } = interaction.params
    const text = (given: unknown) => (typeof given === 'string' ? given : '')
    return await showLogin(parts, reply, interaction, { email: text(hint), workspace: text(tenant), refused: false })
  }
  return await showConsent(parts, request, reply, interaction)
}

async function submitPrompt(parts: Parts, request: FormRequest, reply: FastifyReply): Promise<FastifyReply> {
  const interaction = await parts.flow.find(request, reply)
  if (!interaction) return reply
  const form = request.body ?? {}
  if (interaction.prompt.name === 'login') return await submitLogin(parts, request, reply, interaction, form)
  return await submitConsent(parts, request, reply, interaction, form.answer)
}

async function submitLogin(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  interaction: Interaction,
  form: Record<string, string>,
): Promise<FastifyReply> {
  const { email = '', password = '', workspace = '', answer, step } = form
  if (step !== undefined) {
    const outcome = await submitSecondStep(parts, request, reply, interaction, form)
    return outcome ?? (await showLogin(parts, reply.code(403), interaction, { email, workspace, refused: true }))
  }
  if (parts.external && answer === 'elsewhere')
    return await showLogin(parts, reply, interaction, { email, workspace, refused: false, asked: true })
  const client = String(interaction.params.client_id ?? '')
  const outcome = await signIn(parts.database, parts.attempts, { email, password, workspace, ip: request.ip, client })
  if (outcome === 'later') return sendTooManyAttempts(reply, interaction)
  if (outcome === 'refused')
    return await showLogin(parts, reply.code(403), interaction, { email, workspace, refused: true })
  return await continueSignIn(parts, request, reply, interaction, outcome)
}

async function submitPasskey(parts: Parts, request: FormRequest, reply: FastifyReply): Promise<FastifyReply> {
  const interaction = await parts.flow.find(request, reply)
  if (!interaction) return reply
  const counter = `from ${networkOf(request.ip)}`
  if (!parts.attempts.take(counter)) return sendTooManyAttempts(reply, interaction)
  const isLogin = interaction.prompt.name === 'login'
  const answer = isLogin ? await parts.passkeys.verify(interaction, request.body?.response ?? '') : undefined
  if (answer && !answer.valid) {
    const { tenantId, userId } = answer.holder
    const reason = 'the passkey or the account is not valid'
    const refusal = { tenantId, userId, credential: 'passkey', outcome: 'refused', reason } as const
    await parts.flow.recordRefusal(request, interaction, refusal)
  }
  if (!answer?.valid)
    return await showLogin(parts, reply.code(403), interaction, { email: '', workspace: '', refused: true })
  parts.attempts.giveBack(counter)
  return await parts.flow.admit(request, reply, interaction, answer.holder, methods.passkey)
}

async function showLogin(
  { external, passkeys, baseUrl, brandOf }: Parts,
  reply: FastifyReply,
  interaction: Interaction,
  known: { email: string; workspace: string; refused: boolean; asked?: boolean },
): Promise<FastifyReply> {
  const { email, workspace, refused } = known
  const offers = await external?.externalSignIn.providers(workspace)
  const ways = offers?.map(({ id, name }) => ({
    name,
    address: `${baseUrl}${base}/interaction/${interaction.uid}/with/${encodeURIComponent(workspace.trim())}/${id}`,
  }))
  const noWays = known.asked === true && ways?.length === 0
  const path = `${new URL(baseUrl).pathname.replace(/\/$/, '')}${base}`
  const offer = await passkeys.offer(interaction)
  const passkey = offer && {
    ...offer,
    script: `${path}/passkey.js`,
    action: `${path}/interaction/${interaction.uid}/passkey`,
  }
  const page = loginPage({
    brand: workspace.trim() === '' ? undefined : await brandOf(workspace.trim()),
    email,
    workspace,
    refused,
    noWays,
    forgot: `${path}/forgot`,
    ...(ways ? { ways } : {}),
    ...(passkey ? { passkey } : {}),
  })
  return sendPage(reply, page, interaction, passkey && `${baseUrl}${base}/passkey.js`)
}
