import { items } from '../../items/item/item.ts'
import { admins, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { isInstant } from '../../kernel/schema/formats.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { ownTenant, raw, sql } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import type { Message } from './message/message.ts'
import { type Notification, notifications, routes as usual } from './notification.ts'
import { runQuery } from './query-run.ts'
import { type NotificationRecipient, recipientsOf } from './recipients.ts'
import { callerOf, ownerOf, runOnce, runOutcomes } from './run.ts'
import { messageTo } from './send-task.ts'

const running = permission('notification.run', admins)

const runNow = operation({
  permission: running,
  mode: 'write',
  summary: 'Run a notification now',
  description:
    'Runs the notification like a scheduled run, also if it is inactive: with the permissions of its creator, and with its limiter applied. The messages are sent after the transaction is committed.',
  reply: {
    status: 202,
    schema: {
      type: 'object',
      properties: {
        runId: { type: 'string' },
        count: {
          type: 'integer',
          description:
            'The number of reported records; 0 for a saved report, which each recipient gets with other rows.',
        },
      },
      required: ['runId', 'count'],
    },
    description: 'The run.',
  },
  refusals: [404, 422],
  async run(ctx, { params }) {
    const notification = await notifications.get(ctx, params.id ?? '', { lock: true })
    const runId = await runOnce(ctx, notification, ctx.now, ctx.caller.userId)
    if (!runId) throw new RuleBroken('run-twice', 'the notification is already running')
    const [row] = await ctx.sql<{
      count: number
    }>`select count from notification_run where tenant_id = ${ctx.caller.tenantId} and id = ${runId}`
    return { body: { runId, count: row?.count ?? 0 } }
  },
})

/** The preview shows the messages to at most this many recipients. */
const maxShown = 20

const recipientSchema: Schema = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: ['user', 'email', 'endpoint', 'slack', 'teams'] },
    to: { type: 'string', description: 'The id of the user, the mail address, or the host of the URL.' },
    count: { type: 'integer', description: 'The number of records in the message that the caller may see too.' },
    subject: { type: 'string' },
    text: { type: 'string' },
  },
  required: ['kind', 'to', 'count', 'subject', 'text'],
}

const preview = operation({
  permission: running,
  mode: 'read',
  summary: 'Preview the messages of a notification',
  description: `Returns what a run would report now, and to whom. Nothing is sent or stored. The messages to the first ${maxShown} recipients are shown, without records that the caller may not see; a saved report is shown as the caller gets it.`,
  reply: {
    status: 200,
    schema: {
      type: 'object',
      properties: {
        count: { type: 'integer', description: 'The number of records that would be reported.' },
        recipients: { type: 'integer', description: 'The number of recipients.' },
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
    if (!owner) throw new RuleBroken('owner-gone', 'the creator of the notification no longer has access')
    const isReport = notification.savedReportId !== ''
    const { ids } = isReport ? { ids: [] } : await runQuery(ctx.derive({ caller: owner }), notification)
    const seen = await seenBy(ctx, ids)
    // Rows are sums, of which nothing can be left out: everybody is shown what the caller gets.
    const own = isReport ? await messageTo(ctx, notification, []) : undefined
    const recipients = await recipientsOf(ctx, notification)
    const messages: object[] = []
    for (const recipient of recipients.slice(0, maxShown)) {
      const message = isReport ? own : await messageFor(ctx, notification, recipient, seen)
      const { count = 0, subject = '', text = '' }: Partial<Message> = message ?? {}
      messages.push({ ...recipient, count, subject, text })
    }
    return { body: { count: own?.count ?? seen.length, recipients: recipients.length, messages } }
  },
})

/** Returns the ids of the items that the caller may see: a preview must not show what only others may see. */
async function seenBy(ctx: Context, ids: readonly Id[]): Promise<Id[]> {
  const t = raw('t')
  const rows = await ctx.sql<{
    id: Id
  }>`select t.id from item t where t.tenant_id = ${ctx.caller.tenantId} and t.id = any(${ids}::uuid[]) and ${items.visible(ctx.caller, t)} order by t.id`
  return rows.map(row => row.id)
}

async function messageFor(
  ctx: Context,
  notification: Notification,
  { kind, to }: NotificationRecipient,
  ids: readonly Id[],
) {
  const reader = kind === 'user' ? await callerOf(ctx, to) : await ownerOf(ctx, notification)
  return reader && (await messageTo(ctx.derive({ caller: reader }), notification, ids))
}

const runSchema: Schema = {
  type: 'object',
  title: 'NotificationRun',
  properties: {
    id: { type: 'string' },
    planned: { type: 'string', format: 'date-time' },
    at: { type: 'string', format: 'date-time' },
    askedBy: { type: 'string', description: 'The user who started the run; empty for a scheduled run.' },
    count: { type: 'integer' },
    more: { type: 'boolean', description: 'Whether more records match than a run reads.' },
    outcome: Code(runOutcomes),
    error: { type: 'string' },
    sent: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          kind: { type: 'string' },
          to: { type: 'string' },
          count: {
            type: 'integer',
            description:
              'The number of reported records; with 0 nothing was sent, because the recipient may see none of them.',
          },
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
  summary: 'List the runs of a notification',
  description:
    'Lists the runs of the last 90 days, newest first, with their recipients and the number of records sent to each.',
  query: {
    limit: { type: 'integer', minimum: 1, maximum: 100, description: 'The maximum number of runs; 50 by default.' },
    before: {
      type: 'string',
      format: 'date-time',
      description: 'Returns runs planned before this time; pass the `planned` of the last run of the previous page.',
    },
  },
  reply: { status: 200, schema: { type: 'array', items: runSchema }, description: 'The runs.' },
  refusals: [404],
  async run(ctx, { params, query }) {
    const { id } = await notifications.get(ctx, params.id ?? '')
    const { limit, before } = readLog(query)
    const [row] = await ctx.sql<{
      text: string
    }>`select coalesce(json_agg(r.run order by r.planned desc, r.id), '[]')::text as text from (
      select r.planned, r.id, json_build_object('id', r.id, 'planned', ${instantText(sql`r.planned`)}, 'at', ${instantText(sql`r.at`)}, 'askedBy', coalesce(r.asked_by::text, ''), 'count', r.count,
        'more', r.more, 'outcome', r.outcome, 'error', r.error, 'sent', (select coalesce(json_agg(json_build_object('kind', s.kind, 'to', s.recipient, 'count', s.count,
          'mailId', coalesce(s.mail_id::text, '')) order by s.kind, s.recipient), '[]') from notification_sent s where s.tenant_id = ${ownTenant} and s.run_id = r.id)) as run
      from notification_run r where r.tenant_id = ${ctx.caller.tenantId} and r.notification_id = ${id} and (${before}::timestamptz is null or r.planned < ${before}::timestamptz)
      order by r.planned desc, r.id limit ${limit}) r`
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
