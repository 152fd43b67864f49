import { isDeepStrictEqual } from 'node:util'
import { Temporal } from 'temporal-polyfill'
import type { Action, ActionsThat } from '../../../containers/action/action.ts'
import { statusCategory } from '../../../containers/status-category.ts'
import { itemVisibility } from '../../../items/item/item.ts'
import { updateSchema } from '../../../items/item-body/item-body.ts'
import { processOf } from '../../../items/item-process/item-process.ts'
import { isClosed } from '../../../items/status.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import { RuleBroken } from '../../../kernel/refusal.ts'
import { sql } from '../../../kernel/sql.ts'
import { ownerKind } from '../../../records/references/owner.ts'
import { amountsFor } from '../engine/clock-amounts.ts'
import { vocabularyFor, withItem } from '../engine/evaluate.ts'
import { rowsOf } from '../engine/event-vocabulary.ts'
import type { ActionContext } from './action-context.ts'
import { adjusted } from './adjust.ts'
import { assigneesFor } from './assignees.ts'
import { listOf, type PatchBuilder, type PatchTarget } from './item-patch.ts'

/** Adds the change of an action to the patch of the item; `value` is the rendered value of the action. */
type PatchHandler = (patch: PatchBuilder, action: Action, value: unknown) => Promise<void>

/** The handlers of the actions that change properties of the item. */
export const patchHandlers: Readonly<Record<ActionsThat<{ runs: 'patch' }>, PatchHandler>> = {
  setField: (patch, action, value) => patch.put(action, () => value),
  addToList: (patch, action, value) => patch.put(action, now => [...new Set([...listOf(now), ...listOf(value)])]),
  removeFromList: (patch, action, value) =>
    patch.put(action, now => listOf(now).filter(each => !listOf(value).some(removed => isSameEntry(removed, each)))),
  clearField: (patch, action) => patch.put(action, () => null),
  adjust: (patch, action, value) =>
    patch.put(action, (now, target) => adjusted(now, String(value ?? ''), kindOf(target), todayOf(patch.work))),
  async copyFrom(patch, action, value) {
    const copied = await valueAt(patch.work, String(value ?? ''))
    await patch.put(action, () => copied)
  },
  transition: (patch, action, value) => transition(patch, action, String(value ?? '')),
  async assign(patch, action, value) {
    const { assignees, ...why } = await assigneesFor(patch.work, patch.item, value)
    patch.assign(action, { assignees }, why)
  },
  async move(patch, action, value) {
    patch.assign(action, await placeOf(patch.work, String(value ?? '')))
  },
  close,
  reopen,
  async archive(patch, action) {
    patch.assign(action, { archived: true })
  },
  async restrict(patch, action, value) {
    patch.assign(action, { visibility: itemVisibility.restricted, restrictedTo: listOf(value).map(String) })
  },
}

/** Labels are case-insensitive. */
const isSameEntry = (a: unknown, b: unknown) =>
  typeof a === 'string' && typeof b === 'string' ? a.toLowerCase() === b.toLowerCase() : isDeepStrictEqual(a, b)

function kindOf(target: PatchTarget): 'number' | 'date' | 'instant' {
  if ('field' in target) {
    const { fieldType } = target.field
    return fieldType === 'date' ? 'date' : fieldType === 'dateTime' ? 'instant' : 'number'
  }
  const format = updateSchema.properties?.[target.property]?.format
  return format === 'date' ? 'date' : format === 'date-time' ? 'instant' : 'number'
}

function todayOf({ ctx, rule, principal }: ActionContext): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(ctx.now.getTime())
    .toZonedDateTimeISO(rule.timezone || principal.timezone)
    .toPlainDate()
}

/** Returns the value of a path, as conditions read it. */
async function valueAt({ ctx, principal, occurrence }: ActionContext, path: string): Promise<unknown> {
  const found = (await vocabularyFor(ctx, principal)).resolve(path)
  if (!found) throw new RuleBroken('no-such-path', `there is no path ${path}`)
  const value =
    found.kind === 'set'
      ? sql`(select to_jsonb(array_agg(v.value)) from (${found.elements}) v(value))`
      : sql`to_jsonb(${found.value})`
  const [row] = await ctx.sql<{
    value: unknown
  }>`select ${value} as value from ${rowsOf([occurrence], await amountsFor(ctx, [path], [occurrence]))} ${withItem(ctx)}`
  return row?.value ?? null
}

/** Moves the item to a state of the workflow, given by the id of a step or by its value. */
async function transition(patch: PatchBuilder, action: Action, step: string): Promise<void> {
  const { states } = await processOf(patch.work.ctx, patch.item.processId)
  for (const [fieldId, byValue] of states) {
    const state = [...byValue.values()].find(each => [each.stepId, each.value].includes(step))
    if (state) return await patch.put({ ...action, field: fieldId }, () => state.value)
  }
  if (states.has('status') || step === '') throw new RuleBroken('no-such-step', `the process has no step ${step}`)
  patch.assign(action, { status: step })
}

async function close(patch: PatchBuilder, action: Action): Promise<void> {
  if (isClosed(patch.item.statusCategory)) return
  const done = (await statesOf(patch)).find(each => each.category === statusCategory.done)
  patch.assign(action, { status: done?.value ?? 'Closed', statusCategory: statusCategory.done })
}

async function reopen(patch: PatchBuilder, action: Action): Promise<void> {
  if (!isClosed(patch.item.statusCategory)) return
  const all = await statesOf(patch)
  const open = all.find(each => each.initial) ?? all.find(each => (each.category ?? 0) < statusCategory.done)
  patch.assign(action, {
    status: open?.value ?? 'Open',
    statusCategory: open?.category ?? statusCategory.started,
    resolution: '',
  })
}

async function statesOf({ work, item }: PatchBuilder) {
  const { states } = await processOf(work.ctx, item.processId)
  return [...(states.get('status')?.values() ?? [])]
}

/** Returns the container, or the area with its container. */
async function placeOf({ ctx }: ActionContext, id: string): Promise<Record<string, unknown>> {
  const [row] = isId(id)
    ? await ctx.sql<{ containerId: Id | null; areaId: Id | null }>`
        select id as "containerId", null::uuid as "areaId" from container where tenant_id = ${ctx.caller.tenantId} and id = ${id} and not deleted
        union all select case when owner = ${ownerKind.container} then owner_id::uuid end, id from area where tenant_id = ${ctx.caller.tenantId} and id = ${id} and not deleted`
    : []
  if (!row) throw new RuleBroken('no-such-place', `there is no container or area ${id}`)
  return {
    ...(row.containerId ? { containerId: row.containerId } : {}),
    ...(row.areaId ? { areaId: row.areaId } : {}),
  }
}
