import { shownTo } from '../../containers/redaction/redaction.ts'
import { entriesOf } from '../../desk/checklist/checklist.ts'
import { type Item, items } from '../../items/item/item.ts'
import { subtree } from '../../items/subtree.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { calendarsOf } from '../schedule/schedule-source.ts'
import { weekdays } from '../schedule/work-calendar.ts'
import { type DateOffset, offsetOf } from './date-offset.ts'
import { type ItemTemplateValues, maxLinks, maxNodes, type TemplateLink, type TemplateNode } from './template-shape.ts'
import { literal } from './template-tree.ts'

/** How an existing tree becomes a template: the day that its dates are counted from, in which days. */
interface FromItem {
  anchor?: string | null | undefined
  working?: boolean | undefined
}

/** The tree below an item as the parts of a template, as far as the caller sees it, without what was done. */
export async function templateOf(
  ctx: Context,
  id: Id,
  { anchor, working = false }: FromItem,
): Promise<Pick<ItemTemplateValues, 'items' | 'links'>> {
  const tree = await subtree(ctx, (await items.get(ctx, id)).id)
  if (tree.length > maxNodes) throw new RuleBroken('too-many-items', `a template has at most ${maxNodes} items`)
  const read: Item[] = []
  for (const each of tree) read.push(await items.get(ctx, each.id))
  // What is hidden from the caller must not become part of a template that others use.
  const shown = await shownTo(ctx, read)
  const from = anchor ?? firstDate(shown) ?? ctx.now.toISOString().slice(0, 10)
  const calendars = await calendarsOf(ctx, [...new Set(shown.map(each => each.containerId))])
  const keys = new Map(shown.map(each => [each.id, each.key]))
  const nodes: TemplateNode[] = []
  for (const [i, item] of shown.entries()) {
    const calendar = calendars.get(item.containerId) ?? weekdays
    const offset = (date: string | null | undefined) => (date ? offsetOf(calendar, from, date, working) : undefined)
    const entries = (await entriesOf(ctx, item.id)).map(each => each.text)
    nodes.push(nodeOf(item, i === 0 ? '' : (keys.get(item.parentId) ?? ''), offset, entries))
  }
  return { items: nodes, links: await linksWithin(ctx, keys) }
}

function firstDate(all: readonly Item[]): string | undefined {
  return all
    .flatMap(each => [each.startDate, each.dueDate])
    .filter(each => typeof each === 'string')
    .sort()[0]
}

function nodeOf(
  item: Item,
  parentKey: string,
  offset: (date: string | null | undefined) => DateOffset | undefined,
  checklist: string[],
): TemplateNode {
  const [start, due] = [offset(item.startDate), offset(item.dueDate)]
  const { description = '', processId, priority, severity, labels = [], assignees = [] } = item
  return {
    key: item.key,
    parentKey,
    title: literal(item.title),
    ...(description ? { description: literal(description) } : {}),
    ...(processId ? { processId } : {}),
    ...(priority ? { priority } : {}),
    ...(severity ? { severity } : {}),
    ...(labels.length > 0 ? { labels } : {}),
    ...(assignees.length > 0 ? { assignees } : {}),
    ...(item.estimateMinutes ? { estimateMinutes: item.estimateMinutes } : {}),
    ...(item.points ? { points: item.points } : {}),
    ...(start ? { start } : {}),
    ...(due ? { due } : {}),
    ...(item.Field.length > 0 ? { Field: item.Field.map(({ fieldId, value }) => ({ fieldId, value })) } : {}),
    ...(checklist.length > 0 ? { checklist } : {}),
  }
}

/** The links between items of the tree. */
async function linksWithin(ctx: Context, keys: ReadonlyMap<Id, string>): Promise<TemplateLink[]> {
  const ids = [...keys.keys()]
  const rows = await ctx.sql<{ fromId: Id; toId: Id; type: Id; lagDays: number }>`
    select l.from_id as "fromId", l.to_id as "toId", l.type, l.lag_days as "lagDays" from link l
    where l.tenant_id = ${ctx.caller.tenantId} and l.from_id = any(${ids}::uuid[]) and l.to_id = any(${ids}::uuid[]) and not l.deleted
    order by l.id limit ${maxLinks}`
  return rows.map(({ fromId, toId, type, lagDays }) => ({
    from: keys.get(fromId) ?? '',
    to: keys.get(toId) ?? '',
    type,
    ...(lagDays === 0 ? {} : { lagDays }),
  }))
}
