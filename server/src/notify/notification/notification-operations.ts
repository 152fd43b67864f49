import { items } from '../../items/item/item.ts'
import { admins, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { isInstant } from '../../kernel/schema/formats.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { type Message, messageFor } from './message.ts'
import { type Notification, notifications, routes as usual } from './notification.ts'
import { runQuery } from './query-run.ts'
import { type NotificationRecipient, recipientsOf } from './recipients.ts'
import { callerOf, ownerOf, runOnce } from './run.ts'

const running = permission('notification.run', admins)

const runNow = operation({
  permission: running,
  mode: 'write',
  summary: 'Ask a notification’s question now',
  description:
    'As at its time, whether it is active or not: in the name of who made it, and with what its limiter leaves. The answer goes out when the change is committed.',
  reply: {
    status: 202,
    schema: {
      type: 'object',
      properties: { runId: { type: 'string' }, count: { type: 'integer', description: 'How many records are told.' } },
      required: ['runId', 'count'],
    },
    description: 'The run.',
  },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const notification = await notifications.get(ctx, params.id ?? '', { lock: true })
    const runId = await runOnce(ctx, notification, ctx.now, ctx.caller.userId)
    if (!runId) throw new RuleBroken('run-twice', 'it is being asked at this very moment')
    const [row] = await ctx.sql<{
      count: number
    }>`select count from notification_run where tenant_id = ${ctx.caller.tenantId} and id = ${runId}`
    return { body: { runId, count: row?.count ?? 0 } }
  },
})

/** Shown of those who would be told. */
const maxShown = 20

const recipientSchema: Schema = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: ['user', 'email', 'endpoint', 'slack', 'teams'] },
    to: { type: 'string', description: 'The id of the user, the address, or the host.' },
    count: { type: 'integer', description: 'How many records they would be told of, as far as the caller sees them.' },
    subject: { type: 'string' },
    text: { type: 'string' },
  },
  required: ['kind', 'to', 'count', 'subject', 'text'],
}

const preview = operation({
  permission: running,
  mode: 'read',
  summary: 'See what would go to whom',
  description: `What a run at this moment would tell, and to whom; nothing is sent or remembered. Of the first ${maxShown} recipients the message is shown, cut to what the caller may see as well.`,
  reply: {
    status: 200,
    schema: {
      type: 'object',
      properties: {
        count: { type: 'integer', description: 'How many records would be told.' },
        recipients: { type: 'integer', description: 'How many would be told.' },
        messages: { type: 'array', items: recipientSchema },
      },
      required: ['count', 'recipients', 'messages'],
    },
    description: 'The messages.',
  },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const notification = await notifications.get(ctx, params.id ?? '')
    const owner = await ownerOf(ctx, notification)
    if (!owner) throw new RuleBroken('owner-gone', 'who made it may no longer come in')
    const { ids } = await runQuery(ctx.derive({ caller: owner }), notification)
    const seen = await seenBy(ctx, ids)
    const recipients = await recipientsOf(ctx, notification)
    const messages: object[] = []
    for (const recipient of recipients.slice(0, maxShown)) {
      const message = await messageTo(ctx, notification, recipient, seen)
      const { count = 0, subject = '', text = '' }: Partial<Message> = message ?? {}
      messages.push({ ...recipient, count, subject, text })
    }
    return { body: { count: seen.length, recipients: recipients.length, messages } }
  },
})

/** What others see is not the caller's to read. */
async function seenBy(ctx: Context, ids: readonly Id[]): Promise<Id[]> {
  const t = raw('t')
  const rows = await ctx.sql<{
    id: Id
  }>`select t.id from item t where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[]) and ${items.visible(ctx.caller, t)} order by t.id`
  return rows.map(row => row.id)
}

async function messageTo(
  ctx: Context,
  notification: Notification,
  { kind, to }: NotificationRecipient,
  ids: readonly Id[],
) {
  const reader = kind === 'user' ? await callerOf(ctx, to) : await ownerOf(ctx, notification)
  return reader && (await messageFor(ctx.derive({ caller: reader }), notification, ids))
}

const runSchema: Schema = {
  type: 'object',
  title: 'NotificationRun',
  properties: {
    id: { type: 'string' },
    planned: { type: 'string', format: 'date-time' },
    at: { type: 'string', format: 'date-time' },
    askedBy: { type: 'string', description: 'Who asked for it; empty is the clock.' },
    count: { type: 'integer' },
    more: { type: 'boolean', description: 'The question finds more than is looked at.' },
    outcome: { type: 'integer', description: '0 told · 1 nothing to tell · 2 nobody to tell · 3 failed.' },
    error: { type: 'string' },
    sent: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          kind: { type: 'string' },
          to: { type: 'string' },
          count: { type: 'integer', description: 'Of 0 they were not told: they see nothing of it.' },
          mailId: { type: 'string' },
        },
        required: ['kind', 'to', 'count', 'mailId'],
      },
    },
  },
  required: ['id', 'planned', 'at', 'askedBy', 'count', 'more', 'outcome', 'error', 'sent'],
}

const log = operation({
  permission: running,
  mode: 'read',
  summary: 'What a notification has told',
  description: 'Its runs of the last 90 days, the newest first, and who was told of how much.',
  query: {
    limit: { type: 'integer', minimum: 1, maximum: 100, description: 'At most so many, 50 if not said.' },
    before: { type: 'string', format: 'date-time', description: 'The `planned` of the last one that was read.' },
  },
  reply: { status: 200, schema: { type: 'array', items: runSchema }, description: 'The runs.' },
  refusals: [404],
  async run(ctx, { params, query }) {
    const { id } = await notifications.get(ctx, params.id ?? '')
    const { limit, before } = readLog(query)
    const [row] = await ctx.sql<{
      text: string
    }>`select coalesce(json_agg(r.run order by r.planned desc), '[]')::text as text from (
      select r.planned, json_build_object('id', r.id, 'planned', ${instantText(sql`r.planned`)}, 'at', ${instantText(sql`r.at`)}, 'askedBy', coalesce(r.asked_by::text, ''), 'count', r.count,
        'more', r.more, 'outcome', r.outcome, 'error', r.error, 'sent', (select coalesce(json_agg(json_build_object('kind', s.kind, 'to', s.recipient, 'count', s.count,
          'mailId', coalesce(s.mail_id::text, '')) order by s.kind, s.recipient), '[]') from notification_sent s where s.tenant_id = r.tenant_id and s.run_id = r.id)) as run
      from notification_run r where r.tenant_id = ${ctx.caller.tenantId} and r.notification_id = ${id} and (${before}::timestamptz is null or r.planned < ${before}::timestamptz)
      order by r.planned desc limit ${limit}) r`
    return { text: row?.text ?? '[]' }
  },
})

function readLog({ limit = '50', before = null }: Record<string, unknown>): { limit: number; before: string | null } {
  const [count, moment] = [Number(limit), before === null ? null : String(before)]
  if (!Number.isInteger(count) || count < 1 || count > 100)
    throw new Invalid([fault(['limit'], 'range', 'must be a whole number from 1 to 100', limit)])
  if (moment !== null && !isInstant(moment))
    throw new Invalid([fault(['before'], 'date-time', 'must be an ISO 8601 date-time with an offset', before)])
  return { limit: count, before: moment }
}

export const routes: Routes = {
  ...usual,
  'POST /notification/:id/run': runNow,
  'POST /notification/:id/preview': preview,
  'GET /notification/:id/log': log,
}
