import type { UndoConflict } from '../../engine/undo/reversal.ts'
import type { Undoer } from '../../engine/undo/undo.ts'
import { undoRecords } from '../../engine/undo/undo-records.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { noteProposals, proposalsOf, writeProposal } from './proposal.ts'
import { scenarioState, scenarios } from './scenario.ts'

/** Undoes changes of scenarios, and what a change set has proposed in them or taken back. */
export const undoScenarios: Undoer = async (ctx, given, undo) => {
  const conflicts = await undoRecords(ctx, given, undo)
  for (const { recordId } of given) conflicts.push(...(await undoProposals(ctx, recordId, undo.id)))
  return conflicts
}

/** A proposal that was changed since, and those of a scenario that is not open any more, are in conflict. */
async function undoProposals(ctx: Context, scenarioId: Id, changeSet: Id): Promise<UndoConflict[]> {
  const changes = await proposalsOf(ctx, scenarioId, changeSet)
  if (changes.length === 0) return []
  const conflict = { entity: 'Scenario', recordId: scenarioId }
  const scenario = await scenarios.find(ctx, scenarioId, { lock: true })
  if (scenario?.state !== scenarioState.open) return [{ ...conflict, property: 'state', current: scenario?.state }]
  if (changes.some(each => !each.isCurrent)) return [{ ...conflict, property: 'changes' }]
  for (const { before, ...key } of changes) await writeProposal(ctx, key, before)
  await noteProposals(ctx, scenarioId)
  return []
}
