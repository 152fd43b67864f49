import { fault, Invalid } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'

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

export const lastMoment = momentCodes.quickAdd

export const momentQuery: Record<string, Schema> = {
  moment: {
    type: 'integer',
    minimum: 0,
    maximum: lastMoment,
    description: '0 all · 1 create · 2 edit · 3 view · 4 transition · 5 portal · 6 quick add',
  },
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
