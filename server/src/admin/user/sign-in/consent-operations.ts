import { listConsents, revokeConsent } from '../../../identity/consent/consent.ts'
import { everyone, permission } from '../../../kernel/access.ts'
import { isId } from '../../../kernel/id.ts'
import { operation, type Routes } from '../../../kernel/operation.ts'
import { NotFound } from '../../../kernel/refusal.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import { managedUser } from '../managed-user.ts'

const manageConsents = permission('user.consent', everyone, { credential: true })

const instant: Schema = { type: 'string', format: 'date-time' }

const consentSchema: Schema = {
  type: 'object',
  title: 'Consent',
  properties: {
    id: { type: 'string' },
    clientId: { type: 'string', description: 'The program, as it names itself.' },
    name: { type: 'string', description: 'The name of the program.' },
    homepage: { type: 'string' },
    scopes: { type: 'array', items: { type: 'string' }, description: 'What the user has allowed.' },
    created: instant,
    updated: { ...instant, description: 'When the user was last asked, or signed in without being asked again.' },
    lastUsed: { type: ['string', 'null'], format: 'date-time', description: 'To the minute; null if it never was.' },
  },
  required: ['id', 'clientId', 'name', 'homepage', 'scopes', 'created', 'updated', 'lastUsed'],
}

const whose =
  'Users do this for themselves (`me`); admins for the users whom they may change, and only super admins for a super admin.'

const list = operation({
  permission: manageConsents,
  mode: 'read',
  summary: 'List the consents of a user',
  description: `Which programs may act for the user, the latest first. ${whose} The programs of the service itself need no consent.`,
  reply: { status: 200, schema: { type: 'array', items: consentSchema }, description: 'The consents.' },
  refusals: [404],
  async run(ctx, { params }) {
    const user = await managedUser(ctx, params.id ?? '')
    return { body: await listConsents(ctx, user.id) }
  },
})

const revoke = operation({
  permission: manageConsents,
  mode: 'write',
  summary: 'Take a consent of a user back',
  description: `The sessions and tokens of the program for this user end at once, and it must ask again. ${whose} The event is \`user.consentRevoked\`.`,
  reply: { status: 204, description: 'The consent is taken back.' },
  refusals: [404],
  async run(ctx, { params: { id = '', consentId = '' } }) {
    const user = await managedUser(ctx, id)
    if (!isId(consentId) || !(await revokeConsent(ctx, user.id, consentId))) throw new NotFound()
    return {}
  },
})

export const routes: Routes = {
  'GET /user/:id/consent': list,
  'DELETE /user/:id/consent/:consentId': revoke,
}
