import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { newId } from '../id.ts'
import { NotFound } from '../refusal.ts'
import type { HttpOptions } from './http-options.ts'
import { refuseUnreadable, securityHeaders, sendProblem } from './problem.ts'

/** Opens the web server with what all routes share: headers, limits and problem bodies. What reads bodies is mounted on it. */
export function openHttp(options: HttpOptions): FastifyInstance {
  const app = Fastify({
    bodyLimit: options.bodyLimit,
    // Without a named proxy everybody could claim any address.
    trustProxy: trusted(options.trustProxy),
    requestTimeout: maxRequestTime,
    connectionTimeout: 120_000,
    keepAliveTimeout: 75_000,
    genReqId: () => newId(),
    logger: false,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2000 },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...securityHeaders, 'x-request-id': request.id })
      void sendProblem(error, request, reply as FastifyReply, options)
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, options),
  })
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...securityHeaders, 'x-request-id': request.id })
    done()
  })
  app.addHook('preParsing', (request, _reply, body, done) => {
    limitBodyTime(request, options.bodyTime ?? maxBodyTime)
    done(null, body)
  })
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, options))
  app.setNotFoundHandler((request, reply) => sendProblem(new NotFound('address'), request, reply, options))
  app.decorateRequest('pattern', '')
  return app
}

/** The proxies in the form of the web server; the hop 0 is the peer of the connection. */
function trusted(proxies: HttpOptions['trustProxy']): string[] | false | ((address: string, hop: number) => boolean) {
  return typeof proxies === 'number' ? (_address, hop) => hop < proxies : (proxies ?? false)
}

/** The time in ms that a request may take to arrive, with files in it and without. */
const maxRequestTime = 3_600_000
const maxBodyTime = 60_000

/**
 * Closes the connection of a client that sends a plain body too slowly, also after the reply: a body that nobody reads holds a
 * connection like any other. Uploads of files have the time of a request.
 */
function limitBodyTime({ raw, routeOptions }: FastifyRequest, time: number): void {
  const hasBody = raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0
  if (raw.complete || !hasBody || routeOptions.config.slowBody) return
  const timeout = setTimeout(() => raw.destroy(), time)
  raw.once('close', () => clearTimeout(timeout)) // the body has arrived, or the connection has ended
}
