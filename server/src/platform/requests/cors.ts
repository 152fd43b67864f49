import type { FastifyInstance } from 'fastify'

/** The addresses that programs call with a credential of their own; pages and cookies are for our own origin. */
const shared = /^\/(api\/|oauth\/token(\?|$)|\.well-known\/)/

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
const requestHeaders =
  'Authorization, Content-Type, Accept, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-Api-Key, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset'
const replyHeaders =
  'Change-Set, ETag, Idempotency-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Upload-Offset, X-Limit, X-Next-Cursor, X-Request-Id, X-Total-Count, X-Total-Count-Kind'

/**
 * Lets pages of these origins call the API (CORS). Their requests carry a token or a key: `Access-Control-Allow-Credentials` is
 * never sent, so that a browser sends no cookie with them and shows no answer to one.
 */
export function mountCors(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (!shared.test(request.url)) return done()
    reply.header('vary', 'origin')
    if (origin === undefined || !allowed.has(origin)) return done()
    reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': replyHeaders })
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return done()
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': methods,
        'access-control-allow-headers': requestHeaders,
        'access-control-max-age': '600',
      })
      .send()
  })
}
