import type { Context } from '../../kernel/context.ts'
import type { OutboundRules } from '../../platform/outbound/outbound.ts'
import type { MailServer } from '../transport/mail-server.ts'
import type { Mailbox } from './mailbox.ts'

/** How one mailbox is read, and what for. */
export interface MailboxReading {
  mailbox: Mailbox
  server: MailServer
  rules: OutboundRules
  signal: AbortSignal
  /** Runs something for the tenant of the mailbox: all of it or nothing. */
  transaction<T>(act: (ctx: Context) => Promise<T>): Promise<T>
  /** Between two looks at most, where the server does not call; ms. */
  poll?: number
}
