import { Type } from 'typebox'
import { items } from '../../items/item/item.ts'
import { members, narrowedTo } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, idOf, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { withCheck } from '../../kernel/record/findings.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { LocalDate, LongText, Name, Part, Ref, Text } from '../../kernel/schema/values.ts'
import { Code } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { owners } from '../../records/references/owner.ts'
import { createTree, type TreeInput } from './create-tree.ts'
import { itemTemplates } from './item-template.ts'
import { templateOf } from './template-of-item.ts'
import { type ItemTemplate, type ItemTemplateValues, maxNodes } from './template-shape.ts'
import { variablesIn } from './template-tree.ts'

export async function createTemplate(ctx: Context, values: Partial<ItemTemplateValues>): Promise<ItemTemplate> {
  return await itemTemplates.create(ctx, normalized(values))
}

async function changeTemplate(
  ctx: Context,
  id: Id,
  values: Partial<ItemTemplateValues>,
  more: { expect?: Expect },
): Promise<ItemTemplate> {
  return await itemTemplates.update(ctx, id, normalized(values), more)
}

function normalized(values: Partial<ItemTemplateValues>): Partial<ItemTemplateValues> {
  return {
    ...values,
    ...(values.ownerId ? { ownerId: values.ownerId.toLowerCase() } : {}),
    ...(values.items === undefined ? {} : { variables: variablesIn(values.items ?? []) }),
  }
}

const treeInputs = {
  containerId: Ref('Container'),
  anchor: Type.String({ format: 'date', maxLength: 10, description: 'The day that dates are counted from.' }),
  variables: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    maxProperties: 200,
    description:
      'The values of the variables in titles and descriptions. `anchor` and `container` have values already.',
  }),
  parentId: Ref('Item', { description: 'The item below which the tree is created.' }),
  people: Type.Unsafe<Record<string, string>>({
    type: 'object',
    maxProperties: 100,
    additionalProperties: { type: 'string', maxLength: 36 },
    description: 'The users for the job roles of placeholders: their ids, by the id or the code of the job role.',
  }),
}
const treeSchema = Part(treeInputs, ['containerId', 'anchor'])

const createdTree: Schema = {
  type: 'object',
  title: 'CreatedTree',
  properties: {
    items: {
      type: 'array',
      description: 'The items in the order of the template.',
      items: {
        type: 'object',
        properties: { key: { type: 'string' }, parentKey: { type: 'string' }, item: items.schema },
        required: ['key', 'parentKey', 'item'],
      },
    },
    people: {
      type: 'array',
      description: 'Who was chosen for each placeholder.',
      items: {
        type: 'object',
        properties: {
          key: { type: 'string', description: 'The item of the template.' },
          use: { type: 'string', enum: ['assignee', 'watcher', 'checklist'] },
          entry: { type: 'integer', nullable: true, description: 'The index of the entry of the checklist.' },
          jobRoleId: { type: 'string' },
          relation: { type: 'integer' },
          userId: { type: 'string', description: 'Empty if nobody was found; `warnings` tells so.' },
          reason: { type: 'string', description: 'Why this user, or why nobody.' },
        },
        required: ['key', 'use', 'entry', 'jobRoleId', 'relation', 'userId', 'reason'],
      },
    },
    warnings: { type: 'array', items: { type: 'string' } },
  },
  required: ['items', 'people', 'warnings'],
}

/** Creates the items of a template. */
const createItems = operation<TreeInput>({
  permission: narrowedTo(members, items.permissions.create),
  placed: true,
  mode: 'write',
  summary: 'Create items from a template',
  description:
    'Creates the whole tree in one change set, all or none, with the rights of the caller: items, links and checklists. Every item is checked like one that is created by itself, and the faults of all items are reported at once, each with its place in the template. A variable without a value is empty and named in `warnings`. For placeholders, `people` names users; else somebody is chosen who is planned on the container or is its only member with the job role, and nobody if there is none, with a warning.',
  body: {
    schema: treeSchema,
    read: reader<TreeInput>(treeSchema),
    example: { containerId: '01890000-0000-7000-8000-000000000000', anchor: '2027-02-01', variables: { name: 'Rita' } },
  },
  reply: { status: 201, schema: createdTree, description: 'The created items.' },
  refusals: [404, 409, 422],
  async run(ctx, input) {
    const template = await itemTemplates.get(ctx, idOf(input))
    const { containerId, parentId = '' } = input.body
    await refuseUnknown(ctx, [
      { entity: 'Container', id: containerId.toLowerCase(), path: ['containerId'] },
      ...(parentId === '' ? [] : [{ entity: 'Item', id: parentId.toLowerCase(), path: ['parentId'] }]),
    ])
    return { body: await createTree(ctx, template, { ...input.body, containerId: containerId.toLowerCase() }) }
  },
})

interface SaveInput {
  name: string
  description?: string
  owner?: number
  ownerId?: string
  anchor?: string | null
  working?: boolean
}

const saveSchema = Part(
  {
    name: Name(200),
    description: LongText(20_000),
    owner: Code(owners),
    ownerId: Text(100),
    anchor: LocalDate,
    working: Type.Boolean({ description: 'Whether distances are counted in working days of the container.' }),
  },
  ['name'],
)

/** Saves an item and what is below it as a template. */
const saveAsTemplate = operation<SaveInput>({
  permission: itemTemplates.permissions.create,
  placed: true,
  mode: 'write',
  summary: 'Save an item as a template',
  description: `Creates an item template from an item and its descendants that the caller sees, at most ${maxNodes}: their content, checklists and the links between them, without fields that are hidden from the caller, states, time and conversation. Dates become distances from \`anchor\`, which is the earliest date of the tree by default.`,
  body: {
    schema: saveSchema,
    read: reader<SaveInput>(saveSchema),
    example: { name: 'New colleague', working: true },
  },
  reply: { status: 201, schema: itemTemplates.schema, description: 'The template.' },
  refusals: [404, 422],
  async run(ctx, input) {
    const { anchor, working, ...given } = input.body
    const parts = await templateOf(ctx, idOf(input), { anchor, working })
    const made = await createTemplate(ctx, { ...given, ...parts })
    return {
      body: await withCheck(ctx, made, itemTemplates.findings),
      version: made.version,
      headers: { location: `/api/item-template/${made.id}` },
    }
  },
})

export const routes: Routes = {
  'GET /item-template': list(itemTemplates),
  'POST /item-template': create(itemTemplates, createTemplate),
  'PUT /item-template': update(itemTemplates, changeTemplate),
  'GET /item-template/:id': get(itemTemplates),
  'PUT /item-template/:id': update(itemTemplates, changeTemplate),
  'PATCH /item-template/:id': update(itemTemplates, changeTemplate),
  'DELETE /item-template/:id': remove(itemTemplates),
  'POST /item-template/:id/restore': restore(itemTemplates),
  'GET /item-template/:id/history': history(itemTemplates),
  'GET /item-template/:id/check': check(itemTemplates),
  'POST /item-template/:id/create': createItems,
  'POST /item/:id/template': saveAsTemplate,
}
