import { isDeepStrictEqual } from 'node:util'
import type { Action } from '../../../containers/action/action.ts'
import type { Field } from '../../../containers/field/field.ts'
import { changeAll, type LockedItem } from '../../../items/change/change.ts'
import { fieldFinder } from '../../../items/fields/fields.ts'
import type { Item } from '../../../items/item/item.ts'
import { readItem, updateSchema } from '../../../items/item-body/item-body.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import { NotFound, RuleBroken } from '../../../kernel/refusal.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import { propertyNamed } from '../engine/event-vocabulary.ts'
import type { ActionResult } from '../log/log.ts'
import type { ActionContext } from './action-context.ts'

/** The target of an action: a property of the item, or a custom field. */
export type PatchTarget = { property: string } | { field: Field }

/** Collects the changes of several actions to an item, and writes them as one change. */
export class PatchBuilder {
  readonly work: ActionContext
  /** The item before the first action. */
  readonly item: Item
  readonly #locked: LockedItem | undefined
  readonly #body: Record<string, unknown> = {}
  readonly #custom = new Map<Id, unknown>()
  /** The properties of the item that have another value after `write`. */
  readonly changed = new Set<string>()
  readonly #results: { result: ActionResult; target: PatchTarget | undefined }[] = []

  constructor(work: ActionContext, item: Item, locked?: LockedItem) {
    this.work = work
    this.item = item
    this.#locked = locked
  }

  /** Changes the field that the action names. */
  async put(action: Action, becomes: (now: unknown, target: PatchTarget) => unknown): Promise<void> {
    const target = await targetOf(this.work, action.field, action.value)
    if (!target) throw new RuleBroken('no-such-field', `there is no field called ${action.field}`)
    const { id, actionType, field } = action
    this.#results.push({ result: { id, actionType, field }, target })
    if ('field' in target) {
      const now = this.#custom.has(target.field.id)
        ? this.#custom.get(target.field.id)
        : currentValue(this.item, target)
      this.#custom.set(target.field.id, becomes(now, target))
    } else {
      const { property } = target
      const now = property in this.#body ? this.#body[property] : currentValue(this.item, target)
      this.#body[property] = coerced(becomes(now, target), updateSchema.properties?.[property])
    }
  }

  /** Sets properties that follow from the action itself; the log tells `why`. */
  assign({ id, actionType }: Action, values: Record<string, unknown>, why: Pick<ActionResult, 'reason'> = {}): void {
    for (const [property, value] of Object.entries(values)) {
      this.#body[property] = value
      this.#results.push({ result: { id, actionType, field: property, ...why }, target: { property } })
    }
  }

  /** Notes why an action is not performed. */
  leaveOut({ id, actionType }: Action, note: string): void {
    this.#results.push({ result: { id, actionType, note }, target: undefined })
  }

  /** Writes the patch and returns the result of each action. */
  async write(): Promise<ActionResult[]> {
    const after = await this.#change()
    this.work.changed()
    for (const property of Object.keys(after))
      if (!isDeepStrictEqual(Reflect.get(after, property), Reflect.get(this.item, property))) this.changed.add(property)
    return this.#results.map(({ result, target }) => {
      if (!target) return result
      const [was, is] = [currentValue(this.item, target), currentValue(after, target)]
      return isDeepStrictEqual(was, is)
        ? { ...result, note: 'the value is unchanged' }
        : { ...result, before: was ?? null, after: is ?? null }
    })
  }

  /** Returns the item after the change. */
  async #change(): Promise<Item> {
    const body = this.#whole()
    if (Object.keys(body).length === 0) return this.item
    const locked = this.#locked ? { locked: this.#locked } : {}
    const [result] = await changeAll(this.work.ctx, [{ id: this.item.id, read: readItem(body, false), ...locked }])
    if (!result) throw new NotFound()
    return result.item
  }

  #whole(): Record<string, unknown> {
    if (this.#custom.size === 0) return this.#body
    return { ...this.#body, Field: [...this.#custom].map(([fieldId, value]) => ({ fieldId, value })) }
  }
}

const settable = new Set(
  Object.keys(updateSchema.properties ?? {}).filter(each => !['Field', 'Time', 'Meta'].includes(each)),
)

/** Labels are set by name (`Tags`), or by id (`labels`) if the value has ids. */
export async function targetOf(
  { ctx }: Pick<ActionContext, 'ctx'>,
  named: string,
  value: unknown,
): Promise<PatchTarget | undefined> {
  if (/^(tags|labels)$/i.test(named)) return { property: listOf(value).some(isId) ? 'labels' : 'Tags' }
  const property = named.toLowerCase().startsWith('field.') ? undefined : propertyNamed(named)
  if (property && settable.has(property)) return { property }
  const field = (await fieldFinder(ctx))(named.replace(/^field\./i, ''))
  return field && { field }
}

/** Returns the property of a ticket body that the field of an action names. */
export function ticketProperty(named: string): string {
  return /^(tags|labels)$/i.test(named) ? 'Tags' : (propertyNamed(named) ?? named)
}

function currentValue(item: Item, target: PatchTarget): unknown {
  return 'field' in target
    ? item.Field.find(each => each.fieldId === target.field.id)?.value
    : Reflect.get(item, target.property)
}

/** Returns a value as a list: an empty value becomes an empty list, a single value a list of one. */
export function listOf(value: unknown): unknown[] {
  if (value === null || value === undefined || value === '') return []
  return Array.isArray(value) ? value : [value]
}

/** Converts the text that a template renders to the type of the property. */
function coerced(value: unknown, schema: Schema | undefined): unknown {
  const type = schema?.type
  if (type === 'array') return value === null ? null : listOf(value)
  if (typeof value !== 'string') return value
  const text = value.trim()
  if ((type === 'integer' || type === 'number') && text !== '' && Number.isFinite(Number(text))) return Number(text)
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return (schema?.format === 'date' || schema?.format === 'date-time') && text === '' ? null : value
}
