import { Type } from 'typebox'
import { changeItem } from '../../items/change/change.ts'
import type { Item } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { LongText, Part, Ref } from '../../kernel/schema/values.ts'
import { annotations } from '../annotation/annotation.ts'
import { addEntries, entriesOf, itemToChange } from './checklist.ts'
import { checklistEntries } from './checklist-entry.ts'
import { takeTaskLines } from './task-lines.ts'

interface MarkdownInput {
  text?: string
  annotationId?: string
  removeLines?: boolean
}

const schema = Part({
  text: LongText(100_000),
  annotationId: Ref('Annotation', { description: 'An annotation on the item whose lines are taken.' }),
  removeLines: Type.Boolean({ description: 'Whether the lines are removed from the description.' }),
})

/** Takes the task lines of a Markdown text into the checklist of an item. */
export const takeMarkdown = operation<MarkdownInput>({
  permission: checklistEntries.permissions.create,
  placed: true,
  mode: 'write',
  summary: 'Take Markdown into the checklist of an item',
  description:
    'Adds an entry for each line of a task list (`- [ ]` open, `- [x]` checked) of `text`, or of an annotation on the item, or, if neither is given, of the description of the item. Lines in code blocks are left alone, and those whose text the checklist has already.',
  body: { schema, read: reader<MarkdownInput>(schema), example: { text: '- [x] Order the cable\n- [ ] Label it' } },
  reply: {
    status: 200,
    schema: { type: 'array', items: checklistEntries.schema },
    description: 'All entries of the checklist.',
  },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    if (body.text && body.annotationId)
      throw new Invalid([fault(['annotationId'], 'exclusive', 'is given instead of a text')])
    if (body.removeLines && (body.text || body.annotationId))
      throw new Invalid([fault(['removeLines'], 'exclusive', 'is for the description of the item only')])
    const item = await itemToChange(ctx, params.id ?? '')
    const { tasks, rest } = takeTaskLines(await sourceOf(ctx, item, body))
    const known = new Set((await entriesOf(ctx, item.id)).map(each => each.text))
    const fresh = [...new Map(tasks.map(each => [each.text, each])).values()].filter(each => !known.has(each.text))
    await addEntries(ctx, item, fresh)
    if (body.removeLines && tasks.length > 0)
      await changeItem(ctx, item.id, { patch: { description: rest }, warnings: [] })
    return { body: await entriesOf(ctx, item.id) }
  },
})

async function sourceOf(ctx: Context, item: Item, { text, annotationId }: MarkdownInput): Promise<string> {
  if (text) return text
  if (!annotationId) return item.description ?? '' // absent if it is hidden from the caller
  const found = await annotations.find(ctx, annotationId)
  if (found?.itemId === item.id) return found.body
  throw unknownReferences([{ entity: annotations.entity, id: annotationId, path: ['annotationId'] }])
}
