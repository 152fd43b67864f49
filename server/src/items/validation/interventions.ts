import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { ItemChange, ValidationResult } from './item-change.ts'

/**
 * Somebody who has a say in a change of items before it is committed: may change them further in the same transaction, or
 * refuse the change. Unlike a law it stands in a later room; `app/services.ts` lists it.
 */
export interface Intervention {
  /** Whether it must look at new items of this container. Asked for every new item, so it must be remembered. */
  appliesToNew(ctx: Context, containerId: Id): Promise<boolean>
  /** Told of the rows as they are written; gives them as they are then, and what is to be said of them. */
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
  let now = changes
  const results: ValidationResult[] = []
  for (const each of ctx.services.interventions) {
    const said = await each.intervene(ctx, now)
    now = said.changes
    results.push(...said.results)
  }
  return { changes: now, results }
}
