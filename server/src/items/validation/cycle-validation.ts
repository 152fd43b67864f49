import { done } from '../../containers/cycle/cycle.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import type { ItemChange, ItemValidator } from './item-change.ts'

interface Target {
  id: Id
  name: string
  state: number
  containerId: Id | null
}

/** An item may enter a cycle of its own container or of a group, as long as the cycle is not done. */
export const cycleValidator: ItemValidator = {
  // New items with a cycle are always validated; see needsValidation in create/create.ts.
  appliesToNew: async () => false,
  async validate(ctx, changes) {
    const entering = changes.filter(enters)
    const targets = await lockCycles(ctx, [...new Set(entering.map(({ after }) => after.cycleId))])
    return entering.flatMap(({ after }) => {
      const against = objection(targets.get(after.cycleId), after.containerId)
      if (!against) return []
      const [code, message] = against
      return [
        { id: after.id, refusal: new RuleBroken(code, message, [fault(['cycleId'], code, message, after.cycleId)]) },
      ]
    })
  },
}

function enters({ before, after }: ItemChange): boolean {
  if (after.cycleId === '') return false
  return !before || before.cycleId !== after.cycleId || before.containerId !== after.containerId
}

/** Locks the cycles against a concurrent completion. */
async function lockCycles(ctx: Context, ids: readonly Id[]): Promise<Map<Id, Target>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.sql<Target>`select id, name, state, container_id as "containerId" from cycle
    where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[]) and not deleted order by id for share`
  return new Map(rows.map(row => [row.id, row]))
}

function objection(cycle: Target | undefined, containerId: Id): [code: string, message: string] | undefined {
  if (!cycle) return ['unknown-reference', 'there is no such Cycle']
  if (cycle.containerId !== null && cycle.containerId !== containerId)
    return ['cycle-elsewhere', `${cycle.name} is a cycle of another container`]
  return cycle.state === done ? ['cycle-done', `${cycle.name} is done and accepts no more items`] : undefined
}
