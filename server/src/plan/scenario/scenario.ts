import { demand, managers } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Stored } from '../../kernel/record/record.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Name, Text } from '../../kernel/schema/values.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { type RowSource, storedRows } from '../../records/row-source.ts'
import { scenarioRows } from './scenario-rows.ts'

/** The codes of `state` of a scenario. */
export const scenarioState = { open: 0, merged: 1, dropped: 2 } as const

const shape = {
  name: Name(200),
  description: Text(2000),
  state: Code(codeTableOfCodes('scenario.state', scenarioState), { description: '0 open · 1 merged · 2 dropped.' }),
}

export type Scenario = Stored<typeof shape>

/** Changes of the plan that are proposed together. */
export const scenarios = resource('Scenario', {
  about:
    'Changes of allocations, items, leave, dates of containers and budgets that are proposed together (`…/change`). With `scenario=` the plan is read as if they were made; nobody else notices them until they are merged (`…/merge`).',
  shape,
  serverSet: ['state'],
  may: { read: managers, create: managers, update: managers, delete: managers },
  order: 'created',
  example: { name: 'With a second team' },
})

/** Returns a scenario that can still change, locked. */
export async function openScenario(ctx: Context, id: Id): Promise<Scenario> {
  const scenario = await scenarios.get(ctx, id, { lock: true })
  refuseClosed(scenario)
  return scenario
}

function refuseClosed({ state }: Scenario): void {
  if (state !== scenarioState.open) throw new RuleBroken('scenario-closed', 'the scenario was merged or dropped')
}

/** The parameter of readings of the plan. */
export const scenarioQuery: Record<'scenario', Schema> = {
  scenario: { type: 'string', description: 'Reads the plan as if the changes of this open scenario were made.' },
}

/** Where to read the plan from; an unknown scenario and one of another tenant get the same answer. */
export async function rowsFor(ctx: Context, named: unknown): Promise<RowSource> {
  if (named === undefined) return storedRows
  demand(ctx.caller, scenarios.permissions.read)
  const scenario = await scenarios.find(ctx, String(named))
  if (!scenario) throw new Invalid([fault(['scenario'], 'unknown-reference', 'there is no such Scenario', named)])
  refuseClosed(scenario)
  return scenarioRows(scenario.id)
}
