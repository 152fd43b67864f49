import type { Mailer } from '../../address.ts'

/** A message taken apart: plain values, as they pass between threads. */
export interface ParsedMail {
  messageId: string
  from: Mailer | undefined
  /** How many it says have written it; more than one, too, if it says so twice. */
  authors: number
  to: Mailer[]
  cc: Mailer[]
  /** Every address that it says it was delivered to. */
  deliveredTo: string[]
  subject: string
  date: string | null
  /** Message-IDs that it answers, the nearest first. */
  answers: string[]
  /** Header lines, their names in lower case. */
  headers: { name: string; value: string }[]
  contentType: string
  /** Of a report: the Message-IDs inside of it, in what is sent back. */
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

/** What the headers of this name say. */
export function header({ headers }: Pick<ParsedMail, 'headers'>, name: string): string[] {
  return headers.filter(each => each.name === name).map(each => each.value)
}
