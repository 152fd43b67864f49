import { fault, Invalid } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'

/** The moments at which a screen is shown. Append only. */
export const momentCodes = {
  all: 0,
  create: 1,
  edit: 2,
  view: 3,
  transition: 4,
  portal: 5,
  quickAdd: 6,
} as const
export const screenMoments = codeTableOfCodes('screen.moment', momentCodes)

export const lastMoment = momentCodes.quickAdd

export const momentQuery: Record<string, Schema> = {
  moment: Code(screenMoments, { minimum: 0, maximum: lastMoment }),
  stepId: { type: 'string', description: 'The step of the workflow that a transition leads to.' },
}

/** The moment that a query asks for. */
export function readMoment(query: Record<string, unknown>, usual: number): { moment: number; stepId: string } {
  const text = String(query.moment ?? usual)
  const moment = Number(text)
  if (!/^\d$/.test(text) || moment > lastMoment)
    throw new Invalid([fault(['moment'], 'range', `must be a number from 0 to ${lastMoment}`, text)])
  return { moment, stepId: String(query.stepId ?? '') }
}
