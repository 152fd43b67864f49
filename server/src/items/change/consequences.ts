import type { Context } from '../../kernel/context.ts'
import { datesFollow } from '../link/precedence.ts'
import type { Consequence } from './change-request.ts'
import { closingIsDue } from './recurrence-closing.ts'

declare module '../../kernel/context.ts' {
  interface Services {
    /** Those of later rooms; they come after the items' own. */
    consequences: readonly Consequence[]
  }
}

export function consequences(ctx: Context): readonly Consequence[] {
  return [closingIsDue, datesFollow, ...ctx.services.consequences]
}
