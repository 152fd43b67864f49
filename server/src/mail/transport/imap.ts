import type { ImapFlow } from 'imapflow'
import { mailSecurity } from '../../platform/mail-security.ts'
import type { OutboundRules } from '../../platform/outbound/outbound.ts'
import { addressesOf, type MailServer, tlsOptions } from './mail-server.ts'
import { explainTokenRefusal } from './oauth.ts'

/** Larger messages are not requested, and the connection is closed if the server sends one nevertheless. */
const maxBytes = 26 * 1024 * 1024

/** Opens an authenticated connection to an IMAP server. */
export async function openImap(server: MailServer, rules: OutboundRules): Promise<ImapFlow> {
  const [address = ''] = await addressesOf(server, rules)
  const { ImapFlow: Client } = await import('imapflow') // few processes read mailboxes, and it takes 4 MiB
  const client = new Client({
    host: address,
    ...(address === server.host ? {} : { servername: server.host }),
    port: server.port,
    secure: server.security === mailSecurity.tls,
    doSTARTTLS: server.security === mailSecurity.startTls,
    auth: {
      user: server.user,
      ...(server.accessToken ? { accessToken: server.accessToken } : { pass: server.password }),
    },
    tls: tlsOptions(server, rules),
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 90_000,
    maxLineLength: 1024 * 1024,
    maxLiteralSize: maxBytes,
    maxResponseSize: maxBytes + 1024 * 1024,
  })
  client.on('error', () => {}) // the pending commands reject with the error; without a listener it would end the process
  await client.connect().catch(error => {
    throw explainTokenRefusal(server, error)
  })
  return client
}
