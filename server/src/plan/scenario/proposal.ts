import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant, sql } from '../../kernel/sql.ts'
import type { ChangedEntity } from './changeable.ts'

/** The record that a proposal is about, in a scenario. */
interface ProposalKey {
  scenarioId: Id
  entity: ChangedEntity
  recordId: Id
}

/** A proposal as it is stored: what it changes, and the row that it makes of the record. */
interface Proposal {
  op: number
  proposed: Record<string, unknown>
  base: Record<string, unknown>
  columns: Record<string, unknown>
  changedBy: Id
}

const stored = sql`jsonb_build_object('op', c.op, 'proposed', c.proposed, 'base', c.base, 'columns', c.columns, 'changedBy', c.changed_by)`

/** Stores a proposal, or (null) takes it back, and remembers what it was for an undo of the change set. */
export async function writeProposal(ctx: Context, key: ProposalKey, proposal: Proposal | null): Promise<void> {
  const { tenantId } = ctx.caller
  const { scenarioId, entity, recordId } = key
  const own = sql`c.tenant_id = ${tenantId} and c.scenario_id = ${scenarioId} and c.entity = ${entity} and c.record_id = ${recordId}`
  const after = proposal && JSON.stringify(proposal)
  // Of several changes in a change set, the first one knows how it was before.
  await ctx.sql`insert into scenario_proposal (tenant_id, change_set, scenario_id, entity, record_id, before, after)
    values (${tenantId}, ${ctx.changeSet}, ${scenarioId}, ${entity}, ${recordId}, (select ${stored} from scenario_change c where ${own}), ${after}::jsonb)
    on conflict (tenant_id, change_set, scenario_id, entity, record_id) do update set after = excluded.after`
  if (!proposal) {
    await ctx.sql`delete from scenario_change c where ${own}`
    return
  }
  const { op, proposed, base, columns, changedBy } = proposal
  await ctx.sql`insert into scenario_change (tenant_id, scenario_id, entity, record_id, op, proposed, base, columns, changed, changed_by)
    values (${tenantId}, ${scenarioId}, ${entity}, ${recordId}, ${op}, ${JSON.stringify(proposed)}::jsonb, ${JSON.stringify(base)}::jsonb,
      ${JSON.stringify(columns)}::jsonb, ${ctx.now}, ${changedBy})
    on conflict (tenant_id, scenario_id, entity, record_id) do update
      set op = excluded.op, proposed = excluded.proposed, base = excluded.base, columns = excluded.columns, changed = excluded.changed, changed_by = excluded.changed_by`
}

/** The event says that a scenario changed; of what, those may read who see the record. */
export async function noteProposals(ctx: Context, scenarioId: Id): Promise<void> {
  await appendEvents(ctx, [{ kind: 'scenario.changed', entity: 'Scenario', recordId: scenarioId, changes: {} }])
}

/** What a change set did to a scenario. */
interface ProposalChange extends ProposalKey {
  before: Proposal | null
  /** Whether the proposal is still as the change set left it. */
  isCurrent: boolean
}

/** Returns what a change set proposed or took back in a scenario. */
export async function proposalsOf(ctx: Context, scenarioId: Id, changeSet: Id): Promise<ProposalChange[]> {
  return await ctx.sql<ProposalChange>`select p.scenario_id as "scenarioId", p.entity, p.record_id as "recordId", p.before,
      p.after is not distinct from (select ${stored} from scenario_change c
        where c.tenant_id = ${ownTenant} and c.scenario_id = p.scenario_id and c.entity = p.entity and c.record_id = p.record_id) as "isCurrent"
    from scenario_proposal p
    where p.tenant_id = ${ctx.caller.tenantId} and p.scenario_id = ${scenarioId} and p.change_set = ${changeSet} order by p.entity, p.record_id`
}
