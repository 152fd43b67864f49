import { everyone, permission } from '../../kernel/access.ts'
import { operation } from '../../kernel/operation.ts'
import { pointsAtNothing } from '../../kernel/record/references.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { offeredMetas } from './entra-meta.ts'
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
    path: { type: 'string', description: 'To be opened in the browser, behind the address of this installation.' },
    expiresAt: { type: 'string', format: 'date-time' },
  },
  required: ['path', 'expiresAt'],
}

/** People link their own account themselves: they are signed in here, and then prove who they are there. */
export const startLink = operation<{ entraMetaId: string }>({
  permission: permission('user.self', everyone),
  mode: 'read',
  summary: 'Begin to link one’s account with a provider',
  description:
    'Answers an address for the browser in which the caller is signed in here. It leads to the provider and back, and then the two are linked: whoever is signed in there comes in as the caller.',
  body: {
    schema: inputSchema,
    read: reader(inputSchema),
    example: { entraMetaId: '01890000-0000-7000-8000-000000000000' },
  },
  reply: { status: 200, schema: startSchema, description: 'Where to go.' },
  refusals: [422],
  unrepeatable: true,
  async run(ctx, { body }) {
    const { tenantId, userId } = ctx.caller
    const id = body.entraMetaId.toLowerCase()
    const meta = (await offeredMetas(ctx)).find(each => each.id === id)
    if (!meta) throw pointsAtNothing([{ entity: 'EntraMeta', id: body.entraMetaId, path: ['entraMetaId'] }])
    const [user] = await ctx.sql<{ authVersion: number }>`select auth_version as "authVersion" from "user"
      where tenant_id = ${tenantId} and id = ${userId}`
    const holder = { tenantId, userId, authVersion: user?.authVersion ?? 0 }
    const { ticket, expiresAt } = sealTicket(ctx.services.secrets, { holder, offer: { tenantId, id } }, ctx.now)
    return { body: { path: `/oauth/link/${ticket}`, expiresAt: expiresAt.toISOString() } }
  },
})
