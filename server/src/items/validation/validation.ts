import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { constraintValidator } from '../constraints/constraints.ts'
import { precedenceValidator } from '../link/precedence.ts'
import { transitionValidator } from '../transitions/transitions.ts'
import { cycleValidator } from './cycle-validation.ts'
import { interventionsApply, runInterventions } from './interventions.ts'
import type { ItemChange, ItemValidator, ValidationResult } from './item-change.ts'
import { timeValidator } from './time-validation.ts'
import { uniqueValueValidator } from './unique-values.ts'

export type { Intervention } from './interventions.ts'
export type { ItemChange, ValidationResult } from './item-change.ts'

const validators: readonly ItemValidator[] = [
  transitionValidator,
  constraintValidator,
  timeValidator,
  precedenceValidator,
  cycleValidator,
  uniqueValueValidator,
]

/** Whether new items of these containers must be validated, which needs a transaction. */
export async function newItemsNeedValidation(ctx: Context, containerIds: Iterable<Id>): Promise<boolean> {
  for (const containerId of new Set(containerIds))
    if ((await interventionsApply(ctx, containerId)) || (await validatorsApply(ctx, containerId))) return true
  return false
}

async function validatorsApply(ctx: Context, containerId: Id): Promise<boolean> {
  for (const validator of validators) if (await validator.appliesToNew(ctx, containerId)) return true
  return false
}

/** The outcome of a validated write. */
export interface ValidatedWrite {
  accepted: ItemChange[]
  /** By the item's id. */
  refused: Map<Id, Refusal>
  warnings: Map<Id, string[]>
}

/** Writes rows and validates them; throws the first refusal. */
export async function validateAll(ctx: Context, write: () => Promise<ItemChange[]>): Promise<ValidatedWrite> {
  const { changes: accepted, results } = await validateWritten(ctx, await write())
  for (const { refusal } of results) if (refusal) throw refusal
  return { accepted, refused: new Map(), warnings: warningsOf(results) }
}

/**
 * Writes and validates rows independently. If some are refused, the write is rolled back and repeated without them, so
 * that demands on several items (a limit, a unique value) hold for the rest.
 */
export async function validateEach<R extends { id: Id }>(
  ctx: Context,
  rows: readonly R[],
  write: (rows: readonly R[]) => Promise<ItemChange[]>,
): Promise<ValidatedWrite> {
  const refused = new Map<Id, Refusal>()
  for (let rest = rows; rest.length > 0; rest = rest.filter(row => !refused.has(row.id))) {
    await ctx.sql`savepoint validated`
    const { changes: accepted, results } = await validateWritten(ctx, await write(rest))
    const against = results.filter(each => each.refusal !== undefined)
    if (against.length === 0) {
      await ctx.sql`release savepoint validated`
      return { accepted, refused, warnings: warningsOf(results) }
    }
    await ctx.sql`rollback to savepoint validated`
    for (const { id, refusal } of against) if (refusal && !refused.has(id)) refused.set(id, refusal)
  }
  return { accepted: [], refused, warnings: new Map() }
}

/** Interventions run first, because validators must see their changes. */
async function validateWritten(
  ctx: Context,
  written: ItemChange[],
): Promise<{ changes: ItemChange[]; results: ValidationResult[] }> {
  const { changes, results } = await runInterventions(ctx, written)
  for (const validator of validators) results.push(...(await validator.validate(ctx, changes)))
  return { changes, results }
}

function warningsOf(results: readonly ValidationResult[]): Map<Id, string[]> {
  const groups = Map.groupBy(results, each => each.id)
  return new Map([...groups].map(([id, group]) => [id, group.flatMap(each => each.warning ?? [])]))
}
