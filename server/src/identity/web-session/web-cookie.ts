import type { FastifyReply, FastifyRequest } from 'fastify'
import { header } from '../../kernel/http/request-input.ts'
import { Refusal } from '../../kernel/refusal.ts'

/** The cookies of the web app at one address. */
export interface WebCookies {
  /** The cookie of a session. */
  readonly session: WebCookie
  /** The cookie of a sign-in that has begun. */
  readonly signIn: WebCookie
  /** The cookie of somebody who has just proven who they are, on the way through the authorisation server. */
  readonly ticket: WebCookie
  /** The origin of the installation's own pages. */
  readonly origin: string
}

export interface WebCookie {
  /** Returns the value that the browser has sent; empty if none. */
  read(request: FastifyRequest): string
  set(reply: FastifyReply, value: string, seconds: number): void
  clear(reply: FastifyReply): void
}

/**
 * The prefix makes browsers enforce the attributes: the cookie is sent over TLS only, and no other subdomain can set it. The cookie of
 * a sign-in is not strict, because an external provider leads back to us.
 */
export function webCookies(baseUrl: string): WebCookies {
  const { origin, protocol } = new URL(baseUrl)
  const https = protocol === 'https:'
  const named = (name: string, sameSite: 'Strict' | 'Lax') =>
    cookie(`${https ? '__Host-' : ''}${name}`, `Path=/; HttpOnly; SameSite=${sameSite}${https ? '; Secure' : ''}`)
  return {
    session: named('gantry-web', 'Strict'),
    signIn: named('gantry-sign-in', 'Lax'),
    ticket: named('gantry-ticket', 'Lax'),
    origin,
  }
}

function cookie(name: string, attributes: string): WebCookie {
  const begin = `${name}=`
  return {
    read(request) {
      const pairs = header(request, 'cookie').split(/; ?|, /)
      return (
        pairs
          .find(each => each.startsWith(begin))
          ?.slice(begin.length)
          .trim() ?? ''
      )
    },
    set: (reply, value, seconds) =>
      void reply.header('set-cookie', `${begin}${value}; Max-Age=${seconds}; ${attributes}`),
    clear: reply =>
      void reply.header('set-cookie', `${begin}; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; ${attributes}`),
  }
}

/**
 * Refuses a request that carries a cookie and was not made by the web app: browsers send cookies with requests of any page. They say
 * themselves where a request comes from, and no page of another site can send the header `X-Gantry`.
 */
export function refuseCrossSite(request: FastifyRequest, origin: string): void {
  const site = header(request, 'sec-fetch-site')
  const reads = request.method === 'GET' || request.method === 'HEAD'
  const trusted = site === '' || site === 'same-origin' || (reads && site === 'none')
  const ours = reads || (header(request, 'origin') === origin && header(request, 'x-gantry') === 'web')
  if (!trusted || !ours)
    throw new Refusal(
      403,
      'cross-site',
      'a request with the cookie of the web app must come from its own pages, and writes need the header X-Gantry: web',
    )
}
