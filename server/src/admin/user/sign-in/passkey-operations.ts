import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { addPasskey, listPasskeys, proposePasskey, removePasskey } from '../../../identity/passkey/passkey.ts'
import { requirePassword } from '../../../identity/second-factor/proof.ts'
import { everyone, permission } from '../../../kernel/access.ts'
import { isId } from '../../../kernel/id.ts'
import { operation, type Routes } from '../../../kernel/operation.ts'
import { NotFound } from '../../../kernel/refusal.ts'
import { reader, type Schema } from '../../../kernel/schema/shape.ts'
import { hasPassword } from './password.ts'

const usePasskeys = permission('user.passkey', everyone, { credential: true })

const passkeySchema: Schema = {
  type: 'object',
  title: 'Passkey',
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    created: { type: 'string', format: 'date-time' },
    lastUsed: { type: ['string', 'null'], format: 'date-time' },
  },
  required: ['id', 'name', 'created', 'lastUsed'],
}

const text = (maxLength: number): Schema => ({ type: 'string', maxLength })

const proofSchema: Schema = {
  type: 'object',
  properties: {
    password: { ...text(200), writeOnly: true, description: 'The current password, if the caller has one.' },
  },
  additionalProperties: false,
}

const propose = operation<{ password?: string }>({
  permission: usePasskeys,
  mode: 'write',
  summary: 'Begin to add a passkey',
  description:
    'Returns the options for `navigator.credentials.create` (WebAuthn), valid for ten minutes: the device must verify its user and keep the key itself. Users who have a password give it. 422 `passkeys-need-a-name` if the address of the installation is no name.',
  body: { schema: proofSchema, read: reader(proofSchema), example: { password: 'the current password' } },
  reply: { status: 200, schema: { type: 'object', title: 'PasskeyOptions' }, description: 'The options.' },
  refusals: [422],
  unrepeatable: true,
  async run(ctx, { body }) {
    const { userId } = ctx.caller
    if (await hasPassword(ctx, userId)) await requirePassword(ctx, userId, body.password ?? '', 'password')
    return { body: await proposePasskey(ctx, userId) }
  },
})

const newSchema: Schema = {
  type: 'object',
  properties: {
    name: { ...text(120), minLength: 1, description: 'What the user calls the device.' },
    response: {
      type: 'object',
      description: 'The credential that the browser has made, as its `toJSON()` writes it.',
      properties: {
        id: text(2000),
        rawId: text(2000),
        type: text(20),
        response: {
          type: 'object',
          properties: {
            clientDataJSON: text(8000),
            attestationObject: text(60_000),
            transports: { type: 'array', items: text(40), maxItems: 10 },
          },
          required: ['clientDataJSON', 'attestationObject'],
          additionalProperties: true,
        },
      },
      required: ['id', 'rawId', 'type', 'response'],
      additionalProperties: true,
    },
  },
  required: ['name', 'response'],
  additionalProperties: false,
}

const add = operation<{ name: string; response: RegistrationResponseJSON }>({
  permission: usePasskeys,
  mode: 'write',
  summary: 'Add a passkey',
  description: 'Stores the key that a device has made for the options. The event is `user.passkeyAdded`.',
  body: {
    schema: newSchema,
    read: reader(newSchema),
    example: {
      name: 'Phone',
      response: {
        id: 'AQ',
        rawId: 'AQ',
        type: 'public-key',
        response: { clientDataJSON: 'e30', attestationObject: 'oA' },
      },
    },
  },
  reply: { status: 201, schema: passkeySchema, description: 'The passkey.' },
  refusals: [422],
  unrepeatable: true,
  async run(ctx, { body }) {
    return { status: 201, body: await addPasskey(ctx, ctx.caller.userId, body) }
  },
})

const list = operation({
  permission: usePasskeys,
  mode: 'read',
  summary: 'List the passkeys of the caller',
  description: 'The passkeys with which the caller can sign in, oldest first.',
  reply: { status: 200, schema: { type: 'array', items: passkeySchema }, description: 'The passkeys.' },
  async run(ctx) {
    return { body: await listPasskeys(ctx, ctx.caller.userId) }
  },
})

const remove = operation({
  permission: usePasskeys,
  mode: 'write',
  summary: 'Remove a passkey of the caller',
  description: 'The passkey signs in no more; sessions go on. The event is `user.passkeyRemoved`.',
  reply: { status: 204, description: 'The passkey is removed.' },
  refusals: [404],
  async run(ctx, { params: { id = '' } }) {
    if (!isId(id) || !(await removePasskey(ctx, ctx.caller.userId, id))) throw new NotFound()
    return {}
  },
})

export const routes: Routes = {
  'GET /user/me/passkey': list,
  'POST /user/me/passkey': add,
  'POST /user/me/passkey/options': propose,
  'DELETE /user/me/passkey/:id': remove,
}
