import { demand } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { refuseUnknown, refuseUnknownReferences } from '../../kernel/record/references.ts'
import { type Fault, fault, Invalid, NotFound, RuleBroken } from '../../kernel/refusal.ts'
import { raw } from '../../kernel/sql.ts'
import { codeTableOfCodes } from '../../records/code-table.ts'
import { storedRows } from '../../records/row-source.ts'
import { type Changeable, type ChangedEntity, changeables, changedEntities } from './changeable.ts'
import { noteProposals, writeProposal } from './proposal.ts'
import { openScenario, scenarios } from './scenario.ts'
import { scenarioRows } from './scenario-rows.ts'

/** The codes of `op` of a change. */
export const changeOp = { create: 0, update: 1, delete: 2 } as const
export const changeOps = codeTableOfCodes('scenario.op', changeOp)

/** The most records that a scenario changes. */
const maxChanges = 2000

type Values = Record<string, unknown>

/** What a scenario proposes for one record. */
export interface ScenarioChange {
  entity: ChangedEntity
  recordId: Id
  op: number
  /** The new values of the properties that change. */
  proposed: Values
  /** Their values when the change was proposed; of a deletion those of all properties. */
  base: Values
  changedBy: Id
}

export interface ChangeInput {
  entity: ChangedEntity
  recordId?: string
  op: number
  values?: Values
}

/** The changes of a scenario, as they were proposed. */
export async function changesOf(ctx: Context, scenarioId: Id): Promise<ScenarioChange[]> {
  const rows =
    await ctx.sql<ScenarioChange>`select c.entity, c.record_id as "recordId", c.op, c.proposed, c.base, c.changed_by as "changedBy" from scenario_change c
    where c.tenant_id = ${ctx.caller.tenantId} and c.scenario_id = ${scenarioId} order by c.changed, c.record_id`
  return rows.filter(each => changedEntities.includes(each.entity))
}

/**
 * The changes that the caller may read: their own proposals, and those of records that they see, both as they are and as the
 * scenario makes them.
 */
export async function visibleChanges(ctx: Context, scenarioId: Id): Promise<ScenarioChange[]> {
  const all = await changesOf(ctx, scenarioId)
  const [stored, overlaid] = [new Set<Id>(), new Set<Id>()]
  for (const entity of changedEntities) {
    const { kind } = changeables[entity]
    const ids = all.filter(each => each.entity === entity).map(each => each.recordId)
    for (const [rows, seen] of [[storedRows, stored] as const, [scenarioRows(scenarioId), overlaid] as const]) {
      const found = await ctx.sql<{ id: Id }>`select t.id from ${rows(kind)} t
        where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[]) and ${kind.visible(ctx.caller, raw('t'))}`
      for (const { id } of found) seen.add(id)
    }
  }
  return all.filter(
    ({ recordId, op, changedBy }) =>
      changedBy === ctx.caller.userId || (overlaid.has(recordId) && (op === changeOp.create || stored.has(recordId))),
  )
}

/** Proposes a change of a record, a new one, or a deletion. What was proposed for the record before stays, as far as it is not given again. */
export async function propose(ctx: Context, scenarioId: Id, inputs: readonly ChangeInput[]): Promise<ScenarioChange[]> {
  const scenario = await openScenario(ctx, scenarioId)
  const known = new Map((await changesOf(ctx, scenario.id)).map(each => [each.recordId, each]))
  const made: ScenarioChange[] = []
  for (const input of inputs) {
    const { columns, ...change } = await changeFrom(ctx, input, known.get((input.recordId ?? '').toLowerCase()))
    const { entity, recordId, ...proposal } = change
    known.set(recordId, change)
    if (known.size > maxChanges) throw new RuleBroken('too-large', `a scenario changes at most ${maxChanges} records`)
    await writeProposal(ctx, { scenarioId: scenario.id, entity, recordId }, { ...proposal, columns })
    made.push(change)
  }
  await noteProposals(ctx, scenario.id)
  return made
}

/** Proposes the dates that a schedule has found; it needs the right to change the scenario. */
export async function proposeDates(
  ctx: Context,
  scenarioId: Id,
  moved: readonly { id: Id; dates: { startDate: string | null; dueDate: string | null } }[],
): Promise<void> {
  demand(ctx.caller, scenarios.permissions.update)
  await propose(
    ctx,
    scenarioId,
    moved.map(({ id, dates }) => ({ entity: 'Item', recordId: id, op: changeOp.update, values: dates })),
  )
}

/** Takes a proposed change back. */
export async function withdraw(ctx: Context, scenarioId: Id, recordId: Id): Promise<void> {
  const scenario = await openScenario(ctx, scenarioId)
  const known = (await changesOf(ctx, scenario.id)).find(each => each.recordId === recordId.toLowerCase())
  if (!known) throw new NotFound()
  await writeProposal(ctx, { scenarioId: scenario.id, entity: known.entity, recordId: known.recordId }, null)
  await noteProposals(ctx, scenario.id)
}

