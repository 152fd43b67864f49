import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { mailSettings } from '../mail-general.ts'
import type { Mailbox } from '../mailbox/mailbox.ts'
import type { Authenticity } from './authenticity/authenticity.ts'
import type { ParsedMail } from './parsing/parsed-mail.ts'
import type { PreparedMessage } from './prepared-message.ts'

export interface ProcessingStep {
  step: string
  note: string
}

/** The result of processing a message. */
export interface MessageResult {
  outcome: number
  reason?: string
  itemId?: Id
  annotationId?: Id
}

/** A message in processing, with everything its steps need. */
export interface MessageContext {
  ctx: Context
  id: Id
  mail: ParsedMail
  /** The Message-ID, or the hash of the bytes where there is none. */
  known: string
  authenticity: Authenticity
  virus: PreparedMessage['virus']
  mailbox: Mailbox
  own: ReadonlySet<string>
  settings: Awaited<ReturnType<typeof mailSettings>>
  steps: ProcessingStep[]
  released: boolean
  archived: boolean
}

export function addStep({ steps }: Pick<MessageContext, 'steps'>, step: string, text: string): void {
  steps.push({ step, note: text.slice(0, 500) })
}
