import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Adapter, Interaction } from 'oidc-provider'
import type { AccountRef } from '../accounts.ts'
import { base } from '../base-path.ts'
import { say } from '../pages/html.ts'
import { errorPage, messagePage, signInRefusedPage } from '../pages/pages.ts'
import { sendPage, sendTooManyAttempts } from '../pages/send-page.ts'
import { type AttemptLimit, networkOf } from './attempt-limit.ts'
import { type ExternalSignIn, SignInRefused } from './external-provider.ts'
import type { InteractionFlow } from './interaction-flow.ts'
import { flowOf, openRoundTrips, type RoundTrips, unknownAnswer } from './round-trip.ts'

/** What signing in at external providers needs. */
export interface ExternalSignInDeps {
  externalSignIn: ExternalSignIn
  /** The store of sign-ins in progress. */
  store: Adapter
  attempts: AttemptLimit
}

interface Parts {
  externalSignIn: ExternalSignIn
  roundTrips: RoundTrips
  flow: InteractionFlow
  attempts: AttemptLimit
  baseUrl: string
}

type LoginRequest = FastifyRequest<{ Params: { uid: string; workspace: string; offer: string } }>
type ReturnRequest = FastifyRequest<{ Params: { uid: string; offer: string } }>
type CallbackRequest = FastifyRequest<{ Params: { offer: string } }>
type LinkRequest = FastifyRequest<{ Params: { ticket: string } }>

/**
 * The round trip to an external provider. Each provider has its own callback URL, so that the answer of one provider is
 * never accepted as that of another. The callback redirects to the URL of the interaction, because the browser sends
 * the cookie that identifies it only there.
 */
export function mountExternalSignIn(
  scope: FastifyInstance,
  { externalSignIn, store, attempts }: ExternalSignInDeps,
  { flow, baseUrl }: { flow: InteractionFlow; baseUrl: string },
): void {
  const roundTrips = openRoundTrips(externalSignIn, store, baseUrl)
  const parts: Parts = { externalSignIn, roundTrips, flow, attempts, baseUrl }
  scope.get(`${base}/interaction/:uid/with/:workspace/:offer`, (request: LoginRequest, reply) =>
    beginLogin(parts, request, reply),
  )
  scope.get(`${base}/callback/:offer`, (request: CallbackRequest, reply) => callback(parts, request, reply))
  scope.get(`${base}/interaction/:uid/from/:offer`, (request: ReturnRequest, reply) =>
    finishLogin(parts, request, reply),
  )
  scope.get(`${base}/link/:ticket`, (request: LinkRequest, reply) => beginLink(parts, request, reply))
}

async function beginLogin(parts: Parts, request: LoginRequest, reply: FastifyReply): Promise<FastifyReply> {
  const interaction = await parts.flow.find(request, reply)
  if (!interaction) return reply
  const { uid, workspace, offer: id } = request.params
  return await orShowRefusal(parts, request, reply, interaction, async () => {
    const offer = (await parts.externalSignIn.providers(workspace)).find(each => each.id === id)
    if (!offer || interaction.prompt.name !== 'login') throw new SignInRefused(notOffered)
    const { login_hint: hint } = interaction.params
    return await parts.roundTrips.begin(reply, `login.${uid}`, offer, {
      forceLogin: interaction.prompt.reasons.some(reason => ['login_prompt', 'max_age'].includes(reason)),
      hint: typeof hint === 'string' ? hint : '',
    })
  })
}

async function callback(parts: Parts, request: CallbackRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { search, searchParams } = new URL(request.url, parts.baseUrl)
  const flow = flowOf(searchParams.get('state'))
  if (!flow) return sendPage(reply.code(400), errorPage(unknownAnswer, 'invalid_request'))
  if (flow.kind === 'link') return await finishLink(parts, request, reply, flow.id)
  const returnUrl = `${parts.baseUrl}${base}/interaction/${flow.id}/from/${encodeURIComponent(request.params.offer)}`
  return reply.header('cache-control', 'no-store').redirect(`${returnUrl}${search}`, 303)
}

async function finishLogin(parts: Parts, request: ReturnRequest, reply: FastifyReply): Promise<FastifyReply> {
  const interaction = await parts.flow.find(request, reply)
  if (!interaction) return reply
  return await orShowRefusal(parts, request, reply, interaction, async () => {
    if (interaction.prompt.name !== 'login') throw new SignInRefused(unknownAnswer)
    const { pending, answer } = await parts.roundTrips.take(request, `login.${request.params.uid}`)
    const holder = await parts.externalSignIn.finish(pending, answer).catch(async error => {
      if (error instanceof SignInRefused) {
        const { tenantId } = pending.offer
        const refusal = { tenantId, credential: 'provider', outcome: 'refused', reason: error.message } as const
        await parts.flow.recordRefusal(request, interaction, refusal)
      }
      throw error
    })
    return await parts.flow.admit(request, reply, interaction, holder)
  })
}

/**
 * A ticket alone links nothing: the browser must be signed in as the user of the ticket both when the round trip begins
 * and when it ends.
 */
async function beginLink(parts: Parts, request: LinkRequest, reply: FastifyReply): Promise<FastifyReply> {
  const ticket = parts.externalSignIn.readTicket(request.params.ticket)
  return await orShowRefusal(parts, request, reply, undefined, async () => {
    if (!ticket) throw new SignInRefused('This link has expired. Start again.')
    if (!isSame(await parts.flow.signedIn(request, reply), ticket.holder)) throw new SignInRefused(otherBrowser)
    const flow = `link.${randomBytes(16).toString('base64url')}`
    return await parts.roundTrips.begin(reply, flow, ticket.offer, { forceLogin: false, hint: '' }, ticket.holder)
  })
}

async function finishLink(
  parts: Parts,
  request: CallbackRequest,
  reply: FastifyReply,
  id: string,
): Promise<FastifyReply> {
  return await orShowRefusal(parts, request, reply, undefined, async () => {
    const holder = await parts.flow.signedIn(request, reply)
    const { pending, answer, by } = await parts.roundTrips.take(request, `link.${id}`)
    // Without this check an attacker could link their own external identity to another account, by sending its owner
    // the callback link.
    if (!holder || !by || !isSame(holder, by)) throw new SignInRefused(otherBrowser)
    await parts.externalSignIn.link(pending, answer, holder)
    return sendPage(
      reply,
      messagePage(
        say('Linked', 'Verknüpft'),
        say(
          `From now on you can sign in with ${pending.offer.name}.`,
          `Ab jetzt können Sie sich mit ${pending.offer.name} anmelden.`,
        ),
      ),
    )
  })
}

/**
 * Runs the step, or shows why it was refused. Only refusals count as attempts, because a whole office may sign in from
 * one address.
 */
async function orShowRefusal(
  { attempts, baseUrl }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  interaction: Interaction | undefined,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const counter = `from ${networkOf(request.ip)}`
  if (!attempts.take(counter)) return sendTooManyAttempts(reply, interaction)
  attempts.giveBack(counter)
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error
    attempts.take(counter)
    const back = interaction && `${baseUrl}${base}/interaction/${interaction.uid}`
    return sendPage(reply.code(403), signInRefusedPage(error.message, back), interaction)
  }
}

function isSame(one: AccountRef | undefined, other: AccountRef): boolean {
  return one?.tenantId === other.tenantId && one.userId === other.userId && one.authVersion === other.authVersion
}

const notOffered = 'This way to sign in is not offered here.'
const otherBrowser = 'Sign in to Gantry in this browser first, with the account that is to be linked, then start again.'
