import { statusCategories } from '../../containers/status-category.ts'
import { type Edge, mayPass, type State, stateText } from '../../containers/workflow/workflow.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { type Item, items } from '../item/item.ts'
import {
  categoryIn,
  fieldValue,
  type ItemProcess,
  type ItemValues,
  missingFields,
  nameOf,
  processOf,
} from '../item-process/item-process.ts'
import { relationOf, watchedBy } from '../transitions/caller-relation.ts'
import { type GuardQuery, passedGuards } from '../transitions/transition-guards.ts'
import { edgesFor, obstaclesTo, type StateChange, type TransitionObstacle } from '../transitions/transitions.ts'

/** A possible change of state and the obstacles to it. */
interface Transition extends StateChange {
  stepId: string
  name: string
  color: string
  category: number
  screenId: string
  allowed: boolean
  reasons: TransitionObstacle[]
}

const schema: Schema = {
  type: 'object',
  title: 'Transition',
  properties: {
    fieldId: { type: 'string', description: 'The field that would change: `status` or the id of a custom field.' },
    from: { type: 'string' },
    to: { type: 'string' },
    stepId: {
      type: 'string',
      description: 'The workflow entry of the transition; empty if the workflow does not restrict it.',
    },
    name: { type: 'string' },
    color: { type: 'string' },
    category: Code(statusCategories),
    screenId: { type: 'string' },
    allowed: { type: 'boolean' },
    reasons: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          code: { type: 'string', enum: ['no-way', 'group', 'guard', 'required'] },
          message: { type: 'string' },
          groups: {
            type: 'array',
            items: { type: 'string' },
            description: 'Membership in one of these groups is required.',
          },
          fields: { type: 'array', items: { type: 'string' }, description: 'All of these fields must be filled in.' },
        },
        required: ['code', 'message'],
      },
    },
  },
  required: ['fieldId', 'from', 'to', 'stepId', 'name', 'color', 'category', 'screenId', 'allowed', 'reasons'],
}

export const transitions = operation({
  permission: items.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'List the transitions of an item',
  description:
    'All other states of the item’s process: whether the caller may move the item there now, and if not, why. The list is empty for an item without a process or without a workflow, whose states are not restricted.',
  reply: {
    status: 200,
    schema: { type: 'array', items: schema },
    description: 'The states, in the order of the workflow.',
  },
  refusals: [404],
  async run(ctx, { params }) {
    const item = await items.get(ctx, params.id ?? '')
    return { body: await transitionsOf(ctx, item) }
  },
})

/** The states that the caller may move an item to, and why not to the others. */
async function transitionsOf(ctx: Context, item: Item): Promise<Transition[]> {
  const process = await processOf(ctx, item.processId)
  if (process.states.size === 0) return []
  const current = { core: item, custom: await storedValues(ctx, item.id) }
  const relation = relationOf(ctx.caller, item, await watchedBy(ctx, process, [item.id]))
  const targets = targetsOf(process, current).map(target => ({
    ...target,
    asked: (edgesFor(process, target) ?? [])
      .filter(edge => mayPass(edge.userGroup, relation))
      .map((edge): GuardQuery => ({ edge, itemIds: [item.id], would: wouldBe(process, target) })),
  }))
  const open = await passedGuards(
    ctx,
    targets.flatMap(each => each.asked),
  )
  return targets.map(({ asked, state, ...move }) => {
    const opens = (edge: Edge) => asked.some(each => each.edge === edge && (open.get(each)?.size ?? 0) > 0)
    const reasons = [...obstaclesTo(process, move, { relation, opens }), ...missingAt(process, current, move)]
    const ways = asked.map(each => each.edge)
    return {
      ...move,
      stepId: (ways.find(opens) ?? ways[0] ?? edgesFor(process, move)?.[0])?.stepId ?? '',
      name: state.name,
      color: state.color,
      category: move.fieldId === 'status' ? categoryIn(process, state.value) : (state.category ?? 0),
      screenId: state.screenId,
      allowed: reasons.length === 0,
      reasons,
    }
  })
}

function targetsOf(process: ItemProcess, current: ItemValues): (StateChange & { state: State })[] {
  return [...process.states].flatMap(([fieldId, states]) => {
    const from = stateText(fieldValue(current, fieldId))
    if (from === undefined) return []
    return [...states.values()].flatMap(state =>
      state.value === from ? [] : [{ fieldId, from, to: state.value, state }],
    )
  })
}

function missingAt(process: ItemProcess, current: ItemValues, move: StateChange): TransitionObstacle[] {
  const fields = missingFields(process, current, move).map(each => nameOf(process, each))
  return fields.length === 0 ? [] : [{ code: 'required', message: `${fields.join(', ')} must be filled in`, fields }]
}

/** The columns of the item as the move would leave them. */
function wouldBe(process: ItemProcess, { fieldId, to }: StateChange): Sql {
  const column = items.byProperty.get(fieldId)?.column
  if (!column) return sql`jsonb_build_object('fields', i.fields || ${JSON.stringify({ [fieldId]: to })}::jsonb)`
  const category = fieldId === 'status' ? { status_category: categoryIn(process, to) } : {}
  return sql`${JSON.stringify({ [column]: to, ...category })}::jsonb`
}

async function storedValues(ctx: Context, id: Id): Promise<Record<Id, unknown>> {
  const [row] = await ctx.sql<{ fields: Record<Id, unknown> }>`select fields from item
    where tenant_id = ${ctx.caller.tenantId} and id = ${id}`
  return row?.fields ?? {}
}
