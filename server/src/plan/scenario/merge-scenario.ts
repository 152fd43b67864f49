import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { changeables, changedEntities } from './changeable.ts'
import { type Decision, decide, type MergeConflict, type Take } from './decide-merge.ts'
import { type Scenario, scenarioState, scenarios } from './scenario.ts'
import { changeOp, changesOf, type ScenarioChange } from './scenario-change.ts'

/** Which value to take where a record was changed since. */
export interface Resolution {
  entity: string
  id: string
  property: string
  take: Take
}

interface Merged {
  scenario: Scenario
  /** The records that were made, by the ids that they had in the scenario. */
  created: { entity: string; recordId: Id; id: Id }[]
  updated: Id[]
  deleted: Id[]
}

/** Makes the changes of a scenario with the rights of the caller, all or none. Every conflict is found before the first change. */
export async function mergeScenario(ctx: Context, scenario: Scenario, resolve: readonly Resolution[]): Promise<Merged> {
  const takes = new Map(
    resolve.map(({ entity, id, property, take }) => [`${entity} ${id.toLowerCase()} ${property}`, take]),
  )
  const decided: { change: ScenarioChange; decision: Decision }[] = []
  for (const change of await changesOf(ctx, scenario.id)) {
    const { entity, recordId } = change
    const current =
      change.op === changeOp.create ? undefined : await changeables[entity].kind.find(ctx, recordId, { lock: true })
    const takeOf = (property: string) => takes.get(`${entity} ${recordId} ${property}`)
    decided.push({ change, decision: decide(change, current as Record<string, unknown> | undefined, takeOf) })
  }
  refuseConflicts(
    ctx,
    decided.flatMap(each => each.decision.conflicts),
  )
  const done: Omit<Merged, 'scenario'> = { created: [], updated: [], deleted: [] }
  for (const entity of changedEntities)
    await apply(
      ctx,
      decided.filter(each => each.change.entity === entity),
      done,
    )
  const made = await scenarios.update(ctx, scenario.id, { state: scenarioState.merged }, { verb: 'merged' })
  return { scenario: made, ...done }
}

async function apply(
  ctx: Context,
  decided: readonly { change: ScenarioChange; decision: Decision }[],
  done: Omit<Merged, 'scenario'>,
): Promise<void> {
  const updates: { id: Id; values: Record<string, unknown> }[] = []
  for (const { change, decision } of decided) {
    const { create, remove } = changeables[change.entity]
    const { entity, recordId } = change
    if (decision.deletes) {
      await remove?.(ctx, recordId)
      done.deleted.push(recordId)
    } else if (change.op === changeOp.create && create && decision.values) {
      const { id } = await create(ctx, decision.values)
      done.created.push({ entity, recordId, id })
    } else if (decision.values) updates.push({ id: recordId, values: decision.values })
  }
  const [first] = decided
  if (!first || updates.length === 0) return
  await changeables[first.change.entity].update?.(ctx, updates)
  done.updated.push(...updates.map(each => each.id))
}

/** Values of fields that are hidden from the merger are left out. */
function refuseConflicts({ caller, services }: Context, found: readonly MergeConflict[]): void {
  if (found.length === 0) return
  const conflicts = found.map(each => {
    const { entity, id, property } = each
    return services.redaction.hidesSomewhere(caller, entity, property) ? { entity, id, property } : each
  })
  throw new Refusal(409, 'scenario-conflicts', 'records were changed since; say in `resolve` which values to take', {
    extra: { conflicts },
  })
}
