import { Type } from 'typebox'
import { changeAll } from '../../items/change/change.ts'
import { items } from '../../items/item/item.ts'
import { members, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { bodyOf, operation, type Routes } from '../../kernel/operation.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { Forbidden, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Refs } from '../../kernel/schema/values.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import type { RowSource } from '../../records/row-source.ts'
import { rowsFor } from '../scenario/scenario.ts'
import { proposeDates } from '../scenario/scenario-change.ts'
import { hasMoved } from './dependent-dates.ts'
import { circleOf, type ScheduleItem, schedule } from './schedule.ts'
import { refuseScheduleCycle } from './schedule-cycle.ts'
import { readItems, readLinks, withPredecessors } from './schedule-source.ts'

const maxItems = 5000

const date: Schema = { type: ['string', 'null'], format: 'date' }
const dates = (description: string): Schema => ({
  type: 'object',
  description,
  properties: { startDate: date, dueDate: date },
  required: ['startDate', 'dueDate'],
})

const body = Type.Object(
  {
    containerIds: Type.Optional(Refs('Container', 100)),
    itemIds: Type.Optional(Refs('Item', maxItems)),
    apply: Type.Optional(Type.Boolean({ description: 'Writes the dates; otherwise they are only returned.' })),
    scenario: Type.Optional(
      Type.String({
        maxLength: 36,
        description: 'Schedules the items as this scenario makes them, and writes their dates into it.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** Computes the dates of items from their links, parents and calendars, and writes them if asked to. */
const run = operation({
  permission: permission('plan.schedule', members),
  placed: true,
  mode: 'write',
  summary: 'Schedule items',
  description: `Computes when the items of containers, or the given ones, can be worked on, in whole working days of their containers' clocks. Each item has its \`dates\`, the earliest and the latest ones, \`floatDays\` (by how many working days it can be late), \`critical\`, and \`because\`: the link, the constraint or the children that determined new dates, and the closed days before them. Fixed and closed items are not moved; what they do not meet is in \`conflicts\`. A circle through links and parents is refused (422 \`schedule-cycle\` with \`path\`), and so are more than ${maxItems} items (422 \`too-large\`). With \`apply\` the items are changed with the rights of the caller, all or none; with \`scenario\` the dates are proposed there.`,
  body: bodyOf(body, { containerIds: ['01890000-0000-7000-8000-000000000000'], apply: false }),
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'Schedule',
      properties: {
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string' },
              dates: dates('The dates by this schedule.'),
              early: dates('The earliest dates that links allow.'),
              late: dates('The latest dates that do not move the end.'),
              floatDays: { type: ['integer', 'null'] },
              critical: { type: 'boolean' },
              because: {
                type: ['object', 'null'],
                properties: {
                  linkId: { type: 'string' },
                  constraint: { type: 'string', enum: ['startNoEarlier'] },
                  parent: { type: 'boolean' },
                  skipped: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: { date, reason: { type: 'string' }, name: { type: 'string' } },
                      required: ['date', 'reason'],
                    },
                  },
                },
              },
            },
            required: ['id', 'dates', 'early', 'late', 'floatDays', 'critical', 'because'],
          },
        },
        conflicts: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string' },
              linkId: { type: ['string', 'null'] },
              reason: { type: 'string', enum: ['fixed', 'closed'] },
              earliest: date,
            },
            required: ['id', 'linkId', 'reason', 'earliest'],
          },
        },
        moved: { type: 'array', items: { type: 'string' }, description: 'The items whose dates change.' },
        applied: { type: 'boolean' },
      },
      required: ['items', 'conflicts', 'moved', 'applied'],
    },
    description: 'The schedule.',
  },
  refusals: [422],
  async run(ctx, { body: { containerIds = [], itemIds = [], apply = false, scenario } }) {
    refuseHiddenDates(ctx)
    const source = await rowsFor(ctx, scenario)
    const found = await itemsOf(ctx, containerIds, itemIds, source)
    const ids = found.map(each => each.id)
    const links = await readLinks(ctx, ids)
    const all = await withPredecessors(ctx, found, links, source)
    const circle = circleOf(all, links)
    if (circle) throw await refuseScheduleCycle(ctx, circle)
    const result = schedule(all, links)
    if ('circle' in result) throw await refuseScheduleCycle(ctx, result.circle)
    const before = new Map(found.map(each => [each.id, each]))
    const moved = result.items.filter(each => hasMoved(before.get(each.id), each.dates))
    if (apply && moved.length > 0 && scenario !== undefined) await proposeDates(ctx, scenario, moved)
    else if (apply && moved.length > 0)
      await changeAll(
        ctx,
        moved.map(({ id, dates: patch }) => ({ id, read: { patch, warnings: [] } })),
      )
    return { body: { ...result, moved: moved.map(each => each.id), applied: apply } }
  },
})

/** A schedule consists of dates, and dates of some items follow from those of others. */
function refuseHiddenDates({ caller, services }: Context): void {
  const hidden = ['startDate', 'dueDate', 'startNoEarlier'].find(each =>
    services.redaction.hidesSomewhere(caller, 'Item', each),
  )
  if (hidden) throw new Forbidden(`${hidden} of items is hidden from the caller`)
}

/** The items that the caller sees, of containers or by id. */
async function itemsOf(
  ctx: Context,
  containerIds: readonly Id[],
  itemIds: readonly Id[],
  source: RowSource,
): Promise<ScheduleItem[]> {
  if (containerIds.length === 0 && itemIds.length === 0)
    throw new Invalid([fault(['containerIds'], 'required', 'containerIds or itemIds are required')])
  const named = (entity: string, property: string, ids: readonly Id[]) =>
    ids.map((id, i) => ({ entity, id: id.toLowerCase(), path: [property, i] }))
  await refuseUnknown(ctx, [...named('Container', 'containerIds', containerIds), ...named('Item', 'itemIds', itemIds)])
  const within: Sql = sql`(t.container_id = any(${containerIds}::uuid[]) or t.id = any(${itemIds}::uuid[]))`
  const found = await readItems(
    ctx,
    sql`${within} and ${items.visible(ctx.caller, raw('t'))} and not t.archived`,
    sql`limit ${maxItems + 1}`,
    source,
  )
  if (found.length > maxItems)
    throw new RuleBroken('too-large', `more than ${maxItems} items; schedule some of the containers`)
  return found
}

export const routes: Routes = {
  'POST /plan/schedule': run,
}
