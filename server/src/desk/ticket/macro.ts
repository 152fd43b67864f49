import { type Action, action } from '../../containers/action/action.ts'
import { actionsOf, contentTemplates } from '../../containers/content-template/content-template.ts'
import { fieldFinder } from '../../items/fields/fields.ts'
import { processOf } from '../../items/item-process/item-process.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import { annotationKind } from '../annotation/annotation.ts'
import { createAnnotation } from '../annotation/create-annotation.ts'
import { assignNext } from '../assignment/assign-next.ts'
import { type AssignTarget, readAssignTarget } from '../assignment/assignment.ts'
import { renderFor } from '../template/template.ts'
import { lockTicket } from './read-ticket.ts'
import type { Ticket } from './ticket.ts'
import { closeTicket, reopenTicket } from './ticket-actions.ts'
import { readTicketBody, updateSchema } from './ticket-body.ts'
import { changeTicket } from './write-ticket.ts'

/** Runs a macro in one transaction: first its changes, then its texts. Returns warnings about what it could not do. */
export async function runMacro(ctx: Context, id: Id, templateId: string, locale?: string): Promise<string[]> {
  const ticket = await lockTicket(ctx, id)
  const template = isId(templateId) ? await contentTemplates.find(ctx, templateId) : undefined
  if (!template) throw unknownReferences([{ entity: 'ContentTemplate', id: templateId, path: ['templateId'] }])
  if (!template.active) throw new RuleBroken('template-inactive', 'the template is not active')
  const actions = actionsOf(template)
  const warnings: string[] = []
  const change = new MacroChange(ctx, ticket, warnings)
  for (const each of actions) await change.add(each)
  if (Object.keys(change.body).length > 0) {
    const written = await changeTicket(ctx, ticket.id, readTicketBody(change.body, false))
    warnings.push(...written.warnings)
  }
  for (const { groupId, terms } of change.groups) await assignNext(ctx, ticket.id, groupId, terms)
  for (const { actionType } of actions) {
    if (actionType === action.close) await closeTicket(ctx, ticket.id, {})
    if (actionType === action.reopen) await reopenTicket(ctx, ticket.id)
  }
  // The text is rendered last, because it may refer to what the actions have just changed.
  const { body, missing } = await renderFor(ctx, template, { itemId: ticket.id, ...(locale ? { locale } : {}) })
  warnings.push(...missing.map(path => `${path} was empty`))
  for (const { kind, text } of messagesOf(actions, body))
    warnings.push(
      ...(await createAnnotation(ctx, { itemId: ticket.id, kind, body: text, bodyFormat: template.format })).warnings,
    )
  return warnings
}

/** The texts to write: the macro’s text as a reply, unless an action makes it a note or has a text of its own. */
function messagesOf(actions: readonly Action[], body: string): { kind: number; text: string }[] {
  const saying = actions.filter(({ actionType }) => actionType === action.addNote || actionType === action.reply)
  const wanted = saying.map(({ actionType, value }) => ({
    kind: actionType === action.addNote ? annotationKind.note : annotationKind.reply,
    text: typeof value === 'string' && value !== '' ? value : body,
  }))
  const all = saying.length > 0 ? wanted : [{ kind: annotationKind.reply, text: body }]
  return all.filter(({ text }) => text.trim() !== '')
}

/** Collects what the actions change, so that the ticket is changed once. */
class MacroChange {
  readonly body: Record<string, unknown> = {}
  readonly groups: Extract<AssignTarget, { groupId: Id }>[] = []
  readonly #ctx: Context
  readonly #ticket: Ticket
  readonly #warnings: string[]

  constructor(ctx: Context, ticket: Ticket, warnings: string[]) {
    this.#ctx = ctx
    this.#ticket = ticket
    this.#warnings = warnings
  }

  async add({ actionType, field, value }: Action): Promise<void> {
    switch (actionType) {
      case action.setField:
        return await this.#put(field, () => value)
      case action.clearField:
        return await this.#put(field, () => null)
      case action.addToList:
        return await this.#put(field, now => [...new Set([...listOf(now), ...listOf(value)])])
      case action.removeFromList:
        return await this.#put(field, now => listOf(now).filter(each => !listOf(value).includes(each)))
      case action.transition:
        return await this.#go(String(value ?? ''))
      case action.assign:
        return await this.#assign(value)
      case action.addNote:
      case action.reply:
      case action.close:
      case action.reopen:
        return
      default:
        this.#warnings.push(`action ${actionType} does not apply to tickets`)
    }
  }

  async #put(named: string, becomes: (now: unknown) => unknown): Promise<void> {
    const property = settable.get(named.toLowerCase())
    if (property) {
      this.body[property] = becomes(this.body[property] ?? Reflect.get(this.#ticket, property))
      return
    }
    const field = (await fieldFinder(this.#ctx))(named.replace(/^field\./, ''))
    if (!field) {
      this.#warnings.push(`there is no field called ${named}`)
      return
    }
    const all = (this.body.Field ?? this.#ticket.Field) as { fieldId: Id; value: unknown }[]
    const now = all.find(each => each.fieldId === field.id)?.value
    this.body.Field = [
      ...all.filter(each => each.fieldId !== field.id),
      { fieldId: field.id, value: becomes(now) },
    ].map(({ fieldId, value }) => ({ fieldId, value }))
  }

  /** Moves the ticket to a state of the workflow, named by the id of its step or by its value. */
  async #go(step: string): Promise<void> {
    const { states } = await processOf(this.#ctx, this.#ticket.processId)
    for (const [fieldId, byValue] of states) {
      const state = [...byValue.values()].find(each => [each.stepId, each.value].includes(step))
      if (state) return await this.#put(fieldId, () => state.value)
    }
    if (states.size === 0 && step !== '') return await this.#put('status', () => step)
    this.#warnings.push(`the process has no step ${step}`)
  }

  /** Assigns the ticket to a user, or later to the next member of a group. */
  async #assign(value: unknown): Promise<void> {
    const target = await readAssignTarget(this.#ctx, value)
    if (!target) this.#warnings.push(`there is no user or group ${JSON.stringify(value ?? '')}`)
    else if ('userId' in target) this.body.assignees = [target.userId]
    else this.groups.push(target)
  }
}

const settable = new Map(
  Object.keys(updateSchema.properties ?? {})
    .filter(property => !['Field', 'Time', 'Meta'].includes(property))
    .map(property => [property.toLowerCase(), property]),
)

function listOf(value: unknown): unknown[] {
  if (value === null || value === undefined || value === '') return []
  return Array.isArray(value) ? value : [value]
}
