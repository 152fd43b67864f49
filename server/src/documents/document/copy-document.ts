import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { bodyOf, operation, type Routes } from '../../kernel/operation.ts'
import { fault, RuleBroken } from '../../kernel/refusal.ts'
import { Name, Parts, Ref, Refs } from '../../kernel/schema/values.ts'
import { parseTemplate, renderTemplate, TemplateFault } from '../../language/liquid.ts'
import { Code } from '../../records/code-table.ts'
import { documentState, documentStates } from '../document-state.ts'
import { belonging, createDocument, documents } from './document.ts'
import { contents } from './document-content.ts'

const copying = Type.Partial(
  Type.Object({
    name: Name(200),
    folderId: Ref('Folder'),
    context: Parts(belonging, [], 100),
    restrictedTo: Refs('UserGroup', 100),
    state: Code(documentStates),
  }),
  { additionalProperties: false },
)

const copy = operation({
  permission: documents.permissions.create,
  mode: 'write',
  summary: 'Make a document of another one',
  description:
    'A new document with the text of this one, and with its folder, context, restriction and access of assistants unless the body names others. The copy of a public document is internal. In the text of a template, `{{ name }}`, `{{ author }}` and `{{ today }}` are filled in.',
  body: bodyOf(copying, { name: 'Minutes of Monday' }),
  reply: { status: 201, schema: documents.schema, description: 'The new document.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const source = await documents.get(ctx, params.id ?? '')
    const text = await contents.get(ctx, source.id)
    const { name = source.name } = body
    const { folderId, context, restrictedTo, aiAccess } = source
    const state = Math.min(source.state, documentState.internal)
    const written = source.template ? filledIn(ctx, text.body, name) : text.body
    const made = await createDocument(
      ctx,
      { folderId, context, restrictedTo, aiAccess, state, ...body, name },
      { body: written, format: text.format },
    )
    return { body: made, version: made.version, headers: { location: `/api/docs/doc/${made.id}` } }
  },
})

/** The text of a template with its values. */
function filledIn({ caller, now }: Context, body: string, name: string): string {
  const today = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: caller.timezone }).format(now)
  try {
    return renderTemplate(parseTemplate(body, 'plain'), { name, author: caller.name, today }, 'plain', caller.timezone)
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error
    const message = `line ${error.line}, column ${error.column}: ${error.message}`
    throw new RuleBroken('template-fault', 'the text of the template is not a valid template', [
      fault(['body'], 'template-fault', message),
    ])
  }
}

export const routes: Routes = { 'POST /docs/doc/:id/copy': copy }
