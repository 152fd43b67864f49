import type { ProcessField, State, States, WorkflowStep } from '../../containers/workflow/workflow.ts'
import { changeAll, type ItemChangeRequest } from '../../items/change/change.ts'
import { items } from '../../items/item/item.ts'
import type { ItemPatch } from '../../items/item-body/item-body.ts'
import { categoryIn, coreValue, type ItemProcess, nameOf, processFrom } from '../../items/item-process/item-process.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { name, ownTenant, raw, sql } from '../../kernel/sql.ts'

// What happens to the items of a process when its states change, or when another process replaces it.

/** The content of a process, without the common properties of records. */
export interface ProcessContent {
  id: Id
  workflow: readonly WorkflowStep[]
  fields: readonly ProcessField[]
}

/** The new states of items whose state is removed, by the values or the labels of states. */
type StateMap = ReadonlyMap<string, string>

/** Moves items out of removed states as the map says. A removed state that has items and is not in the map refuses the change. */
export async function moveStates(
  ctx: Context,
  before: ProcessContent,
  after: ProcessContent,
  map: StateMap,
): Promise<void> {
  const [was, now] = [await processFrom(ctx, before), await processFrom(ctx, after)]
  const patches = new ItemPatches()
  const stranded: Stranded[] = []
  for (const [fieldId, states] of was.states) {
    const left = now.states.get(fieldId)
    // A field without a workflow may have any value.
    const gone = left ? [...states.keys()].filter(each => !left.has(each)) : []
    if (!left || gone.length === 0) continue
    for (const [value, ids] of await itemsIn(ctx, before.id, fieldId, gone)) {
      const target = targetOf(map, states, left, value)
      if (target) for (const id of ids) patches.add(id, patchFor(now, fieldId, target))
      else stranded.push({ fieldId, value, states, count: ids.length })
    }
  }
  if (stranded.length > 0) throw inUse(was, stranded)
  for (const value of otherCategories(was, now)) {
    for (const [, ids] of await itemsIn(ctx, before.id, 'status', [value]))
      for (const id of ids) patches.add(id, { statusCategory: categoryIn(now, value) })
  }
  await patches.write(ctx)
}

/** The states of `status` that stay but change their category. */
function otherCategories(was: ItemProcess, now: ItemProcess): string[] {
  const [before, after] = [was.states.get('status'), now.states.get('status')]
  return [...(after?.keys() ?? [])].filter(
    value => before?.has(value) && categoryIn(was, value) !== categoryIn(now, value),
  )
}

/** Moves all items of one process to another: to the state that the map names, or to the one with the same value or label; items without a state get the initial one. */
export async function moveItems(ctx: Context, from: ProcessContent, to: ProcessContent, map: StateMap): Promise<void> {
  const [was, now] = [await processFrom(ctx, from), await processFrom(ctx, to)]
  const patches = new ItemPatches()
  for (const [, ids] of await itemsIn(ctx, from.id, 'processId'))
    for (const id of ids) patches.add(id, { processId: to.id })
  const stranded: Stranded[] = []
  for (const [fieldId, left] of now.states) {
    const states = was.states.get(fieldId) ?? new Map<string, State>()
    for (const [value, ids] of await itemsIn(ctx, from.id, fieldId)) {
      const target = targetOf(map, states, left, value) ?? (value === '' ? firstOf(left) : undefined)
      if (target) for (const id of ids) patches.add(id, patchFor(now, fieldId, target))
      else stranded.push({ fieldId, value, states, count: ids.length })
    }
  }
  if (stranded.length > 0) throw inUse(now, stranded)
  await patches.write(ctx)
}

function targetOf(map: StateMap, states: States, left: States, value: string): State | undefined {
  const wanted = map.get(value) ?? map.get(states.get(value)?.name ?? value) ?? value
  return left.get(wanted) ?? [...left.values()].find(each => each.name === wanted)
}

const firstOf = (states: States) => [...states.values()].find(each => each.initial)

function patchFor(process: ItemProcess, fieldId: string, { value }: State): ItemPatch {
  if (process.custom.has(fieldId)) return { Field: [{ fieldId, value }] }
  return { ...coreValue(fieldId, value), ...(fieldId === 'status' && { statusCategory: categoryIn(process, value) }) }
}

/** Collects the changes of items before they are written. */
class ItemPatches {
  readonly #all = new Map<Id, ItemPatch>()

  add(id: Id, patch: ItemPatch): void {
    const known = this.#all.get(id) ?? {}
    this.#all.set(id, { ...known, ...patch, ...(patch.Field && { Field: [...(known.Field ?? []), ...patch.Field] }) })
  }

  /** The changes ignore the transitions that the workflow allows; the event records that. */
  async write(ctx: Context): Promise<void> {
    const wanted: ItemChangeRequest[] = [...this.#all].map(([id, patch]) => ({
      id,
      read: { patch, warnings: [] },
      force: true,
    }))
    for (let i = 0; i < wanted.length; i += batch) await changeAll(ctx, wanted.slice(i, i + batch))
  }
}

const batch = 500

/** Leaves out items that cannot be changed: those in archived containers, and merged ones. */
async function itemsIn(
  ctx: Context,
  processId: Id,
  fieldId: string,
  among?: readonly string[],
): Promise<[value: string, ids: Id[]][]> {
  const column = items.byProperty.get(fieldId)
  const value = sql`coalesce(${column ? sql`i.${name(column.column)}::text` : sql`i.fields ->> ${fieldId}::text`}, '')`
  const rows = await ctx.sql<{
    value: string
    ids: Id[]
  }>`select ${value} as value, array_agg(i.id order by i.id) as ids
    from item i join container c on c.tenant_id = ${ownTenant} and c.id = i.container_id and not c.archived and not c.deleted
    where i.tenant_id = ${ctx.caller.tenantId} and i.process_id = ${processId} and not i.deleted and i.merged_into is null
      and ${among ? sql`${value} = any(${among})` : raw('true')} group by 1 order by 1`
  return rows.map(row => [row.value, row.ids])
}

/** The items that would be in a state that does not exist. */
interface Stranded {
  fieldId: string
  value: string
  states: States
  count: number
}

function inUse(process: ItemProcess, stranded: readonly Stranded[]): RuleBroken {
  const states = stranded.map(({ fieldId, value, states: known, count }) => ({
    fieldId,
    value,
    name: known.get(value)?.name ?? value,
    count,
  }))
  const faults = states.map(each =>
    fault(
      ['map'],
      'state-in-use',
      `${each.count} items have ${nameOf(process, each.fieldId)} “${each.name}”`,
      each.value,
    ),
  )
  const message = 'items are in states that the change removes; `map` must name their new states'
  return new RuleBroken('states-in-use', message, faults, { states })
}
