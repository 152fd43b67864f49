import {
  createEach,
  type Draft,
  draftItem,
  type InsertedItem,
  type ItemReply,
  insertItems,
  needsValidation,
} from '../../items/create/create.ts'
import { items } from '../../items/item/item.ts'
import { createSchema, effectsQuery, type ItemInput, readItem } from '../../items/item-body/item-body.ts'
import { members, narrowedTo } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Operation, operation, type Reopen } from '../../kernel/operation.ts'
import { sqlState } from '../../kernel/postgres/sql-state.ts'
import { type Fault, fault, Invalid, idTaken, Refusal } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { MalformedLine } from '../../platform/requests/json.ts'
import { hasKeyOf } from '../../records/input/own-id.ts'

/** The outcome of one row. */
interface Outcome {
  index: number
  externalId: string | null
  id?: Id
  key?: string
  outcome: 'created' | 'updated' | 'unchanged' | 'failed'
  status: number
  code?: string
  detail?: string
  Fields?: readonly Fault[]
  warnings?: string[]
}

const batchSize = 200
/** With fewer rows the statistics of the database stay good enough until its own job looks at them. */
const manyRows = 100
const maxRows = 10_000

const outcomeSchema: Schema = {
  type: 'object',
  title: 'BulkOutcome',
  properties: {
    index: { type: 'integer' },
    externalId: { type: ['string', 'null'] },
    id: { type: 'string' },
    key: { type: 'string' },
    outcome: { type: 'string', enum: ['created', 'updated', 'unchanged', 'failed'] },
    status: { type: 'integer' },
    code: { type: 'string' },
    detail: { type: 'string' },
    Fields: { type: 'array', items: { type: 'object' } },
    warnings: { type: 'array', items: { type: 'string' } },
  },
  required: ['index', 'externalId', 'outcome', 'status'],
}

type CreateOrUpdate = (ctx: Context, read: ItemInput) => Promise<{ answer: ItemReply; outcome: Outcome['outcome'] }>

/**
 * Creates many items in one call. Rows are independent: a refused row is reported in its place and stops no other.
 * A batch is one statement, and its outcomes are sent after its commit: what is reported is stored.
 */
export function bulkCreate(createOrUpdate: CreateOrUpdate): Operation {
  return operation<unknown[]>({
    permission: narrowedTo(members, items.permissions.create),
    placed: true,
    mode: 'single',
    summary: 'Create many items',
    description: `The body is an array of items, or one item per line as \`application/x-ndjson\`, at most ${maxRows}. Each row is created, updated (if an item with its \`Meta.source\` and \`Meta.externalId\` exists) or refused independently. The reply contains the outcome of every row, in their order.`,
    body: {
      schema: { type: 'array', items: createSchema, maxItems: maxRows },
      read: readRows,
      example: [
        { title: 'First', Meta: { source: 'old-desk', externalId: '1' } },
        { title: 'Second', Meta: { source: 'old-desk', externalId: '2' } },
      ],
      lines: true,
      limit: 64 * 1024 * 1024,
    },
    reply: {
      status: 200,
      schema: { type: 'array', items: outcomeSchema },
      description: 'The outcome of each row, in the order of the rows.',
    },
    refusals: [413],
    query: effectsQuery,
    async run({ strict }, { body, query }) {
      const effects = query.effects === 'all'
      const read = (row: unknown) => ({ ...readItem(row, true, { strict }), effects })
      return { stream: reopen => outcomes(body, read, reopen, createOrUpdate) }
    },
  })
}

function readRows(body: unknown): unknown[] {
  if (!Array.isArray(body)) throw new Invalid([fault([], 'type', 'must be an array of items')])
  if (body.length > maxRows) throw new Refusal(413, 'too-large', `a call may contain at most ${maxRows} rows`)
  return body
}

async function* outcomes(
  rows: readonly unknown[],
  readBody: (row: unknown) => ItemInput,
  reopen: Reopen,
  createOrUpdate: CreateOrUpdate,
): AsyncGenerator<string> {
  const batchAt = (start: number) => {
    const drafting = draftBatch(rows.slice(start, start + batchSize), start, readBody, reopen)
    drafting.catch(() => {}) // the error is thrown when the batch is awaited; this only avoids an unhandled rejection
    return drafting
  }
  let lead = '['
  let next = rows.length > 0 ? batchAt(0) : undefined
  for (let start = 0; next; start += batchSize) {
    const batch: Batch = await next
    const storing = storeBatch(batch, reopen, createOrUpdate)
    // The next batch is checked while PostgreSQL stores this one, and is stored after it.
    next = start + batchSize < rows.length ? batchAt(start + batchSize) : undefined
    yield lead + (await storing).map(each => JSON.stringify(each)).join(',')
    lead = ','
  }
  if (rows.length >= manyRows) await reopen(learnGrowth)
  yield lead === '[' ? '[]' : ']'
}

