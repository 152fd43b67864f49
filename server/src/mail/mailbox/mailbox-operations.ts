import { check, create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { type Finding, findingsSchema } from '../../kernel/record/record.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { openOutbound } from '../../platform/outbound/outbound.ts'
import { history } from '../../records/history/history.ts'
import { mailPurpose, outboundMails } from '../outbound-mail/outbound-mail.ts'
import { queueMail } from '../queue-mail.ts'
import { openImap } from '../transport/imap.ts'
import { describeFailure, type MailServer } from '../transport/mail-server.ts'
import { withAccessToken } from '../transport/oauth.ts'
import { tryServer } from '../transport/smtp.ts'
import { mailboxes } from './mailbox.ts'
import { fetchObstacles, isSecurity, mailboxFindings } from './mailbox-findings.ts'
import { imapOf, smtpOf } from './mailbox-servers.ts'
import { changeMailbox, createMailbox } from './write-mailbox.ts'

const test = operation({
  permission: mailboxes.permissions.update,
  mode: 'read',
  summary: 'Test a mailbox',
  description:
    'Signs in to the IMAP server and opens the folder, then signs in to the SMTP server through which mail would be sent, and describes what fails. Nothing is read or sent.',
  reply: {
    status: 200,
    schema: {
      type: 'object',
      properties: {
        ok: { type: 'boolean', description: 'Whether mail can be received and sent.' },
        imap: { type: 'string', description: '`ok`, or the error.' },
        smtp: { type: 'string', description: '`ok`, or the error.' },
        findings: findingsSchema,
      },
      required: ['ok', 'imap', 'smtp', 'findings'],
    },
    description: 'The results.',
  },
  refusals: [404],
  async run(ctx, { params }) {
    const mailbox = await mailboxes.get(ctx, params.id ?? '')
    const findings: Finding[] = await mailboxFindings(mailbox, ctx)
    const [inward, own, rules] = [await imapOf(ctx, mailbox), await smtpOf(ctx, mailbox), ctx.services.outboundRules]
    const outward: MailServer | undefined = own ?? (rules.relay && { ...rules.relay, ours: true })
    // The reply is a stream, so that no database connection is held while waiting for a foreign host.
    return {
      async *stream() {
        const outbound = openOutbound(rules)
        const imap = await outcomeOf(async () => {
          const [obstacle] = fetchObstacles(mailbox)
          if (obstacle) throw new Error(obstacle.message)
          if (!inward) throw new Error('the mailbox has no IMAP server')
          const client = await openImap(await withAccessToken(inward, outbound), rules)
          try {
            await client.mailboxOpen(mailbox.imap.folder || 'INBOX', { readOnly: true })
          } finally {
            client.close()
          }
        })
        const smtp = await outcomeOf(async () => {
          if (!outward) throw new Error('neither the mailbox nor the installation has a mail server')
          if (!isSecurity(outward.security)) throw new Error('security must be 0, 1 or 2')
          await tryServer(await withAccessToken(outward, outbound), rules)
        })
        await outbound.close()
        yield JSON.stringify({ ok: imap === 'ok' && smtp === 'ok', imap, smtp, findings })
      },
    }
  },
})

async function outcomeOf(attempt: () => Promise<void>): Promise<string> {
  try {
    await attempt()
    return 'ok'
  } catch (error) {
    return describeFailure(error)
  }
}

const sendTest = operation({
  permission: mailboxes.permissions.update,
  mode: 'write',
  summary: 'Send a test mail',
  description:
    'Sends a mail from this mailbox to the caller, or to the mailbox itself if the caller has no address. The record of the mail shows the outcome.',
  reply: { status: 201, schema: outboundMails.schema, description: 'The queued mail.' },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const mailbox = await mailboxes.find(ctx, params.id ?? '')
    if (!mailbox) throw new NotFound()
    const [user] = await ctx.sql<{
      email: string
    }>`select email from "user" where tenant_id = ${ctx.caller.tenantId} and id = ${ctx.caller.userId}`
    const mail = await queueMail(ctx, {
      to: [user?.email || mailbox.address],
      subject: `Test of ${mailbox.name.slice(0, 100)}`,
      text: `This mail was sent to test the mailbox ${mailbox.address}. Sending works.`,
      auto: false,
      mailboxId: mailbox.id,
      purpose: mailPurpose.test,
    })
    return { body: mail, version: mail.version, headers: { location: `/api/mail/outbound/${mail.id}` } }
  },
})

export const routes: Routes = {
  'GET /mail/mailbox': list(mailboxes),
  'POST /mail/mailbox': create(mailboxes, createMailbox),
  'PUT /mail/mailbox': update(mailboxes, changeMailbox),
  'GET /mail/mailbox/:id': get(mailboxes),
  'PUT /mail/mailbox/:id': update(mailboxes, changeMailbox),
  'PATCH /mail/mailbox/:id': update(mailboxes, changeMailbox),
  'DELETE /mail/mailbox/:id': remove(mailboxes),
  'POST /mail/mailbox/:id/restore': restore(mailboxes),
  'GET /mail/mailbox/:id/history': history(mailboxes),
  'GET /mail/mailbox/:id/check': check(mailboxes),
  'POST /mail/mailbox/:id/test': test,
  'POST /mail/mailbox/:id/send-test': sendTest,
}
