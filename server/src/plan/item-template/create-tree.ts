import { containers } from '../../containers/container/container.ts'
import { render, TemplateFault } from '../../containers/content-template/content-template.ts'
import { addEntries } from '../../desk/checklist/checklist.ts'
import { startWatching, watchReason } from '../../desk/watch/watch.ts'
import { createEach, type Draft, draftItem } from '../../items/create/create.ts'
import { type Item, items } from '../../items/item/item.ts'
import { type ItemPatch, readItem } from '../../items/item-body/item-body.ts'
import { makeLink } from '../../items/link/link.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { Conflict, Forbidden, fault, Invalid, NotFound, type Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { type Attempt, attemptEach, refuseAll } from '../../records/input/attempt-each.ts'
import { ancestorsOf } from '../../records/tree.ts'
import { calendarsOf } from '../schedule/schedule-source.ts'
import { type WorkCalendar, weekdays } from '../schedule/work-calendar.ts'
import { dateAt } from './date-offset.ts'
import { type ChosenPerson, choosePeople } from './template-people.ts'
import type { ItemTemplate, TemplateNode } from './template-shape.ts'
import { maxLevels } from './template-tree.ts'

/** Where and when the items of a template are created, and the values of its variables. */
export interface TreeInput {
  containerId: Id
  anchor: string
  variables?: Record<string, unknown> | undefined
  parentId?: Id | undefined
  /** The users for job roles, by the id or the code of the role. */
  people?: Record<string, string> | undefined
  /** The item whose requester and creator placeholders mean; the parent by default. */
  originId?: Id | undefined
}

interface CreatedTree {
  items: { key: string; parentKey: string; item: Item }[]
  people: ChosenPerson[]
  warnings: string[]
}

/**
 * Creates the items of a template with their links and checklists, all or none. Every item is checked like one that is created by
 * itself; the faults of all of them are reported together.
 */
export async function createTree(ctx: Context, template: ItemTemplate, input: TreeInput): Promise<CreatedTree> {
  if (!template.active) throw new RuleBroken('template-inactive', 'the template is not active')
  const work = await prepare(ctx, template, input)
  const attempts = await attemptEach(ctx, template.items, node => draftNode(ctx, work, node))
  refuse(attempts, 'items')
  const drafts = attempts.flatMap(each => (each.refusal ? [] : [each.value]))
  const ids = new Map(template.items.map(({ key = '' }, i) => [key, drafts[i]?.id ?? '']))
  for (const [i, { parentKey = '' }] of template.items.entries()) {
    const draft = drafts[i]
    if (draft && parentKey !== '') draft.values.parentId = ids.get(parentKey) ?? ''
  }
  await store(ctx, drafts)
  await addChecklists(ctx, template, ids, work)
  await addWatchers(ctx, template, ids, work)
  await addLinks(ctx, template, ids)
  const made: CreatedTree['items'] = []
  for (const { key = '', parentKey = '' } of template.items)
    made.push({ key, parentKey, item: await items.get(ctx, ids.get(key) ?? '') })
  const warnings = [...new Set([...work.warnings, ...drafts.flatMap(each => each.warnings)])]
  return { items: made, people: work.people, warnings }
}

interface TreeWork {
  input: TreeInput
  calendar: WorkCalendar
  scope: Record<string, unknown>
  people: ChosenPerson[]
  warnings: string[]
}

async function prepare(ctx: Context, template: ItemTemplate, input: TreeInput): Promise<TreeWork> {
  const container = await containers.get(ctx, input.containerId)
  // Below the parent, the whole tree must fit.
  if (input.parentId && (await ancestorsOf(ctx, items, input.parentId)).length + maxLevels > maxItemLevels)
    throw new RuleBroken('too-deep', `items nest at most ${maxItemLevels} deep`)
  const calendar = (await calendarsOf(ctx, [container.id])).get(container.id) ?? weekdays
  const scope = {
    anchor: input.anchor,
    container: { name: container.name, key: container.key },
    ...input.variables,
  }
  const missing = template.variables.filter(path => !hasValue(scope, path.split('.')))
  const chosen = await choosePeople(ctx, template, { ...input, originId: input.originId ?? input.parentId })
  const warnings = [...missing.map(path => `the variable ${path} has no value`), ...chosen.warnings]
  return { input, calendar, scope, people: chosen.people, warnings }
}

const maxItemLevels = 50

function hasValue(scope: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return scope !== undefined && scope !== null && scope !== ''
  if (scope === null || typeof scope !== 'object' || !Object.hasOwn(scope, name)) return false
  return hasValue(Reflect.get(scope, name), rest)
}

