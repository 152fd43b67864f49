import type { FastifyInstance, FastifyReply } from 'fastify'
import { invitationPage, messagePage } from '../../identity/oauth/pages/pages.ts'
import { sendPage, tooManyAttemptsPage } from '../../identity/oauth/pages/send-page.ts'
import type { Database } from '../../kernel/database.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { invitationPath, openInvitations } from './invitation.ts'

const text: Schema = { type: 'string', maxLength: 200, writeOnly: true }
const bodySchema: Schema = {
  type: 'object',
  properties: { token: text, password: text },
  required: ['token', 'password'],
  additionalProperties: false,
}
const readBody = reader<{ token: string; password: string }>(bodySchema)

/**
 * Mounts the endpoint and the page where an invited user sets a password. There is no caller yet, so these are raw routes.
 * The page is the same for every token, and reading it does not use the token up, because link previews read it, too.
 */
export function mountInvitations(app: FastifyInstance, database: Database, perMinute: number): void {
  const accept = openInvitations(database, perMinute)
  app.post('/api/user/invitation/accept', async (request, reply) => {
    const body = readBody(request.body ?? {})
    await accept({ ...body, ip: request.ip })
    return reply.header('cache-control', 'no-store').code(204).send()
  })
  void app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16_384 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
    )
    scope.get(`${invitationPath}/:token`, async (_request, reply) => sendPage(reply, invitationPage()))
    scope.post<{ Params: { token: string }; Body: Record<string, string> | undefined }>(
      `${invitationPath}/:token`,
      async (request, reply) => {
        const { password = '' } = request.body ?? {}
        try {
          await accept({ token: request.params.token, password, ip: request.ip })
        } catch (error) {
          if (error instanceof Refusal) return refusalPage(reply, error)
          throw error
        }
        return sendPage(
          reply,
          messagePage(
            'You are in',
            'Your password is set. From now on, sign in with your e-mail address and this password.',
          ),
        )
      },
    )
  })
}

function refusalPage(reply: FastifyReply, { status, message, faults, headers }: Refusal): FastifyReply {
  if (status === 429) return sendPage(reply.code(429).headers(headers), tooManyAttemptsPage)
  const wrong = faults.find(each => each.Field === 'password')
  const complaint = wrong ? `The password ${wrong.Message}.` : `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
  return sendPage(reply.code(status), invitationPage(complaint))
}
