import { domainToUnicode } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { type AddressObject, type ParsedMail as LibraryMail, simpleParser } from 'mailparser'
import { type Mailer, oneLine, storable } from '../../address.ts'
import type { ParsedMail } from './parsed-mail.ts'

// Runs in a thread of its own, so that a message that breaks the parser breaks only the thread.

const longestText = 200_000

parentPort?.on('message', async ({ number, raw }: { number: number; raw: Uint8Array }) => {
  try {
    parentPort?.postMessage({ number, parsed: plain(await simpleParser(Buffer.from(raw), options), raw) })
  } catch (error) {
    parentPort?.postMessage({ number, fault: error instanceof Error ? error.message : String(error) })
  }
})

const options = {
  keepCidLinks: true,
  keepDeliveryStatus: true,
  skipImageLinks: true,
  skipTextToHtml: true,
  maxHtmlLengthToParse: 1024 * 1024,
}

function plain(mail: LibraryMail, raw: Uint8Array): ParsedMail {
  const lines = mail.headerLines.slice(0, 500)
  const header = (name: string) => lines.filter(({ key }) => key === name).map(({ line }) => contentOf(line))
  const ids = (name: string) => header(name).flatMap(each => each.match(/<[^<>\s]{1,990}>/g) ?? [])
  const authors = mailers(mail.from)
  return {
    messageId: ids('message-id')[0] ?? '',
    from: authors[0],
    authors: Math.max(authors.length, header('from').length),
    to: mailers(mail.to),
    cc: mailers(mail.cc),
    deliveredTo: ['delivered-to', 'x-original-to', 'envelope-to', 'x-delivered-to']
      .flatMap(header)
      .flatMap(each => each.match(/[^\s<>,;"]+@[^\s<>,;"]+/g) ?? []),
    subject: oneLine(mail.subject ?? '', 500),
    date: mail.date && !Number.isNaN(mail.date.getTime()) ? mail.date.toISOString() : null,
    answers: [...new Set([...ids('in-reply-to'), ...ids('references').reverse()])].slice(0, 50),
    headers: lines.map(({ key, line }) => ({ name: key, value: contentOf(line) })),
    contentType: (header('content-type')[0] ?? '').toLowerCase(),
    returned: /^multipart\/report/i.test(header('content-type')[0] ?? '') ? idsInside(raw) : [],
    text: storable(mail.text ?? '').slice(0, longestText),
    html: typeof mail.html === 'string' ? storable(mail.html).slice(0, 1024 * 1024) : '',
    attachments: mail.attachments.map(({ filename = '', contentType, cid = '', content }) => ({
      name: oneLine(filename, 255),
      contentType: oneLine(contentType ?? '', 200),
      cid: oneLine(cid, 500),
      content: content instanceof Uint8Array ? content : new Uint8Array(),
    })),
  }
}

/** However the returned mail is packed into the report, its headers are in the body as they were. */
function idsInside(raw: Uint8Array): string[] {
  const text = Buffer.from(raw).toString('latin1')
  const body = text.slice(text.search(/\r?\n\r?\n/))
  return [...body.matchAll(/^message-id:\s*(<[^<>\s]{1,990}>)/gim)].map(each => each[1] ?? '').slice(0, 50)
}

const contentOf = (line: string) => oneLine(line.slice(line.indexOf(':') + 1), 4000)

function mailers(given: AddressObject | AddressObject[] | undefined): Mailer[] {
  return [given ?? []]
    .flat()
    .flatMap(({ value }) => value)
    .flatMap(({ name, address, group }) => group ?? [{ name, address }])
    .flatMap(({ name, address }) => {
      const plainer = oneLine(address ?? '', 300)
      return /^[^\s@]+@[^\s@]+$/.test(plainer) && plainer.length <= 254
        ? [{ name: oneLine(name ?? '', 200), address: inWords(plainer) }]
        : []
    })
    .slice(0, 200)
}

/** The domain in Unicode, so that it compares with the addresses in lists. */
function inWords(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToUnicode(address.slice(at + 1)) || address.slice(at + 1)}`
}
