import { Type } from 'typebox'
import { priorities } from '../../containers/item-property/priority.ts'
import { itemSeverities } from '../../items/item-codes.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { AnyJson, Count, LongText, Name, Parts, Ref, Refs, Text, Texts } from '../../kernel/schema/values.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { owners } from '../../records/references/owner.ts'
import { dateOffset } from './date-offset.ts'

export const maxNodes = 200
export const maxLinks = 500

/** The codes of `relation` of a placeholder: who is meant, without naming a job role. */
export const templateRelation = { none: 0, parentRequester: 1, parentCreator: 2, containerLead: 3 } as const

/** Stands for somebody who is chosen when the items are created. */
const placeholderShape = {
  jobRoleId: Ref('JobRole', { description: 'Somebody who works as this.' }),
  relation: Code(codeTableOfCodes('itemTemplate.relation', templateRelation), {
    description:
      'Instead of a job role: 1 the requester of the parent of the tree · 2 its creator · 3 the lead of the container.',
  }),
}

/** One item of a template. What it leaves out has the value of any new item, such as the default of its process. */
const nodeShape = {
  key: Text(60, { minLength: 1, description: 'Names the item within the template.' }),
  parentKey: Text(60, { description: 'The `key` of the item above it; empty for an item at the top.' }),
  title: Name(500),
  description: LongText(50_000),
  processId: Ref('Process', { description: 'The process of the item; that of the container by default.' }),
  status: Text(120),
  priority: Code(priorities),
  severity: Code(itemSeverities),
  labels: Refs('Label', 100),
  assignees: Refs('User', 50),
  assignCreator: Type.Boolean({ description: 'Whether whoever creates items from the template is assigned, too.' }),
  assignTo: Parts(placeholderShape, [], 50),
  watchers: Refs('User', 50),
  watchedBy: Parts(placeholderShape, [], 50),
  estimateMinutes: Count(),
  points: Type.Number({ minimum: 0, maximum: 1_000_000 }),
  start: dateOffset('The start date, from the anchor.'),
  due: dateOffset('The due date, from the anchor.'),
  Field: Parts({ fieldId: Text(60, { minLength: 1 }), value: AnyJson }, ['fieldId', 'value'], 200),
  checklist: Texts(100, 500),
  checklistBy: Parts(
    {
      entry: Count(99, 0, { description: 'The index of the text in `checklist`.' }),
      userId: Ref('User'),
      ...placeholderShape,
    },
    ['entry'],
    100,
  ),
}

const linkShape = {
  from: Text(60, { minLength: 1, description: 'The `key` of an item of the template.' }),
  to: Text(60, { minLength: 1, description: 'The `key` of another item of the template.' }),
  type: Text(60, { description: 'The id or the name of a link type; `relates` by default.' }),
  lagDays: Type.Integer({ minimum: -3650, maximum: 3650 }),
}

/** The properties of a template. */
export const shape = {
  name: Name(200),
  description: LongText(20_000),
  owner: Code(owners, { description: 'The tenant (0) or a container (1), whose staff see the template.' }),
  ownerId: Text(100),
  items: Parts(nodeShape, ['key', 'title'], maxNodes),
  links: Parts(linkShape, ['from', 'to'], maxLinks),
  variables: Texts(1000),
  active: Type.Boolean({ default: true }),
}

export type ItemTemplate = Stored<typeof shape>
export type ItemTemplateValues = Values<typeof shape>
export type TemplateNode = ItemTemplateValues['items'][number]
export type Placeholder = Pick<NonNullable<TemplateNode['checklistBy']>[number], 'jobRoleId' | 'relation'>
export type TemplateLink = ItemTemplateValues['links'][number]
