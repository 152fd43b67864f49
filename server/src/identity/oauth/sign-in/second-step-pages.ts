import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Adapter, Interaction } from 'oidc-provider'
import type { Database } from '../../../kernel/database.ts'
import { type AccountRef, accountIdOf, findAccount, readAccountId } from '../accounts.ts'
import { codePage, enrolmentPage, recoveryCodesPage, wrongCode } from '../pages/second-factor-pages.ts'
import { sendPage, sendTooManyAttempts } from '../pages/send-page.ts'
import { type AttemptLimit, networkOf } from './attempt-limit.ts'
import type { InteractionFlow } from './interaction-flow.ts'
import { beginEnrolment, completeEnrolment, methods, type NextStep, verifyCode } from './second-step.ts'

interface Parts {
  database: Database
  flow: InteractionFlow
  attempts: AttemptLimit
  /** The sign-ins whose password was right, by interaction, sealed. */
  pending: Adapter
}

/** A sign-in whose password was right. */
interface Pending {
  holder: AccountRef
  /** The key that the enrolment page shows. */
  secret?: string
  /** The enrolment is complete; only the recovery codes are still shown. */
  passed?: boolean
}

/** The time from the password to the end of the sign-in; seconds. */
const maxDuration = 900

/** Goes on after a right password: admits the person, asks for a code, or lets them enrol. */
export async function continueSignIn(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  interaction: Interaction,
  { next, ...holder }: AccountRef & { next: NextStep },
): Promise<FastifyReply> {
  if (next === 'admit') return await parts.flow.admit(request, reply, interaction, holder, methods.password)
  if (next === 'code') {
    await keep(parts, interaction, { holder })
    return sendPage(reply, codePage(), interaction)
  }
  // A page that is loaded again shows the same key, which may be in an app already.
  const before = await find(parts, interaction)
  const known = before?.holder.userId === holder.userId ? before.secret : undefined
  const enrolment = await beginEnrolment(parts.database, holder, known)
  await keep(parts, interaction, { holder, secret: enrolment.secret })
  return sendPage(reply, enrolmentPage(enrolment), interaction)
}

/** Takes the form of a page that followed the password; undefined if there was no right password, or it is too long ago. */
export async function submitSecondStep(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  interaction: Interaction,
  { step, code = '' }: Record<string, string>,
): Promise<FastifyReply | undefined> {
  const pending = await find(parts, interaction)
  if (!pending || (step === 'done') !== (pending.passed === true)) return undefined
  if (!pending.passed) {
    const counters = [`from ${networkOf(request.ip)}`, `for ${pending.holder.userId}`]
    if (!counters.every(counter => parts.attempts.take(counter))) return sendTooManyAttempts(reply, interaction)
    if (pending.secret) return await submitEnrolment(parts, reply, interaction, pending, pending.secret, code)
    const outcome = await verifyCode(parts.database, pending.holder, code)
    if (outcome !== 'ok') {
      const { tenantId, userId } = pending.holder
      const refusal = { tenantId, userId, credential: 'password', outcome, reason: 'wrong code' } as const
      await parts.flow.recordRefusal(request, interaction, refusal)
      return sendPage(reply.code(403), codePage(wrongCode), interaction)
    }
    for (const counter of counters) parts.attempts.giveBack(counter)
  }
  await parts.pending.destroy(interaction.uid)
  return await parts.flow.admit(request, reply, interaction, pending.holder, methods.passwordAndCode)
}

async function submitEnrolment(
  parts: Parts,
  reply: FastifyReply,
  interaction: Interaction,
  { holder }: Pending,
  secret: string,
  code: string,
): Promise<FastifyReply> {
  const codes = await completeEnrolment(parts.database, holder, secret, code)
  if (!codes) {
    const enrolment = await beginEnrolment(parts.database, holder, secret)
    return sendPage(reply.code(403), enrolmentPage({ ...enrolment, complaint: wrongCode }), interaction)
  }
  await keep(parts, interaction, { holder, passed: true })
  return sendPage(reply, recoveryCodesPage(codes), interaction)
}

async function keep({ pending }: Parts, { uid }: Interaction, { holder, ...more }: Pending): Promise<void> {
  await pending.upsert(uid, { accountId: accountIdOf(holder), ...more }, maxDuration)
}

/** The account is read again: a lock or a new password since the first page ends the sign-in. */
async function find({ pending, database }: Parts, { uid }: Interaction): Promise<Pending | undefined> {
  const { accountId, secret, passed } = (await pending.find(uid)) ?? {}
  const holder = readAccountId(accountId)
  if (!holder || !(await findAccount(database, accountIdOf(holder)))) return undefined
  return { holder, ...(typeof secret === 'string' ? { secret } : {}), ...(passed === true ? { passed } : {}) }
}
