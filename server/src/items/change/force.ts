import type { Caller } from '../../kernel/access.ts'
import { Forbidden } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/shape.ts'

export const forceQuery: Record<string, Schema> = {
  force: {
    type: 'string',
    enum: ['true'],
    description: 'Pass over what the workflow forbids: for super admins, and told in the event.',
  },
}

/** Whether the workflow is to be passed over; who asks for it must be allowed to. */
export function demandForce({ authority }: Caller, query: Record<string, unknown>): boolean {
  if (query.force !== 'true') return false
  if (!authority.superAdmin) throw new Forbidden('only a super admin may force a change')
  return true
}
