import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Adapter } from 'oidc-provider'
import { type AccountRef, accountIdOf, readAccountId } from '../accounts.ts'
import { base } from '../base-path.ts'
import {
  type ExternalProviderId,
  type ExternalSignIn,
  type ExternalSignInRequest,
  type PendingSignIn,
  SignInRefused,
} from './external-provider.ts'

/**
 * The round trips of browsers to external providers. A round trip belongs to a flow: `login.<interaction>` or
 * `link.<random>`; the state that the provider returns begins with the name of the flow.
 */
export interface RoundTrips {
  /** Stores the state of the flow and sends the browser to the provider. */
  begin(
    reply: FastifyReply,
    flow: string,
    offer: ExternalProviderId,
    more: Pick<ExternalSignInRequest, 'forceLogin' | 'hint'>,
    by?: AccountRef,
  ): Promise<FastifyReply>
  /** Returns the stored state once, and only to the flow that stored it. */
  take(
    request: FastifyRequest<{ Params: { offer: string } }>,
    flow: string,
  ): Promise<{ pending: PendingSignIn; answer: URL; by: AccountRef | undefined }>
}

/** The time that a person may take at the external provider; seconds. */
const maxDuration = 600

export function openRoundTrips(externalSignIn: ExternalSignIn, store: Adapter, baseUrl: string): RoundTrips {
  return {
    async begin(reply, flow, offer, more, by) {
      const state = `${flow}.${randomBytes(32).toString('base64url')}`
      const redirectUri = `${baseUrl}${base}/callback/${offer.id}`
      const { url, pending } = await externalSignIn.begin(offer, { redirectUri, state, ...more })
      await store.upsert(flow, { ...pending, ...(by ? { accountId: accountIdOf(by) } : {}) }, maxDuration)
      return reply.header('cache-control', 'no-store').redirect(url, 303)
    },
    async take(request, flow) {
      const stored = await store.find(flow)
      const { search, searchParams } = new URL(request.url, baseUrl)
      const { consumed, accountId, ...pending } = (stored ?? {}) as unknown as PendingSignIn &
        Record<'consumed' | 'accountId', unknown>
      if (
        !stored ||
        consumed ||
        pending.offer.id !== request.params.offer ||
        pending.state !== searchParams.get('state')
      )
        throw new SignInRefused(unknownAnswer)
      await store.consume(flow).catch(() => {
        throw new SignInRefused(unknownAnswer)
      })
      return { pending, answer: new URL(`${pending.redirectUri}${search}`), by: readAccountId(accountId) }
    },
  }
}

/** Reads the flow that a returned state names. */
export function flowOf(state: string | null): { kind: 'login' | 'link'; id: string } | undefined {
  const [, kind, id = ''] = /^(login|link)\.([\w-]{1,100})\.[\w-]{43}$/.exec(state ?? '') ?? []
  return kind === 'login' || kind === 'link' ? { kind, id } : undefined
}

export const unknownAnswer = 'This answer belongs to no sign-in that was started here. Start again.'