/** Drafts one item, as if it were at the top; its parent is not stored yet. */
async function draftNode(ctx: Context, work: TreeWork, node: TemplateNode): Promise<Draft> {
  const { input, calendar, scope } = work
  const { parentKey = '', start, due, assignCreator, assignees = [], ...rest } = node
  const {
    key,
    checklist: _entries,
    checklistBy: _by,
    assignTo: _to,
    watchers: _users,
    watchedBy: _watch,
    ...given
  } = rest
  const people = [...assignees, ...(assignCreator ? [ctx.caller.userId] : []), ...chosenFor(work, key, 'assignee')]
  const { subject, body } = rendered(given, scope, ctx.caller.timezone)
  const patch: ItemPatch = {
    ...given,
    title: subject,
    description: body,
    containerId: input.containerId,
    ...(parentKey === '' && input.parentId ? { parentId: input.parentId } : {}),
    ...(start ? { startDate: dateAt(calendar, input.anchor, start) } : {}),
    ...(due ? { dueDate: dateAt(calendar, input.anchor, due) } : {}),
    ...(people.length > 0 ? { assignees: [...new Set(people)] } : {}),
  }
  return await draftItem(ctx, readItem(patch, true))
}

/** The users that were chosen for placeholders of an item. */
function chosenFor({ people }: TreeWork, key: string | undefined, use: ChosenPerson['use'], entry?: number): Id[] {
  return people
    .filter(each => each.key === key && each.use === use && each.userId !== '' && each.entry === (entry ?? null))
    .map(each => each.userId)
}

/** The title and the description with the values of the variables. */
function rendered({ title = '', description = '' }: TemplateNode, scope: object, timezone: string) {
  try {
    return render({ subject: title, body: description, format: 'text', locales: {} }, { ...scope }, { timezone })
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error
    throw new Invalid([fault(['title'], 'template', error.message)])
  }
}

async function store(ctx: Context, drafts: readonly Draft[]): Promise<void> {
  const { made, refused } = await createEach(ctx, drafts)
  refuse(
    drafts.map(({ id }): Attempt<Id> => {
      const refusal = refused.get(id)
      return refusal ? { refusal } : { value: id }
    }),
    'items',
  )
  if (made.length < drafts.length)
    throw new Conflict('container-changed', 'the container was archived or deleted during the request')
}

async function addChecklists(
  ctx: Context,
  template: ItemTemplate,
  ids: ReadonlyMap<string, Id>,
  work: TreeWork,
): Promise<void> {
  for (const { key = '', checklist = [], checklistBy = [] } of template.items) {
    if (checklist.length === 0) continue
    const entries = checklist.map((text, n) => {
      const named = checklistBy.find(each => each.entry === n && each.userId)?.userId
      const [assigneeId = named] = chosenFor(work, key, 'checklist', n)
      return { text, ...(assigneeId ? { assigneeId } : {}) }
    })
    await addEntries(ctx, await items.get(ctx, ids.get(key) ?? ''), entries)
  }
}

/** Managers have named them in the template, so that whoever uses it needs no right to make others watch. */
async function addWatchers(
  ctx: Context,
  template: ItemTemplate,
  ids: ReadonlyMap<string, Id>,
  work: TreeWork,
): Promise<void> {
  for (const { key = '', watchers = [] } of template.items)
    await startWatching(
      ctx,
      [ids.get(key) ?? ''],
      [...watchers, ...chosenFor(work, key, 'watcher')],
      watchReason.manual,
    )
}

async function addLinks(ctx: Context, template: ItemTemplate, ids: ReadonlyMap<string, Id>): Promise<void> {
  const attempts = await attemptEach(ctx, template.links, async ({ from = '', to = '', type = '', lagDays = 0 }) => {
    await makeLink(ctx, { fromId: ids.get(from) ?? '', toId: ids.get(to) ?? '', type, lagDays })
  })
  refuse(attempts, 'links')
}

/** Refuses everything if one part is refused, with the place of each fault in the template; a lack of rights is told as such. */
function refuse(attempts: readonly Attempt<unknown>[], property: 'items' | 'links'): void {
  const refusals = attempts.flatMap(({ refusal }) => (refusal ? [refusal] : []))
  const rights = refusals.find(each => each instanceof Forbidden || each instanceof NotFound || each.status === 403)
  if (rights) throw rights
  refuseAll(attempts, n => [property, n], refusals.map(asResult))
}

function asResult({ status, code, message, faults }: Refusal): object {
  return { status, code, detail: message, Fields: faults }
}
