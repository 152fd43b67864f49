import { contentTemplates } from '../../../../containers/content-template/content-template.ts'
import { renderFor } from '../../../../desk/template/template.ts'
import { type Id, isId } from '../../../../kernel/id.ts'
import { RuleBroken } from '../../../../kernel/refusal.ts'
import type { ActionContext } from '../action-context.ts'
import { templateEvent } from './template-renderer.ts'

/** Returns the value of an action as an object; any other value becomes an empty one. */
export const objectOf = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : {}

/** Returns the text of an action, or that of the content template that it names. */
export async function textOf(
  work: ActionContext,
  value: unknown,
): Promise<{ subject: string; body: string; html: string; text: string; format: string; templateId?: Id }> {
  const templateId = (typeof value === 'string' ? value : String(objectOf(value).templateId ?? '')).trim()
  if (!isId(templateId)) {
    const body = await work.render(typeof value === 'string' ? value : String(objectOf(value).text ?? ''))
    const subject = await work.render(String(objectOf(value).subject ?? ''))
    return { subject, body, html: '', text: body, format: 'markdown' }
  }
  const template = await contentTemplates.find(work.ctx, templateId)
  if (!template?.active) throw new RuleBroken('no-such-template', 'the template does not exist or is inactive')
  const { itemId } = work.occurrence
  const event = await templateEvent(work.ctx, work.rule, work.occurrence)
  const { subject, body, html, text } = await renderFor(work.ctx, template, itemId ? { itemId } : {}, event)
  return { subject, body, html, text, format: template.format, templateId: template.id }
}
