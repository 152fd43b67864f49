import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { Id } from '../../kernel/id.ts'
import { mailSecurity } from '../../platform/mail-security.ts'
import { OutboundFailure } from '../../platform/outbound/failure.ts'
import { dnsResolver } from '../../platform/outbound/guarded-connector.ts'
import {
  hostAndPort,
  internalHostRefused,
  isAllowed,
  isInternalName,
  isPublicAddress,
  type OutboundRules,
} from '../../platform/outbound/rules.ts'

/** How a mailbox gets OAuth 2.0 access tokens: by a refresh token, or by client credentials. */
export interface OAuthGrant {
  tenantId: Id
  mailboxId: Id
  tokenUrl: string
  clientId: string
  clientSecret: string
  refreshToken: string
  scope: string
}

/** A mail server with its connection settings and credentials. */
export interface MailServer {
  host: string
  port: number
  /** 0 implicit TLS · 1 STARTTLS · 2 no encryption. */
  security: number
  user: string
  password: string
  /** The OAuth grant that replaces the password, and the access token. */
  grant?: OAuthGrant
  accessToken?: string
  /** The server is set by the operator, so the rules for outbound hosts do not apply. */
  ours?: boolean
}

const usualPorts: Record<'imap' | 'smtp', readonly number[]> = { imap: [993, 143], smtp: [465, 587, 25, 2525] }

/** Returns the given port, else the default port of the protocol. */
export function portOf(protocol: 'imap' | 'smtp', server: { port?: number; security?: number }): number {
  return server.port || (usualPorts[protocol][server.security === mailSecurity.tls || !server.security ? 0 : 1] ?? 0)
}

/** Returns the fault of a mail server that is visible without a DNS query, or undefined. */
export function serverFault(
  protocol: 'imap' | 'smtp',
  server: { host?: string; port?: number; security?: number },
  rules: OutboundRules,
): string | undefined {
  const host = server.host ?? ''
  if (!isHost(host)) return 'must be a host name such as mail.example.com'
  const port = portOf(protocol, server)
  if (isAllowed(hostAndPort(plainHost(host), String(port), 'http:'), rules)) return undefined
  if (!usualPorts[protocol].includes(port)) return 'this port is not allowed'
  if (server.security === mailSecurity.none)
    return 'a connection without encryption is allowed only to servers that the operator permits'
  const plain = plainHost(host)
  return (isIP(plain) ? !isPublicAddress(plain) : isInternalName(plain)) ? internalHostRefused : undefined
}

const isHost = (host: string) =>
  isIP(host) !== 0 ||
  (/^[\p{L}\p{N}_]([\p{L}\p{N}._-]*[\p{L}\p{N}])?\.?$/u.test(host) && URL.canParse(`http://${host}`))

/** Normalizes a host, because 2130706433, 0x7f.1 and １２７.０.０.１ are IP addresses too. */
const plainHost = (host: string) => (isIP(host) ? host : new URL(`http://${host}`).hostname)

/**
 * Returns the IP addresses to connect to. The socket connects to the checked addresses and not to the name, which might
 * resolve to another address the next time.
 */
export async function addressesOf({ host, port, ours }: MailServer, rules: OutboundRules): Promise<string[]> {
  const plain = plainHost(host)
  const opened = ours || isAllowed(hostAndPort(plain, String(port), 'http:'), rules)
  if (isIP(plain)) {
    if (opened || isPublicAddress(plain)) return [plain]
    throw new OutboundFailure('refused', internalHostRefused)
  }
  if (opened) {
    const found = await lookup(host, { all: true }).catch(() => [])
    if (found.length === 0) throw new OutboundFailure('unreachable', `there is no host ${host}`)
    return found.map(({ address }) => address)
  }
  const found = await dnsResolver()(plain)
  if (found.length === 0) throw new OutboundFailure('unreachable', `there is no host ${host}`)
  const foreign = found.filter(isPublicAddress)
  if (foreign.length === 0) throw new OutboundFailure('refused', internalHostRefused)
  return foreign
}

/** TLS options that always verify the certificate, also if the environment turns verification off. */
export function tlsOptions({ host }: MailServer, { mailCa }: OutboundRules) {
  return {
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2' as const,
    ...(isIP(host) ? {} : { servername: host }),
    ...(mailCa === undefined ? {} : { ca: [...rootCertificates, mailCa] }),
  }
}

/** Describes an error so that the user can act on it, without details of the internal network. */
export function describeFailure(error: unknown): string {
  if (error instanceof OutboundFailure) return error.message
  const { code = '', message = '', responseText = '', response = '' } = { ...propertiesOf(error) }
  if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY|ISSUER/.test(code + message))
    return `the certificate of the server is not accepted: ${message || code}`
  if (code === 'EAUTH' || /AUTHENTICATIONFAILED|authentication/i.test(`${code} ${responseText} ${message}`))
    return `the server rejects the user name or the password${response ? `: ${response}` : ''}`
  if (/ECONNREFUSED/.test(code + message)) return 'nothing answers at this host and port'
  if (/TIMEOUT|ETIMEDOUT/i.test(code + message)) return 'the server took too long to answer'
  if (/ENOTFOUND|EAI_AGAIN/.test(code + message)) return 'there is no such host'
  return (response || responseText || message || code || 'the server cannot be reached').slice(0, 500)
}

function propertiesOf(error: unknown): Partial<Record<'code' | 'message' | 'responseText' | 'response', string>> {
  if (!(error instanceof Error)) return { message: String(error) }
  const text = (name: string) => String(Reflect.get(error, name) ?? '')
  return { code: text('code'), message: error.message, responseText: text('responseText'), response: text('response') }
}
