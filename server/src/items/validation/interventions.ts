import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { ItemChange, ValidationResult } from './item-change.ts'

/**
 * Runs before a change of items is committed: it may change the items further in the same transaction, or refuse the
 * change. Unlike a validator it belongs to a higher room; `app/services.ts` lists it.
 */
export interface Intervention {
  /** Whether it applies to new items of this container. Called for every new item, so the answer must be cached. */
  appliesToNew(ctx: Context, containerId: Id): Promise<boolean>
  /** Runs after the rows are written; returns the rows after its own changes, and its results. */
  intervene(
    ctx: Context,
    changes: readonly ItemChange[],
  ): Promise<{ changes: ItemChange[]; results: ValidationResult[] }>
}

declare module '../../kernel/context.ts' {
  interface Services {
    interventions: readonly Intervention[]
  }
}

export async function interventionsApply(ctx: Context, containerId: Id): Promise<boolean> {
  for (const each of ctx.services.interventions) if (await each.appliesToNew(ctx, containerId)) return true
  return false
}

export async function runInterventions(
  ctx: Context,
  changes: ItemChange[],
): Promise<{ changes: ItemChange[]; results: ValidationResult[] }> {
  let current = changes
  const results: ValidationResult[] = []
  for (const each of ctx.services.interventions) {
    const intervention = await each.intervene(ctx, current)
    current = intervention.changes
    results.push(...intervention.results)
  }
  return { changes: current, results }
}