/** Tells the planner of the new rows. With the old statistics a filter that follows at once would not end in time. */
async function learnGrowth(ctx: Context): Promise<void> {
  await ctx.sql`select learn_growth()`
}

interface Row {
  index: number
  read: ItemInput
  draft: Draft
}

/** The rows that are ready to be stored, and the outcomes of the refused ones. */
interface Batch {
  ready: Row[]
  results: Map<number, Outcome>
}

async function draftBatch(
  bodies: readonly unknown[],
  start: number,
  readBody: (row: unknown) => ItemInput,
  reopen: Reopen,
): Promise<Batch> {
  const batch: Batch = { ready: [], results: new Map() }
  await reopen(async ctx => {
    for (const [i, body] of bodies.entries()) {
      const index = start + i
      let read: ItemInput | undefined
      try {
        if (body instanceof MalformedLine) throw new Refusal(400, 'malformed-json', body.message)
        read = readBody(body)
        const draft = await draftItem(ctx, { ...read, warnings: [...read.warnings] })
        if (batch.ready.some(each => each.draft.id === draft.id)) throw idTaken(draft.id)
        batch.ready.push({ index, read, draft })
      } catch (error) {
        batch.results.set(index, failure(index, read, error))
      }
    }
  })
  return batch
}

async function storeBatch(
  { ready, results }: Batch,
  reopen: Reopen,
  createOrUpdate: CreateOrUpdate,
): Promise<Outcome[]> {
  const drafts = ready.map(row => row.draft)
  const mustValidate = drafts.length > 0 && (await reopen(ctx => needsValidation(ctx, drafts)))
  const stored = mustValidate
    ? await reopen(ctx => createEach(ctx, drafts), 'transaction')
    : { made: await insertTogether(drafts, reopen), refused: new Map<Id, Refusal>() }
  const made = new Map(stored.made.map(each => [each.id, each]))
  for (const { index, read, draft } of ready) {
    const { warnings, origin } = draft
    const inserted = made.get(draft.id)
    const refusal = stored.refused.get(draft.id)
    const known = { index, externalId: origin.externalId }
    if (refusal) results.set(index, failure(index, read, refusal))
    else if (inserted) {
      const { id, key } = inserted
      results.set(index, {
        ...known,
        id,
        key,
        outcome: 'created',
        status: 201,
        ...(warnings.length > 0 ? { warnings } : {}),
      })
    } else {
      // The item exists: it is updated in a transaction of its own.
      try {
        const { answer, outcome } = await reopen(ctx => createOrUpdate(ctx, read), 'transaction')
        results.set(index, { ...known, id: answer.id, key: answer.key, outcome, status: 200 })
      } catch (error) {
        results.set(index, failure(index, read, error))
      }
    }
  }
  return [...results.values()].sort((a, b) => a.index - b.index)
}

/** Inserts all rows by one statement; if it fails, each row by its own, so that only the failing one is missing. */
async function insertTogether(drafts: readonly Draft[], reopen: Reopen): Promise<InsertedItem[]> {
  if (drafts.length === 0) return []
  let alone = true
  try {
    return await reopen(ctx => {
      alone = ctx.single
      return insertItems(ctx, drafts, 'key')
    })
  } catch (error) {
    // A failed statement aborts the whole transaction.
    if (!alone || !/^2[23]/.test(sqlState(error))) throw error
    if (drafts.length === 1) {
      if (hasKeyOf(items.table, error)) return []
      throw error
    }
    const made: InsertedItem[] = []
    for (const draft of drafts) made.push(...(await insertTogether([draft], reopen).catch(() => [])))
    return made
  }
}

function failure(index: number, read: ItemInput | undefined, error: unknown): Outcome {
  if (!(error instanceof Refusal)) throw error
  const externalId = read?.patch.Meta?.externalId
  return {
    index,
    externalId: typeof externalId === 'string' ? externalId : null,
    outcome: 'failed',
    status: error.status,
    code: error.code,
    detail: error.message,
    Fields: error.faults,
  }
}
