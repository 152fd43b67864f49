import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Adapter, Interaction } from 'oidc-provider'
import type { Database } from '../../../kernel/database.ts'
import type { Id } from '../../../kernel/id.ts'
import { type AccountRef, accountIdOf, findAccount, readAccountId } from '../accounts.ts'
import { errorPage, messagePage, signInRefusedPage } from '../pages/pages.ts'
import type { CurrentProvider } from '../provider/current-provider.ts'
import { base } from '../provider/provider.ts'
import { type AttemptLimit, networkOf } from './attempt-limit.ts'

/** An external identity provider, as the sign-in page offers it. */
interface ExternalProvider {
  tenantId: Id
  id: Id
  name: string
}

export type ExternalProviderId = Pick<ExternalProvider, 'tenantId' | 'id'>

/** The state of a sign-in that is in progress at an external provider. It is stored sealed and used once. */
export interface PendingSignIn {
  offer: ExternalProvider
  state: string
  nonce: string
  verifier: string
  redirectUri: string
}

interface ExternalSignInRequest {
  redirectUri: string
  state: string
  /** Forces a person who is already signed in at the provider to authenticate again. */
  anew: boolean
  hint: string
}

/** What the authorisation server needs of the room for external sign-in. A refused person is reported by `NotLetIn`. */
export interface ExternalSignIn {
  /** The providers of a workspace; none if the workspace does not exist. */
  providers(workspace: string): Promise<readonly ExternalProvider[]>
  /** The URL to send the browser to. */
  begin(offer: ExternalProviderId, request: ExternalSignInRequest): Promise<{ url: string; pending: PendingSignIn }>
  /** The person who came back from the provider. */
  finish(pending: PendingSignIn, answer: URL): Promise<AccountRef>
  /** The user and the provider that a link ticket names. */
  readTicket(ticket: string): { holder: AccountRef; offer: ExternalProviderId } | undefined
  /** Links the identity that came back from the provider to this user. */
  link(pending: PendingSignIn, answer: URL, holder: AccountRef): Promise<void>
}

/** A refused sign-in; the message is shown to the person. */
export class SignInRefused extends Error {}

export interface ExternalSignInMeans {
  externalSignIn: ExternalSignIn
  /** The store of sign-ins in progress. */
  store: Adapter
  attempts: AttemptLimit
}

interface MountOptions extends ExternalSignInMeans {
  provider: CurrentProvider
  database: Database
  baseUrl: string
  prepare(request: FastifyRequest): void
  find(request: FastifyRequest<{ Params: { uid: string } }>, reply: FastifyReply): Promise<Interaction | undefined>
  admit(
    request: FastifyRequest,
    reply: FastifyReply,
    interaction: Interaction,
    holder: AccountRef,
  ): Promise<FastifyReply>
  show(reply: FastifyReply, page: string, interaction?: Interaction): FastifyReply
  tooOften: string
}

/** The time that a person may take at the external provider; seconds. */
const patience = 600

/**
 * The round trip to an external provider. Each provider has its own callback URL, so that the answer of one provider is
 * never accepted as that of another. The callback redirects to the URL of the interaction, because the browser sends
 * the cookie that identifies it only there.
 */
