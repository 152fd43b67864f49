import { Type } from 'typebox'
import { itemPriority } from '../../containers/item-property/priority.ts'
import { changeAll, changeItems, demandForce, forceQuery, type ItemChangeResult } from '../../items/change/change.ts'
import { items } from '../../items/item/item.ts'
import { type ItemInput, readItem, updateSchema } from '../../items/item-body/item-body.ts'
import { compileItemQuery } from '../../items/search/search.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation } from '../../kernel/operation.ts'
import { type Fault, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { type ReadOptions, reader, type Schema } from '../../kernel/schema/shape.ts'
import { Part, Refs } from '../../kernel/schema/values.ts'
import { raw } from '../../kernel/sql.ts'
import { ConditionGroups, operator } from '../../language/conditions/conditions.ts'
import { readPatchBody } from '../../records/input/patch-body.ts'

const maxItems = 5000

const properties = {
  ids: Refs('Item', maxItems),
  conditionGroup: ConditionGroups,
  all: Type.Boolean({ description: 'Required for a change without conditions.' }),
  container: Refs('Container', 100),
  includeClosed: Type.Boolean(),
  atomic: Type.Boolean(),
}

interface Question {
  ids?: Id[]
  conditionGroup?: ConditionGroups
  container?: Id[]
  includeClosed?: boolean
}

interface BulkChange extends Question {
  all?: boolean
  atomic?: boolean
  patch: ItemInput
}

const schema: Schema = {
  ...Part(properties),
  properties: { ...(properties as unknown as Record<string, Schema>), patch: updateSchema },
  required: ['patch'],
}
const readEnvelope = reader<Omit<BulkChange, 'patch'> & { patch: unknown }>({
  ...schema,
  properties: { ...schema.properties, patch: { type: 'object' } },
})

function readBulkChange(body: unknown, options?: ReadOptions): BulkChange {
  const change = readPatchBody(body, readEnvelope, patch => readItem(patch, false, options))
  const wrong = selectionFault(change)
  if (wrong) throw new Invalid([wrong])
  return change
}

/** A forgotten or empty condition must not change every item, so a change of all is said as such. */
function selectionFault({ ids, conditionGroup, all = false }: BulkSelection): Fault | undefined {
  if (ids)
    return conditionGroup || all
      ? fault(['ids'], 'exclusive', 'cannot be combined with conditionGroup or all')
      : undefined
  const limited = conditionGroup !== undefined && conditionGroup.length > 0 && conditionGroup.every(isLimited)
  if (limited) return all ? fault(['all'], 'exclusive', 'cannot be combined with conditions') : undefined
  if (all) return undefined
  return conditionGroup
    ? fault(['all'], 'required', 'must be true, because a group without conditions is fulfilled by every item')
    : fault(['ids'], 'required', 'ids, conditionGroup or all is required')
}

type BulkSelection = Pick<BulkChange, 'ids' | 'conditionGroup' | 'all'>

const isLimited = ({ condition }: ConditionGroups[number]) => condition.length > 0

const outcomeSchema: Schema = {
  type: 'object',
  title: 'BulkChangeOutcome',
  properties: {
    id: { type: 'string' },
    key: { type: 'string' },
    outcome: { type: 'string', enum: ['updated', 'unchanged', 'failed'] },
    status: { type: 'integer' },
    version: { type: 'integer' },
    code: { type: 'string' },
    detail: { type: 'string' },
    Fields: { type: 'array', items: { type: 'object' } },
    warnings: { type: 'array', items: { type: 'string' } },
  },
  required: ['id', 'outcome', 'status'],
}

/** Applies one patch to many items, with the validators of a single change, in one change set. */
export const bulkChange = operation<BulkChange>({
  permission: items.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Change many items',
  description: `Applies \`patch\` to the items in \`ids\`, or to those that fulfil \`conditionGroup\`, or with \`all\` to all (in \`container\`, or everywhere; closed items with \`includeClosed\`), at most ${maxItems}. Items are changed independently, and the reply contains the outcome of each; with \`atomic\` one refusal refuses all. All changes form one change set.`,
  query: forceQuery,
  body: {
    schema,
    read: readBulkChange,
    example: {
      conditionGroup: [{ condition: [{ leftSide: 'status', operator: operator.equals, rightSide: 'Open' }] }],
      patch: { priority: itemPriority.high },
    },
  },
  reply: {
    status: 200,
    schema: { type: 'array', items: outcomeSchema },
    description: 'The outcome of each item.',
  },
  refusals: [404, 413, 422],
  async run(ctx, { body, query }) {
    const force = demandForce(ctx.caller, query)
    const ids = body.ids ? [...new Set(body.ids.map(each => each.toLowerCase()))] : await found(ctx, body)
    const wanted = ids.map(id => ({
      id,
      read: { ...body.patch, warnings: [...body.patch.warnings] },
      force,
    }))
    const changed = await (body.atomic ? changeAll : changeItems)(ctx, wanted)
    const said = new Map(wanted.map(each => [each.id, each.read.warnings]))
    return {
      body: changed.map(each => outcomeOf({ ...each, warnings: [...(said.get(each.id) ?? []), ...each.warnings] })),
    }
  },
})

/** The ids of the matching items that the caller sees. */
async function found(ctx: Context, { conditionGroup = [], container = [], includeClosed }: Question): Promise<Id[]> {
  const { where } = await compileItemQuery(ctx, {
    conditionGroup,
    container,
    includeClosed: includeClosed ?? false,
    refuseInert: true,
  })
  const rows = await ctx.sql<{ id: Id }>`select t.id from item t
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and not t.archived and ${items.visible(ctx.caller, raw('t'))} and ${where} limit ${maxItems + 1}`
  if (rows.length > maxItems)
    throw new RuleBroken('too-many-items', `more than ${maxItems} items fulfil the conditions; add further conditions`)
  return rows.map(row => row.id)
}

function outcomeOf({ id, item, outcome, refusal, warnings }: ItemChangeResult): object {
  return {
    id,
    ...(item ? { key: item.key, version: item.version } : {}),
    outcome,
    status: refusal?.status ?? 200,
    ...(refusal ? { code: refusal.code, detail: refusal.message, Fields: refusal.faults } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  }
}
