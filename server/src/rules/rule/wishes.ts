import { isDeepStrictEqual } from 'node:util'
import { Temporal } from 'temporal-polyfill'
import type { Field } from '../../containers/field/field.ts'
import { changeItem } from '../../items/item/change.ts'
import { fieldFinder } from '../../items/item/fields.ts'
import { type Item, items } from '../../items/item/item.ts'
import { readItem, updateSchema } from '../../items/item/item-body.ts'
import { processOf } from '../../items/item/item-process.ts'
import { isClosed } from '../../items/item/status.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/shape.ts'
import { sql } from '../../kernel/sql.ts'
import type { Work } from './act.ts'
import { assigneesFor } from './assignees.ts'
import { amountsFor } from './clock-amounts.ts'
import { vocabularyFor } from './evaluate.ts'
import { propertyNamed, rowsOf } from './event-vocabulary.ts'
import type { Deed } from './log.ts'
import type { Action } from './rule.ts'

/** The actions that change fields of the item: they are gathered, so that they are one change of it. */
const act = {
  set: 0,
  add: 1,
  remove: 2,
  clear: 3,
  adjust: 4,
  copy: 5,
  transition: 6,
  assign: 7,
  move: 8,
  close: 25,
  reopen: 26,
  archive: 27,
  restrict: 31,
} as const

const gathered: ReadonlySet<number> = new Set(Object.values(act))

export const changes = (actionType: number) => gathered.has(actionType)

/** The fields that a rule may set before the commit. */
export const setsField = (actionType: number) => actionType >= act.set && actionType <= act.copy

type Target = { property: string } | { field: Field }

/** What the actions make of an item, before it is written. */
export class Wishes {
  readonly #work: Work
  readonly #item: Item
  readonly #body: Record<string, unknown> = {}
  readonly #custom = new Map<Id, unknown>()
  readonly #deeds: { deed: Deed; target: Target | undefined }[] = []

  constructor(work: Work, item: Item) {
    this.#work = work
    this.#item = item
  }

