import type { FastifyRequest } from 'fastify'
import { readToken } from '../../desk/guest/guest.ts'
import { networkOf, openAttemptLimit } from '../../identity/oauth/sign-in/attempt-limit.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import { NotFound, Refusal } from '../../kernel/refusal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { findGuest, type Guest } from './find-guest.ts'

export type GuestRequest = FastifyRequest<{ Params: { token: string; score?: string; fileId?: string }; Body: unknown }>

/** Runs work for the guest whose link the request has. */
export type GuestDoor = <T>(
  request: GuestRequest,
  mode: 'read' | 'write',
  work: (ctx: Context, guest: Guest) => Promise<T>,
) => Promise<T>

interface DoorOptions {
  database: Database
  secrets: Secrets
  /** How often in a minute one network may try links that are not valid, and one ticket may be read. It is written a third as often. */
  perMinute: number
}

/**
 * Opens the door for guests: a link is the only credential. One that is malformed, expired, revoked, of a ticket that is gone or of a
 * requester who is it no more gets the same answer.
 */
export function openGuestDoor({ database, secrets, perMinute }: DoorOptions): GuestDoor {
  const unknown = openAttemptLimit(perMinute)
  const known = { read: openAttemptLimit(perMinute), write: openAttemptLimit(Math.ceil(perMinute / 3)) }
  return async (request, mode, work) => {
    const network = networkOf(request.ip)
    if (!unknown.take(network)) throw tooMany()
    const claim = readToken(secrets, request.params.token)
    if (!claim) throw new NotFound('link')
    if (!known[mode].take(claim.itemId)) throw tooMany()
    const run = mode === 'write' ? database.transaction : database.single
    return await run(tenantCaller(claim.tenantId), async ctx => {
      const guest = await findGuest(ctx, claim, { writes: mode === 'write' })
      if (!guest) throw new NotFound('link')
      // Many people may read their tickets from one network.
      unknown.giveBack(network)
      return await work(ctx.derive({ caller: guest.actor }), guest)
    })
  }
}

const tooMany = () =>
  new Refusal(429, 'too-many-requests', 'too many requests; wait a minute', { headers: { 'retry-after': '60' } })
