import { items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import { idOf } from '../../kernel/crud.ts'
import { appendEvents } from '../../kernel/events.ts'
import type { Id } from '../../kernel/id.ts'
import { type Input, operation, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid, NotFound, RuleBroken } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { ActingScopes, LocalDate, Part, Text, TimeOfDay, Timezone } from '../../kernel/schema/values.ts'
import { occurrences, type Recurrence, rruleFault } from '../../language/recurrence/recurrence.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'

/**
 * `schedule` makes a copy at each time, `onClose` makes a copy when the item is closed, `rolling` reopens the item
 * itself.
 */
export const recurrenceMode = { schedule: 0, onClose: 1, rolling: 2 } as const
const recurrenceModes = codeTableOfCodes('recurrence.mode', recurrenceMode)

/** The stored recurrence of an item. */
export interface ItemRecurrence extends Recurrence {
  itemId: Id
  mode: number
  ownerId: Id
  scopes: string[]
  nextAt: Date | null
  lastAt: Date | null
  made: number
  lastError: string
}

const inputProperties = {
  rule: Text(500, { minLength: 1, description: 'An RRULE (RFC 5545), daily or less often: `FREQ=WEEKLY;BYDAY=MO`.' }),
  mode: Code(recurrenceModes, {
    description:
      '0 creates a copy at each time, 1 creates a copy for the next time when the item is closed, 2 reopens the item itself for the next time when it is closed.',
  }),
  day: LocalDate,
  at: TimeOfDay,
  timezone: Timezone,
}

interface RecurrenceInput {
  rule: string
  mode?: number
  day?: string | null
  at?: string
  timezone?: string
}

const requestSchema = Part(inputProperties, ['rule'])

const answerSchema: Schema = {
  type: 'object',
  title: 'ItemRecurrence',
  properties: {
    itemId: { type: 'string' },
    rule: { type: 'string' },
    mode: Code(recurrenceModes),
    day: {
      type: 'string',
      description:
        'The first day. The dates of a copy have the same distance from its day as the item’s dates from this one.',
    },
    at: { type: 'string' },
    timezone: { type: 'string' },
    ownerId: { type: 'string', description: 'The user who set the recurrence, with whose permissions it runs.' },
    scopes: ActingScopes,
    upcoming: { type: 'array', items: { type: 'string' }, description: 'The next five times.' },
    lastAt: { type: ['string', 'null'] },
    made: { type: 'integer', description: 'How often the item was repeated so far.' },
    lastError: { type: 'string', description: 'Why the last repetition failed.' },
  },
  required: [
    'itemId',
    'rule',
    'mode',
    'day',
    'at',
    'timezone',
    'ownerId',
    'scopes',
    'upcoming',
    'lastAt',
    'made',
    'lastError',
  ],
}

export async function findRecurrence(ctx: Context, itemId: Id): Promise<ItemRecurrence | undefined> {
  const [row] =
    await ctx.sql<ItemRecurrence>`select item_id as "itemId", rule, mode, to_char(day, 'YYYY-MM-DD') as day, at, timezone,
      owner_id as "ownerId", scopes, next_at as "nextAt", last_at as "lastAt", made, last_error as "lastError"
    from item_recurrence where tenant_id = ${ctx.caller.tenantId} and item_id = ${itemId} for update`
  return row
}

function shown(given: ItemRecurrence, now: Date): object {
  const { nextAt: _due, ...rest } = given
  return { ...rest, upcoming: occurrences(given, now, 5).map(each => each.toInstant().toString()) }
}

const get = operation({
  permission: items.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Get the recurrence of an item',
  description: 'The rule, the next five times, and the results so far.',
  reply: { status: 200, schema: answerSchema, description: 'The recurrence.' },
  refusals: [404],
  async run(ctx, input) {
    const { id } = await items.get(ctx, idOf(input))
    const found = await findRecurrence(ctx, id)
    if (!found) throw new NotFound('recurrence')
    return { body: shown(found, ctx.now) }
  },
})

const put = operation<RecurrenceInput>({
  permission: items.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Set the recurrence of an item',
  description:
    'Sets the rule by which the item is copied or reopened. It runs with the permissions of the user who sets it. `?dryRun=true` shows the next times and stores nothing.',
  body: {
    schema: requestSchema,
    read: reader<RecurrenceInput>(requestSchema),
    example: { rule: 'FREQ=WEEKLY;BYDAY=MO', at: '08:00', timezone: 'Europe/Berlin' },
  },
  reply: { status: 200, schema: answerSchema, description: 'The recurrence as it is now.' },
  refusals: [404, 422],
  async run(ctx, input) {
    const item = await items.get(ctx, idOf(input), { lock: true })
    await items.demand(ctx, 'update', item)
    const before = await findRecurrence(ctx, item.id)
    const wanted = {
      rule: input.body.rule,
      mode: input.body.mode ?? recurrenceMode.schedule,
      day: input.body.day ?? item.startDate ?? item.dueDate ?? ctx.now.toISOString().slice(0, 10),
      at: input.body.at || '00:00',
      timezone: input.body.timezone || ctx.caller.timezone,
    }
    refuseUnusable(wanted, ctx.now)
    const [next] = occurrences(wanted, ctx.now, 1)
    const nextAt = wanted.mode === recurrenceMode.schedule && next ? next.toInstant().toString() : null
    const { tenantId, userId, scopes } = ctx.caller
    await ctx.sql`insert into item_recurrence (tenant_id, item_id, rule, mode, day, at, timezone, owner_id, scopes, next_at)
      values (${tenantId}, ${item.id}, ${wanted.rule}, ${wanted.mode}, ${wanted.day}, ${wanted.at}, ${wanted.timezone}, ${userId}, ${scopes}, ${nextAt})
      on conflict (tenant_id, item_id) do update set rule = excluded.rule, mode = excluded.mode, day = excluded.day, at = excluded.at,
        timezone = excluded.timezone, owner_id = excluded.owner_id, scopes = excluded.scopes, next_at = excluded.next_at, last_error = ''`
    const now = await findRecurrence(ctx, item.id)
    if (!now) throw new NotFound('recurrence')
    await appendChange(ctx, item.id, before?.rule, wanted.rule)
    return { body: shown(now, ctx.now) }
  },
})

function refuseUnusable(wanted: Recurrence & { mode: number }, now: Date): void {
  const faults = []
  const wrong = rruleFault(wanted.rule)
  if (wrong) faults.push(fault(['rule'], 'rrule', wrong, wanted.rule))
  else if (/FREQ=(SECONDLY|MINUTELY|HOURLY)/i.test(wanted.rule))
    faults.push(fault(['rule'], 'rrule', 'items can recur daily or less often', wanted.rule))
  if (!Object.values<number>(recurrenceMode).includes(wanted.mode))
    faults.push(fault(['mode'], 'unknown-code', 'must be 0, 1 or 2', wanted.mode))
  if (faults.length > 0) throw new Invalid(faults)
  if (occurrences(wanted, now, 1).length === 0)
    throw new RuleBroken('recurrence-never', 'the rule has no time after now', [
      fault(['rule'], 'recurrence-never', 'has no future time', wanted.rule),
    ])
}

async function appendChange(ctx: Context, itemId: Id, from: string | undefined, to: string | null): Promise<void> {
  if ((from ?? null) === to) return
  await appendEvents(ctx, [
    { kind: 'item.updated', entity: 'Item', recordId: itemId, changes: { recurrence: { from: from ?? null, to } } },
  ])
}

const remove = operation({
  permission: items.permissions.update,
  placed: true,
  mode: 'write',
  summary: 'Delete the recurrence of an item',
  description: 'Deletes the rule. The copies that it created stay.',
  reply: { status: 204, description: 'The recurrence is deleted.' },
  refusals: [404],
  async run(ctx, input: Input) {
    const item = await items.get(ctx, idOf(input), { lock: true })
    await items.demand(ctx, 'update', item)
    const before = await findRecurrence(ctx, item.id)
    if (!before) throw new NotFound('recurrence')
    await ctx.sql`delete from item_recurrence where tenant_id = ${ctx.caller.tenantId} and item_id = ${item.id}`
    await appendChange(ctx, item.id, before.rule, null)
    return {}
  },
})

export const routes: Routes = {
  'GET /item/:id/recurrence': get,
  'PUT /item/:id/recurrence': put,
  'DELETE /item/:id/recurrence': remove,
}
