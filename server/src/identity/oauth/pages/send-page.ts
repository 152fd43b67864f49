import type { FastifyReply } from 'fastify'
import type { Interaction } from 'oidc-provider'
import { pageLanguage, say } from './html.ts'
import type { Page } from './page.ts'
import { messagePage } from './pages.ts'

/** Sends a page in the language of the browser. Its policy allows forms to redirect to the client of the interaction, and one script if it has one. */
export function sendPage(reply: FastifyReply, page: Page, interaction?: Interaction, script?: string): FastifyReply {
  const { redirect_uri: returnTo } = interaction?.params ?? {}
  return reply
    .headers({
      'content-security-policy': page.policy(typeof returnTo === 'string' ? returnTo : undefined, script),
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(page.in(pageLanguage(reply.request.headers['accept-language'])))
}

/** The answer to too many attempts from one network or for one account. */
export function sendTooManyAttempts(reply: FastifyReply, interaction?: Interaction): FastifyReply {
  return sendPage(reply.code(429).header('retry-after', '60'), tooManyAttemptsPage, interaction)
}

export const tooManyAttemptsPage = messagePage(
  say('Too many attempts', 'Zu viele Versuche'),
  say(
    'There were too many attempts from your network or for this account. Wait a minute, then try again.',
    'Es gab zu viele Versuche aus Ihrem Netz oder für dieses Konto. Warten Sie eine Minute, und versuchen Sie es dann noch einmal.',
  ),
)
