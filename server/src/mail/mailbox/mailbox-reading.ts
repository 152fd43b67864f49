import type { Context } from '../../kernel/context.ts'
import type { OutboundRules } from '../../platform/outbound/outbound.ts'
import type { MailServer } from '../transport/mail-server.ts'
import type { Mailbox } from './mailbox.ts'

/** The parameters for reading one mailbox. */
export interface MailboxReading {
  mailbox: Mailbox
  server: MailServer
  rules: OutboundRules
  signal: AbortSignal
  /** Runs a transaction for the tenant of the mailbox. */
  transaction<T>(act: (ctx: Context) => Promise<T>): Promise<T>
  /** The longest time between two fetches if the server sends no IDLE notification; ms. */
  poll?: number
}
