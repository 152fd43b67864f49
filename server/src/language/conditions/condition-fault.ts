/** The part of a condition that cannot run. */
export interface ConditionFault {
  part: 'leftSide' | 'operator' | 'rightSide'
  code: string
  message: string
}

/**
 * Thrown and caught within the translation of a condition: the condition becomes false instead of failing the
 * statement.
 */
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
