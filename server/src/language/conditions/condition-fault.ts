/** A part of a condition that cannot run. */
export interface Fault {
  part: 'leftSide' | 'operator' | 'rightSide'
  code: string
  message: string
}

/** Thrown while a condition is translated, never beyond: the condition is then false instead of failing. */
export class Inert extends Error {
  readonly fault: Fault

  constructor(part: Fault['part'], code: string, message: string) {
    super(message)
    this.fault = { part, code, message }
  }
}

export function unreadable(message: string): Inert {
  return new Inert('rightSide', 'unreadable-right-side', message)
}
