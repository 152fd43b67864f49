import { ImapFlow } from 'imapflow'
import type { OutboundRules } from '../../platform/outbound/outbound.ts'
import { addressesOf, type MailServer, mailSecurity, tlsOptions } from './mail-server.ts'
import { explainTokenRefusal } from './oauth.ts'

/** Larger messages are not even asked for, and a server that sends them all the same is hung up on. */
const maxBytes = 26 * 1024 * 1024

/** A connection to a mailbox, signed in. */
export async function openImap(server: MailServer, rules: OutboundRules): Promise<ImapFlow> {
  const [address = ''] = await addressesOf(server, rules)
  const client = new ImapFlow({
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
  client.on('error', () => {}) // whoever waits for an answer is told
  await client.connect().catch(error => {
    throw explainTokenRefusal(server, error)
  })
  return client
}
