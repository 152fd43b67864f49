import type { Mailer } from '../../address.ts'

/** A parsed message: plain values that can be passed between threads. */
export interface ParsedMail {
  messageId: string
  from: Mailer | undefined
  /** The number of authors in the From headers; more than one also if the header occurs twice. */
  authors: number
  to: Mailer[]
  cc: Mailer[]
  /** Every address in the headers that name the delivery address. */
  deliveredTo: string[]
  subject: string
  date: string | null
  /** The Message-IDs that it answers, the nearest first. */
  answers: string[]
  /** Header lines; their names are in lower case. */
  headers: { name: string; value: string }[]
  contentType: string
  /** Of a delivery report: the Message-IDs in the returned mail. */
  returned: string[]
  text: string
  html: string
  attachments: ParsedAttachment[]
}

interface ParsedAttachment {
  name: string
  contentType: string
  cid: string
  content: Uint8Array
}

/** The values of the headers of this name. */
export function header({ headers }: Pick<ParsedMail, 'headers'>, name: string): string[] {
  return headers.filter(each => each.name === name).map(each => each.value)
}
