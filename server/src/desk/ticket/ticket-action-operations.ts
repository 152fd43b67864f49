import { type TSchema, Type } from 'typebox'
import { items } from '../../items/item/item.ts'
import { contributors, members, narrowedTo, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import {
  type Reply as Answer,
  type Body,
  bodyOf,
  type Operation,
  operation,
  type Routes,
} from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Emails, Instant, LongText, Ref, Refs, Text } from '../../kernel/schema/values.ts'
import { Code } from '../../records/code-table.ts'
import { OwnId } from '../../records/input/own-id.ts'
import { annotations, bodyFormats } from '../annotation/annotation.ts'
import { runMacro } from './macro.ts'
import { getTicket, ticketSchema } from './read-ticket.ts'
import { waitingParties } from './ticket.ts'
import { closeTicket, forward, markSpam, rate, reopenTicket, reply, snooze } from './ticket-actions.ts'
import type { WrittenTicket } from './write-ticket.ts'

/** A ticket after a change, with warnings. */
export const withWarnings: Schema = {
  ...ticketSchema,
  properties: { ...ticketSchema.properties, warnings: { type: 'array', items: { type: 'string' } } },
}

export const ticketReply = ({ ticket, warnings }: WrittenTicket): Answer => ({
  body: { ...ticket, warnings },
  version: ticket.version,
})

/** A request body with exactly these properties. */
function bodyWith<P extends Record<string, TSchema>>(properties: P, example: Record<string, unknown>) {
  return bodyOf(Type.Object(properties, { additionalProperties: false }), example)
}

interface TicketAction<T> {
  permission?: Operation['permission']
  summary: string
  description: string
  body?: Body<T>
  /** Performs the action and returns warnings, if any. */
  perform: (ctx: Context, id: Id, body: T) => Promise<string[]> | Promise<void>
}

/** An operation that performs an action on a ticket and returns the ticket. */
function ticketAction<T>({ perform: does, ...own }: TicketAction<T>): Operation {
  return operation<T>({
    permission: items.permissions.update,
    placed: true,
    mode: 'write',
    reply: { status: 200, schema: withWarnings, description: 'The ticket as it is now.' },
    refusals: [404, 422],
    ...own,
    async run(ctx, { params, body }) {
      const id = params.id ?? ''
      const warnings = (await does(ctx, id, body)) ?? []
      return ticketReply({ ticket: await getTicket(ctx, id, { anywhere: true }), warnings, outcome: 'updated' })
    },
  })
}

/** Requesters close and reopen their own tickets. */
const endPermission = { ...items.permissions.update, roles: contributors }

const replyPermission = narrowedTo(members, annotations.permissions.create)
const addresses = Emails

const messageProperties = {
  id: Type.Optional(OwnId),
  body: LongText(100_000),
  bodyFormat: Type.Optional(Type.String({ enum: [...bodyFormats] })),
  attachments: Type.Optional(Refs('File', 50)),
  replyToId: Type.Optional(Ref('Annotation')),
}

