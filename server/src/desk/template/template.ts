import {
  actionsOf,
  contentTemplates,
  type Rendered,
  type RenderValues,
  render,
  TemplateFault,
  type TemplateValues,
  templateFaults,
} from '../../containers/content-template/content-template.ts'
import { type Item, items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { recordInBody } from '../../records/input/record-in-body.ts'
import { occasionOf, type TemplateActor } from './template-scope.ts'

export { occasionOf } from './template-scope.ts'

const renderedSchema: Schema = {
  type: 'object',
  title: 'RenderedTemplate',
  properties: {
    subject: { type: 'string' },
    body: { type: 'string', description: 'The text in the format of the template.' },
    html: { type: 'string', description: 'The text as sanitised HTML.' },
    text: { type: 'string' },
    missing: { type: 'array', items: { type: 'string' }, description: 'The variables without a value.' },
    locale: {
      type: 'string',
      description: 'The language of the variant that was used; empty for the template itself.',
    },
    actions: { type: 'array', items: { type: 'object' }, description: 'The actions of a macro.' },
  },
  required: ['subject', 'body', 'html', 'text', 'missing', 'locale', 'actions'],
}

interface Occasion {
  itemId?: string
  locale?: string
}

/** The event that a text answers: who caused it, and further values for the template. */
interface TemplateEvent {
  actor: TemplateActor
  values: RenderValues
}

/** Renders a template for an item, with the values that the caller may see. */
export async function renderFor(
  ctx: Context,
  template: TemplateValues,
  { itemId, locale }: Occasion,
  event?: TemplateEvent,
): Promise<Rendered & { actions: object[] }> {
  const { scope, languages, timezone } = await occasionOf(ctx, await itemFor(ctx, itemId), event?.actor)
  try {
    const written = render(
      template,
      { ...event?.values, ...scope },
      { languages: locale ? [locale] : languages, timezone },
    )
    return { ...written, actions: actionsOf(template) }
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error
    const { line, column, message } = error
    throw new RuleBroken('template-failed', `line ${line}, column ${column}: ${message}`, [
      fault(['template'], 'template-failed', `line ${line}, column ${column}: ${message}`),
    ])
  }
}

async function itemFor(ctx: Context, itemId: string | undefined): Promise<Item | undefined> {
  if (!itemId) return undefined
  const item = isId(itemId) ? await items.find(ctx, itemId) : undefined
  if (!item) throw unknownReferences([{ entity: 'Item', id: itemId, path: ['itemId'] }])
  return item
}

const itemRef: Schema = { type: 'string', maxLength: 36, 'x-ref': 'Item' }
const language: Schema = { type: 'string', maxLength: 35, examples: ['de'] }
const templateSchema: Schema = { ...contentTemplates.updateSchema, required: [] }

const previewSchema: Schema = {
  type: 'object',
  properties: {
    template: templateSchema,
    templateId: { type: 'string', maxLength: 36, 'x-ref': 'ContentTemplate' },
    itemId: itemRef,
    locale: language,
  },
  additionalProperties: false,
}

interface Preview extends Occasion {
  template?: Partial<TemplateValues>
  templateId?: string
}

const preview = operation<Preview>({
  permission: contentTemplates.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Preview a template',
  description:
    'Renders a stored template (`templateId`) or the one in the body (`template`) for an item, with the values that the caller may see, in the requested language, or else in that of the requester, or else in that of the tenant. Nothing is stored or sent.',
  body: {
    schema: previewSchema,
    read: recordInBody<Preview>(previewSchema, 'template', contentTemplates.serverSet),
    example: { template: { name: 'Hello', body: 'Hello {{ user.name }}' } },
  },
  reply: { status: 200, schema: renderedSchema, description: 'The rendered text, and the variables without a value.' },
  refusals: [422],
  async run(ctx, { body }) {
    return { body: await renderFor(ctx, await templateOf(ctx, body), body) }
  },
})

async function templateOf(ctx: Context, { template, templateId }: Preview): Promise<TemplateValues> {
  if ((template === undefined) === !templateId)
    throw new Invalid([fault(['template'], 'required', 'either template or templateId is required')])
  if (templateId) {
    const stored = isId(templateId) ? await contentTemplates.find(ctx, templateId) : undefined
    if (!stored) throw unknownReferences([{ entity: 'ContentTemplate', id: templateId, path: ['templateId'] }])
    return stored
  }
  const whole = contentTemplates.completed(template ?? {})
  const faults = templateFaults(whole)
  if (faults.length > 0)
    throw new Invalid(
      faults.map(each => ({ ...each, Field: `template.${each.Field}`, Pointer: `/template${each.Pointer}` })),
    )
  return whole
}

const renderSchema: Schema = {
  type: 'object',
  properties: { itemId: itemRef, locale: language },
  additionalProperties: false,
}

const rendering = operation<Occasion>({
  permission: contentTemplates.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Render a template',
  description:
    'Renders a template for an item, with the values that the caller may see. Values in HTML are escaped, Markdown is converted to HTML, and the HTML is sanitised. A variable without a value is empty and listed in `missing`.',
  body: { schema: renderSchema, read: reader<Occasion>(renderSchema), example: { locale: 'de' } },
  reply: { status: 200, schema: renderedSchema, description: 'The rendered text, and the variables without a value.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const template = await contentTemplates.get(ctx, params.id ?? '')
    if (!template.active) throw new RuleBroken('template-inactive', 'the template is not active')
    return { body: await renderFor(ctx, template, body) }
  },
})

export const routes: Routes = {
  'POST /content-template/preview': preview,
  'POST /content-template/:id/render': rendering,
}