export function mountExternalSignIn(scope: FastifyInstance, options: MountOptions): void {
  const {
    externalSignIn: signOn,
    provider,
    database,
    store,
    baseUrl,
    attempts,
    prepare,
    find,
    admit,
    show,
    tooOften,
  } = options
  const redirectUri = (offerId: string) => `${baseUrl}${base}/callback/${offerId}`

  scope.get<{ Params: { uid: string; workspace: string; offer: string } }>(
    `${base}/interaction/:uid/with/:workspace/:offer`,
    async (request, reply) => {
      const interaction = await find(request, reply)
      if (!interaction) return reply
      const { uid, workspace, offer: id } = request.params
      return await orSay(request, reply, interaction, async () => {
        const offer = (await signOn.providers(workspace)).find(each => each.id === id)
        if (!offer || interaction.prompt.name !== 'login') throw new SignInRefused(notOffered)
        const { login_hint: hint } = interaction.params
        return await send(reply, `login.${uid}`, offer, {
          anew: interaction.prompt.reasons.some(reason => ['login_prompt', 'max_age'].includes(reason)),
          hint: typeof hint === 'string' ? hint : '',
        })
      })
    },
  )

  scope.get<{ Params: { offer: string } }>(`${base}/callback/:offer`, async (request, reply) => {
    const { search, searchParams } = new URL(request.url, baseUrl)
    const [, way, id = ''] = /^(login|link)\.([\w-]{1,100})\.[\w-]{43}$/.exec(searchParams.get('state') ?? '') ?? []
    if (way === 'login') {
      const there = `${baseUrl}${base}/interaction/${id}/from/${encodeURIComponent(request.params.offer)}`
      return reply.header('cache-control', 'no-store').redirect(`${there}${search}`, 303)
    }
    if (way === 'link') return await linkUp(request, reply, id)
    return show(reply.code(400), errorPage(astray, 'invalid_request'))
  })

  scope.get<{ Params: { uid: string; offer: string } }>(
    `${base}/interaction/:uid/from/:offer`,
    async (request, reply) => {
      const interaction = await find(request, reply)
      if (!interaction) return reply
      return await orSay(request, reply, interaction, async () => {
        if (interaction.prompt.name !== 'login') throw new SignInRefused(astray)
        const { pending, answer } = await take(request, `login.${request.params.uid}`)
        return await admit(request, reply, interaction, await signOn.finish(pending, answer))
      })
    },
  )

  // A ticket alone links nothing: the browser must be signed in as the user of the ticket both when the round trip
  // begins and when it ends.
  scope.get<{ Params: { ticket: string } }>(`${base}/link/:ticket`, async (request, reply) => {
    const wanted = signOn.readTicket(request.params.ticket)
    return await orSay(request, reply, undefined, async () => {
      if (!wanted) throw new SignInRefused('This has expired. Begin anew.')
      if (!isSame(await signedIn(request, reply), wanted.holder)) throw new SignInRefused(otherBrowser)
      const way = `link.${randomBytes(16).toString('base64url')}`
      return await send(reply, way, wanted.offer, { anew: false, hint: '' }, wanted.holder)
    })
  })

  async function linkUp(request: FastifyRequest<{ Params: { offer: string } }>, reply: FastifyReply, id: string) {
    return await orSay(request, reply, undefined, async () => {
      const holder = await signedIn(request, reply)
      // Without this check an attacker could link their own external identity to another account, by sending its owner
      // the callback link.
      const { pending, answer, by } = await take(request, `link.${id}`)
      if (!holder || !by || !isSame(holder, by)) throw new SignInRefused(otherBrowser)
      await signOn.link(pending, answer, holder)
      return show(reply, messagePage('Linked', `From now on ${pending.offer.name} tells us who you are.`))
    })
  }

  async function send(
    reply: FastifyReply,
    way: string,
    offer: ExternalProviderId,
    more: Pick<ExternalSignInRequest, 'anew' | 'hint'>,
    by?: AccountRef,
  ) {
    const state = `${way}.${randomBytes(32).toString('base64url')}`
    const { url, pending } = await signOn.begin(offer, { redirectUri: redirectUri(offer.id), state, ...more })
    await store.upsert(way, { ...pending, ...(by ? { accountId: accountIdOf(by) } : {}) }, patience)
    return reply.header('cache-control', 'no-store').redirect(url, 303)
  }

  /** The stored state is used once, and only by the flow that created it. */
  async function take(request: FastifyRequest<{ Params: { offer: string } }>, way: string) {
    const kept = await store.find(way)
    const { search, searchParams } = new URL(request.url, baseUrl)
    const { consumed, accountId, ...pending } = (kept ?? {}) as unknown as PendingSignIn &
      Record<'consumed' | 'accountId', unknown>
    if (!kept || consumed || pending.offer.id !== request.params.offer || pending.state !== searchParams.get('state'))
      throw new SignInRefused(astray)
    await store.consume(way).catch(() => {
      throw new SignInRefused(astray)
    })
    return { pending, answer: new URL(`${pending.redirectUri}${search}`), by: readAccountId(accountId) }
  }

  async function signedIn(request: FastifyRequest, reply: FastifyReply): Promise<AccountRef | undefined> {
    prepare(request)
    const { Session } = await provider.get()
    const { accountId = '' } = await Session.get({ req: request.raw, res: reply.raw })
    const account = await findAccount(database, accountId)
    return account && readAccountId(account.accountId)
  }

  /**
   * Runs the step, or shows why it was refused. Only refusals count as attempts, because a whole office may sign in
   * from one address.
   */
  async function orSay(
    request: FastifyRequest,
    reply: FastifyReply,
    interaction: Interaction | undefined,
    work: () => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    const counter = `from ${networkOf(request.ip)}`
    if (!attempts.take(counter)) return show(reply.code(429).header('retry-after', '60'), tooOften, interaction)
    attempts.giveBack(counter)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      attempts.take(counter)
      const back = interaction && `${baseUrl}${base}/interaction/${interaction.uid}`
      return show(reply.code(403), signInRefusedPage(error.message, back), interaction)
    }
  }
}

function isSame(one: AccountRef | undefined, other: AccountRef): boolean {
  return one?.tenantId === other.tenantId && one.userId === other.userId && one.authVersion === other.authVersion
}

const notOffered = 'This way to sign in is not offered here, or not any more.'
const astray = 'This answer belongs to no sign-in that was begun here. Begin anew.'
const otherBrowser = 'Sign in to Gantry in this browser first, with the account that is to be linked, then begin anew.'
