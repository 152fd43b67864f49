import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { type Refreshed, refreshFields, withdrawProcess } from '../containers/container.ts'
import { forgetFields } from '../containers/container-filter.ts'
import { items } from '../items/item/item.ts'
import { everyone } from '../kernel/access.ts'
import type { Context } from '../kernel/database.ts'
import { complete, duplicateIds, withIds } from '../kernel/entries.ts'
import { type Id, isId } from '../kernel/id.ts'
import type { Routes } from '../kernel/operation.ts'
import { refuseUnknown } from '../kernel/references.ts'
import { fault, Invalid } from '../kernel/refusal.ts'
import { type Expect, resource, type Stored, type Values } from '../kernel/resource.ts'
import { check, create, get, history, list, remove, restore, update } from '../kernel/stock.ts'
import { Code, LongText, Name, Parts, Text, Texts } from '../kernel/values.ts'
import { type Step, step, workflowFindings } from './workflow.ts'

const processField = {
  fieldId: Text(60, { minLength: 1 }),
  order: Code(),
  required: Type.Boolean(),
}

const shape = {
  name: Name(200),
  description: LongText(),
  image: Text(2000),
  fields: Parts(processField, ['fieldId'], 500),
  features: Texts(200, 200),
  workflow: Parts(step, [], 500),
  active: Type.Boolean({ default: true }),
}

export type Process = Stored<typeof shape>
type ProcessValues = Values<typeof shape>

/** Which fields an item has, which states it goes through, and who may move it on. */
export const processes = resource('Process', {
  about:
    'Which fields an item has, which states it goes through, and who may move it on. `fieldId` is the id or the key of a field, or a property that every item has, such as `status`.',
  shape,
  may: { read: everyone },
  check: checkProcess,
  findings: ({ workflow }) => workflowFindings(complete(step, workflow)),
})

async function checkProcess(
  ctx: Context,
  { fields, workflow }: ProcessValues,
  before: Process | undefined,
): Promise<void> {
  const named = [
    ...fields.map(({ fieldId = '' }, i) => ({ fieldId, path: ['fields', i, 'fieldId'] })),
    ...workflow.map(({ fieldId = '' }, i) => ({ fieldId, path: ['workflow', i, 'fieldId'] })),
  ]
  const ids = await fieldIdsOf(
    ctx,
    named.map(each => each.fieldId),
  )
  const faults = duplicateIds(complete(step, workflow), 'workflow')
  const seen = new Set<string>()
  for (const [i, { fieldId = '' }] of fields.entries()) {
    const field = ids.get(fieldId) ?? fieldId
    if (seen.has(field)) faults.push(fault(['fields', i, 'fieldId'], 'duplicate', 'is there twice', fieldId))
    seen.add(field)
  }
  if (faults.length > 0) throw new Invalid(faults)
  // What the stored record already names was right when it was made.
  const known = new Set(before ? [before.fields, before.workflow].flat().map(each => each.fieldId) : [])
  const knownGroups = new Set(before?.workflow.flatMap(each => each.userGroup ?? []))
  await refuseUnknown(ctx, [
    ...named
      .filter(({ fieldId }) => fieldId !== '' && !items.byProperty.has(fieldId) && !known.has(fieldId))
      .map(({ fieldId, path }) => ({ entity: 'Field', id: ids.get(fieldId) ?? fieldId, path })),
    ...workflow.flatMap(({ userGroup = [] }, i) =>
      userGroup.flatMap((id, g) =>
        id.startsWith('@') || knownGroups.has(id)
          ? []
          : [{ entity: 'UserGroup', id, path: ['workflow', i, 'userGroup', g] }],
      ),
    ),
  ])
}

/** The ids of the fields that these name, by id or by key. */
async function fieldIdsOf(ctx: Context, names: readonly string[]): Promise<Map<string, Id>> {
  const rows = await ctx.sql<{ id: Id; key: string }>`select id, key from field
    where tenant_id = ${ctx.caller.tenantId} and not deleted and (key = any(${names}) or id = any(${names.filter(isId)}::uuid[]))`
  return new Map(rows.flatMap(({ id, key }) => [[key, id] as const, [id, id] as const]))
}

async function createProcess(ctx: Context, values: Partial<ProcessValues>): Promise<Process> {
  return await processes.create(ctx, tidied(values))
}

/** What a process no longer has, no container shows any more; the values stay with the items. */
async function changeProcess(
  ctx: Context,
  id: Id,
  values: Partial<ProcessValues>,
  more: { expect?: Expect },
): Promise<Process> {
  const before = await processes.get(ctx, id, { lock: true })
  const after = await processes.update(ctx, id, tidied(values, before), more)
  if (!isDeepStrictEqual(before.fields, after.fields)) await forgetDeparted(ctx, await refreshFields(ctx, id))
  return after
}

/** Containers let go first, so none is ever left pointing at nothing. */
async function removeProcess(ctx: Context, id: Id, more: { expect?: Expect }): Promise<Process> {
  const process = await processes.get(ctx, id, { lock: true })
  await forgetDeparted(ctx, await withdrawProcess(ctx, process.id))
  return await processes.remove(ctx, id, more)
}

/** What a container no longer shows leaves its filters too. */
async function forgetDeparted(ctx: Context, refreshed: readonly Refreshed[]): Promise<void> {
  const ids = await fieldIdsOf(
    ctx,
    refreshed.flatMap(({ before, after }) => [...before, ...after]),
  )
  const keys = new Map([...ids].filter(([name, id]) => name !== id).map(([key, id]) => [id, key]))
  for (const { containerId, before, after } of refreshed) {
    const shown = new Set(after.map(each => ids.get(each) ?? each))
    const gone = before.map(each => ids.get(each) ?? each).filter(each => !shown.has(each))
    // A filter may name a field by its key.
    const names = gone.flatMap(each => [each, keys.get(each) ?? []].flat())
    if (names.length > 0) await forgetFields(ctx, [containerId], names)
  }
}

/** Nothing left out, ids in one spelling, and an id for every step. */
function tidied(values: Partial<ProcessValues>, before?: Process): Partial<ProcessValues> {
  const { fields, workflow } = values
  return {
    ...values,
    ...(fields && { fields: complete(processField, fields).map(each => ({ ...each, fieldId: plain(each.fieldId) })) }),
    ...(workflow && {
      workflow: withIds(complete(step, workflow).map(tidiedStep), complete(step, before?.workflow ?? []), likeness),
    }),
  }
}

function tidiedStep(each: Step): Step {
  return { ...each, fieldId: plain(each.fieldId), userGroup: each.userGroup.map(plain) }
}

const plain = (text: string) => (isId(text) ? text.toLowerCase() : text)

function likeness({ fieldId, value, next }: Step): string {
  return JSON.stringify([fieldId, value, next])
}

export const routes: Routes = {
  'GET /process': list(processes),
  'POST /process': create(processes, createProcess),
  'PUT /process': update(processes, changeProcess),
  'GET /process/:id': get(processes),
  'PUT /process/:id': update(processes, changeProcess),
  'PATCH /process/:id': update(processes, changeProcess),
  'DELETE /process/:id': remove(processes, removeProcess),
  'POST /process/:id/restore': restore(processes),
  'GET /process/:id/history': history(processes),
  'GET /process/:id/check': check(processes),
}
