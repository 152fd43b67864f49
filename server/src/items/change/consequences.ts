import type { Context } from '../../kernel/context.ts'
import { datesFollow } from '../link/precedence.ts'
import type { Consequence } from './change-request.ts'
import { closingIsDue } from './recurrence-closing.ts'

declare module '../../kernel/context.ts' {
  interface Services {
    /** Consequences of higher rooms; they run after those of the items. */
    consequences: readonly Consequence[]
  }
}

export function consequences(ctx: Context): readonly Consequence[] {
  return [closingIsDue, datesFollow, ...ctx.services.consequences]
}
