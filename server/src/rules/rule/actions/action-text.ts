import { contentTemplates } from '../../../containers/content-template/content-template.ts'
import { renderFor } from '../../../items/template/template.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import { RuleBroken } from '../../../kernel/refusal.ts'
import type { ActionContext } from './action-context.ts'

/** A value of an action that has parts; one that has none has nothing in it. */
export const objectOf = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : {}

/** A text of its own, or that of a template. */
export async function textOf(
  work: ActionContext,
  value: unknown,
): Promise<{ subject: string; body: string; html: string; text: string; format: string; templateId?: Id }> {
  const asked = typeof value === 'string' ? value : String(objectOf(value).templateId ?? '')
  if (!isId(asked.trim())) {
    const body = await work.render(typeof value === 'string' ? value : String(objectOf(value).text ?? ''))
    const subject = await work.render(String(objectOf(value).subject ?? ''))
    return { subject, body, html: '', text: body, format: 'markdown' }
  }
  const template = await contentTemplates.find(work.ctx, asked.trim())
  if (!template?.active) throw new RuleBroken('no-such-template', 'there is no such template, or it is out of use')
  const { itemId } = work.occurrence
  const { subject, body, html, text } = await renderFor(work.ctx, template, itemId ? { itemId } : {})
  return { subject, body, html, text, format: template.format, templateId: template.id }
}
