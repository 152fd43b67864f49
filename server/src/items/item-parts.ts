import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import type { Reply } from '../kernel/operation.ts'
import { fault, Invalid } from '../kernel/refusal.ts'
import type { Schema } from '../kernel/schema/shape.ts'
import { clockStates, targetKinds } from '../records/clock-codes.ts'
import { Code } from '../records/code-table.ts'
import { completeList } from '../records/page/list-text.ts'

declare module '../kernel/context.ts' {
  interface Services {
    itemParts: ItemParts
  }
}

/** Reads parts of items for all of them at once; a part that the caller may not see is absent. */
export type ItemParts = (
  ctx: Context,
  wanted: ReadonlySet<string>,
  itemIds: readonly Id[],
) => Promise<ReadonlyMap<Id, Record<string, unknown>>>

/** The parts of items that lists can include. */
const listedParts = ['clock', 'can', 'subItems']

export const includeQuery: Schema = {
  type: 'string',
  maxLength: 200,
  description:
    'Parts to add to each item, separated by commas: `clock`, the stored state of its clocks (for requesters: what was promised to them), `can`, what the caller may do with it, and `subItems`, how many items it consists of.',
}

const instant: Schema = { type: 'string', format: 'date-time', nullable: true }

/** The state of the promises of an item. */
const clockSchema: Schema = {
  type: 'array',
  description:
    'With `include=clock`: how each promise stood when something last happened to it; `GET /item/:id/clock` counts to this moment. Requesters get `kind`, `cycle`, `state`, `dueAt`, `metAt` and `breachedAt`, and no targets of the kinds 5 and 6.',
  items: {
    type: 'object',
    properties: {
      clockId: { type: 'string' },
      targetId: { type: 'string' },
      kind: Code(targetKinds),
      cycle: { type: 'integer' },
      state: Code(clockStates),
      startedAt: instant,
      amberAt: instant,
      redAt: instant,
      dueAt: instant,
      pausedSince: instant,
      metAt: instant,
      breachedAt: instant,
    },
    required: ['kind', 'cycle', 'state', 'dueAt'],
  },
}

const canSchema: Schema = {
  type: 'object',
  title: 'ItemCan',
  description:
    'With `include=can`: what the rights of the caller and the state of the item allow. A single value can still be refused, by the workflow for example.',
  properties: {
    update: { type: 'boolean' },
    delete: { type: 'boolean' },
    move: { type: 'boolean', description: 'Whether it can be moved to another container.' },
    comment: { type: 'boolean' },
    log: { type: 'boolean', description: 'Whether the caller can book time on it.' },
  },
  required: ['update', 'delete', 'move', 'comment', 'log'],
}

const subItemsSchema: Schema = {
  type: 'object',
  description:
    'With `include=subItems`: the items whose parent it is and that the caller sees, without archived ones, and how many of them are closed.',
  properties: { all: { type: 'integer' }, done: { type: 'integer' } },
  required: ['all', 'done'],
}

export const partSchemas: Record<string, Schema> = { clock: clockSchema, can: canSchema, subItems: subItemsSchema }

/** The schema of an item in a list, with the parts that can be included. */
export function listedSchema(schema: Schema): Schema {
  return { ...schema, title: `Listed${schema.title}`, properties: { ...schema.properties, ...partSchemas } }
}

/** Reads the names in `include`; others than the known ones are refused. */
export function readInclude(text: unknown, known: readonly string[] = listedParts): ReadonlySet<string> {
  const names = String(text ?? '').split(',')
  const wanted = new Set(names.map(each => each.trim().toLowerCase()).filter(Boolean))
  const unknown = [...wanted].filter(each => !known.some(one => one.toLowerCase() === each))
  if (unknown.length === 0) return wanted
  throw new Invalid(
    unknown.map(each => fault(['include'], 'unknown', `${each.slice(0, 60)} is not one of ${known.join(', ')}`, text)),
    'the query is not valid',
  )
}

/** Adds the wanted parts to the items of a list. */
export async function withParts(ctx: Context, wanted: ReadonlySet<string>, reply: Reply): Promise<Reply> {
  return wanted.size === 0 ? reply : await completeList(ctx, reply, (inner, some) => partsAdded(inner, wanted, some))
}

/** The records with their parts. */
export async function partsAdded<R extends { id: Id }>(
  ctx: Context,
  wanted: ReadonlySet<string>,
  records: readonly R[],
): Promise<R[]> {
  const ids = records.map(each => each.id)
  const parts = wanted.size === 0 || ids.length === 0 ? new Map() : await ctx.services.itemParts(ctx, wanted, ids)
  return records.map(each => ({ ...each, ...parts.get(each.id) }))
}
