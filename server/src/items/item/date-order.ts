import { fault, RuleBroken } from '../../kernel/refusal.ts'

/** Refuses a due date before the start date. */
export function refuseBackwards({ startDate, dueDate }: Record<string, unknown>): void {
  if (typeof startDate === 'string' && typeof dueDate === 'string' && startDate > dueDate)
    throw new RuleBroken('due-before-start', 'the due date is before the start date', [
      fault(['dueDate'], 'due-before-start', 'must not be before startDate', dueDate),
    ])
}
