import { demand } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Operation } from '../../kernel/operation.ts'
import { fault, Refusal } from '../../kernel/refusal.ts'
import { type Catalogue, type DocumentEntry, operationsOf } from './document.ts'
import { nameKey, type PlanStep, pendingId, type ResolvedPlan } from './plan.ts'
import { recordNamesIn, withIds } from './tokens.ts'

/**
 * Applies a plan: creates records in the order of the kinds, then updates, then removes in the opposite order. If records
 * refer to each other in a cycle, a record is created without the missing references and gets them once all exist.
 */
export async function applyPlan(
  ctx: Context,
  catalogue: Catalogue,
  { steps, known }: ResolvedPlan,
  remove: boolean,
): Promise<number> {
  const ids = new Map([...known].filter(([, id]) => id !== pendingId))
  const later: { step: PlanStep; id: Id; values: DocumentEntry }[] = []
  for (const { entity } of catalogue.kinds) {
    let waiting = steps.filter(step => step.action === 'add' && step.kind === entity)
    while (waiting.length > 0) {
      const ready = waiting.filter(step => !hasPendingReference(targetValues(step), known, ids))
      // No record is ready: the rest refer to each other, or to a kind that comes later.
      const now = ready.length > 0 ? ready : waiting.slice(0, 1)
      for (const step of now) {
        const [values, rest] = splitPending(targetValues(step), known, ids)
        const id = await createRecord(ctx, catalogue, step, resolve(values, ids))
        ids.set(nameKey({ entity, key: step.key }), id)
        if (Object.keys(rest).length > 0) later.push({ step, id, values: rest })
      }
      waiting = waiting.filter(step => !now.includes(step))
    }
  }
  for (const { step, id, values } of later) await updateRecord(ctx, catalogue, step, id, resolve(values, ids))
  for (const step of steps.filter(each => each.action === 'change'))
    await updateRecord(ctx, catalogue, step, step.id, resolve(targetValues(step), ids))
  const leaving = remove ? steps.filter(each => each.action === 'remove').reverse() : []
  for (const step of leaving) await run(ctx, step, operationsOf(catalogue, kindOf(catalogue, step)).remove, step.id, {})
  return steps.filter(each => remove || each.action !== 'remove').length
}

function targetValues({ changes }: PlanStep): DocumentEntry {
  return Object.fromEntries(Object.entries(changes).map(([property, { to }]) => [property, to]))
}

/** Whether a value refers to a record that is not created yet. */
function hasPendingReference(value: unknown, known: ReadonlyMap<string, Id>, ids: ReadonlyMap<string, Id>): boolean {
  return recordNamesIn(value).some(named => known.has(nameKey(named)) && !ids.has(nameKey(named)))
}

function splitPending(
  entry: DocumentEntry,
  known: ReadonlyMap<string, Id>,
  ids: ReadonlyMap<string, Id>,
): [DocumentEntry, DocumentEntry] {
  const early = (each: [string, unknown]) => hasPendingReference(each[1], known, ids)
  const all = Object.entries(entry)
  return [Object.fromEntries(all.filter(each => !early(each))), Object.fromEntries(all.filter(early))]
}

/** Replaces tokens by ids. Tokens of unknown records are left out; the plan has warned about them. */
function resolve(entry: DocumentEntry, ids: ReadonlyMap<string, Id>): DocumentEntry {
  return withoutUnresolved(withIds(entry, named => ids.get(nameKey(named)) ?? unresolved)) as DocumentEntry
}

const unresolved = '\u0000'

function withoutUnresolved(value: unknown): unknown {
  if (typeof value === 'string') return value.includes(unresolved) ? '' : value
  if (Array.isArray(value)) return value.filter(each => each !== unresolved).map(withoutUnresolved)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutUnresolved(each)]))
}

async function createRecord(ctx: Context, catalogue: Catalogue, step: PlanStep, values: DocumentEntry): Promise<Id> {
  const made = await run(ctx, step, operationsOf(catalogue, kindOf(catalogue, step)).create, undefined, values)
  return (made as { id: Id }).id
}

async function updateRecord(
  ctx: Context,
  catalogue: Catalogue,
  step: PlanStep,
  id: Id,
  values: DocumentEntry,
): Promise<void> {
  await run(ctx, step, operationsOf(catalogue, kindOf(catalogue, step)).update, id, values)
}

function kindOf({ kinds }: Catalogue, { kind }: PlanStep) {
  const found = kinds.find(each => each.entity === kind)
  if (!found) throw new Error(`${kind} is not a kind of configuration`)
  return found
}

/** Runs the same operation as a request, with its permission. Faults point at the place in the document. */
async function run(
  ctx: Context,
  { kind, key }: PlanStep,
  operation: Operation,
  id: Id | undefined,
  values: DocumentEntry,
): Promise<unknown> {
  demand(ctx.caller, operation.permission)
  const path = ['document', 'kinds', kind, key]
  const { Pointer: at } = fault(path, '', '')
  try {
    const reply = await operation.run(ctx, {
      path: '',
      params: id === undefined ? {} : { id },
      query: {},
      body: operation.body?.read(values),
      raw: values,
      expect: undefined,
      headers: {},
    })
    return reply.body ?? (reply.text === undefined ? undefined : JSON.parse(reply.text))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const own = error.faults.map(each => ({
      ...each,
      Field: [...path, each.Field].join('.'),
      Pointer: `${at}${each.Pointer}`,
    }))
    const faults = own.length > 0 ? own : [fault(path, error.code, error.message)]
    throw new Refusal(error.status, error.code, `${kind} ${key}: ${error.message}`, { faults, extra: error.extra })
  }
}
