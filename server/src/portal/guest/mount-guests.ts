import type { FastifyInstance, FastifyReply } from 'fastify'
import { type GuestLink, guestPath } from '../../desk/guest/guest.ts'
import { say } from '../../identity/oauth/pages/html.ts'
import type { Brand } from '../../identity/oauth/pages/page-style.ts'
import { sendPage, tooManyAttemptsPage } from '../../identity/oauth/pages/send-page.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { parseJson } from '../../platform/requests/json.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Guest } from './find-guest.ts'
import { close, messageBody, rate, ratingBody, reopen, writeMessage } from './guest-actions.ts'
import { mountGuestApi } from './guest-api.ts'
import { type GuestRequest, openGuestDoor } from './guest-door.ts'
import { ratingPage, ticketPage, unknownLinkPage } from './guest-page.ts'
import { readForGuest } from './guest-ticket.ts'

interface GuestOptions {
  database: Database
  secrets: Secrets
  baseUrl: string
  perMinute: number
  brandOf: (ctx: Context) => Promise<Brand>
}

type Form = Record<string, string>

/** Mounts what requesters do by a link: an API, and pages with forms. Reading a page changes nothing, because mail scanners read it, too. */
export function mountGuests(app: FastifyInstance, { baseUrl, brandOf, ...options }: GuestOptions): void {
  const enter = openGuestDoor(options)
  mountGuestApi(app, enter)

  const addressOf = ({ params }: GuestRequest) => `${baseUrl}${guestPath}/${params.token}`

  async function pageFor(ctx: Context, guest: Guest, request: GuestRequest) {
    const [ticket, brand] = [await readForGuest(ctx, guest), await brandOf(ctx)]
    const filesAt = `${baseUrl}/api/guest/${request.params.token}/file`
    return { ticket, brand, address: addressOf(request), filesAt, timezone: guest.timezone }
  }

  void app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 128 * 1024 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
    )
    const path = `${guestPath}/:token`

    scope.get(path, async (request: GuestRequest, reply) => {
      try {
        const page = await enter(request, 'read', (ctx, guest) => pageFor(ctx, guest, request))
        return sendPage(secret(reply), ticketPage(page))
      } catch (error) {
        return refuse(reply, error)
      }
    })

    scope.get(`${path}/rate/:score`, async (request: GuestRequest, reply) => {
      try {
        const page = await enter(request, 'read', (ctx, guest) => pageFor(ctx, guest, request))
        return sendPage(secret(reply), ratingPage(page, Number(request.params.score)))
      } catch (error) {
        return refuse(reply, error)
      }
    })

    const action = (verb: string, act: (ctx: Context, guest: Guest, form: Form) => Promise<GuestLink | undefined>) =>
      scope.post(`${path}/${verb}`, async (request: GuestRequest, reply) => {
        const form = Object(request.body)
        try {
          const followUp = await enter(request, 'write', (ctx, guest) => act(ctx, guest, form))
          if (!followUp) return secret(reply).redirect(addressOf(request), 303)
          const page = await enter(request, 'read', (ctx, guest) => pageFor(ctx, guest, request))
          return sendPage(secret(reply), ticketPage({ ...page, followUp: followUp.url }))
        } catch (error) {
          if (!(error instanceof Refusal) || ![400, 422].includes(error.status)) return refuse(reply, error)
          const page = await enter(request, 'read', (ctx, guest) => pageFor(ctx, guest, request))
          const draft = String(form.body ?? '')
          return sendPage(secret(reply).code(error.status), ticketPage({ ...page, complaint: complaint(error), draft }))
        }
      })
    action('message', (ctx, guest, form) => writeMessage(ctx, guest, messageBody.read(stated(form))))
    action('close', close)
    action('reopen', reopen)
    action('csat', (ctx, guest, { score, ...more }) =>
      rate(ctx, guest, ratingBody.read(stated({ ...more, score: Number(score) }))),
    )
  })
}

/** What a link shows is for nobody else, and its address is told to nobody. */
const secret = (reply: FastifyReply) => reply.headers({ 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' })

/** Refuses the texts that the API refuses in JSON. */
const stated = (form: object): unknown => parseJson(JSON.stringify(form))

function refuse(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof Refusal)) throw error
  if (error.status === 429) return sendPage(secret(reply).code(429).headers(error.headers), tooManyAttemptsPage)
  return sendPage(secret(reply).code(error.status), unknownLinkPage)
}

const complaints: Readonly<Record<string, string>> = {
  'reopen-too-late':
    'Die Anfrage ist schon zu lange geschlossen. Schreiben Sie eine Nachricht, um eine neue zu beginnen.',
  'already-rated': 'Sie haben die Anfrage schon bewertet.',
  'not-closed': 'Die Anfrage ist noch nicht geschlossen.',
  'annotation-empty': 'Schreiben Sie eine Nachricht.',
}

function complaint({ code, message, faults: [wrong] }: Refusal) {
  const english = wrong ? `${wrong.Field} ${wrong.Message}` : message
  return say(
    `${english.charAt(0).toUpperCase()}${english.slice(1)}.`,
    complaints[code] ?? 'Das wurde nicht angenommen. Prüfen Sie die Eingabe.',
  )
}
