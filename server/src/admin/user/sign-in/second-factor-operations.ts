import { type Proof, requirePassword, requireProof } from '../../../identity/second-factor/proof.ts'
import {
  confirmSecondFactor,
  type Enrolment,
  enrolmentFor,
  happened,
  newSecret,
  proposeSecondFactor,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../../../identity/second-factor/second-factor.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { operation, type Routes } from '../../../kernel/operation.ts'
import { fault, Invalid, RuleBroken } from '../../../kernel/refusal.ts'
import { reader, type Schema } from '../../../kernel/schema/shape.ts'
import { hasPassword } from './password.ts'
import { noFactor, useSecondFactor } from './second-factor-state.ts'

const text = (description: string, maxLength = 200): Schema => ({
  type: 'string',
  maxLength,
  writeOnly: true,
  description,
})
const object = (properties: Record<string, Schema>, required: string[]): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const [password, code] = [text('The current password.'), text('A code of the app, or a recovery code.', 40)]

const codesSchema: Schema = {
  type: 'object',
  title: 'RecoveryCodes',
  properties: {
    recoveryCodes: {
      type: 'array',
      items: { type: 'string' },
      description: 'Each one replaces a code of the app once. Only this response contains them.',
    },
  },
  required: ['recoveryCodes'],
}

const beginSchema = object({ password }, ['password'])
const begin = operation<{ password: string }>({
  permission: useSecondFactor,
  mode: 'write',
  summary: 'Begin to set up a second factor',
  description:
    'Creates a key for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). It counts when it is confirmed with a code; until then another call replaces it. Only this response contains the key. 422 `second-factor-active` if the caller has one already: remove it first.',
  body: { schema: beginSchema, read: reader(beginSchema), example: { password: 'the current password' } },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'SecondFactorEnrolment',
      properties: {
        secret: { type: 'string', description: 'The key in base32.' },
        uri: { type: 'string', description: 'The `otpauth:` address, for a QR code.' },
      },
      required: ['secret', 'uri'],
    },
    description: 'The key.',
  },
  refusals: [422],
  unrepeatable: true,
  async run(ctx, { body }) {
    const { userId } = ctx.caller
    if (!(await hasPassword(ctx, userId)))
      throw new RuleBroken('no-password', 'there is no password, so that no sign-in would ask for a code')
    await requirePassword(ctx, userId, body.password, 'password')
    await refuseActive(ctx, userId)
    const enrolment: Enrolment = await enrolmentFor(ctx, userId, newSecret())
    await proposeSecondFactor(ctx, userId, enrolment.secret)
    return { body: enrolment }
  },
})

const confirmSchema = object({ code: text('A code of the app.', 40) }, ['code'])
const confirm = operation<{ code: string }>({
  permission: useSecondFactor,
  mode: 'write',
  summary: 'Confirm the second factor',
  description:
    'Puts the key into force with a code of the app. From then on sign-in by password asks for a code, each of which counts once. API keys, sessions and sign-in through a provider are not affected.',
  body: { schema: confirmSchema, read: reader(confirmSchema), example: { code: '492039' } },
  reply: { status: 200, schema: codesSchema, description: 'Ten recovery codes.' },
  refusals: [422],
  unrepeatable: true,
  async run(ctx, { body }) {
    const { userId } = ctx.caller
    await refuseActive(ctx, userId)
    const recoveryCodes = await confirmSecondFactor(ctx, userId, body.code.replace(/\s/g, ''))
    if (!recoveryCodes) throw new Invalid([fault(['code'], 'code', 'is not a code of this key at this time')])
    return { body: { recoveryCodes } }
  },
})

const proofSchema = object({ password, code }, [])
const proofBody = { schema: proofSchema, read: reader<Proof>(proofSchema), example: { code: '492039' } }

const renew = operation<Proof>({
  permission: useSecondFactor,
  mode: 'write',
  summary: 'Make new recovery codes',
  description: 'Replaces the recovery codes of the caller. Needs the password or a code.',
  body: proofBody,
  reply: { status: 200, schema: codesSchema, description: 'Ten recovery codes.' },
  refusals: [422],
  unrepeatable: true,
  async run(ctx, { body }) {
    const { userId } = ctx.caller
    if (!(await readSecondFactor(ctx, userId)).since) throw noFactor()
    await requireProof(ctx, userId, body)
    await happened(ctx, 'recoveryCodesRenewed', userId)
    return { body: { recoveryCodes: await renewRecoveryCodes(ctx, userId) } }
  },
})

const removal = operation<Proof>({
  permission: useSecondFactor,
  mode: 'write',
  summary: 'Remove the own second factor',
  description:
    'Removes the key and the recovery codes of the caller. Needs the password or a code. If the tenant requires a second factor, the next sign-in sets one up.',
  body: proofBody,
  reply: { status: 204, description: 'The caller has no second factor.' },
  refusals: [422],
  unrepeatable: true,
  async run(ctx, { body }) {
    const { userId } = ctx.caller
    if (!(await readSecondFactor(ctx, userId)).since) throw noFactor()
    await requireProof(ctx, userId, body)
    await removeSecondFactor(ctx, userId)
    return {}
  },
})

async function refuseActive(ctx: Context, userId: Id): Promise<void> {
  await ctx.sql`select 1 from "user" where tenant_id = ${ctx.caller.tenantId} and id = ${userId} for update`
  if ((await readSecondFactor(ctx, userId)).since)
    throw new RuleBroken('second-factor-active', 'there is a second factor already; remove it first')
}

export const routes: Routes = {
  'POST /user/me/second-factor': begin,
  'POST /user/me/second-factor/confirm': confirm,
  'POST /user/me/second-factor/recovery-codes': renew,
  'POST /user/me/second-factor/remove': removal,
}
