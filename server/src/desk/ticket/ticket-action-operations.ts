import { type Static, type TSchema, Type } from 'typebox'
import { items } from '../../items/item/item.ts'
import { contributors, members, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { type Reply as Answer, type Body, type Operation, operation, type Routes } from '../../kernel/operation.ts'
import { reader, type Schema } from '../../kernel/shape.ts'
import { Code, Instant, LongText, Ref, Refs, Text, Texts } from '../../kernel/values.ts'
import { annotations, bodyFormats } from '../annotation/annotation.ts'
import { assignNext } from './assign-next.ts'
import { runMacro } from './macro.ts'
import { getTicket, ticketSchema } from './read-ticket.ts'
import { closeTicket, forward, markSpam, rate, reopenTicket, reply, snooze } from './ticket-actions.ts'
import type { WrittenTicket } from './write-ticket.ts'

/** How a ticket goes out after a change: with what there is to say about it. */
export const withWarnings: Schema = {
  ...ticketSchema,
  properties: { ...ticketSchema.properties, warnings: { type: 'array', items: { type: 'string' } } },
}

export const ticketReply = ({ ticket, warnings }: WrittenTicket): Answer => ({
  body: { ...ticket, warnings },
  version: ticket.version,
})

function bodyOf<P extends Record<string, TSchema>>(properties: P, example: Record<string, unknown>) {
  const schema = Type.Object(properties, { additionalProperties: false })
  type Given = Static<typeof schema>
  const body: Body<Given> = {
    schema: schema,
    read: reader<Given>(schema),
    example,
  }
  return body
}

interface TicketAction<T> {
  permission?: Operation['permission']
  summary: string
  description: string
  body?: Body<T>
  /** What is done; what it returns are warnings. */
  perform: (ctx: Context, id: Id, body: T) => Promise<string[]> | Promise<void>
}

/** Something that is done to a ticket, and the ticket as it is then. */
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

const replyPermission = { ...annotations.permissions.create, roles: members }
const addresses = Texts(100, 254)

const messageProperties = {
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
      'A public reply (or, with `internal`, a note). It is the requester’s turn then, unless `waitingOn` says otherwise; `status` goes along in the same step. Whom it is for (`to`, `cc`) is kept with it.',
    body: bodyOf(
      {
        ...messageProperties,
        to: Type.Optional(addresses),
        cc: Type.Optional(addresses),
        internal: Type.Optional(Type.Boolean()),
        status: Type.Optional(Text(120)),
        waitingOn: Type.Optional(Code()),
      },
      { body: 'Please press the button at the back.' },
    ),
    perform: reply,
  }),
  'POST /ticket/:id/note': ticketAction({
    permission: replyPermission,
    summary: 'Make an internal note',
    description: 'For staff alone; the requester never sees it.',
    body: bodyOf(messageProperties, { body: 'They said the same in March.' }),
    perform: (ctx, id, body) => reply(ctx, id, { ...body, internal: true }),
  }),
  'POST /ticket/:id/forward': ticketAction({
    permission: replyPermission,
    summary: 'Forward a ticket',
    description:
      'Passes it on to somebody outside. Kept as an internal note with its recipients; it is a third party’s turn then.',
    body: bodyOf(
      { to: Type.Array(Text(254, { minLength: 1 }), { minItems: 1, maxItems: 100 }), body: LongText(100_000) },
      { to: ['support@example.com'], body: 'Can you help?' },
    ),
    perform: forward,
  }),
  'POST /ticket/:id/assign-next': ticketAction({
    summary: 'Give it to the next of a group',
    description:
      'To whom the turn comes in the group (the one named, else the one in whose queue it waits), or who has least to do, as `assignPolicy` of the group says: 2 least open tickets, 3 least remaining minutes, else by turns.',
    body: bodyOf({ groupId: Type.Optional(Ref('UserGroup')) }, { groupId: '01890000-0000-7000-8000-000000000000' }),
    perform: async (ctx, id, { groupId }) => void (await assignNext(ctx, id, groupId)),
  }),
  'POST /ticket/:id/snooze': ticketAction({
    summary: 'Let it sleep',
    description: 'Until a moment to come, or until the requester speaks.',
    body: bodyOf({ until: Type.Unsafe<string>(Instant) }, { until: '2999-01-01T09:00:00Z' }),
    perform: (ctx, id, { until }) => snooze(ctx, id, until),
  }),
  'POST /ticket/:id/unsnooze': ticketAction({
    summary: 'Wake it',
    description: 'It sleeps no longer.',
    perform: (ctx, id) => snooze(ctx, id, null),
  }),
  'POST /ticket/:id/close': ticketAction({
    summary: 'Close a ticket',
    description:
      'Under the name that its process has for being done, or under `status`. Closing what is closed changes nothing.',
    body: bodyOf(
      { status: Type.Optional(Text(120, { minLength: 1 })), resolution: Type.Optional(Text(120)) },
      { resolution: 'fixed' },
    ),
    perform: closeTicket,
  }),
  'POST /ticket/:id/reopen': ticketAction({
    summary: 'Reopen a ticket',
    description: 'Where it stood before it was closed; `reopenCount` counts it. Opening what is open changes nothing.',
    perform: reopenTicket,
  }),
  'POST /ticket/:id/spam': ticketAction({
    summary: 'Mark as spam, or not',
    description: 'Spam is closed as cancelled, whatever its workflow says; what turns out to be none is opened again.',
    body: bodyOf({ spam: Type.Boolean() }, { spam: true }),
    perform: (ctx, id, { spam }) => markSpam(ctx, id, spam),
  }),
  'POST /ticket/:id/csat': ticketAction({
    permission: permission('item.rate', contributors),
    summary: 'Say how it was',
    description: 'A score from 1 to 5 and a comment, by the requester alone.',
    body: bodyOf(
      { score: Type.Integer({ minimum: 1, maximum: 5 }), comment: Type.Optional(LongText(5000)) },
      { score: 5, comment: 'Thank you!' },
    ),
    perform: rate,
  }),
  'POST /ticket/:id/macro': ticketAction({
    summary: 'Run a macro',
    description:
      'Does what a content template says: its actions, then its text as a reply (or as a note, if one of the actions says so). All of it or nothing; what means nothing to a ticket is told in `warnings`.',
    body: bodyOf(
      { templateId: Ref('ContentTemplate', { minLength: 1 }), locale: Type.Optional(Text(35)) },
      { templateId: '01890000-0000-7000-8000-000000000000' },
    ),
    perform: (ctx, id, { templateId, locale }) => runMacro(ctx, id, templateId, locale),
  }),
}
