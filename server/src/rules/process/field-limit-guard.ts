import type { ProcessField } from '../../containers/workflow/workflow.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Id } from '../../kernel/id.ts'
import { Forbidden } from '../../kernel/refusal.ts'

/** Refuses to lift a limit of a field (`hiddenFor`, `readOnlyFor`) that binds the caller, because nobody gives rights to themselves. */
export function refuseLiftedLimits(
  { authority: { fieldLimits } }: Caller,
  processId: Id,
  before: readonly ProcessField[],
  after: readonly ProcessField[],
): void {
  const own = fieldLimits.filter(each => each.processId === processId)
  for (const { fieldId, hiddenFor = [], readOnlyFor = [] } of own.length === 0 ? [] : before) {
    const binds = (hides: boolean) => own.some(each => each.hides === hides && each.names.has(fieldId.toLowerCase()))
    const now = after.find(each => each.fieldId === fieldId)
    const isLifted = (groups: readonly string[], kept: readonly string[] = []) =>
      groups.some(each => !kept.includes(each))
    if (binds(true) && isLifted(hiddenFor, now?.hiddenFor)) throw lacking(fieldId, 'read')
    if (binds(false) && isLifted(readOnlyFor, now?.readOnlyFor)) throw lacking(fieldId, 'write')
  }
}

function lacking(fieldId: string, verb: 'read' | 'write'): Forbidden {
  return new Forbidden(`the caller lacks the permission field.${fieldId}.${verb} here and cannot give it`)
}
