import { isDeepStrictEqual } from 'node:util'
import { type Field, isValueFault, readFieldValue } from '../../containers/field/field.ts'
import { fieldsNamed, namesOf, unambiguous } from '../../containers/fields-named.ts'
import {
  demandsAt,
  freeGraph,
  type Graph,
  graphOf,
  initialOf,
  type ProcessField,
  stateText,
  type WorkflowStep,
} from '../../containers/workflow/workflow.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { plainDefault } from '../../kernel/record/columns.ts'
import type { ContainerPlace } from '../container-place.ts'
import { anyField, type FieldSet, type ReadField } from '../fields/fields.ts'
import { items } from '../item/item.ts'
import { categoryOf } from '../status.ts'

/** The requirements and defaults of a process. */
export interface ItemProcess extends Graph {
  /** The custom fields that it names, by their id. */
  custom: ReadonlyMap<Id, Field>
  /** The default values of new items. */
  defaults: { core: Readonly<Record<string, unknown>>; custom: readonly ReadField[] }
  /** Whether it has any requirement. */
  binds: boolean
}

const noProcess: ItemProcess = { ...freeGraph, custom: new Map(), defaults: { core: {}, custom: [] }, binds: false }

/** The fields of an item: those of its process. Without one they are those of all processes of its container, or all if that has none. */
export function fieldSetOf({ fieldIds }: ContainerPlace, process: ItemProcess): FieldSet {
  if (fieldIds === null) return anyField
  if (process !== noProcess) return { has: ({ id }) => process.custom.has(id), isClosed: true }
  return { has: ({ id, key }) => fieldIds.includes(id) || fieldIds.includes(key), isClosed: false }
}

/** The process of an item, cached; without one, or if it was deleted, there are no requirements. */
export async function processOf(ctx: Context, processId: string, afresh = false): Promise<ItemProcess> {
  if (!isId(processId)) return noProcess
  const id = processId.toLowerCase()
  return (await remembered(ctx, `process ${id}`, () => load(ctx, id), afresh)) ?? noProcess
}

async function load(ctx: Context, id: Id): Promise<ItemProcess> {
  const [row] = await ctx.sql<{ workflow: WorkflowStep[]; fields: ProcessField[] }>`select workflow, fields from process
    where tenant_id = ${ctx.caller.tenantId} and id = ${id} and not deleted`
  return row ? await processFrom(ctx, row) : noProcess
}

/** Derives the requirements and defaults from the workflow and the fields of a process. */
export async function processFrom(
  ctx: Context,
  said: { workflow: readonly WorkflowStep[]; fields: readonly ProcessField[] },
): Promise<ItemProcess> {
  const known = await fieldsNamed(ctx, namesOf(said.workflow, said.fields))
  const { workflow, fields } = unambiguous(said.workflow, said.fields, known)
  const graph = graphOf(workflow, fields)
  const custom = new Map([...known.values()].map(field => [field.id, field]))
  const binds = graph.required.length > 0 || graph.states.size > 0
  return { ...graph, custom, defaults: defaultsOf(graph, fields, custom), binds }
}

/** An initial state takes precedence over a default. */
function defaultsOf(
  graph: Graph,
  fields: readonly ProcessField[],
  custom: ReadonlyMap<Id, Field>,
): ItemProcess['defaults'] {
  const given = new Map(fields.map(each => [each.fieldId, each.default]))
  for (const [fieldId, states] of graph.states) {
    const initial = initialOf(states)
    if (initial) given.set(fieldId, initial.value)
  }
  const core: Record<string, unknown> = {}
  const read: ReadField[] = []
  for (const [fieldId, value] of given) {
    const field = custom.get(fieldId)
    if (value === undefined || value === null) continue
    if (field) {
      const fieldValue = readFieldValue(field, value)
      if (!isValueFault(fieldValue) && fieldValue.shown !== null) read.push({ field, value: fieldValue })
    } else Object.assign(core, coreValue(fieldId, value))
  }
  return { core, custom: read }
}

/** A property as a patch. Numbers may be written as text, like the values of states; an invalid value yields an empty patch. */
export function coreValue(property: string, value: unknown): object {
  const { type } = items.byProperty.get(property) ?? {}
  const numeric = typeof value === 'string' && value !== '' && (type === 'integer' || type === 'numeric')
  try {
    return items.readUpdate({ [property]: numeric ? Number(value) : value })
  } catch {
    return {}
  }
}

/** The category of a status: the one that the process defines, else the one that its word implies. */
export function categoryIn({ states }: Graph, status: string): number {
  return states.get('status')?.get(status)?.category ?? categoryOf(status)
}

/** The values that a process checks: the item properties, and the custom values by the id of their field. */
export interface ItemValues {
  core: object
  custom: Readonly<Record<Id, unknown>>
}

export function fieldValue({ core, custom }: ItemValues, fieldId: string): unknown {
  if (items.byProperty.has(fieldId)) return Reflect.get(core, fieldId)
  return Object.hasOwn(custom, fieldId) ? custom[fieldId] : undefined
}

/** Whether a field has a value; a property at its column default counts as empty. */
export function isFilled(current: ItemValues, fieldId: string): boolean {
  const value = fieldValue(current, fieldId)
  const column = items.byProperty.get(fieldId)
  if (column && isDeepStrictEqual(value, plainDefault(column))) return false
  return !(value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
}

/** The empty fields that the current state of the item, or the state in `at`, requires. */
export function missingFields(
  process: ItemProcess,
  current: ItemValues,
  at?: { fieldId: string; to: string },
): string[] {
  const stateOf = (fieldId: string) => (fieldId === at?.fieldId ? at.to : stateText(fieldValue(current, fieldId)))
  // A deleted field cannot be filled in.
  const there = (fieldId: string) => items.byProperty.has(fieldId) || process.custom.has(fieldId)
  return demandsAt(process, stateOf).filter(
    fieldId => there(fieldId) && fieldId !== at?.fieldId && !isFilled(current, fieldId),
  )
}

/** The path of a field in a request body. */
export function pathOf({ custom }: ItemProcess, fieldId: string): string[] {
  const field = custom.get(fieldId)
  return field ? ['Field', field.key] : [fieldId]
}

export function nameOf({ custom }: ItemProcess, fieldId: string): string {
  return custom.get(fieldId)?.key ?? fieldId
}

/** The states in which a process pauses clocks: a field, by its id or as `status`, and its value. */
export async function restingStates(ctx: Context, processId: Id): Promise<{ fieldId: string; value: string }[]> {
  const { states } = await processOf(ctx, processId)
  return [...states].flatMap(([fieldId, values]) =>
    [...values.values()].filter(each => each.pausesClock).map(({ value }) => ({ fieldId, value })),
  )
}
