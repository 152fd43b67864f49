import { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import { annotations, visibleToStaff } from '../../desk/annotation/annotation.ts'
import { narrowedTo, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { get, list } from '../../kernel/crud.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { operation, type Reply, type Routes } from '../../kernel/operation.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { fault, Invalid, NotFound, RuleBroken } from '../../kernel/refusal.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Ref } from '../../kernel/schema/values.ts'
import { ownTenant, raw, sql } from '../../kernel/sql.ts'
import { bytesReply } from '../../platform/bytes/stored-bytes.ts'
import { history } from '../../records/history/history.ts'
import { trustSender } from '../mail-general.ts'
import { mailboxes } from '../mailbox/mailbox.ts'
import { type MailMessage, mailMessages, outcome } from './mail-message.ts'
import { messageLimits } from './parsing/size-limits.ts'
import { enqueueProcessing, storeMessage } from './store-message.ts'

const schema = mailMessages.schema
const answer = (message: MailMessage): Reply => ({ body: message, version: message.version })

const given = Type.Object(
  { mailboxId: Ref('Mailbox', { minLength: 1 }), raw: Type.String({ minLength: 1, maxLength: messageLimits.bytes }) },
  { additionalProperties: false },
)

const deliver = operation<Static<typeof given>>({
  permission: mailMessages.permissions.create,
  mode: 'write',
  summary: 'Submit a message',
  description:
    'Submits a received message (RFC 5322) to a mailbox: for servers that push mail instead of having it fetched. It is processed in the background, like any other.',
  body: {
    schema: given,
    // Clients send whole records back, including what only the service sets.
    read: reader<Static<typeof given>>(given, { ignored: mailMessages.serverSet }),
    example: {
      mailboxId: '01890000-0000-7000-8000-000000000000',
      raw: 'From: rita@example.com\r\nSubject: Help\r\n\r\nIt is dark.',
    },
    limit: messageLimits.bytes + 1024 * 1024,
  },
  reply: { status: 201, schema, description: 'The message, which is processed in the background.' },
  refusals: [413, 422],
  async run(ctx, { body, path }) {
    const mailbox = isId(body.mailboxId) ? await mailboxes.find(ctx, body.mailboxId.toLowerCase()) : undefined
    if (!mailbox) throw unknownReferences([{ entity: 'Mailbox', id: body.mailboxId, path: ['mailboxId'] }])
    const bytes = Buffer.from(body.raw)
    if (bytes.length > messageLimits.bytes)
      throw new Invalid([fault(['raw'], 'maxLength', `must have at most ${messageLimits.bytes} bytes`)])
    const arrived = await ctx.services.blobs.arrive(Readable.from([bytes]))
    const id = await storeMessage(ctx, { mailboxId: mailbox.id, arrived }).finally(() =>
      ctx.services.blobs.discard(arrived),
    )
    const message = await mailMessages.get(ctx, id ?? '')
    return { ...answer(message), headers: { location: `${path}/${message.id}` } }
  },
})

/** Serves the bytes as a download, so that no browser renders them. */
async function bytesOf(ctx: Context, sha256: string, size: number, name: string): Promise<Reply> {
  if (sha256 === '') throw new NotFound('message any more')
  return bytesReply(await ctx.services.storedBytes.find(ctx, sha256), {
    headers: {
      'content-type': 'message/rfc822',
      'content-disposition': `attachment; filename="${name}.eml"`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'content-length': String(size),
    },
  })
}

const rawReply = {
  status: 200,
  schema: { type: 'string', format: 'binary', contentMediaType: 'message/rfc822' },
  description: 'The message as it was received.',
  headers: ['Content-Disposition'],
}

const rawOfMessage = operation({
  permission: mailMessages.permissions.read,
  mode: 'read',
  summary: 'Download a message',
  description:
    'The received bytes, as long as they are kept. Those of a message that became no ticket are kept for 30 days.',
  reply: rawReply,
  refusals: [404],
  async run(ctx, { params }) {
    const { id, size } = await mailMessages.get(ctx, params.id ?? '')
    const [row] = await ctx.sql<{
      sha256: string
    }>`select sha256 from mail_message where tenant_id = ${ctx.caller.tenantId} and id = ${id}`
    return await bytesOf(ctx, row?.sha256 ?? '', size, id)
  },
})

const rawOfAnnotation = operation({
  permission: narrowedTo(staff, annotations.permissions.read),
  placed: true,
  mode: 'read',
  summary: 'Download the mail of an annotation',
  description: 'The message as it was received, with all its headers. For staff.',
  reply: rawReply,
  also: { 204: 'The annotation did not come by mail.' },
  refusals: [404],
  async run(ctx, { params }) {
    const id = params.id ?? ''
    const [row] = isId(id)
      ? await ctx.sql<{ sha256: string | null; size: number }>`select m.sha256, m.size from annotation a
          left join mail_message m on m.tenant_id = ${ownTenant} and m.annotation_id = a.id
          where a.tenant_id = ${ctx.caller.tenantId} and a.id = ${id} and not a.deleted and ${visibleToStaff(ctx.caller, raw('a'))}`
      : []
    if (!row) throw new NotFound()
    return row.sha256 === null ? { status: 204 } : await bytesOf(ctx, row.sha256, row.size, id)
  },
})

/** Processes a message again from the beginning. */
async function again(ctx: Context, id: Id, { release }: { release: boolean }): Promise<MailMessage> {
  const before = await mailMessages.get(ctx, id, { lock: true })
  if (before.outcome === outcome.pending) return before
  if (before.itemId && before.annotationId)
    throw new RuleBroken('became-ticket', 'the message has become part of a ticket')
  const [row] =
    await ctx.sql`update mail_message set outcome = ${outcome.pending}, reason = '', released = released or ${release}, updated = ${ctx.now},
      updated_by = ${ctx.caller.userId}, version = version + 1
    where tenant_id = ${ctx.caller.tenantId} and id = ${before.id} and sha256 <> '' returning 1`
  if (!row) throw new RuleBroken('gone', 'the bytes of the message are no longer kept')
  await enqueueProcessing(ctx, before.id)
  return await mailMessages.get(ctx, before.id)
}

const reprocess = operation({
  permission: mailMessages.permissions.update,
  mode: 'write',
  summary: 'Process a message again',
  description:
    'Processes the stored bytes again with the current settings, for messages that were refused or failed. A message that became part of a ticket stays as it is: 422 `became-ticket`.',
  reply: { status: 200, schema, description: 'The message, which is processed in the background.' },
  refusals: [404, 422],
  async run(ctx, { params }) {
    return answer(await again(ctx, params.id ?? '', { release: false }))
  },
})

const releasing = Type.Object({ trust: Type.Optional(Type.Boolean()) }, { additionalProperties: false })

const release = operation<Static<typeof releasing>>({
  permission: mailMessages.permissions.update,
  mode: 'write',
  summary: 'Release a message from quarantine',
  description:
    'Processes the message again without the stop lists. With `trust` its sender is added to `trustedSenders`, so that the stop lists no longer apply to them.',
  body: {
    schema: releasing,
    read: reader<Static<typeof releasing>>(releasing),
    example: { trust: true },
  },
  reply: { status: 200, schema, description: 'The message, which is processed in the background.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const message = await again(ctx, params.id ?? '', { release: true })
    if (body.trust && message.sender) await trustSender(ctx, message.sender)
    return answer(message)
  },
})

const quarantine = {
  ...list(mailMessages, { where: () => sql`t.outcome = ${outcome.quarantined}` }),
  summary: 'List the quarantine',
  description: 'The stopped messages, each with the reason. They are kept for 30 days, and can be released.',
}

export const routes: Routes = {
  'GET /mail/message': list(mailMessages),
  'POST /mail/message': deliver,
  'GET /mail/quarantine': quarantine,
  'GET /mail/message/:id': get(mailMessages),
  'GET /mail/message/:id/history': history(mailMessages),
  'GET /mail/message/:id/raw': rawOfMessage,
  'POST /mail/message/:id/reprocess': reprocess,
  'POST /mail/message/:id/release': release,
  'GET /annotation/:id/raw': rawOfAnnotation,
}
