import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { kindNamed } from '../../kernel/kinds.ts'
import { usersOf, writtenBy } from '../../records/references/pointers.ts'
import type { Reversal, UndoConflict } from './reversal.ts'

/** Kinds that record what the service did by itself: nobody has built on a record because one of these names it. */
export const bookkeeping: ReadonlySet<string> = new Set(['OutboundMail', 'MailMessage', 'MailSuppression', 'Watch'])

/**
 * Returns the conflicts of undoing creations: records that were changed since, and records that others refer to which
 * the set did not touch. Their deletion would take away what somebody else has done.
 */
export async function builtOn(ctx: Context, given: readonly Reversal[], changeSetId: Id): Promise<UndoConflict[]> {
  const created = given.filter(each => each.created)
  if (created.length === 0) return []
  const entity = created[0]?.entity ?? ''
  const kind = kindNamed(entity)
  const ids = created.map(each => each.recordId)
  // Events of other areas about the record, such as a clock that ran, do not change the record itself.
  const changed = await ctx.sql<{ id: Id }>`select distinct record_id as id from event
    where tenant_id = ${ctx.caller.tenantId} and record_id = any(${ids}::uuid[]) and change_set_id <> ${changeSetId} and changes - 'deleted' <> '{}'
      and kind like ${`${kind?.area ?? '%'}.%`}`
  const users = await usersOf(ctx, entity, ids, writtenBy(ctx, changeSetId))
  return [
    ...changed.map(({ id }) => ({ entity, recordId: id, property: 'version' })),
    ...[...users].flatMap(([recordId, kinds]) => {
      const current = kinds.filter(each => !bookkeeping.has(each))
      return current.length > 0 ? [{ entity, recordId, property: 'usedBy', current }] : []
    }),
  ]
}
