import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Adapter } from 'oidc-provider'
import type { Database } from '../../../kernel/database.ts'
import type { WebCookie } from '../../web-session/web-cookie.ts'
import { type AccountRef, accountIdOf, findAccount, readAccountId } from '../accounts.ts'

/**
 * Tickets of people who have proven who they are on another page (by an invitation), and go on to the sign-in in the same browser: there a ticket
 * stands for the password. It can be used once, and soon.
 */
export interface SignInTickets {
  give(reply: FastifyReply, holder: AccountRef): Promise<void>
  take(request: FastifyRequest, reply: FastifyReply): Promise<AccountRef | undefined>
}

/** The time from one page to the next; seconds. */
const maxDuration = 120

export function openSignInTickets(database: Database, store: Adapter, cookie: WebCookie): SignInTickets {
  return {
    async give(reply, holder) {
      const ticket = randomBytes(32).toString('base64url')
      await store.upsert(ticket, { accountId: accountIdOf(holder) }, maxDuration)
      cookie.set(reply, ticket, maxDuration)
    },
    async take(request, reply) {
      const ticket = cookie.read(request)
      if (ticket === '') return undefined
      cookie.clear(reply)
      const { accountId, consumed } = (await store.find(ticket)) ?? {}
      const holder = readAccountId(accountId)
      if (!holder || consumed) return undefined
      const isFirst = await store.consume(ticket).then(
        () => true,
        () => false,
      )
      return isFirst && (await findAccount(database, accountIdOf(holder))) ? holder : undefined
    },
  }
}
