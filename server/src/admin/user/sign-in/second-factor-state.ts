import {
  isSecondFactorRequired,
  readSecondFactor,
  removeSecondFactor,
} from '../../../identity/second-factor/second-factor.ts'
import { everyone, permission } from '../../../kernel/access.ts'
import { operation, type Routes } from '../../../kernel/operation.ts'
import { Forbidden, RuleBroken } from '../../../kernel/refusal.ts'
import type { Schema } from '../../../kernel/schema/shape.ts'
import { managedUser } from '../managed-user.ts'

export const useSecondFactor = permission('user.secondFactor', everyone, { credential: true })

export const noFactor = () => new RuleBroken('no-second-factor', 'there is no second factor')

const stateSchema: Schema = {
  type: 'object',
  title: 'SecondFactor',
  properties: {
    active: { type: 'boolean', description: 'Sign-in by password asks for a code.' },
    since: { type: ['string', 'null'], format: 'date-time' },
    recoveryCodesLeft: { type: 'integer' },
    required: { type: 'boolean', description: 'The tenant requires it (setting `user.secondFactorRequired`).' },
  },
  required: ['active', 'since', 'recoveryCodesLeft', 'required'],
}

const show = operation({
  permission: useSecondFactor,
  mode: 'read',
  summary: 'Get the state of a second factor',
  description: 'Users see their own (`me`); admins see that of the users whom they may change.',
  reply: { status: 200, schema: stateSchema, description: 'The state.' },
  refusals: [404],
  async run(ctx, { params }) {
    const user = await managedUser(ctx, params.id ?? 'me')
    const { since, recoveryCodesLeft } = await readSecondFactor(ctx, user.id)
    const required = await isSecondFactorRequired(ctx)
    return { body: { active: since !== null, since: since?.toISOString() ?? null, recoveryCodesLeft, required } }
  },
})

const reset = operation({
  permission: useSecondFactor,
  mode: 'write',
  summary: 'Remove the second factor of another user',
  description:
    'For admins: removes the key and the recovery codes of a user who has lost them. Only super admins do this to a super admin. The event is `user.secondFactorRemoved`.',
  reply: { status: 204, description: 'The user has no second factor.' },
  refusals: [404],
  async run(ctx, { params }) {
    const user = await managedUser(ctx, params.id ?? 'me')
    if (user.id === ctx.caller.userId)
      throw new Forbidden('users remove their own second factor with their password or a code')
    await removeSecondFactor(ctx, user.id)
    return {}
  },
})

export const routes: Routes = {
  'GET /user/me/second-factor': show,
  'GET /user/:id/second-factor': show,
  'DELETE /user/:id/second-factor': reset,
}
