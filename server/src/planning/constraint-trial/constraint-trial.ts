import {
  type Constraint,
  type ConstraintValues,
  constraints,
  demandCode,
  demandKindTable,
  demandsOf,
  tidied,
} from '../../containers/constraint/constraint.ts'
import {
  brokenNow,
  type DemandContext,
  defaultMessage,
  demandContext,
  exceedsGroup,
  groupingOf,
  itemsInScope,
  kindOf,
} from '../../items/constraints/constraints.ts'
import { items, visibleItems } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { type Finding, findingsSchema } from '../../kernel/record/record.ts'
import { refuseUnknown, unknownReferences } from '../../kernel/record/references.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { and, join, or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { check } from '../../language/conditions/conditions.ts'
import { Code } from '../../records/code-table.ts'
import { recordInBody } from '../../records/input/record-in-body.ts'

/** The maximum number of items in the reply; the others are only counted. */
const maxNamed = 50

const trialSchema: Schema = {
  type: 'object',
  title: 'ConstraintTrial',
  properties: {
    count: {
      type: 'integer',
      description: 'The number of items that break the constraint, among those that the caller sees.',
    },
    items: {
      type: 'array',
      description: `The first ${maxNamed} of them.`,
      items: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          key: { type: 'string' },
          title: { type: 'string' },
          broken: {
            type: 'array',
            items: {
              type: 'object',
              properties: { kind: Code(demandKindTable), field: { type: 'string' }, message: { type: 'string' } },
              required: ['kind', 'field', 'message'],
            },
          },
        },
        required: ['id', 'key', 'title', 'broken'],
      },
    },
    findings: findingsSchema,
  },
  required: ['count', 'items', 'findings'],
}

/** Evaluates a constraint on all current items, or on one; writes nothing. */
async function trial(ctx: Context, constraint: Constraint, only: Sql) {
  const context = await demandContext(ctx)
  const about = itemsInScope(ctx, context, constraint)
  const demands = demandsOf(constraint)
  const meanings = demands.map(each => {
    const grouping = groupingOf(each, context)
    return grouping ? exceedsGroup(grouping, about) : brokenNow(each, context)
  })
  const columns = meanings.map(each => sql`coalesce(${each ?? raw('false')}, false)`)
  const rows = await ctx.sql<{ id: Id; key: string; title: string; broken: boolean[]; count: number }>`
    select t.id, t.key, t.title, array[${join(columns)}]::boolean[] as broken, (count(*) over ())::int as count
    from item t where ${and([about, only, visibleItems(ctx.caller, raw('t')), or(columns)])} order by t.id limit ${maxNamed}`
  return {
    count: rows[0]?.count ?? 0,
    items: rows.map(({ id, key, title, broken }) => ({
      id,
      key,
      title,
      broken: demands
        .filter((_, i) => broken[i])
        .map(each => ({ kind: each.kind, field: each.field, message: constraint.message || defaultMessage(each) })),
    })),
    findings: findingsOf(constraint, context, meanings),
  }
}

/**
 * Findings for the parts of a constraint without effect here: conditions that never hold and demands that only a change
 * can break.
 */
function findingsOf(
  constraint: Constraint,
  { vocabulary }: DemandContext,
  meanings: readonly (Sql | undefined)[],
): Finding[] {
  const ofChanges = ['readOnly', 'hidden', 'immutable']
  return [
    ...check(constraint.when, vocabulary).map(each => ({ ...each, path: `/when${each.path}` })),
    ...demandsOf(constraint).flatMap((demand, i): Finding[] => {
      if (meanings[i]) return []
      return ofChanges.includes(kindOf(demand) ?? '')
        ? [{ path: `/then/${i}`, code: 'changes-only', message: 'is evaluated only when an item changes' }]
        : [{ path: `/then/${i}`, code: 'inert', message: 'cannot be read, or does not apply to this field' }]
    }),
  ]
}

const itemRef: Schema = { type: 'string', maxLength: 36, 'x-ref': 'Item' }
const trySchema: Schema = { type: 'object', properties: { itemId: itemRef }, additionalProperties: false }

const tryOut = operation<{ itemId?: Id }>({
  permission: constraints.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Evaluate a stored constraint',
  description:
    'Returns the items that currently break the constraint, or whether one given item does. The constraint need not be active. Nothing is written.',
  body: {
    schema: trySchema,
    read: reader<{ itemId?: Id }>(trySchema),
    example: { itemId: '01890000-0000-7000-8000-000000000000' },
  },
  reply: {
    status: 200,
    schema: trialSchema,
    description: 'The items that break the constraint, and findings about it.',
  },
  refusals: [404, 422],
  async run(ctx, { params, body: { itemId = '' } }) {
    const constraint = await constraints.get(ctx, params.id ?? '')
    if (itemId !== '' && !(isId(itemId) && (await items.find(ctx, itemId))))
      throw unknownReferences([{ entity: 'Item', id: itemId, path: ['itemId'] }])
    return { body: await trial(ctx, constraint, itemId === '' ? raw('true') : sql`t.id = ${itemId}`) }
  },
})

const draftSchema: Schema = {
  type: 'object',
  properties: {
    constraint: { ...constraints.updateSchema, required: [] },
    containerId: { type: 'string', maxLength: 36, 'x-ref': 'Container' },
  },
  required: ['constraint'],
  additionalProperties: false,
}

interface Draft {
  constraint: Partial<ConstraintValues>
  containerId?: Id
}

const dryRun = operation<Draft>({
  permission: constraints.permissions.create,
  placed: true,
  mode: 'read',
  summary: 'Evaluate a constraint before it is created',
  description:
    'Returns the items that would break the constraint in the body, everywhere or in one container, among those that the caller sees. Nothing is written.',
  body: {
    schema: draftSchema,
    read: recordInBody<Draft>(draftSchema, 'constraint', constraints.serverSet),
    example: { constraint: { name: 'Work has a date', then: [{ kind: demandCode.required, field: 'dueDate' }] } },
  },
  reply: {
    status: 200,
    schema: trialSchema,
    description: 'The items that break the constraint, and findings about it.',
  },
  refusals: [422],
  async run(ctx, { body: { constraint, containerId } }) {
    if (containerId) await refuseUnknown(ctx, [{ entity: 'Container', id: containerId, path: ['containerId'] }])
    const whole = constraints.completed(tidied(constraint)) as unknown as Constraint
    return {
      body: await trial(ctx, whole, containerId ? sql`t.container_id = ${containerId}::uuid` : raw('true')),
    }
  },
})

export const routes: Routes = {
  'POST /constraint/dry-run': dryRun,
  'POST /constraint/:id/try': tryOut,
}
