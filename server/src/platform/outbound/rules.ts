import { isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** What the operator says about calls to foreign hosts. */
export interface OutboundRules {
  /** Plain http is refused unless the operator wants it. */
  http?: boolean
  /** Ports beside 80, 443 and 8443. */
  ports?: readonly number[]
  /** `host:port` on the inside that may be called all the same; an entry opens that host at that port, and nothing else. */
  allow?: readonly string[]
  /** The installation's own mail server, for whoever has none of their own. */
  relay?: Relay | undefined
  /** Certificates that mail servers may be signed by beside the usual ones: PEM. */
  mailCa?: string | undefined
  /** Who is asked about the domains that mail comes from: the machine's own name servers, these, or nobody. */
  mailDns?: 'on' | 'off' | readonly string[]
  /** The virus scanner that looks at what comes in by mail: `host:port` of a clamd. */
  clamd?: string | undefined
}

declare module '../../kernel/context.ts' {
  interface Services {
    outboundRules: OutboundRules
  }
}

/** A mail server of the operator, and the address that it sends from. */
export interface Relay {
  host: string
  port: number
  /** 0 TLS from the first byte · 1 STARTTLS · 2 none. */
  security: number
  user: string
  password: string
  from: string
}

/** What is wrong with a URL before anybody looks up its host; `undefined` when nothing is. */
export function urlFault(url: string, rules: OutboundRules): string | undefined {
  if (url.length > 2048) return 'the address has more than 2048 characters'
  if (!URL.canParse(url)) return 'this is not an address such as https://example.com/hook'
  const { protocol, username, password, hostname, port } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return 'the address must begin with https://'
  if (protocol === 'http:' && !rules.http) return 'plain http is not allowed here: the address must begin with https://'
  if (username || password) return 'the address must not hold a user name or a password'
  if (isAllowed(hostAndPort(hostname, port, protocol), rules)) return undefined
  if (![80, 443, 8443, ...(rules.ports ?? [])].includes(portOf(port, protocol))) return 'this port is not allowed'
  const address = bare(hostname)
  if (isIP(address) ? !isPublicAddress(address) : isInternalName(address)) return internalHostRefused
  return undefined
}

/** Says nothing of where a name led, so that nobody can learn of the inside by asking. */
export const internalHostRefused = 'this host is not allowed'

/** Whether an address is somebody else's on the internet: neither ours, nor the network's around us, nor a way to these. */
export function isPublicAddress(address: string): boolean {
  // Node's test comes first, because the library also takes shorthands such as 127.1 for addresses.
  if (!isIP(address) || !ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || ourOwn().has(parsed.toNormalizedString())) return false
  return parsed instanceof ipaddr.IPv6 ? isGlobal(parsed) : !hosts.has(parsed.toString())
}

// Azure speaks to its guests from an address that looks like anybody's.
const hosts = new Set(['168.63.129.16'])

/** Only 2000::/3 is given out; in it, the end `0:5efe` or `200:5efe` carries an IPv4 address through a tunnel (ISATAP). */
function isGlobal({ parts: [first = 0, , , , fifth = 0, sixth = 0] }: ipaddr.IPv6): boolean {
  return first >> 13 === 1 && !((fifth & ~0x200) === 0 && sixth === 0x5efe)
}

/** Read anew each time: interfaces come and go while the service runs. */
function ourOwn(): Set<string> {
  const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? [])
  return new Set(addresses.map(({ address }) => ipaddr.process(address).toNormalizedString()))
}

/** Names that only mean something on this machine or in its network. */
export function isInternalName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  return !name.includes('.') || /\.(localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/.test(name)
}

/** `host:port` as the operator's entries are compared: the host as a parsed URL writes it. */
export function hostAndPort(hostname: string, port: string, protocol: string): string {
  return `${isIPv6(hostname) ? `[${hostname}]` : hostname}:${portOf(port, protocol)}`
}

function portOf(port: string, protocol: string): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

export function isAllowed(place: string, { allow = [] }: OutboundRules): boolean {
  return allow.some(entry => normalizeAllowEntry(entry) === place)
}

/** An entry, written as `placeOf` writes it; throws when it is none. */
export function normalizeAllowEntry(entry: string): string {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(entry) ?? []
  const address = `http://${isIPv6(host) ? `[${host}]` : host}`
  const isHost = isIPv6(bare(host)) || /^[^\s:/?#@\\*[\]]+$/.test(host)
  if (!isHost || !URL.canParse(address)) throw new Error(`not a host:port that can be allowed: ${entry}`)
  return hostAndPort(new URL(address).hostname, port, 'http:')
}

const bare = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1')

/** What is wrong with a header line `Name: value` that somebody wants sent along; `undefined` when nothing is. */
export function headerFault(line: string): string | undefined {
  if (line.length > 8192) return 'the header has more than 8192 characters'
  if (/[\r\n\0]/.test(line)) return 'a header is one line'
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/.exec(line) ?? []
  if (name === undefined || value === undefined) return 'a header is written as "Name: value"'
  if (!/^[\t\x20-\x7e]*$/.test(value)) return 'the value of a header has visible ASCII characters only'
  if (isTransportHeader(name) || /^webhook-/i.test(name)) return `the header ${name} is set by the service itself`
  return undefined
}

/** Headers that steer the connection or say who speaks: never from outside. */
export function isTransportHeader(name: string): boolean {
  return /^(host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|http2-settings|user-agent|proxy-.*)$/i.test(
    name,
  )
}
