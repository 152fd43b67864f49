import { isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** The operator's rules for calls to external hosts. */
export interface OutboundRules {
  /** Plain http is refused unless the operator allows it. */
  http?: boolean
  /** Allowed ports in addition to 80, 443 and 8443. */
  ports?: readonly number[]
  /** Internal `host:port` that may be called nevertheless; an entry allows that host at that port, and nothing else. */
  allow?: readonly string[]
  /** The mail server of the installation, for tenants without their own. */
  relay?: Relay | undefined
  /** Further CA certificates that are trusted for mail servers: PEM. */
  mailCa?: string | undefined
  /** The name servers for the domains of incoming mail: those of the machine, the given ones, or none. */
  mailDns?: 'on' | 'off' | readonly string[]
  /** The virus scanner for incoming mail and uploaded files: `host:port` of a clamd. */
  clamd?: string | undefined
}

declare module '../../kernel/context.ts' {
  interface Services {
    outboundRules: OutboundRules
  }
}

/** A mail server of the operator, and its sender address. */
export interface Relay {
  host: string
  port: number
  /** 0 implicit TLS · 1 STARTTLS · 2 none. */
  security: number
  user: string
  password: string
  from: string
}

/** Returns the fault of a URL that is visible without a look-up of its host, or `undefined`. */
export function urlFault(url: string, rules: OutboundRules): string | undefined {
  if (url.length > 2048) return 'the address has more than 2048 characters'
  if (!URL.canParse(url)) return 'this is not an address such as https://example.com/hook'
  const { protocol, username, password, hostname, port } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') return 'the address must begin with https://'
  if (protocol === 'http:' && !rules.http) return 'plain http is not allowed here: the address must begin with https://'
  if (username || password) return 'the address must not contain a user name or a password'
  if (isAllowed(hostAndPort(hostname, port, protocol), rules)) return undefined
  if (![80, 443, 8443, ...(rules.ports ?? [])].includes(portOf(port, protocol))) return 'this port is not allowed'
  const address = bare(hostname)
  if (isIP(address) ? !isPublicAddress(address) : isInternalName(address)) return internalHostRefused
  return undefined
}

/** The message does not say which address a name has, so that nobody can explore the internal network by asking. */
export const internalHostRefused = 'this host is not allowed'

/**
 * Whether an address is a public one of another host: neither our own, nor one of the surrounding network, nor a tunnel
 * to these.
 */
export function isPublicAddress(address: string): boolean {
  // Node's check comes first, because the library also accepts abbreviations such as 127.1.
  if (!isIP(address) || !ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || ourOwn().has(parsed.toNormalizedString())) return false
  return parsed instanceof ipaddr.IPv6 ? isGlobal(parsed) : !hosts.has(parsed.toString())
}

// Azure serves its virtual machines from an address that looks public.
const hosts = new Set(['168.63.129.16'])

/** Only 2000::/3 is allocated; in it, the suffix `0:5efe` or `200:5efe` tunnels to an IPv4 address (ISATAP). */
function isGlobal({ parts: [first = 0, , , , fifth = 0, sixth = 0] }: ipaddr.IPv6): boolean {
  return first >> 13 === 1 && !((fifth & ~0x200) === 0 && sixth === 0x5efe)
}

/** Read each time, because interfaces change while the service runs. */
function ourOwn(): Set<string> {
  const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? [])
  return new Set(addresses.map(({ address }) => ipaddr.process(address).toNormalizedString()))
}

/** Names that have a meaning only on this machine or in its network. */
export function isInternalName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  return !name.includes('.') || /\.(localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/.test(name)
}

/** `host:port` in the form in which the operator's entries are compared: the host as a parsed URL writes it. */
export function hostAndPort(hostname: string, port: string, protocol: string): string {
  return `${isIPv6(hostname) ? `[${hostname}]` : hostname}:${portOf(port, protocol)}`
}

function portOf(port: string, protocol: string): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

export function isAllowed(place: string, { allow }: OutboundRules): boolean {
  if (!allow) return false
  const places = allowed.get(allow) ?? new Set(allow.map(normalizeAllowEntry))
  allowed.set(allow, places)
  return places.has(place)
}

/** The places of each list of entries, because every call compares them. */
const allowed = new WeakMap<readonly string[], ReadonlySet<string>>()

/** Normalises an entry to the form of `hostAndPort`; throws when it is malformed. */
export function normalizeAllowEntry(entry: string): string {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(entry) ?? []
  const address = `http://${isIPv6(host) ? `[${host}]` : host}`
  const isHost = isIPv6(bare(host)) || /^[^\s:/?#@\\*[\]]+$/.test(host)
  if (!isHost || !URL.canParse(address)) throw new Error(`not a host:port that can be allowed: ${entry}`)
  return hostAndPort(new URL(address).hostname, port, 'http:')
}

const bare = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1')

/** Returns the fault of a header line `Name: value` that a tenant wants to send, or `undefined`. */
export function headerFault(line: string): string | undefined {
  if (line.length > 8192) return 'the header has more than 8192 characters'
  if (/[\r\n\0]/.test(line)) return 'a header must be one line'
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/.exec(line) ?? []
  if (name === undefined || value === undefined) return 'a header must have the form "Name: value"'
  if (!/^[\t\x20-\x7e]*$/.test(value)) return 'the value of a header must contain only visible ASCII characters'
  if (isTransportHeader(name) || /^webhook-/i.test(name)) return `the header ${name} is set by the service itself`
  return undefined
}

/** Headers that control the connection or identify the sender; tenants may not set them. */
export function isTransportHeader(name: string): boolean {
  return /^(host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|http2-settings|user-agent|proxy-.*)$/i.test(
    name,
  )
}
