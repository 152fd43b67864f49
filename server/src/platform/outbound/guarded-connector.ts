import { Resolver } from 'node:dns/promises'
import { isIPv6, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { OutboundFailure } from './failure.ts'
import { hostAndPort, internalHostRefused, isAllowed, isPublicAddress, type OutboundRules } from './rules.ts'

/** Gives the addresses of a name. */
export type Resolve = (hostname: string) => Promise<string[]>

export interface ConnectOptions {
  rules: OutboundRules
  resolve: Resolve
  timeout: number
  /** Certificates to trust in the place of the usual ones. */
  ca?: string | undefined
}

/**
 * Connects to foreign addresses only. The address that counts is the one the socket has reached: a literal in the URL never
 * meets a look-up, and an answer of the DNS may be another one the next time. So it is asked on the connected socket, before
 * the first byte, the TLS greeting included. The look-up is filtered as well, so that a name that leads inside does not even knock.
 */
export function guardedConnector({ rules, resolve, timeout, ca }: ConnectOptions): buildConnector.connector {
  const patience = { timeout, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1000 }
  const outside = buildConnector({ ...patience, lookup: lookupBy(resolve, isPublicAddress) })
  const opened = buildConnector(patience)
  // Said outright, or NODE_TLS_REJECT_UNAUTHORIZED could take it back.
  const secure = buildConnector({
    rejectUnauthorized: true,
    allowH2: false,
    timeout,
    ...(ca === undefined ? {} : { ca }),
  })

  return (options, callback) => {
    const { hostname, protocol } = options
    const place = hostAndPort(hostname, options.port, protocol)
    const isOpen = isAllowed(place, rules)
    const port = place.slice(place.lastIndexOf(':') + 1)
    const connect = isOpen ? opened : outside
    connect({ hostname, port, protocol: 'http:' }, (...[error, socket]) => {
      if (error) return callback(error, null)
      if (!isOpen && !isPublicAddress(socket.remoteAddress ?? '')) {
        socket.destroy()
        return callback(new OutboundFailure('refused', internalHostRefused), null)
      }
      if (protocol === 'https:') secure({ ...options, httpSocket: socket }, callback)
      else callback(null, socket)
    })
  }
}

/** A look-up that tells of no address but those that `mayKnow` allows. */
export function lookupBy(resolve: Resolve, mayKnow: (address: string) => boolean): LookupFunction {
  return (hostname, { all }, callback) => {
    const answer = async () => {
      const addresses = await resolve(hostname)
      const known = addresses.filter(mayKnow).map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
      const [first] = known
      if (!first)
        throw addresses.length === 0
          ? new OutboundFailure('unreachable', noSuchHost)
          : new OutboundFailure('refused', internalHostRefused)
      return { first, known }
    }
    answer().then(
      ({ first, known }) => (all ? callback(null, known) : callback(null, first.address, first.family)),
      error => callback(error, ''),
    )
  }
}

/**
 * Asks the DNS itself. `getaddrinfo` would hold one of Node's few threads until a dead name server gives up, and with it
 * files and password hashes of everybody; it would also know the names in /etc/hosts, which are nobody's business here.
 */
export function dnsResolver(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async hostname => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

const noSuchHost = 'there is no such host'
