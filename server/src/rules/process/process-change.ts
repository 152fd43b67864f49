import { isDeepStrictEqual } from 'node:util'
import { forgetFields as forgetOnBoards } from '../../containers/board/board.ts'
import { type Refreshed, refreshFields, withdrawProcess } from '../../containers/container/refresh-fields.ts'
import { type Departed, forgetFields } from '../../containers/container-filter/container-filter.ts'
import { fieldsNamed } from '../../containers/fields-named.ts'
import { forgetFields as forgetOnScreens } from '../../containers/screen/screen.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Input } from '../../kernel/operation.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { fieldsOf, normalized, type Process, type ProcessValues, processes, stepsOf } from './process.ts'
import { moveItems, moveStates, type ProcessContent } from './process-items.ts'
import { purgeValues } from './purge-values.ts'
import { readMap } from './state-map.ts'

/** The containers and filters that a change of a process affected, and the fields that left each container. */
export interface AffectedPlaces {
  containers: readonly Id[]
  departed: Departed
  filters: number
}

export async function createProcess(ctx: Context, values: Partial<ProcessValues>): Promise<Process> {
  return await processes.create(ctx, normalized(values))
}

/**
 * Updates a process. Removed fields leave all containers that use it; their values stay with the items unless
 * `purgeValues` is set. A state with items can be removed only if the map says where they go.
 */
export async function changeProcess(
  ctx: Context,
  id: Id,
  values: Partial<ProcessValues>,
  more: { expect?: Expect },
  { query }: Input,
): Promise<{ process: Process; reach: AffectedPlaces }> {
  const map = readMap(query.map)
  const before = await processes.get(ctx, id, { lock: true })
  const wanted = await withoutDeparted(ctx, normalized(values, before), before)
  const process = await processes.update(ctx, id, wanted, more)
  if (!isDeepStrictEqual(before.workflow, process.workflow))
    await moveStates(ctx, contentOf(before), contentOf(process), map)
  const changed = !isDeepStrictEqual(before.fields, process.fields)
  const reach = changed ? await forgetDeparted(ctx, await refreshFields(ctx, process.id)) : noPlaces
  if (query.purgeValues === 'true') await purgeValues(ctx, reach.departed)
  return { process, reach }
}

const contentOf = (process: Process): ProcessContent => ({
  id: process.id,
  workflow: stepsOf(process),
  fields: fieldsOf(process),
})

const noPlaces: AffectedPlaces = { containers: [], departed: new Map(), filters: 0 }

/** Removes a process from all containers first, so that none refers to a deleted one; `replaceBy` names a successor. */
export async function removeProcess(
  ctx: Context,
  id: Id,
  more: { expect?: Expect },
  { query }: Input,
): Promise<{ process: Process; reach: AffectedPlaces }> {
  const map = readMap(query.map)
  const before = await processes.get(ctx, id, { lock: true })
  const successor = await successorOf(ctx, before.id, query.replaceBy)
  const reach = await forgetDeparted(ctx, await withdrawProcess(ctx, before.id, successor?.id))
  if (successor) await moveItems(ctx, contentOf(before), contentOf(successor), map)
  if (query.purgeValues === 'true') await purgeValues(ctx, reach.departed)
  return { process: await processes.remove(ctx, id, more), reach }
}

async function successorOf(ctx: Context, id: Id, given: unknown): Promise<Process | undefined> {
  if (given === undefined || given === '') return undefined
  const by = String(given).toLowerCase()
  if (by === id) throw new Invalid([fault(['replaceBy'], 'same', 'is the process itself', by)])
  await refuseUnknown(ctx, [{ entity: 'Process', id: by, path: ['replaceBy'] }])
  return await processes.get(ctx, by, { lock: true })
}

/** Removes fields that a container no longer shows from its filters, boards and screens. */
async function forgetDeparted(ctx: Context, refreshed: readonly Refreshed[]): Promise<AffectedPlaces> {
  const known = await fieldsNamed(ctx, [...new Set(refreshed.flatMap(({ before, after }) => [...before, ...after]))])
  const departed = new Map<Id, string[]>()
  for (const { containerId, before, after } of refreshed) {
    const shown = new Set(after.map(each => known.get(each)?.id ?? each))
    const gone = before.filter(each => !shown.has(known.get(each)?.id ?? each))
    // Filters, boards and screens name a field by its id or by its key.
    const names = gone.flatMap(each => {
      const field = known.get(each)
      return field ? [field.id, field.key] : [each]
    })
    if (names.length > 0) departed.set(containerId, names)
  }
  const containers = refreshed.map(each => each.containerId)
  if (departed.size === 0) return { containers, departed, filters: 0 }
  await forgetOnBoards(ctx, departed)
  await forgetOnScreens(ctx, departed)
  return { containers, departed, filters: await forgetFields(ctx, departed) }
}

/** Removes fields that leave the process from `requires` of its steps. */
async function withoutDeparted(
  ctx: Context,
  values: Partial<ProcessValues>,
  before: Process,
): Promise<Partial<ProcessValues>> {
  if (!values.fields) return values
  const steps = stepsOf({ workflow: values.workflow ?? before.workflow })
  const asked = steps.flatMap(each => each.requires ?? [])
  const names = [...before.fields, ...values.fields].map(each => each.fieldId ?? '')
  const known = await fieldsNamed(ctx, [...names, ...asked])
  const idOf = (name: string) => known.get(name)?.id ?? name
  const now = new Set(values.fields.map(each => idOf(each.fieldId ?? '')))
  const gone = new Set(before.fields.map(each => idOf(each.fieldId ?? '')).filter(each => !now.has(each)))
  if (!asked.some(each => gone.has(idOf(each)))) return values
  const workflow = steps.map(each =>
    each.requires ? { ...each, requires: each.requires.filter(name => !gone.has(idOf(name))) } : each,
  )
  return { ...values, workflow }
}
