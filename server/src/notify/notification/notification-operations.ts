import { admins, permission } from '../../kernel/access.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { instantText } from '../../kernel/record/columns.ts'
import { type Fault, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { isInstant } from '../../kernel/schema/formats.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { readWhole } from '../../kernel/schema/whole-number.ts'
import { ownTenant, sql } from '../../kernel/sql.ts'
import { Code } from '../../records/code-table.ts'
import { notifications, routes as usual } from './notification.ts'
import { routes as preview } from './notification-preview.ts'
import { runOnce, runOutcomes } from './run.ts'

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

function readLog(query: Record<string, unknown>): { limit: number; before: string | null } {
  const faults: Fault[] = []
  const limit = readWhole('limit', query.limit, 1, 100, faults) ?? 50
  const before = query.before === undefined ? null : String(query.before)
  if (before !== null && !isInstant(before))
    faults.push(fault(['before'], 'date-time', 'must be an ISO 8601 date-time with an offset', before))
  if (faults.length > 0) throw new Invalid(faults)
  return { limit, before }
}

export const routes: Routes = {
  ...usual,
  'POST /notification/:id/run': runNow,
  ...preview,
  'GET /notification/:id/log': log,
}
