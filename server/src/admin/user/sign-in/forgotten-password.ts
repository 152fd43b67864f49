import type { FastifyInstance, FastifyRequest } from 'fastify'
import { say } from '../../../identity/oauth/pages/html.ts'
import { forgotPage, signInPage } from '../../../identity/oauth/pages/pages.ts'
import { sendPage, sendTooManyAttempts } from '../../../identity/oauth/pages/send-page.ts'
import { networkOf, openAttemptLimit } from '../../../identity/oauth/sign-in/attempt-limit.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import { tenantStatus } from '../../../identity/tenant-status.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Database } from '../../../kernel/database.ts'
import { appendEvents } from '../../../kernel/events.ts'
import type { Id } from '../../../kernel/id.ts'
import { invitationPath, storeInvitation } from '../invitation/invitation.ts'

interface ForgottenPasswordDeps {
  database: Database
  baseUrl: string
  /** The number of requests of one network, and for one address, in a minute. */
  perMinute: number
  /** Queues a mail to a user of the context's tenant. */
  sendMail(ctx: Context, mail: { to: string; subject: string; text: string }): Promise<unknown>
  log(line: Record<string, unknown>): void
}

type FormRequest = FastifyRequest<{ Body: Record<string, string> | undefined }>

const path = '/oauth/forgot'

/**
 * Mounts the page for a forgotten password. Everybody gets the same answer at once, and what is to be done happens after it, so that neither the
 * answer nor its time tells whether an account exists.
 */
export function mountForgottenPassword(app: FastifyInstance, deps: ForgottenPasswordDeps): void {
  const { database, baseUrl, perMinute, log } = deps
  const attempts = openAttemptLimit(perMinute)
  const running = new Set<Promise<void>>()
  app.addHook('onClose', async () => void (await Promise.all(running)))
  void app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16_384 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
    )
    scope.get(path, async (_request, reply) => sendPage(reply, forgotPage()))
    scope.post(path, async (request: FormRequest, reply) => {
      const email = (request.body?.email ?? '').trim().toLowerCase()
      const counters = [`from ${networkOf(request.ip)}`, `for ${email}`]
      if (!counters.every(counter => attempts.take(counter))) return sendTooManyAttempts(reply)
      const work = sendLinks(deps, email).catch(error =>
        log({ level: 'error', route: `POST ${path}`, error: String(error) }),
      )
      running.add(work)
      void work.finally(() => running.delete(work))
      return sendPage(
        reply,
        signInPage(say('Look into your mail', 'Sehen Sie in Ihre Mail'), answer, `${baseUrl}/sign-in`),
      )
    })
  })

  async function sendLinks({ sendMail }: ForgottenPasswordDeps, email: string): Promise<void> {
    for (const user of await findUsers(database, email))
      await database.transaction(tenantCaller(user.tenantId, user.id), ctx => sendLink(ctx, user, baseUrl, sendMail))
  }
}

const answer = say(
  'If an account with a password belongs to this address, a mail with a link for a new password is on its way. The link is valid for an hour. If no mail arrives, ask an administrator of your workspace: they can give you a link.',
  'Gehört zu dieser Adresse ein Konto mit Passwort, ist eine Mail mit einem Link für ein neues Passwort unterwegs. Der Link gilt eine Stunde. Kommt keine Mail an, fragen Sie eine Administratorin oder einen Administrator Ihres Arbeitsbereichs: Sie können Ihnen einen Link geben.',
)

/** How long a link is valid, and how long no other is sent to the same user; ms. */
const lifetime = 60 * 60_000
const pause = 10 * 60_000

interface Forgetful {
  tenantId: Id
  id: Id
  email: string
  tenant: string
}

/** The users with this address who sign in by password: at most one in each tenant. Users of a provider get no password here. */
async function findUsers({ crossTenantSql }: Database, email: string): Promise<Forgetful[]> {
  if (email === '' || email.length > 320 || email.includes('\0') || !email.isWellFormed()) return []
  return await crossTenantSql<Forgetful>`
    select u.tenant_id as "tenantId", u.id, u.email, t.name as tenant from "user" u join tenant t on t.tenant_id = u.tenant_id
    where lower(u.email) = ${email} and not u.deleted and u.active and u.password is not null and (u.locked is null or u.locked <= now())
      and t.status = ${tenantStatus.active} and not t.deleted limit 20`
}

/** Sends a link, unless one was sent a short time ago or an administrator has given one: nobody can flood a mailbox, or end an invitation. */
async function sendLink(
  ctx: Context,
  { id, email, tenant }: Forgetful,
  baseUrl: string,
  sendMail: ForgottenPasswordDeps['sendMail'],
): Promise<void> {
  const [row] = await ctx.sql<{
    recent: boolean
  }>`select coalesce(invitation_expires > ${new Date(ctx.now.getTime() + lifetime - pause)}, false) as recent
    from "user" where tenant_id = ${ctx.caller.tenantId} and id = ${id} for update`
  if (!row || row.recent) return
  const token = await storeInvitation(ctx, id, new Date(ctx.now.getTime() + lifetime))
  await appendEvents(ctx, [{ kind: 'user.passwordForgotten', entity: 'User', recordId: id, changes: {} }])
  await sendMail(ctx, {
    to: email,
    subject: 'A new password for Gantry',
    text: `Somebody, probably you, has asked for a new password for your account in ${tenant}.

Choose it here within an hour:

${baseUrl}${invitationPath}/${token}

If it was not you, ignore this mail: your password stays as it is.
`,
  })
}
