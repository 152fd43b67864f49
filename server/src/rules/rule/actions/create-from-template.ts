import { makeLink } from '../../../items/link/link.ts'
import { isDate } from '../../../kernel/schema/formats.ts'
import { type ChosenPerson, createTree, itemTemplates } from '../../../plan/item-template/item-template.ts'
import type { ActionContext, StepResult } from './action-context.ts'
import { objectOf } from './text/action-text.ts'

/** What the value of an action says, after its texts were rendered. */
type RenderedValue = Record<string, unknown>

/**
 * Creates the items of a template, in the same container unless another is given, with dates from `anchor` or from today. Those
 * at the top become children of this item or are linked with it, if that is asked for.
 */
export async function createFromTemplate(
  work: ActionContext,
  { templateId, anchor, variables, people, containerId, relation, linkType }: RenderedValue,
): Promise<StepResult> {
  const item = await work.item()
  const template = await itemTemplates.get(work.ctx, String(templateId).toLowerCase())
  const { items, people: chosen } = await createTree(work.ctx, template, {
    containerId: String(containerId ?? item?.containerId ?? '').toLowerCase(),
    anchor: typeof anchor === 'string' && isDate(anchor) ? anchor : work.ctx.now.toISOString().slice(0, 10),
    variables: objectOf(variables),
    people: Object.fromEntries(Object.entries(objectOf(people)).map(([role, user]) => [role, String(user)])),
    ...(item ? { originId: item.id } : {}),
    ...(relation === 'child' && item ? { parentId: item.id } : {}),
  })
  if (item && (relation === 'linked' || linkType))
    for (const { item: made } of items.filter(each => each.parentKey === ''))
      await makeLink(work.ctx, { fromId: item.id, toId: made.id, type: String(linkType ?? '') })
  return { after: items.map(each => each.item.key), ...(chosen.length > 0 ? { reason: reasonOf(chosen) } : {}) }
}

/** Whom the placeholders of the template became, and why; in the log and in dry runs. */
function reasonOf(chosen: readonly ChosenPerson[]): string {
  const told = chosen.map(({ key, use, userId, reason }) => `${key}, ${use}: ${userId || 'nobody'} (${reason})`)
  return [...new Set(told)].join('; ').slice(0, 2000)
}
