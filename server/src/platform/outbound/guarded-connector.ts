import { Resolver } from 'node:dns/promises'
import { isIPv6, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { OutboundFailure } from './failure.ts'
import { hostAndPort, internalHostRefused, isAllowed, isPublicAddress, type OutboundRules } from './rules.ts'

/** Returns the addresses of a host name. */
export type Resolve = (hostname: string) => Promise<string[]>

interface ConnectOptions {
  rules: OutboundRules
  resolve: Resolve
  timeout: number
  /** Certificates to trust instead of the default ones. */
  ca?: string | undefined
}

/**
 * Connects to public addresses only. The address that the socket has reached is checked: a literal address in the URL
 * is never looked up, and the DNS may answer differently the next time. So the check runs on the connected socket,
 * before the first byte is sent, the TLS handshake included. The look-up is filtered as well, so that a name with an
 * internal address causes no connection at all.
 */
export function guardedConnector({ rules, resolve, timeout, ca }: ConnectOptions): buildConnector.connector {
  const patience = { timeout, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1000 }
  const outside = buildConnector({ ...patience, lookup: lookupBy(resolve, isPublicAddress) })
  const opened = buildConnector(patience)
  // Set explicitly, because otherwise NODE_TLS_REJECT_UNAUTHORIZED could disable it.
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

/** A look-up that returns only the addresses that `mayKnow` allows. */
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
 * Queries the DNS directly. `getaddrinfo` would block one of Node's few threads until a dead name server times out, and
 * with it file access and password hashing; it would also resolve the names in /etc/hosts, which are internal.
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
