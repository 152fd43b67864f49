import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../../kernel/access.ts'
import { patternOf } from '../../kernel/http/problem.ts'

type Authenticate = (request: FastifyRequest) => Promise<Caller>

/**
 * Writes a line for each request when it has ended: the pattern of its address and who asked, without values of queries and
 * without credentials. Returns the function that makes an authentication note the caller of each request.
 */
export function mountAccessLog(
  app: FastifyInstance,
  write: (line: Record<string, unknown>) => void,
): (authenticate: Authenticate) => Authenticate {
  const callers = new WeakMap<FastifyRequest, Caller>()
  const writtenBefore = new WeakMap<FastifyRequest, number>()
  app.addHook('onRequest', (request, _reply, done) => {
    // A connection carries many requests, so the bytes of a reply are the difference.
    writtenBefore.set(request, request.raw.socket.bytesWritten)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const caller = callers.get(request)
    write({
      level: 'access',
      method: request.method,
      route: patternOf(request),
      status: reply.raw.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      tenant: caller?.tenantId ?? '',
      user: caller?.userId ?? '',
      key: caller?.keyId ?? '',
      address: request.ip,
      bytes: request.raw.socket.bytesWritten - (writtenBefore.get(request) ?? 0),
      requestId: request.id,
    })
    done()
  })
  return authenticate => async request => {
    const caller = await authenticate(request)
    callers.set(request, caller)
    return caller
  }
}
