import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../kernel/access.ts'
import { Unauthorized } from '../../kernel/refusal.ts'

/** The addresses that programs call with a credential of their own; pages and cookies are for our own origin. */
const shared = /^\/(api\/|oauth\/token(\?|$)|\.well-known\/)/

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const requestHeaders =
  'Authorization, Content-Type, Accept, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-Api-Key, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset'
const replyHeaders =
  'Change-Set, ETag, Idempotency-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Upload-Offset, X-Limit, X-Next-Cursor, X-Request-Id, X-Total-Count, X-Total-Count-Kind'

interface CorsLists {
  /** The origins that the operator allows for all tenants. */
  operator: readonly string[]
  /** Whether some tenant lists the origin. */
  ofAny(origin: string): Promise<boolean>
  /** Whether the tenant of the caller lists the origin. */
  ofCaller(caller: Caller, origin: string): Promise<boolean>
}

type Authenticate = (request: FastifyRequest) => Promise<Caller>

/**
 * Lets pages of other sites call the API (CORS). Their requests carry a token or a key: `Access-Control-Allow-Credentials` is
 * never sent, so that a browser sends no cookie with them and shows no answer to one.
 *
 * A preflight has no credential, so one for a site that some tenant lists is answered. The answer to the request itself may be read
 * only by sites that the caller's own tenant lists; an answer to a request whose caller is not known tells nothing of any tenant.
 * Returns the function that makes an authentication decide this.
 */
export function mountCors(app: FastifyInstance, lists: CorsLists): (authenticate: Authenticate) => Authenticate {
  const operators = new Set(lists.operator)
  /** The requests of sites that only tenants list, until their caller is known. */
  const undecided = new WeakMap<FastifyRequest, FastifyReply>()

  app.addHook('onRequest', async (request, reply) => {
    if (!shared.test(request.url)) return
    reply.header('vary', 'origin')
    const { origin } = request.headers
    if (origin === undefined || origin === 'null') return
    const byOperator = operators.has(origin)
    if (!byOperator && !(await lists.ofAny(origin))) return
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined)
      return allow(reply, origin).code(204).headers(preflight).send()
    if (byOperator || !request.url.startsWith('/api/')) allow(reply, origin)
    else undecided.set(request, reply)
  })

  return authenticate => async request => {
    const [reply, { origin = '' }] = [undecided.get(request), request.headers]
    if (!reply) return await authenticate(request)
    try {
      const caller = await authenticate(request)
      if (await lists.ofCaller(caller, origin)) allow(reply, origin)
      return caller
    } catch (error) {
      if (error instanceof Unauthorized) allow(reply, origin)
      throw error
    }
  }
}

const preflight = {
  'access-control-allow-methods': methods,
  'access-control-allow-headers': requestHeaders,
  'access-control-max-age': '600',
}

function allow(reply: FastifyReply, origin: string): FastifyReply {
  return reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': replyHeaders })
}
