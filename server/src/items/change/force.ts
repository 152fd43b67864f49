import type { Caller } from '../../kernel/access.ts'
import { Forbidden } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'

export const forceQuery: Record<string, Schema> = {
  force: {
    type: 'string',
    enum: ['true', 'false'],
    description: 'Skips the rules of the workflow. Only super admins may do this, and the event records it.',
  },
}

/** Returns whether the workflow is skipped; throws if the caller may not skip it. */
export function demandForce({ authority }: Caller, query: Record<string, unknown>): boolean {
  if (query.force !== 'true') return false
  if (!authority.superAdmin) throw new Forbidden('only a super admin may force a change')
  return true
}
