import type { SendMailOptions } from 'nodemailer'
import { mailSecurity } from '../../platform/mail-security.ts'
import type { OutboundRules } from '../../platform/outbound/outbound.ts'
import { addressesOf, type MailServer, tlsOptions } from './mail-server.ts'
import { explainTokenRefusal } from './oauth.ts'

/** The reply of a server to a mail. */
export interface SubmissionResult {
  accepted: string[]
  rejected: { address: string; code: number; response: string }[]
  response: string
}

// A slower server counts as failed, and the mail is tried again later; ms.
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

async function open(server: MailServer, rules: OutboundRules, name: string) {
  const [address] = await addressesOf(server, rules)
  const { createTransport } = await import('nodemailer') // only processes that send mail need its memory
  return createTransport({
    ...patience,
    host: address,
    port: server.port,
    name,
    secure: server.security === mailSecurity.tls,
    requireTLS: server.security === mailSecurity.startTls,
    ignoreTLS: server.security === mailSecurity.none,
    ...(server.user === '' ? {} : { auth: proofOf(server) }),
    tls: tlsOptions(server, rules),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function proofOf({ user, password, accessToken }: MailServer) {
  return accessToken === undefined ? { user, pass: password } : { type: 'OAuth2' as const, user, accessToken }
}

/** Sends one mail. Throws if the server rejects all recipients. */
export async function submitMail(
  server: MailServer,
  rules: OutboundRules,
  mail: SendMailOptions,
): Promise<SubmissionResult> {
  const name = String(mail.messageId ?? '').replace(/^.*@([\w.-]+)>$/, '$1') || 'localhost'
  const transport = await open(server, rules, name)
  try {
    const { accepted, rejectedErrors = [], response } = await transport.sendMail(mail)
    return {
      accepted: accepted.map(String),
      rejected: rejectedErrors.map(error => ({
        address: String(Reflect.get(error, 'recipient') ?? ''),
        code: Number(Reflect.get(error, 'responseCode') ?? 0),
        response: String(Reflect.get(error, 'response') ?? error.message),
      })),
      response,
    }
  } catch (error) {
    throw explainTokenRefusal(server, error)
  } finally {
    transport.close()
  }
}

/** Connects, starts TLS and signs in, without sending a mail. */
export async function tryServer(server: MailServer, rules: OutboundRules): Promise<void> {
  const transport = await open(server, rules, 'localhost')
  try {
    await transport.verify()
  } catch (error) {
    throw explainTokenRefusal(server, error)
  } finally {
    transport.close()
  }
}