type Stored = ScenarioChange & { columns: Values }

async function changeFrom(ctx: Context, input: ChangeInput, known: ScenarioChange | undefined): Promise<Stored> {
  const { entity, op } = input
  const changeable = changeables[entity]
  if (op === changeOp.create)
    return await creation(ctx, entity, changeable, newId(), readValues(changeable, input, true))
  const recordId = (input.recordId ?? '').toLowerCase()
  if (known?.op === changeOp.create) {
    if (op === changeOp.delete) throw unsupported('op', 'a new record is withdrawn, not deleted', op)
    return await creation(ctx, entity, changeable, recordId, {
      ...known.proposed,
      ...readValues(changeable, input, false),
    })
  }
  await refuseUnknown(ctx, [{ entity, id: recordId, path: ['recordId'] }])
  const { kind } = changeable
  const before = (await kind.get(ctx, recordId)) as unknown as Values
  if (op === changeOp.delete) {
    if (!changeable.remove) throw unsupported('op', `a scenario deletes no ${entity}`, op)
    const base = Object.fromEntries(changeable.properties.map(each => [each, before[each]]))
    return { entity, recordId, op, proposed: {}, base, changedBy: ctx.caller.userId, columns: { deleted: true } }
  }
  if (!changeable.update) throw unsupported('op', `a scenario changes no ${entity}`, op)
  const values = readValues(changeable, input, false)
  const given = known?.op === changeOp.update ? { ...known.proposed, ...values } : values
  const after = kind.completed({ ...before, ...given })
  await refuseUnknownReferences(ctx, kind.columns, after, before)
  const full = await within(() => changeable.complete(ctx, after, before))
  const proposed = Object.fromEntries(Object.keys(given).map(each => [each, after[each]]))
  const base = Object.fromEntries(
    Object.keys(given).map(each => [each, known && each in known.base ? known.base[each] : before[each]]),
  )
  const changed = kind.columns
    .map(each => each.property)
    .filter(each => full[each] !== undefined && full[each] !== before[each])
  const columns = columnsOf(changeable, full, changed)
  return { entity, recordId, op, proposed, base, changedBy: ctx.caller.userId, columns }
}

async function creation(
  ctx: Context,
  entity: ChangedEntity,
  changeable: Changeable,
  recordId: Id,
  values: Values,
): Promise<Stored> {
  const { kind } = changeable
  if (!changeable.create) throw unsupported('op', `a scenario has no new ${entity}`, changeOp.create)
  const record = kind.completed(values)
  await refuseUnknownReferences(ctx, kind.columns, record, undefined)
  const full = await within(() => changeable.complete(ctx, record, undefined))
  const { tenantId, userId } = ctx.caller
  const common = {
    tenant_id: tenantId,
    id: recordId,
    created: ctx.now,
    created_by: userId,
    updated: ctx.now,
    updated_by: userId,
  }
  const columns = {
    ...common,
    deleted: false,
    version: 1,
    ...columnsOf(
      changeable,
      full,
      kind.columns.map(each => each.property),
    ),
  }
  return { entity, recordId, op: changeOp.create, proposed: values, base: {}, changedBy: userId, columns }
}

/** The values of properties by the names of their columns. */
function columnsOf({ kind, unseen }: Changeable, record: Values, properties: readonly string[]): Values {
  const shown = kind.columns.filter(each => properties.includes(each.property) && !unseen.includes(each.property))
  return Object.fromEntries(
    shown.map(({ column, property, type }) => [
      column,
      type === 'uuid' && record[property] === '' ? null : record[property],
    ]),
  )
}

/** Reads the values with the reader of the kind; those that a scenario does not change are refused. */
function readValues(
  { kind, properties, readCreate }: Changeable,
  { values = {} }: ChangeInput,
  isNew: boolean,
): Values {
  const read = withinSync(() => (isNew ? (readCreate ?? kind.readCreate)(values) : kind.readUpdate(values)))
  const other = Object.keys(read).filter(each => !properties.includes(each))
  if (other.length > 0)
    throw new Invalid(other.map(each => fault(['values', each], 'unknown', 'is not changed by scenarios')))
  if (Object.keys(read).length === 0) throw new Invalid([fault(['values'], 'required', 'is required')])
  return read
}

const unsupported = (field: string, message: string, value: unknown) =>
  new Invalid([fault([field], 'unsupported', message, value)])

/** The faults of a record are faults of `values`. */
function withinSync<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw inValues(error)
  }
}

async function within<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw inValues(error)
  }
}

function inValues(error: unknown): unknown {
  const moved = (faults: readonly Fault[]) =>
    faults.map(each => ({ ...each, Field: `values.${each.Field}`, Pointer: `/values${each.Pointer}` }))
  if (error instanceof Invalid) return new Invalid(moved(error.faults))
  return error instanceof RuleBroken
    ? new RuleBroken(error.code, error.message, moved(error.faults), error.extra)
    : error
}
