import type { Schema } from '../kernel/schema/shape.ts'
import type { OpenRoutes } from '../platform/openapi/openapi.ts'

// Routes that need no credential, or that return more to callers with one. The rooms mount them directly (see app.ts);
// here they are described for the OpenAPI document.

const text: Schema = { type: 'string' }
const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const tenant: Schema = { type: 'string', description: 'The slug of the tenant, where an installation has several.' }

export const unauthenticatedRoutes: OpenRoutes = {
  'GET /config': {
    summary: 'What a client needs before anybody signs in',
    description:
      'Where to sign in and how, what a password must be like, and how the tenant looks. No credential is needed.',
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
    summary: 'Through which providers people sign in',
    description:
      'What a sign-in page or a native client needs to know of the providers of a tenant. No secrets, no credential.',
    query: { tenant },
    reply: {
      status: 200,
      description: 'The providers that are switched on.',
      schema: {
        type: 'array',
        items: object({ id: text, name: text, provider: text, entraTenantId: text, authority: text, clientId: text }),
      },
    },
  },
  'GET /meta': {
    summary: 'What this service is',
    description:
      'Strangers are told its name; with a credential also version, build and the kinds of records with their schemas.',
    reply: {
      status: 200,
      description: 'The service.',
      schema: {
        type: 'object',
        properties: { name: text, version: text, build: text, openapi: text, entities: { type: 'array' } },
        required: ['name'],
      },
    },
  },
  'GET /meta/limits': {
    summary: 'How much the service takes',
    description:
      'The limits as they are enforced: of bodies, files, pages and requests, and of mail to strangers where the operator has set no quota. Needs a credential of any role.',
    reply: {
      status: 200,
      description: 'The limits; 0 requests a minute is no limit.',
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
  },
  'POST /user/invitation/accept': {
    summary: 'Accept an invitation',
    description:
      'Whoever was invited sets a password with the token of the invitation, which holds once. A wrong, used, expired or foreign token answers 422 alike. No credential is needed; people use the page at the address of the invitation.',
    body: {
      schema: object({ token: text, password: text }),
      example: { token: 'the token of the invitation', password: 'a long pass phrase' },
    },
    reply: { status: 204, description: 'The password is set, and the user may sign in.' },
    refusals: [422],
  },
  'GET /mail/unsubscribe/:token': {
    summary: 'Ask whether to unsubscribe',
    description: 'The page behind the link in a mail. Looking at it changes nothing. No credential is needed.',
    reply: { status: 200, description: 'The page.', schema: { type: 'string', contentMediaType: 'text/html' } },
    refusals: [404],
  },
  'POST /mail/unsubscribe/:token': {
    summary: 'Unsubscribe with one click (RFC 8058)',
    description:
      'The reader of the mail gets no more of its kind. Mail programs send this by themselves. No credential is needed.',
    reply: { status: 200, description: 'The page.', schema: { type: 'string', contentMediaType: 'text/html' } },
    refusals: [404],
  },
  'POST /rule/:id/call/:secret': {
    summary: 'Set off a rule from outside',
    description:
      'Runs a rule with `trigger` 5, on the item that `itemId` names if it does. The secret in the path is the credential; a wrong one, a rule of another kind and no rule answer 404 alike.',
    body: {
      schema: { type: 'object', properties: { itemId: text } },
      example: { itemId: '01890000-0000-7000-8000-000000000000' },
    },
    reply: { status: 202, description: 'Accepted.', schema: object({ accepted: { type: 'boolean' } }) },
    refusals: [404],
  },
}
