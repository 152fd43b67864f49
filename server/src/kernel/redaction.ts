import type { Caller } from './access.ts'

/** Removes what a caller must not see from everything that goes out; who sees everything, as nearly everybody does, pays nothing. */
export interface Redaction {
  hidesAnything(caller: Caller): boolean
  /** Whether this property of such records is hidden from the caller. */
  hides(caller: Caller, entity: string, property: string): boolean
  /** A value on its way out, without what is hidden; records say by `entity` what they are. */
  redact(caller: Caller, value: unknown): unknown
  redactText(caller: Caller, json: string): string
}
