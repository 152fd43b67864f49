/** A part of a condition that cannot run. */
export interface ConditionFault {
  part: 'leftSide' | 'operator' | 'rightSide'
  code: string
  message: string
}

/** Thrown while a condition is translated, never beyond: the condition is then false instead of failing. */
export class InertCondition extends Error {
  readonly fault: ConditionFault

  constructor(part: ConditionFault['part'], code: string, message: string) {
    super(message)
    this.fault = { part, code, message }
  }
}

export function unreadableRightSide(message: string): InertCondition {
  return new InertCondition('rightSide', 'unreadable-right-side', message)
}
