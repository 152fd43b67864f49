import type { Caller } from './access.ts'

/** Removes hidden properties from replies; it costs nothing for callers from whom nothing is hidden. */
export interface Redaction {
  hidesAnything(caller: Caller): boolean
  /** Whether this property of a kind is hidden from the caller. */
  hides(caller: Caller, entity: string, property: string): boolean
  /** Returns the value without hidden properties; records inside of it are recognized by `entity`. */
  redact(caller: Caller, value: unknown): unknown
  redactText(caller: Caller, json: string): string
}
