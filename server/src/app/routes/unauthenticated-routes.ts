import type { Schema } from '../../kernel/schema/shape.ts'
import type { OpenRoutes } from '../../platform/openapi/openapi.ts'
import { messageBody, ratingBody } from '../../portal/guest/guest-actions.ts'
import { guestDownload } from '../../portal/guest/guest-file.ts'
import { guestTicketSchema } from '../../portal/guest/guest-ticket.ts'
import { portalOpenRoutes } from '../../portal/portal.ts'

// Routes that need no credential, or that return more to callers with one. The rooms mount them directly (see app.ts);
// this list describes them for the OpenAPI document.

const text: Schema = { type: 'string' }
const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const tenant: Schema = {
  type: 'string',
  description: 'The slug of the tenant; needed where an installation has several tenants.',
}

/** After an action, the ticket as it is now, and perhaps the follow-up ticket. */
const guestAnswer: Schema = {
  ...guestTicketSchema,
  title: 'ChangedGuestTicket',
  properties: {
    ...guestTicketSchema.properties,
    followUp: {
      ...object({ url: text, expiresAt: { type: 'string', format: 'date-time' } }),
      description: 'The link to the ticket that has the message, if this one was closed too long ago.',
    },
  },
}

const sameAnswer =
  'The token of the link is the credential. A wrong, expired or revoked one, one of another tenant, and one of a ticket that is gone or has another requester are all answered with the same 404.'

function guestAction(summary: string, effect: string, body?: { schema: Schema; example: unknown }): OpenRoutes[string] {
  return {
    summary,
    description: `${effect} ${sameAnswer} Writes are limited by ticket (429).`,
    ...(body ? { body: { schema: body.schema, example: body.example } } : {}),
    reply: { status: 200, description: 'The ticket as it is now.', schema: guestAnswer },
    refusals: [403, 404, 422, 429],
  }
}

export const unauthenticatedRoutes: OpenRoutes = {
  ...portalOpenRoutes,
  'GET /guest/:token': {
    summary: 'Follow a ticket by a link',
    description: `What the requester of a ticket sees of it without signing in: state, promises and the public conversation. ${sameAnswer} Requests are limited by ticket, and for invalid tokens by network (429).`,
    reply: { status: 200, description: 'The ticket.', schema: guestTicketSchema },
    refusals: [404, 429],
  },
  'GET /guest/:token/file/:fileId': {
    ...guestDownload,
    description: `${guestDownload.description} ${sameAnswer}`,
  },
  'POST /guest/:token/message': guestAction(
    'Write a message by a link',
    'Adds a message of the requester, as plain text. On a closed ticket it reopens the ticket, or begins a follow-up ticket, as any message of the requester does.',
    messageBody,
  ),
  'POST /guest/:token/close': guestAction(
    'Close a ticket by a link',
    'Closes the ticket, whatever its workflow says. Closing a closed ticket changes nothing.',
  ),
  'POST /guest/:token/reopen': guestAction(
    'Reopen a ticket by a link',
    'Restores the former status, as long as a message would do so (422 `reopen-too-late`).',
  ),
  'POST /guest/:token/csat': guestAction(
    'Rate a ticket by a link',
    'Stores a score from 1 to 5 and a comment, after the ticket was closed (422 `not-closed`) and once for each closing (422 `already-rated`).',
    ratingBody,
  ),
  'GET /config': {
    summary: 'Get the public configuration of a tenant',
    description:
      'The ways to sign in, the password policy, and the branding of the tenant, for clients that have no session yet. No credential is needed.',
    query: { tenant },
    reply: {
      status: 200,
      description: 'The public configuration.',
      schema: object({
        product: text,
        baseUrl: text,
        authentication: { type: 'object' },
        passwordPolicy: object({ minLength: { type: 'integer' }, maxLength: { type: 'integer' } }),
        locale: text,
        timezone: text,
        branding: object({ name: text, logoUrl: text, color: text }),
      }),
    },
  },
  'GET /entra/meta': {
    summary: 'List the identity providers of a tenant',
    description:
      'The data that a sign-in page or a native client needs about each provider, without secrets. No credential is needed.',
    query: { tenant },
    reply: {
      status: 200,
      description: 'The active providers.',
      schema: {
        type: 'array',
        items: object({ id: text, name: text, provider: text, entraTenantId: text, authority: text, clientId: text }),
      },
    },
  },
  'GET /meta': {
    summary: 'Describe this service',
    description:
      'Without a credential the reply contains only the name. With one it also contains the version, the build and the kinds of records with their schemas.',
    reply: {
      status: 200,
      description: 'The service.',
      schema: {
        type: 'object',
        properties: { name: text, version: text, build: text, openapi: text, entities: { type: 'array' } },
        required: ['name'],
      },
    },
    refusals: [401, 403],
  },
  'GET /meta/limits': {
    summary: 'Get the limits of the service',
    description:
      'The enforced limits of bodies, files, pages and requests, and the limit of mails to unknown recipients, which applies where the operator has set no quota. Needs a credential of any role.',
    reply: {
      status: 200,
      description: 'The limits. `requestsPerMinute` 0 means no limit.',
      schema: object({
        bodyBytes: { type: 'integer' },
        bodyBytesOf: { type: 'object' },
        fileBytes: { type: 'integer' },
        jsonDepth: { type: 'integer' },
        pageSize: { type: 'integer' },
        requestsPerMinute: { type: 'integer' },
        strangerMailsPerDay: { type: 'integer' },
      }),
    },
    refusals: [401, 403],
  },
  'POST /user/invitation/accept': {
    summary: 'Accept an invitation',
    description:
      'Sets the password of the invited user. The token of the invitation can be used once. A wrong, used or expired token and one of another tenant are all answered with the same 422. No credential is needed. The link in the invitation leads to a page that calls this.',
    body: {
      schema: object({ token: text, password: text }),
      example: { token: 'the token of the invitation', password: 'a long pass phrase' },
    },
    reply: { status: 204, description: 'The password is set, and the user may sign in.' },
    refusals: [422],
  },
  'GET /mail/unsubscribe/:token': {
    summary: 'Show the page for unsubscribing',
    description:
      'The page that the link in a mail leads to. It asks for confirmation; the request itself changes nothing. No credential is needed.',
    reply: { status: 200, description: 'The page.', schema: { type: 'string', contentMediaType: 'text/html' } },
    refusals: [404, 413],
    pages: [404],
  },
  'POST /mail/unsubscribe/:token': {
    summary: 'Unsubscribe with one click (RFC 8058)',
    description:
      'The recipient receives no more mails of this kind. Mail programs can send this request for the recipient. No credential is needed.',
    reply: { status: 200, description: 'The page.', schema: { type: 'string', contentMediaType: 'text/html' } },
    refusals: [404, 413],
    pages: [404],
  },
  'POST /rule/:id/call/:secret': {
    summary: 'Trigger a rule from outside',
    description:
      'Runs a rule with `trigger` 5, on the item `itemId` if one is given. The secret in the path is the credential. A wrong secret, a rule with another trigger and a missing rule are all answered with the same 404.',
    body: {
      schema: { type: 'object', properties: { itemId: text } },
      example: { itemId: '01890000-0000-7000-8000-000000000000' },
    },
    reply: { status: 202, description: 'Accepted.', schema: object({ accepted: { type: 'boolean' } }) },
    refusals: [404],
  },
}
