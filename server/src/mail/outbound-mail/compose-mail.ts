import { Readable } from 'node:stream'
import type { SendMailOptions } from 'nodemailer'
import { render } from '../../containers/content-template/content-template.ts'
import { type Annotation, annotationKind, annotations, htmlOf, isPublic } from '../../desk/annotation/annotation.ts'
import { guestLinkInMail } from '../../desk/guest/guest.ts'
import { occasionOf } from '../../desk/template/template.ts'
import { linkedArticles, withArticlePages } from '../../documents/article/article-links.ts'
import { fileState, files } from '../../documents/file/file.ts'
import { Postponed } from '../../engine/dispatch/task.ts'
import { type Item, items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { escapedHtml, plainText } from '../../language/markup.ts'
import type { FoundBytes } from '../../platform/bytes/stored-bytes.ts'
import { breaksLine, oneLine, withToken } from '../address.ts'
import { mailSettings } from '../mail-general.ts'
import { type Mailbox, mailboxes } from '../mailbox/mailbox.ts'
import { unsubscribeLink } from '../unsubscribe.ts'
import { type MailContent, mailContent, mailPurpose, type OutboundMail } from './outbound-mail.ts'
import { conversationIds, tokenOf, withSubjectToken } from './thread-token.ts'

/** The mail must not be sent, because its content was deleted or is internal. */
export class UnsendableMail extends Error {}

/** Attachments beyond this total size are not sent; the mail lists their names. */
const maxAttached = 18 * 1024 * 1024

export interface ComposedMail {
  mail: SendMailOptions
  mailbox: Mailbox | undefined
}

/** Composes a mail from the current state of its records. */
export async function composeMail(ctx: Context, row: OutboundMail): Promise<ComposedMail> {
  const content = await mailContent(ctx, row.id)
  const mailbox = row.mailboxId ? await mailboxes.find(ctx, row.mailboxId) : undefined
  const item = row.itemId ? await items.find(ctx, row.itemId) : undefined
  const annotation = row.annotationId ? await annotations.find(ctx, row.annotationId, { deleted: true }) : undefined
  const words = await wordsOf(ctx, row, content, annotation)
  const signature =
    row.purpose === mailPurpose.reply || row.purpose === mailPurpose.forward
      ? await signatureOf(ctx, item, annotation, mailbox)
      : none
  const { replyMarker } = await mailSettings(ctx)
  const marker = item && replyMarker && row.purpose !== mailPurpose.notification ? replyMarker : ''
  const token = item ? await tokenOf(ctx, item.id) : ''
  const relay = mailbox?.smtp.host ? undefined : ctx.services.outboundRules.relay
  // The server of the installation sends only under the address that the operator has set.
  const sender = relay ? relay.from : row.from
  const answerTo = row.from && token ? withToken(row.from, token) : row.from
  const thread = item ? await conversationIds(ctx, item.id, row.messageId) : { last: '', all: [] }
  const inReplyTo = content.inReplyTo || thread.last
  const references = inReplyTo ? [...thread.all.filter(each => each !== inReplyTo), inReplyTo] : thread.all
  const attached =
    row.purpose === mailPurpose.reply || row.purpose === mailPurpose.forward
      ? await attachmentsOf(ctx, annotation)
      : { list: [], left: [] }
  const left = attached.left.length > 0 ? `\n\n(Not attached because of the size: ${attached.left.join(', ')})` : ''
  const follow = item ? await followLine(ctx, row, item) : none
  const text = [marker, words.text + left, follow.text, signature.text && `-- \n${signature.text}`]
    .filter(Boolean)
    .join('\n\n')
  const html = [
    marker && `<p>${escapedHtml(marker)}</p>`,
    words.html,
    left && `<p>${escapedHtml(left)}</p>`,
    follow.html,
    signature.html && `<p>-- </p>${signature.html}`,
  ]
  const mail: SendMailOptions = {
    from: { name: oneLine(mailbox?.name ?? '', 100), address: sender },
    to: row.to,
    cc: row.cc,
    ...(answerTo && answerTo !== sender ? { replyTo: answerTo } : {}),
    subject:
      item && row.purpose !== mailPurpose.notification ? withSubjectToken(row.subject, item.key, token) : row.subject,
    text,
    ...(words.html ? { html: html.filter(Boolean).join('\n') } : {}),
    messageId: row.messageId,
    ...(inReplyTo ? { inReplyTo, references } : {}),
    date: new Date(row.created),
    headers: { ...headersOf(ctx, row, content) },
    attachments: [
      ...attached.list,
      ...content.attachments.map(each => ({
        filename: oneLine(each.name, 255),
        contentType: each.type,
        content: each.encoding ? Buffer.from(each.text, each.encoding) : each.text,
      })),
    ],
    envelope: { from: sender, to: [...row.to, ...row.cc] },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  refuseBroken(mail)
  return { mail, mailbox }
}

function headersOf(
  ctx: Context,
  { auto, purpose: what, to }: OutboundMail,
  { list }: MailContent,
): Record<string, string> {
  const headers: Record<string, string> = { 'X-Gantry': 'true' }
  if (auto) {
    headers['Auto-Submitted'] = what === mailPurpose.autoReply ? 'auto-replied' : 'auto-generated'
    headers['X-Auto-Response-Suppress'] = 'All'
    headers.Precedence = 'bulk'
  } else headers['X-Auto-Response-Suppress'] = 'OOF, AutoReply'
  const { id, topic = '', key = '' } = list
  if (id) {
    headers['List-Id'] = `<${id.replace(/[^\w.-]/g, '')}>`
    if (topic && ctx.services.baseUrl) {
      const claim = { tenantId: ctx.caller.tenantId, topic, address: to[0] ?? '', key }
      headers['List-Unsubscribe'] = `<${unsubscribeLink(ctx.services.secrets, ctx.services.baseUrl, claim)}>`
      headers['List-Unsubscribe-Post'] = 'List-Unsubscribe=One-Click'
    }
  }
  return headers
}

interface Words {
  text: string
  html: string
}

const none: Words = { text: '', html: '' }

/** Returns the content of the mail. It refuses internal content, whichever feature queued the mail. */
async function wordsOf(
  ctx: Context,
  { purpose: what, itemId }: OutboundMail,
  content: MailContent,
  annotation: Annotation | undefined,
): Promise<Words> {
  if (what !== mailPurpose.reply && what !== mailPurpose.forward)
    return { text: content.bodyText || plainText(content.bodyHtml), html: content.bodyHtml }
  if (!annotation || annotation.deleted) throw new UnsendableMail('the message was deleted')
  const articles = await linkedArticles(ctx, [annotation.body])
  const html = withArticlePages(ctx, htmlOf(annotation), articles)
  const text = annotation.bodyFormat === 'html' ? plainText(html) : withArticlePages(ctx, annotation.body, articles)
  if (what === mailPurpose.reply) {
    if (!isPublic(annotation.kind) || annotation.restrictedTo.length > 0)
      throw new UnsendableMail('the message is internal')
    return { text, html }
  }
  const [last] = await ctx.sql<{
    id: string
  }>`select id from annotation where tenant_id = ${ctx.caller.tenantId} and item_id = ${itemId}
    and kind = ${annotationKind.message} and not deleted and restricted_to = '{}' order by created desc, id desc limit 1`
  const original = last && (await annotations.find(ctx, last.id))
  if (!original) return { text, html }
  const quoted = htmlOf(original)
  const plain = original.bodyFormat === 'html' ? plainText(quoted) : original.body
  return { text: `${text}\n\n${plain.replace(/^/gm, '> ')}`, html: `${html}<blockquote>${quoted}</blockquote>` }
}

/** The line with the link by which the requester follows the ticket without signing in. */
async function followLine(ctx: Context, { purpose: what, to, cc }: OutboundMail, { id }: Item): Promise<Words> {
  if (what !== mailPurpose.reply && what !== mailPurpose.autoReply) return none
  const found = await guestLinkInMail(ctx, id, [...to, ...cc])
  if (!found) return none
  const { url, language } = found
  const label = language.startsWith('de') ? 'Ihre Anfrage ansehen' : 'See your request'
  return { text: `${label}: ${url}`, html: `<p><a href="${escapedHtml(url)}">${label}</a></p>` }
}

/** Renders the signature of the mailbox, else of the tenant, with the values of the author. */
async function signatureOf(
  ctx: Context,
  item: Item | undefined,
  annotation: Annotation | undefined,
  mailbox: Mailbox | undefined,
): Promise<Words> {
  const signature = mailbox?.signature || (await mailSettings(ctx)).signature
  if (signature.trim() === '') return none
  const writer = annotation?.authorId ? ctx.derive({ caller: { ...ctx.caller, userId: annotation.authorId } }) : ctx
  const { scope, timezone } = await occasionOf(writer, item)
  const format = /<[a-z][^>]*>/i.test(signature) ? 'html' : 'text'
  try {
    const { text, html } = render({ subject: '', body: signature, format, locales: {} }, scope, { timezone })
    return { text, html }
  } catch {
    return none // a broken signature must not prevent the mail
  }
}

async function attachmentsOf(ctx: Context, annotation: Annotation | undefined) {
  const list: NonNullable<SendMailOptions['attachments']> = []
  const left: string[] = []
  let bytes = 0
  for (const id of annotation?.attachments ?? []) {
    const file = await files.find(ctx, id)
    if (file?.state === fileState.scanning) throw new Postponed(5_000, `${file.name} is still being scanned`)
    if (file?.state !== fileState.ready) continue
    if (bytes + file.size > maxAttached) left.push(oneLine(file.name, 255))
    else {
      bytes += file.size
      list.push({
        filename: oneLine(file.name, 255),
        contentType: file.mime,
        content: Readable.from(read(await ctx.services.storedBytes.find(ctx, file.sha256))),
      })
    }
  }
  return { list, left }
}

/** Opens the bytes when the mail is written, so that nothing stays open if it is not. */
async function* read(bytes: FoundBytes): AsyncGenerator<Buffer> {
  yield* await bytes.open()
}

/** Refuses line breaks in headers as the last check before sending, against header injection. */
function refuseBroken({ subject, to, cc, headers, messageId }: SendMailOptions): void {
  const lines = [subject, messageId, ...[to ?? [], cc ?? []].flat(), ...Object.values(headers ?? {})].map(String)
  if (lines.some(breaksLine)) throw new UnsendableMail('a header contains a line break')
}
