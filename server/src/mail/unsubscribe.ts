import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { tenantCaller } from '../identity/tenant-caller.ts'
import type { Context } from '../kernel/context.ts'
import type { Database } from '../kernel/database.ts'
import { type Id, isId } from '../kernel/id.ts'
import { NotFound } from '../kernel/refusal.ts'
import { escapedHtml } from '../language/markup.ts'
import { type Secrets, UnsealFailed } from '../platform/secrets.ts'

/** The content of an unsubscribe link: the reader and the topic. */
export interface Unsubscription {
  address: string
  /** The key that the sender of the mail supplied, such as the id of a watch. */
  key: string
}

/** The handlers of unsubscriptions, by topic. */
export type Unsubscribers = ReadonlyMap<string, (ctx: Context, wanted: Unsubscription) => Promise<void>>

interface Claim extends Unsubscription {
  tenantId: Id
  topic: string
}

const sealing = 'mail-unsubscribe'

/** Returns a link that unsubscribes this reader from this topic without signing in. */
export function unsubscribeLink(secrets: Secrets, baseUrl: string, claim: Claim): string {
  return `${baseUrl}/api/mail/unsubscribe/${secrets.sealText(sealing, JSON.stringify(claim))}`
}

function read({ secrets, unsubscribers }: Mounting, token: string): Claim | undefined {
  try {
    const claim: Partial<Claim> = JSON.parse(secrets.openText(sealing, token))
    const { tenantId = '', topic = '', address = '', key = '' } = claim
    return isId(tenantId) && unsubscribers.has(topic) ? { tenantId, topic, address, key } : undefined
  } catch (error) {
    if (error instanceof UnsealFailed || error instanceof SyntaxError) return undefined
    throw error
  }
}

interface Mounting {
  database: Database
  secrets: Secrets
  unsubscribers: Unsubscribers
}

/**
 * Serves mail programs (RFC 8058: one POST without confirmation) and people, whom GET asks for confirmation first: mail
 * scanners follow links, and must not unsubscribe anybody.
 */
export function mountUnsubscribe(app: FastifyInstance, mounting: Mounting): void {
  const { database, unsubscribers } = mounting
  app.register(async scope => {
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 64 * 1024 }, (_request, _body, done) => done(null))
    const path = '/api/mail/unsubscribe/:token'
    scope.get<{ Params: { token: string } }>(path, async ({ params, headers }, reply) => {
      const claim = read(mounting, params.token)
      return claim ? sendPage(reply, question(claim)) : refuse(headers, reply)
    })
    scope.post<{ Params: { token: string } }>(path, async ({ params, headers }, reply) => {
      const claim = read(mounting, params.token)
      if (!claim) return refuse(headers, reply)
      const { tenantId, topic, address, key } = claim
      await database.transaction(tenantCaller(tenantId), async ctx => unsubscribers.get(topic)?.(ctx, { address, key }))
      return sendPage(reply, `<p>${escapedHtml(address)} will not receive these mails any more.</p>`)
    })
  })
}

/** A browser gets a page that a person can read, all others the usual problem body. */
function refuse({ accept = '' }: IncomingHttpHeaders, reply: FastifyReply): FastifyReply {
  if (!accept.includes('text/html')) throw new NotFound('link')
  return sendPage(reply.code(404), unknown)
}

const sendPage = (reply: FastifyReply, content: string) => reply.type('text/html; charset=utf-8').send(page(content))

const unknown = '<p>This link is not valid (any more).</p>'

const question = ({ address }: Claim) =>
  `<p>Unsubscribe ${escapedHtml(address)} from these mails?</p><form method="post"><button>Unsubscribe</button></form>`

const page = (content: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="robots" content="noindex"><title>Mail</title><body>${content}</body></html>`
