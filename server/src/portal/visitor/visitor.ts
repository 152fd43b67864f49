import type { FastifyReply, FastifyRequest } from 'fastify'
import { tenantBySlug } from '../../admin/entra-meta/tenant-by-slug.ts'
import { networkOf, openAttemptLimit } from '../../identity/oauth/sign-in/attempt-limit.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { hasOpenDesk, visitorCaller } from '../../identity/visitor.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import { NotFound, Refusal } from '../../kernel/refusal.ts'

/** The address of a portal begins with the slug of its tenant, by which the sign-in pages know it, too. */
export const portalPath = '/api/portal/:slug'

export type VisitorRequest = FastifyRequest<{
  Params: { slug: string; id?: string; token?: string }
  Querystring: Record<string, unknown>
  Body: unknown
}>

/** `count` is a reading that is counted, `again` a reading by a request that has read before. */
type VisitorMode = 'read' | 'again' | 'count' | 'write'

/** Runs work for somebody without an account on the portal that the request names. */
export type VisitorDoor = <T>(
  request: VisitorRequest,
  mode: VisitorMode,
  work: (ctx: Context) => Promise<T>,
) => Promise<T>

interface DoorOptions {
  database: Database
  /** How often in a minute one network may read. It may write a quarter as often. */
  perMinute: number
}

/**
 * Opens the door for visitors. An unknown slug, a tenant that is not active, and one without a service desk that is open to visitors
 * get the same answer, so that nothing becomes public that nobody has opened.
 */
export function openVisitorDoor({ database, perMinute }: DoorOptions): VisitorDoor {
  const limits = { read: openAttemptLimit(perMinute), write: openAttemptLimit(Math.ceil(perMinute / 4)) }
  return async (request, mode, work) => {
    const limit = limits[mode === 'write' ? 'write' : 'read']
    if (mode !== 'again' && !limit.take(networkOf(request.ip))) throw tooManyRequests()
    const tenantId = await tenantBySlug(database, request.params.slug)
    if (!tenantId) throw new NotFound('portal')
    const run = mode === 'read' || mode === 'again' ? database.single : database.transaction
    return await run(tenantCaller(tenantId), async ctx => {
      if (!(await hasOpenDesk(ctx))) throw new NotFound('portal')
      return await work(ctx.derive({ caller: await visitorCaller(ctx) }))
    })
  }
}

const tooManyRequests = () =>
  new Refusal(429, 'too-many-requests', 'too many requests; wait a minute', { headers: { 'retry-after': '60' } })

/** What the portal answers may change at any time, and is nothing for shared caches. */
export const fresh = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'no-store')

/** What the visitor is shown of a record: without the fields that are hidden from requesters. */
export async function shownTo(ctx: Context, record: unknown): Promise<unknown> {
  const { redaction } = ctx.services
  return redaction.hidesAnything(ctx.caller) ? await redaction.redact(ctx, record) : record
}
