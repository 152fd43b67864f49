import type { FastifyReply } from 'fastify'
import type { Interaction } from 'oidc-provider'
import { messagePage, pagePolicy } from './pages.ts'

/** Sends a page. Its policy allows forms to redirect to the client of the interaction, and one script if it has one. */
export function sendPage(reply: FastifyReply, page: string, interaction?: Interaction, script?: string): FastifyReply {
  const { redirect_uri: returnTo } = interaction?.params ?? {}
  return reply
    .headers({
      'content-security-policy': pagePolicy(typeof returnTo === 'string' ? returnTo : undefined, script),
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(page)
}

/** The answer to too many attempts from one network or for one account. */
export function sendTooManyAttempts(reply: FastifyReply, interaction?: Interaction): FastifyReply {
  return sendPage(reply.code(429).header('retry-after', '60'), tooManyAttemptsPage, interaction)
}

export const tooManyAttemptsPage = messagePage(
  'Too many attempts',
  'There were too many attempts from your network or for this account. Wait a minute, then try again.',
)
