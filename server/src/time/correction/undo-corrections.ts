import type { Reversal, UndoConflict } from '../../engine/undo/reversal.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'

/** Returns the conflicts of undoing changes of entries that were taken back since, or that would take back an entry a second time. */
export async function correctionConflicts(ctx: Context, given: readonly Reversal[]): Promise<UndoConflict[]> {
  const { tenantId } = ctx.caller
  const ids = given.map(each => each.recordId)
  const found = await ctx.sql<{ id: Id; counterId: Id }>`select t.id, c.id as "counterId" from time t
    join time c on c.tenant_id = ${tenantId} and c.reverses_id in (t.id, t.reverses_id) and not c.deleted and c.id <> all(${ids}::uuid[])
    where t.tenant_id = ${tenantId} and t.id = any(${ids}::uuid[]) order by t.id`
  return found.map(({ id, counterId }) => ({
    entity: 'Time',
    recordId: id,
    property: 'reversesId',
    current: counterId,
  }))
}
