import { Type } from 'typebox'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { Count, Email, LocalDate, LongText, Name, Part, Ref, Text, Texts, Url } from '../../kernel/schema/values.ts'
import { mailSecurity } from '../../platform/mail-security.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'

const server = {
  host: Text(253),
  port: Count(65_535),
  security: Code(codeTableOfCodes('mailbox.security', mailSecurity), {
    description: '0 implicit TLS · 1 STARTTLS · 2 no encryption, where the operator allows it.',
  }),
  user: Text(254),
}

/** The codes of `protocol`. Only IMAP mailboxes are read. */
export const mailProtocol = { imap: 0, pop3: 1, graph: 2, gmail: 3, pushed: 4, forwarding: 5 } as const

export const mailboxShape = {
  name: Name(120),
  address: Type.String({ format: 'email', minLength: 3, maxLength: 254, examples: ['support@example.com'] }),
  aliases: Type.Array(Email, { maxItems: 50 }),
  protocol: Code(codeTableOfCodes('mailbox.protocol', mailProtocol), {
    description: '0 IMAP · 1 POP3 · 2 Graph · 3 Gmail API · 4 pushed by SMTP or LMTP · 5 forwarding. Only 0 is read.',
  }),
  auth: Text(20, { default: 'password', examples: ['password', 'oauth'] }),
  imap: Part({ ...server, folder: Text(200) }),
  smtp: Part(server),
  password: Text(1000, { writeOnly: true }),
  smtpPassword: Text(1000, { writeOnly: true }),
  oauth: Part({ tokenUrl: Url, clientId: Text(200), scope: Text(1000) }),
  clientSecret: Text(1000, { writeOnly: true }),
  refreshToken: Text(10_000, { writeOnly: true }),
  dkim: Part({ domain: Text(253), selector: Text(63) }),
  dkimKey: Text(10_000, { writeOnly: true }),
  trustedAuthHosts: Texts(20, 253),
  spamHeaders: Type.Boolean({
    description: 'Whether the spam headers (`X-Spam-…`, `X-Rspamd-…`) of the receiving server are trusted.',
  }),
  containerId: Ref('Container'),
  processId: Ref('Process'),
  groupId: Ref('UserGroup'),
  defaults: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description: 'Default values of new tickets, as in the body of a ticket: `{"priority": 2}`.',
  }),
  templateId: Ref('ContentTemplate'),
  signature: LongText(20_000),
  deleteAfterFetch: Type.Boolean(),
  moveTo: Text(200),
  archiveImport: Part({ since: LocalDate }),
  active: Type.Boolean(),
}

export type Mailbox = Stored<typeof mailboxShape>
export type MailboxValues = Values<typeof mailboxShape>