  /** The body that they come to. */
  get body(): Record<string, unknown> {
    if (this.#custom.size === 0) return this.#body
    return { ...this.#body, Field: [...this.#custom].map(([fieldId, value]) => ({ fieldId, value })) }
  }

  async take(action: Action): Promise<void> {
    const value = await this.#work.written(action.value)
    switch (action.actionType) {
      case act.set:
        return await this.#put(action, () => value)
      case act.clear:
        return await this.#put(action, () => null)
      case act.add:
        return await this.#put(action, now => [...new Set([...listOf(now), ...listOf(value)])])
      case act.remove:
        return await this.#put(action, now =>
          listOf(now).filter(each => !listOf(value).some(gone => alike(gone, each))),
        )
      case act.adjust:
        return await this.#put(action, (now, target) =>
          adjusted(now, String(value ?? ''), kindOf(target), this.#today()),
        )
      case act.copy: {
        const copied = await this.#valueAt(String(value ?? ''))
        return await this.#put(action, () => copied)
      }
      case act.transition:
        return await this.#go(action, String(value ?? ''))
      case act.assign:
        return this.#say(action, { assignees: await assigneesFor(this.#work, this.#item, value) })
      case act.move:
        return this.#say(action, await this.#placeOf(String(value ?? '')))
      case act.close:
        return await this.#close(action)
      case act.reopen:
        return await this.#reopen(action)
      case act.archive:
        return this.#say(action, { archived: true })
      default:
        return this.#say(action, { visibility: 1, restrictedTo: listOf(value).map(String) })
    }
  }

  /** Writes it, as one change; tells what became of each. */
  async write(): Promise<Deed[]> {
    const { ctx } = this.#work
    if (Object.keys(this.body).length > 0)
      await changeItem(ctx, this.#item.id, readItem(this.body, false), { mergeFields: true })
    const after = (await items.find(ctx, this.#item.id)) as Item | undefined
    return this.#deeds.map(({ deed, target }) => {
      if (!target || !after) return deed
      const [was, is] = [heldAt(this.#item, target), heldAt(after, target)]
      return isDeepStrictEqual(was, is)
        ? { ...deed, note: 'it was so already' }
        : { ...deed, before: was ?? null, after: is ?? null }
    })
  }

  #today(): Temporal.PlainDate {
    const { ctx, rule, principal } = this.#work
    return Temporal.Instant.fromEpochMilliseconds(ctx.now.getTime())
      .toZonedDateTimeISO(rule.timezone || principal.timezone)
      .toPlainDate()
  }

  async #put(action: Action, becomes: (now: unknown, target: Target) => unknown): Promise<void> {
    const target = await targetOf(this.#work, action.field, action.value)
    if (!target) throw new RuleBroken('no-such-field', `there is no field called ${action.field}`)
    const { id, actionType, field } = action
    this.#deeds.push({ deed: { id, actionType, field }, target })
    if ('field' in target) {
      const now = this.#custom.has(target.field.id) ? this.#custom.get(target.field.id) : heldAt(this.#item, target)
      this.#custom.set(target.field.id, becomes(now, target))
    } else {
      const { property } = target
      const now = property in this.#body ? this.#body[property] : heldAt(this.#item, target)
      this.#body[property] = fitted(becomes(now, target), updateSchema.properties?.[property])
    }
  }

  #say({ id, actionType }: Action, values: Record<string, unknown>): void {
    for (const [property, value] of Object.entries(values)) {
      this.#body[property] = value
      this.#deeds.push({ deed: { id, actionType, field: property }, target: { property } })
    }
  }

  /** To a state of the workflow, by the id of its step or by its value. */
  async #go(action: Action, step: string): Promise<void> {
    const { states } = await processOf(this.#work.ctx, this.#item.processId)
    for (const [fieldId, byValue] of states) {
      const state = [...byValue.values()].find(each => [each.stepId, each.value].includes(step))
      if (state) return await this.#put({ ...action, field: fieldId }, () => state.value)
    }
    if (states.has('status') || step === '') throw new RuleBroken('no-such-step', `the process has no step ${step}`)
    this.#say(action, { status: step })
  }

  async #close(action: Action): Promise<void> {
    if (isClosed(this.#item.statusCategory)) return this.#say(action, {})
    const { states } = await processOf(this.#work.ctx, this.#item.processId)
    const done = [...(states.get('status')?.values() ?? [])].find(each => each.category === 4)
    this.#say(action, { status: done?.value ?? 'Closed', statusCategory: 4 })
  }

  async #reopen(action: Action): Promise<void> {
    if (!isClosed(this.#item.statusCategory)) return this.#say(action, {})
    const { states } = await processOf(this.#work.ctx, this.#item.processId)
    const all = [...(states.get('status')?.values() ?? [])]
    const open = all.find(each => each.initial) ?? all.find(each => (each.category ?? 0) < 4)
    this.#say(action, { status: open?.value ?? 'Open', statusCategory: open?.category ?? 2, resolution: '' })
  }

  /** A container, or an area with the container that it belongs to. */
  async #placeOf(id: string): Promise<Record<string, unknown>> {
    const { ctx } = this.#work
    const [row] = isId(id)
      ? await ctx.sql<{ containerId: Id | null; areaId: Id | null }>`
        select id as "containerId", null::uuid as "areaId" from container where tenant_id = ${ctx.caller.tenantId} and id = ${id} and not deleted
        union all select case when owner = 1 then owner_id::uuid end, id from area where tenant_id = ${ctx.caller.tenantId} and id = ${id} and not deleted`
      : []
    if (!row) throw new RuleBroken('no-such-place', `there is no container or area ${id}`)
    return {
      ...(row.containerId ? { containerId: row.containerId } : {}),
      ...(row.areaId ? { areaId: row.areaId } : {}),
    }
  }

  /** What a path leads to, as conditions read it. */
  async #valueAt(path: string): Promise<unknown> {
    const { ctx, principal, occurrence } = this.#work
    const found = (await vocabularyFor(ctx, principal)).resolve(path)
    if (!found) throw new RuleBroken('no-such-path', `${path} leads nowhere`)
    const value =
      found.kind === 'set'
        ? sql`(select to_jsonb(array_agg(v.value)) from (${found.elements}) v(value))`
        : sql`to_jsonb(${found.value})`
    const [row] = await ctx.sql<{
      value: unknown
    }>`select ${value} as value from ${rowsOf([occurrence], await amountsFor(ctx, [path], [occurrence]))}
      left join item t on t.tenant_id = ${ctx.caller.tenantId} and t.id = e.item_id`
    return row?.value ?? null
  }
}

const settable = new Set(
  Object.keys(updateSchema.properties ?? {}).filter(each => !['Field', 'Time', 'Meta'].includes(each)),
)

/** Labels are said by their names, unless ids are given. */
async function targetOf({ ctx }: Pick<Work, 'ctx'>, named: string, value: unknown): Promise<Target | undefined> {
  if (/^(tags|labels)$/i.test(named)) return { property: listOf(value).some(isId) ? 'labels' : 'Tags' }
  const property = named.toLowerCase().startsWith('field.') ? undefined : propertyNamed(named)
  if (property && settable.has(property)) return { property }
  const field = (await fieldFinder(ctx))(named.replace(/^field\./i, ''))
  return field && { field }
}

/** The property of a body that a field of an action means. */
export function tagged(named: string): string {
  return /^(tags|labels)$/i.test(named) ? 'Tags' : (propertyNamed(named) ?? named)
}

function heldAt(item: Item, target: Target): unknown {
  return 'field' in target
    ? item.Field.find(each => each.fieldId === target.field.id)?.value
    : Reflect.get(item, target.property)
}

function listOf(value: unknown): unknown[] {
  if (value === null || value === undefined || value === '') return []
  return Array.isArray(value) ? value : [value]
}

/** Labels are the same in any case. */
const alike = (a: unknown, b: unknown) =>
  typeof a === 'string' && typeof b === 'string' ? a.toLowerCase() === b.toLowerCase() : isDeepStrictEqual(a, b)

/** A template gives text: where a number or a truth value belongs, what the text says is taken. */
function fitted(value: unknown, schema: Schema | undefined): unknown {
  const type = schema?.type
  if (type === 'array') return value === null ? null : listOf(value)
  if (typeof value !== 'string') return value
  const text = value.trim()
  if ((type === 'integer' || type === 'number') && text !== '' && Number.isFinite(Number(text))) return Number(text)
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return (schema?.format === 'date' || schema?.format === 'date-time') && text === '' ? null : value
}

function kindOf(target: Target): 'number' | 'date' | 'instant' {
  if ('field' in target) {
    const { fieldType } = target.field
    return fieldType === 'date' ? 'date' : fieldType === 'dateTime' ? 'instant' : 'number'
  }
  const format = updateSchema.properties?.[target.property]?.format
  return format === 'date' ? 'date' : format === 'date-time' ? 'instant' : 'number'
}

const units: Readonly<Record<string, string>> = { h: 'hours', d: 'days', w: 'weeks', m: 'months', y: 'years' }

/** `+2`, `-1.5`; of a date `+2d`, `-1w`, `+P1M`, `+P3D(working)`. A date that is not there is counted from today. */
export function adjusted(
  now: unknown,
  text: string,
  kind: 'number' | 'date' | 'instant',
  today: Temporal.PlainDate,
): unknown {
  const [, sign = '+', amount = '', working] = /^\s*([+-]?)\s*(.+?)\s*(\(working\))?\s*$/i.exec(text) ?? []
  const by = sign === '-' ? -1 : 1
  if (kind === 'number') {
    if (!/^\d+(\.\d+)?$/.test(amount)) throw unreadable(text)
    return Math.round(((typeof now === 'number' ? now : Number(now) || 0) + by * Number(amount)) * 1e9) / 1e9
  }
  const duration = durationOf(amount, text)
  const start = typeof now === 'string' && now !== '' ? now : today.toString()
  if (working && kind === 'date')
    return workingDays(
      Temporal.PlainDate.from(start.slice(0, 10)),
      by * (duration.weeks * 5 + duration.days),
    ).toString()
  const step = by < 0 ? duration.negated() : duration
  if (kind === 'date') return Temporal.PlainDate.from(start.slice(0, 10)).add(step).toString()
  const moment = start.includes('T')
    ? Temporal.Instant.from(start).toZonedDateTimeISO('UTC')
    : today.toZonedDateTime('UTC')
  return moment.add(step).toInstant().toString()
}

function durationOf(amount: string, text: string): Temporal.Duration {
  const [, count = '', unit = ''] = /^(\d{1,6})([hdwmy])$/i.exec(amount) ?? []
  try {
    if (count) return Temporal.Duration.from({ [units[unit.toLowerCase()] ?? 'days']: Number(count) })
    return Temporal.Duration.from(amount)
  } catch {
    throw unreadable(text)
  }
}

/** From Monday to Friday. */
function workingDays(day: Temporal.PlainDate, count: number): Temporal.PlainDate {
  let [at, left] = [day, Math.min(Math.abs(count), 10_000)]
  while (left > 0) {
    at = at.add({ days: Math.sign(count) })
    if (at.dayOfWeek <= 5) left--
  }
  return at
}

function unreadable(text: string): RuleBroken {
  return new RuleBroken('unreadable-adjustment', `${text} is nothing to adjust by`)
}
