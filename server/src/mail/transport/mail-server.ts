import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { Id } from '../../kernel/id.ts'
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

/** How a mailbox gets access tokens (OAuth 2.0): by a refresh token of its owner, or by the secret of a client that acts for itself. */
export interface OAuthGrant {
  tenantId: Id
  mailboxId: Id
  tokenUrl: string
  clientId: string
  clientSecret: string
  refreshToken: string
  scope: string
}

/** A mail server, and how to speak to it. */
export interface MailServer {
  host: string
  port: number
  /** 0 TLS from the first byte · 1 STARTTLS · 2 none. */
  security: number
  user: string
  password: string
  /** By what a token is got in the place of a password, and the token itself. */
  grant?: OAuthGrant
  accessToken?: string
  /** The operator's own, who may have it where they want. */
  ours?: boolean
}

export const mailSecurity = { tls: 0, startTls: 1, none: 2 } as const

const usualPorts: Record<'imap' | 'smtp', readonly number[]> = { imap: [993, 143], smtp: [465, 587, 25, 2525] }

/** The port that counts: the one given, else the usual one of the protocol. */
export function portOf(protocol: 'imap' | 'smtp', server: { port?: number; security?: number }): number {
  return server.port || (usualPorts[protocol][server.security === mailSecurity.tls || !server.security ? 0 : 1] ?? 0)
}

/** What is wrong with a mail server before anybody looks it up; `undefined` when nothing is. */
export function serverFault(
  protocol: 'imap' | 'smtp',
  server: { host?: string; port?: number; security?: number },
  rules: OutboundRules,
): string | undefined {
  const host = server.host ?? ''
  if (!isHost(host)) return 'must be the name of a host such as mail.example.com'
  const port = portOf(protocol, server)
  if (isAllowed(hostAndPort(plainHost(host), String(port), 'http:'), rules)) return undefined
  if (!usualPorts[protocol].includes(port)) return 'this port is not allowed'
  if (server.security === mailSecurity.none)
    return 'without encryption only a server that the operator allows is spoken to'
  const plain = plainHost(host)
  return (isIP(plain) ? !isPublicAddress(plain) : isInternalName(plain)) ? internalHostRefused : undefined
}

const isHost = (host: string) =>
  isIP(host) !== 0 ||
  (/^[\p{L}\p{N}_]([\p{L}\p{N}._-]*[\p{L}\p{N}])?\.?$/u.test(host) && URL.canParse(`http://${host}`))

/** In one spelling: 2130706433, 0x7f.1 and １２７.０.０.１ are addresses too. */
const plainHost = (host: string) => (isIP(host) ? host : new URL(`http://${host}`).hostname)

/**
 * Where to connect: addresses, never a name. What was checked is what the socket then reaches, whatever a name leads to the
 * next time it is looked up.
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

/** The other side must prove to be who was asked for, whatever the environment says. */
export function tlsOptions({ host }: MailServer, { mailCa }: OutboundRules) {
  return {
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2' as const,
    ...(isIP(host) ? {} : { servername: host }),
    ...(mailCa === undefined ? {} : { ca: [...rootCertificates, mailCa] }),
  }
}

/** In words that whoever set it up can act on, without a word of what the inside looks like. */
export function describeFailure(error: unknown): string {
  if (error instanceof OutboundFailure) return error.message
  const { code = '', message = '', responseText = '', response = '' } = { ...propertiesOf(error) }
  if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY|ISSUER/.test(code + message))
    return `the certificate of the server is not accepted: ${message || code}`
  if (code === 'EAUTH' || /AUTHENTICATIONFAILED|authentication/i.test(`${code} ${responseText} ${message}`))
    return `the server does not take the user name or the password${response ? `: ${response}` : ''}`
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