export const ticketActionRoutes: Routes = {
  'POST /ticket/:id/reply': ticketAction({
    permission: replyPermission,
    summary: 'Reply to the requester',
    description:
      'Writes a public reply, or with `internal` a note; `id` is that of this annotation. After a reply the ticket waits for the requester, unless `waitingOn` is given; `status` is changed in the same transaction. The recipients (`to`, `cc`) are stored with the reply. A reply that nobody gets is told in `warnings` and does not count as a response: its requester has no account to read it with, and no mail carries it to an address.',
    body: bodyWith(
      {
        ...messageProperties,
        to: Type.Optional(addresses),
        cc: Type.Optional(addresses),
        internal: Type.Optional(Type.Boolean()),
        status: Type.Optional(Text(120)),
        waitingOn: Type.Optional(Code(waitingParties)),
      },
      { body: 'Please press the button at the back.' },
    ),
    perform: reply,
  }),
  'POST /ticket/:id/note': ticketAction({
    permission: replyPermission,
    summary: 'Write an internal note',
    description: 'For staff only; the requester never sees it. `id` is that of the note.',
    body: bodyWith(messageProperties, { body: 'They said the same in March.' }),
    perform: (ctx, id, body) => reply(ctx, id, { ...body, internal: true }),
  }),
  'POST /ticket/:id/forward': ticketAction({
    permission: replyPermission,
    summary: 'Forward a ticket',
    description:
      'Forwards the ticket to somebody outside. The text is stored as an internal note with its recipients; the ticket then waits for a third party.',
    body: bodyWith(
      {
        to: Type.Array(Type.String({ format: 'email', minLength: 1, maxLength: 254 }), { minItems: 1, maxItems: 100 }),
        body: LongText(100_000),
      },
      { to: ['support@example.com'], body: 'Can you help?' },
    ),
    perform: forward,
  }),
  'POST /ticket/:id/snooze': ticketAction({
    summary: 'Snooze a ticket',
    description: 'Hides the ticket until the given time, or until the requester writes.',
    body: bodyWith({ until: Type.Unsafe<string>(Instant) }, { until: '2999-01-01T09:00:00Z' }),
    perform: (ctx, id, { until }) => snooze(ctx, id, until),
  }),
  'POST /ticket/:id/unsnooze': ticketAction({
    summary: 'End the snooze',
    description: 'The ticket is no longer snoozed.',
    perform: (ctx, id) => snooze(ctx, id, null),
  }),
  'POST /ticket/:id/close': ticketAction({
    permission: endPermission,
    summary: 'Close a ticket',
    description:
      'Sets the status that means done in the ticket’s process, or the given `status`. Closing a closed ticket changes nothing. Requesters close their own tickets, whatever the workflow says, without `status` and `resolution` (403 `requester-action`).',
    body: bodyWith(
      { status: Type.Optional(Text(120, { minLength: 1 })), resolution: Type.Optional(Text(120)) },
      { resolution: 'fixed' },
    ),
    perform: closeTicket,
  }),
  'POST /ticket/:id/reopen': ticketAction({
    permission: endPermission,
    summary: 'Reopen a ticket',
    description:
      'Restores the status that the ticket had before it was closed and increments `reopenCount`. Reopening an open ticket changes nothing. Requesters reopen their own tickets as long as a message of theirs would do so (`ticket.reopenDays`, else 422 `reopen-too-late`).',
    perform: reopenTicket,
  }),
  'POST /ticket/:id/spam': ticketAction({
    summary: 'Mark as spam, or not',
    description: 'Spam is closed as cancelled, whatever its workflow says. With `spam: false` the ticket is reopened.',
    body: bodyWith({ spam: Type.Boolean() }, { spam: true }),
    perform: (ctx, id, { spam }) => markSpam(ctx, id, spam),
  }),
  'POST /ticket/:id/csat': ticketAction({
    permission: permission('item.rate', contributors),
    summary: 'Rate a ticket',
    description:
      'Stores a score from 1 to 5 and a comment. Only the requester may rate, after the ticket was closed (422 `not-closed`), and once for each closing (422 `already-rated`).',
    body: bodyWith(
      { score: Type.Integer({ minimum: 1, maximum: 5 }), comment: Type.Optional(LongText(5000)) },
      { score: 5, comment: 'Thank you!' },
    ),
    perform: rate,
  }),
  'POST /ticket/:id/macro': ticketAction({
    summary: 'Run a macro',
    description:
      'Runs the actions of a content template, then writes its text as a reply, or as a note if one of the actions says so, all in one transaction. Actions that do not apply to tickets are listed in `warnings`.',
    body: bodyWith(
      { templateId: Ref('ContentTemplate', { minLength: 1 }), locale: Type.Optional(Text(35)) },
      { templateId: '01890000-0000-7000-8000-000000000000' },
    ),
    perform: (ctx, id, { templateId, locale }) => runMacro(ctx, id, templateId, locale),
  }),
}
