import { endOtherSessions, endSession, listSessions } from '../../../identity/session/session.ts'
import { everyone, permission } from '../../../kernel/access.ts'
import { appendEvents } from '../../../kernel/events.ts'
import { isId } from '../../../kernel/id.ts'
import { operation, type Routes } from '../../../kernel/operation.ts'
import { NotFound } from '../../../kernel/refusal.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import { managedUser } from '../managed-user.ts'

const manageSessions = permission('user.session', everyone, { credential: true })

const sessionSchema: Schema = {
  type: 'object',
  title: 'UserSession',
  properties: {
    id: { type: 'string' },
    client: {
      type: 'string',
      description:
        'The OAuth client that the user has signed in to: its name if the tenant has registered it, else its id.',
    },
    userAgent: { type: 'string', description: 'The browser in which the user has signed in.' },
    address: { type: 'string', description: 'The address from which the session was last used.' },
    created: { type: 'string', format: 'date-time' },
    lastUsed: { type: 'string', format: 'date-time', description: 'To the minute.' },
    methods: {
      type: 'array',
      items: { type: 'string' },
      description:
        'How the user signed in to the web app (RFC 8176: `pwd`, `otp`, `mfa`, `fed`); empty for other clients.',
    },
    current: { type: 'boolean', description: 'The session of this request.' },
  },
  required: ['id', 'client', 'userAgent', 'address', 'created', 'lastUsed', 'methods', 'current'],
}

const whose =
  'Users do this for themselves (`me`); admins for the users whom they may change, and only super admins for a super admin.'

const list = operation({
  permission: manageSessions,
  mode: 'read',
  summary: 'List the sessions of a user',
  description: `The sign-ins of a user to clients that can still be used, the last used one first. ${whose} API keys are no sessions.`,
  reply: { status: 200, schema: { type: 'array', items: sessionSchema }, description: 'The sessions.' },
  refusals: [404],
  async run(ctx, { params }) {
    const user = await managedUser(ctx, params.id ?? '')
    return { body: await listSessions(ctx, user.id) }
  },
})

const endAll = operation({
  permission: manageSessions,
  mode: 'write',
  summary: 'End the sessions of a user',
  description: `Revokes the refresh and access tokens of all sessions of the user at once, except the session of this request. ${whose} API keys stay valid. The event is \`user.sessionsEnded\`.`,
  reply: { status: 204, description: 'The sessions are ended.' },
  refusals: [404],
  async run(ctx, { params }) {
    const user = await managedUser(ctx, params.id ?? '')
    await endOtherSessions(ctx, user.id)
    await appendEvents(ctx, [{ kind: 'user.sessionsEnded', entity: 'User', recordId: user.id, changes: {} }])
    return {}
  },
})

const endOne = operation({
  permission: manageSessions,
  mode: 'write',
  summary: 'End a session of a user',
  description: `Revokes the refresh and access tokens of the session at once. ${whose} The event is \`user.sessionEnded\`.`,
  reply: { status: 204, description: 'The session is ended.' },
  refusals: [404],
  async run(ctx, { params }) {
    const user = await managedUser(ctx, params.id ?? '')
    const { sessionId = '' } = params
    if (!isId(sessionId) || !(await endSession(ctx, user.id, sessionId))) throw new NotFound()
    return {}
  },
})

const listOwn = operation({
  permission: manageSessions,
  mode: 'read',
  summary: 'List the sessions of the caller',
  description:
    'The same list as `GET /user/me/session`: the sign-ins of the caller that can still be used, the last used one first.',
  reply: { status: 200, schema: { type: 'array', items: sessionSchema }, description: 'The sessions.' },
  async run(ctx) {
    return { body: await listSessions(ctx, ctx.caller.userId) }
  },
})

const endOwn = operation({
  permission: manageSessions,
  mode: 'write',
  summary: 'End a session of the caller',
  description:
    'Ends the session at once, with its tokens and the cookie of the web app. The event is `user.sessionEnded`.',
  reply: { status: 204, description: 'The session is ended.' },
  refusals: [404],
  async run(ctx, { params: { id = '' } }) {
    if (!isId(id) || !(await endSession(ctx, ctx.caller.userId, id))) throw new NotFound()
    return {}
  },
})

export const routes: Routes = {
  'GET /session/all': listOwn,
  'DELETE /session/:id': endOwn,
  'GET /user/:id/session': list,
  'DELETE /user/:id/session': endAll,
  'DELETE /user/:id/session/:sessionId': endOne,
}
