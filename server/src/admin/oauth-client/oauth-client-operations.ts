import { Type } from 'typebox'
import { clientKind } from '../../identity/oauth/provider/tenant-clients.ts'
import { get, list, remove, restore, update } from '../../kernel/crud.ts'
import { bodyOf, operation, type Routes } from '../../kernel/operation.ts'
import { RuleBroken } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { Part } from '../../kernel/schema/values.ts'
import { sql } from '../../kernel/sql.ts'
import { history } from '../../records/history/history.ts'
import { freshSecret } from './client-secret.ts'
import { type OAuthClientInput, oauthClients, register } from './oauth-client.ts'

const rawSecret: Schema = {
  type: ['string', 'null'],
  description: 'The secret in plain text; null for a public client. Only this response contains it.',
}

const freshClientSchema: Schema = {
  ...oauthClients.schema,
  title: 'FreshOAuthClient',
  properties: { ...oauthClients.schema.properties, RawSecret: rawSecret },
  required: [...(oauthClients.schema.required ?? []), 'RawSecret'],
}

const create = operation<OAuthClientInput>({
  permission: oauthClients.permissions.create,
  mode: 'write',
  summary: 'Register one OAuthClient',
  description: `${oauthClients.about} The response has the \`clientId\` and, of a confidential client, the \`RawSecret\`, which is not shown again. All clients use the authorization code flow with PKCE (S256).`,
  body: { schema: oauthClients.createSchema, read: oauthClients.readCreate, example: oauthClients.example },
  reply: { status: 201, schema: freshClientSchema, description: 'The client, with its secret.' },
  refusals: [422],
  unrepeatable: true,
  async run(ctx, { body, path }) {
    const client = await register(ctx, body)
    return { body: client, version: client.version, headers: { location: `${path}/${client.id}` } }
  },
})

const maxGrace = 90 * 24 * 60

const renewal = bodyOf(
  Part({
    graceMinutes: Type.Integer({
      minimum: 0,
      maximum: maxGrace,
      description: 'How long the old secret still counts; 0 by default.',
    }),
  }),
  { graceMinutes: 60 },
)

const renewSecret = operation({
  permission: oauthClients.permissions.update,
  mode: 'write',
  summary: 'Replace the secret of an OAuthClient',
  description:
    'Makes a new secret for a confidential client. The old one counts for `graceMinutes` more, so that the program can be changed in between; without it, it ends at once. Tokens that were issued stay valid. A public client has no secret: 422.',
  body: renewal,
  reply: { status: 200, schema: freshClientSchema, description: 'The client, with its new secret.' },
  refusals: [404, 412, 422],
  unrepeatable: true,
  async run(ctx, { params: { id = '' }, body, expect }) {
    const before = await oauthClients.get(ctx, id)
    if (before.kind !== clientKind.confidential)
      throw new RuleBroken('public-client', 'a public client has no secret: make it confidential first')
    const minutes = body.graceMinutes ?? 0
    const until = minutes > 0 && before.secretLast4 !== '' ? new Date(ctx.now.getTime() + minutes * 60_000) : null
    const { plain, last4, columns } = freshSecret()
    const previous = until === null ? sql`null::bytea` : sql`secret`
    const client = await oauthClients.update(
      ctx,
      id,
      { secretLast4: last4, previousSecretUntil: until?.toISOString() ?? null },
      { expect, own: { columns: { ...columns, previous_secret: previous }, changes: {} }, verb: 'secretRenewed' },
    )
    return { body: { ...client, RawSecret: plain }, version: client.version }
  },
})

export const routes: Routes = {
  'GET /oauth-client': list(oauthClients),
  'POST /oauth-client': create,
  'PUT /oauth-client': update(oauthClients),
  'GET /oauth-client/:id': get(oauthClients),
  'PUT /oauth-client/:id': update(oauthClients),
  'PATCH /oauth-client/:id': update(oauthClients),
  'DELETE /oauth-client/:id': remove(oauthClients),
  'POST /oauth-client/:id/restore': restore(oauthClients),
  'POST /oauth-client/:id/secret': renewSecret,
  'GET /oauth-client/:id/history': history(oauthClients),
}
