import { type Item, items } from '../../items/item/item.ts'
import { pastVocabulary, refuseUntold } from '../../items/past/past.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { type ConditionGroups, ConditionGroups as Groups, operator } from '../../language/conditions/conditions.ts'
import { readAsOf } from '../../records/history/as-of.ts'
import { filterWith } from '../filter/count-items.ts'
import { questionOf } from '../filter/filter-run.ts'
import {
  changedValues,
  type Difference,
  differences,
  type Period,
  type Question,
  readItemsAt,
} from './item-differences.ts'

interface Body {
  from: string
  to?: string
  filterId?: Id
  conditionGroup?: ConditionGroups
  container?: Id[]
  includeClosed?: boolean
  limit?: number
  cursor?: string
}

const instant: Schema = { type: 'string', format: 'date-time', maxLength: 40 }
const count: Schema = { type: 'integer' }

const body: Schema = {
  type: 'object',
  properties: {
    from: { ...instant, description: 'The earlier moment.' },
    to: { ...instant, description: 'The later moment; now by default.' },
    filterId: {
      type: 'string',
      maxLength: 36,
      description: 'A saved filter, instead of `conditionGroup`, `container` and `includeClosed`.',
    },
    conditionGroup: { ...Groups, description: 'As in `POST /api/item/search` with `asOf`, at each of the moments.' },
    container: {
      type: 'array',
      maxItems: 100,
      items: { type: 'string', maxLength: 36 },
      description: 'The containers to compare; all if empty.',
    },
    includeClosed: { type: 'boolean', description: 'Whether closed items are included; true by default.' },
    limit: { type: 'integer', minimum: 1, maximum: 1000, description: 'The most items of the answer; 200 by default.' },
    cursor: { type: 'string', maxLength: 36, description: 'The `next` of the previous page.' },
  },
  required: ['from'],
  additionalProperties: false,
}

const item: Schema = {
  type: 'object',
  title: 'ItemDifference',
  properties: {
    difference: {
      type: 'string',
      enum: ['added', 'removed', 'changed'],
      description:
        '`added`: it fulfils the question at `to` and did not at `from` (created, restored, moved or changed since); `removed`: the opposite; `changed`: it fulfils it at both moments and has other values.',
    },
    entity: { type: 'string' },
    id: { type: 'string' },
    key: { type: 'string' },
    title: { type: 'string' },
    containerId: { type: 'string' },
    created: { type: 'string', format: 'date-time' },
    updated: { type: 'string', format: 'date-time' },
    updatedBy: { type: 'string' },
    deleted: { type: 'boolean' },
    changes: {
      type: 'object',
      description:
        'Before and after of each property that differs, by the names of events (`Field.<id>` for a custom value); empty for an item that did not exist at `from`.',
    },
  },
  required: ['difference', 'entity', 'id', 'created', 'updated', 'updatedBy', 'deleted', 'changes'],
}

/** Says what has changed in the answer of a question between two moments. */
const compareItems = operation<Body>({
  permission: items.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Compare items at two moments',
  description:
    'What has changed since a moment (`from`), until now or another one (`to`): the items that a question (`container` and `conditionGroup`, or `filterId`) finds at one of the moments only, and those that it finds at both with other values. It is answered from the event log, with the rights of now. `items` are in the order of their ids; pass `next` as `cursor` to get more. `counts` counts all of them. A change that was taken back is none, and the rank is not compared.',
  body: {
    schema: body,
    read: reader<Body>(body),
    example: {
      from: '2026-03-30T08:00:00Z',
      container: ['01890000-0000-7000-8000-000000000000'],
      conditionGroup: [{ condition: [{ leftSide: 'priority', operator: operator.lessOrEqual, rightSide: '2' }] }],
    },
  },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'ItemComparison',
      properties: {
        from: { type: 'string', format: 'date-time' },
        to: { type: 'string', format: 'date-time' },
        counts: {
          type: 'object',
          properties: { added: count, removed: count, changed: count },
          required: ['added', 'removed', 'changed'],
        },
        items: { type: 'array', items: item },
        next: { type: ['string', 'null'], description: 'The cursor of the next page.' },
      },
      required: ['from', 'to', 'counts', 'items', 'next'],
    },
    description: 'The differences.',
  },
  refusals: [422],
  async run(ctx, { body: { from, to, limit = 200, cursor, filterId, ...given } }) {
    const period = await readPeriod(ctx, from, to)
    const asked =
      filterId === undefined ? { ...given, refuseInert: true } : await storedQuestion(ctx, filterId, given, period)
    if (cursor !== undefined && !isId(cursor))
      throw new Invalid([fault(['cursor'], 'cursor', 'is not a cursor of this list', cursor)])
    const { page, counts } = await differences(ctx, asked, period, { limit, after: cursor })
    const shown = page.slice(0, limit)
    return {
      body: {
        from: period.from.toISOString(),
        to: period.to.toISOString(),
        counts,
        items: await described(ctx, shown, period),
        next: page.length > limit ? (shown.at(-1)?.id ?? null) : null,
      },
    }
  },
})

/** The question of a saved filter, which runs without the conditions that can never hold. */
async function storedQuestion(ctx: Context, filterId: Id, given: object, { from }: Period): Promise<Question> {
  const others = Object.keys(given)
  if (others.length > 0)
    throw new Invalid(others.map(each => fault([each], 'not-with-filter', 'cannot be given together with filterId')))
  const asked = questionOf(await filterWith(ctx, filterId))
  refuseUntold(await pastVocabulary(ctx, from), asked.conditionGroup ?? [])
  return asked
}

async function readPeriod(ctx: Context, from: string, to: string | undefined): Promise<Period> {
  const earlier = await readAsOf(ctx, from, 'from')
  const later = (await readAsOf(ctx, to, 'to')) ?? ctx.now
  if (earlier && earlier <= later) return { from: earlier, to: later }
  throw new Invalid([fault(['to'], 'range', 'must not be earlier than from', to)])
}

async function described(
  ctx: Context,
  found: readonly { id: Id; difference: Difference }[],
  { from, to }: Period,
): Promise<object[]> {
  const ids = found.map(each => each.id)
  const [was, now] = [await readItemsAt(ctx, ids, from), await readItemsAt(ctx, ids, to)]
  return found.flatMap(({ id, difference }) => {
    const [before, after] = [was.get(id), now.get(id)]
    return after ? [{ difference, ...summary(after), changes: before ? changedValues(before, after) : {} }] : []
  })
}

function summary({ entity, id, key, title, containerId, created, updated, updatedBy, deleted }: Item) {
  return { entity, id, key, title, containerId, created, updated, updatedBy, deleted }
}

export const routes: Routes = { 'POST /item/compare': compareItems }
