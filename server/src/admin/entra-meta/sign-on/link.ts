import { everyone, permission } from '../../../kernel/access.ts'
import { operation } from '../../../kernel/operation.ts'
import { unknownReferences } from '../../../kernel/record/references.ts'
import { reader, type Schema } from '../../../kernel/schema/shape.ts'
import { offeredMetas } from '../entra-meta.ts'
import { sealTicket } from './link-ticket.ts'

const inputSchema: Schema = {
  type: 'object',
  properties: {
    entraMetaId: {
      type: 'string',
      minLength: 1,
      maxLength: 36,
      description: 'The provider, from `GET /api/entra/meta`.',
    },
  },
  required: ['entraMetaId'],
  additionalProperties: false,
}

const startSchema: Schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'The path to open in the browser, after the base URL of this installation.' },
    expiresAt: { type: 'string', format: 'date-time' },
  },
  required: ['path', 'expiresAt'],
}

/** Users link their own account: they are signed in here, and then sign on at the provider. */
export const startLink = operation<{ entraMetaId: string }>({
  permission: permission('user.self', everyone),
  mode: 'read',
  summary: 'Start to link the caller with a provider',
  description:
    'Returns a path to open in the browser in which the caller is signed in. It redirects to the provider and back, and links the two accounts: a sign-on with the account at the provider then signs in the caller.',
  body: {
    schema: inputSchema,
    read: reader(inputSchema),
    example: { entraMetaId: '01890000-0000-7000-8000-000000000000' },
  },
  reply: { status: 200, schema: startSchema, description: 'The path to open.' },
  refusals: [422],
  unrepeatable: true,
  async run(ctx, { body }) {
    const { tenantId, userId } = ctx.caller
    const id = body.entraMetaId.toLowerCase()
    const meta = (await offeredMetas(ctx)).find(each => each.id === id)
    if (!meta) throw unknownReferences([{ entity: 'EntraMeta', id: body.entraMetaId, path: ['entraMetaId'] }])
    const [user] = await ctx.sql<{ authVersion: number }>`select auth_version as "authVersion" from "user"
      where tenant_id = ${tenantId} and id = ${userId}`
    const holder = { tenantId, userId, authVersion: user?.authVersion ?? 0 }
    const { ticket, expiresAt } = sealTicket(ctx.services.secrets, { holder, offer: { tenantId, id } }, ctx.now)
    return { body: { path: `/oauth/link/${ticket}`, expiresAt: expiresAt.toISOString() } }
  },
})
