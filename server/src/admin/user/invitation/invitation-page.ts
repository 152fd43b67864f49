import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { browserLocale } from '../../../identity/browser-locale.ts'
import type { AccountRef } from '../../../identity/oauth/oauth.ts'
import { say } from '../../../identity/oauth/pages/html.ts'
import { invitationPage, signInPage } from '../../../identity/oauth/pages/pages.ts'
import { sendPage, tooManyAttemptsPage } from '../../../identity/oauth/pages/send-page.ts'
import type { SignInTickets } from '../../../identity/oauth/sign-in/sign-in-ticket.ts'
import type { Database } from '../../../kernel/database.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { reader, type Schema } from '../../../kernel/schema/shape.ts'
import { type BeginTenant, invitationPath, openInvitations } from './invitation.ts'

const text: Schema = { type: 'string', maxLength: 200, writeOnly: true }
const bodySchema: Schema = {
  type: 'object',
  properties: { token: text, password: text },
  required: ['token', 'password'],
  additionalProperties: false,
}
const readBody = reader<{ token: string; password: string }>(bodySchema)

interface InvitationDeps {
  database: Database
  baseUrl: string
  perMinute: number
  tickets: SignInTickets
  beginTenant: BeginTenant
  /** Loads the sample company into the tenant of its first user, who has asked for it. */
  loadSample: (holder: AccountRef) => Promise<void>
}

type InvitationRequest = FastifyRequest<{
  Params: { token: string }
  Querystring: { first?: unknown }
  Body: Record<string, string> | undefined
}>

/**
 * Mounts the endpoint and the page where an invited user sets a password. There is no caller yet, so these are raw routes.
 * The page is the same for every token, and reading it does not use the token up, because link previews read it, too.
 */
export function mountInvitations(
  app: FastifyInstance,
  { database, baseUrl, perMinute, tickets, beginTenant, loadSample }: InvitationDeps,
): void {
  const accept = openInvitations(database, perMinute, beginTenant)
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
    scope.get(`${invitationPath}/:token`, async (request: InvitationRequest, reply) =>
      sendPage(reply, invitationPage({ first: isFirst(request) })),
    )
    scope.post(`${invitationPath}/:token`, async (request: InvitationRequest, reply) => {
      const { password = '', name = '', email = '', company = '', sample = '' } = request.body ?? {}
      const first = isFirst(request)
      try {
        const profile = first ? { name: name.trim(), email: email.trim(), company: company.trim() } : undefined
        const { token } = request.params
        const holder = await accept({
          token,
          password,
          ip: request.ip,
          profile,
          locale: browserLocale(request.headers['accept-language']),
        })
        if (first && sample !== '') await loadSample(holder)
        // A form of another site could sign somebody in to an account that is not theirs.
        if (request.headers['sec-fetch-site'] !== 'same-origin')
          return sendPage(reply, signInPage(say('You are in', 'Geschafft'), passwordIsSet, `${baseUrl}/sign-in`))
        await tickets.give(reply, holder)
        return reply.header('cache-control', 'no-store').redirect(`${baseUrl}/sign-in`, 303)
      } catch (error) {
        if (error instanceof Refusal)
          return refusalPage(reply, error, { first, name, email, company, sample: sample !== '' })
        throw error
      }
    })
  })
}

const passwordIsSet = say(
  'Your password is set. From now on, sign in with your e-mail address and this password.',
  'Ihr Passwort ist festgelegt. Melden Sie sich ab jetzt mit Ihrer E-Mail-Adresse und diesem Passwort an.',
)

/** The first user of an installation is asked for more; the parameter is part of the link that the first start prints. */
const isFirst = ({ query }: InvitationRequest) => query.first !== undefined

function refusalPage(
  reply: FastifyReply,
  { status, code, message, faults, headers }: Refusal,
  form: { first: boolean; name: string; email: string; company: string; sample: boolean },
): FastifyReply {
  if (status === 429) return sendPage(reply.code(429).headers(headers), tooManyAttemptsPage)
  const [wrong] = faults
  const english = wrong
    ? `${fieldNames[wrong.Field] ?? wrong.Field} ${wrong.Message}.`
    : `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
  const complaint = say(english, german[wrong?.Field ?? ''] ?? german[code] ?? english)
  return sendPage(reply.code(status), invitationPage({ ...form, complaint }))
}

const fieldNames: Readonly<Record<string, string>> = {
  password: 'The password',
  name: 'The name',
  email: 'The e-mail address',
  company: 'The name of the company',
}

/** What is wrong in German, by the field or the code of the refusal. */
const german: Readonly<Record<string, string>> = {
  password:
    'Das Passwort braucht 12 bis 200 Zeichen und darf nicht leicht zu erraten sein: kein häufiges Wort, keine einfache Folge, weder Ihr Name noch Ihre Adresse.',
  name: 'Der Name braucht 1 bis 120 Zeichen.',
  email: 'Geben Sie eine gültige E-Mail-Adresse ein.',
  company: 'Der Name der Firma darf höchstens 120 Zeichen haben.',
  'invitation-not-valid': 'Diese Einladung ist nicht gültig oder abgelaufen; bitten Sie um eine neue.',
}
