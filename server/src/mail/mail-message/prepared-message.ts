import type { Id } from '../../kernel/id.ts'
import type { Arrived } from '../../platform/bytes/blobs.ts'
import type { Authenticity } from './authenticity/authenticity.ts'
import type { ParsedMail } from './parsing/parsed-mail.ts'

/** A message as it is before the transaction that processes it: parsed, checked, and with its attachments on disk. */
export interface PreparedMessage {
  id: Id
  /** Undefined if the message cannot be parsed; then `unreadable` says why. */
  parsed?: ParsedMail
  unreadable?: string
  authenticity: Authenticity | undefined
  /** What the virus scanner found; `scanned` is false where no scanner is configured. */
  virus: { scanned: boolean; name?: string }
  attached: (Arrived | undefined)[]
}
