import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { mailSettings } from '../mail-general.ts'
import type { Mailbox } from '../mailbox/mailbox.ts'
import type { Authenticity } from './authenticity/authenticity.ts'
import type { Parsed } from './parsing/parsed-mail.ts'
import type { Arrival } from './process-task.ts'

export interface Step {
  step: string
  note: string
}

/** What becomes of a message. */
export interface Settlement {
  outcome: number
  reason?: string
  itemId?: Id
  annotationId?: Id
}

/** A message that is being looked at, and what has been found so far. */
export interface Case {
  ctx: Context
  id: Id
  mail: Parsed
  /** The Message-ID, or, without one, what stands for it. */
  known: string
  authenticity: Authenticity
  virus: Arrival['virus']
  mailbox: Mailbox
  own: ReadonlySet<string>
  settings: Awaited<ReturnType<typeof mailSettings>>
  steps: Step[]
  released: boolean
  archived: boolean
}

export function note({ steps }: Pick<Case, 'steps'>, step: string, text: string): void {
  steps.push({ step, note: text.slice(0, 500) })
}
