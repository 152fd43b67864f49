import { admins, demand, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { Forbidden } from '../../kernel/refusal.ts'
import { changeOwnRates, type OwnRates } from '../rate/own-rates.ts'

const updateRates = permission('userRate.update', admins)

/** Changes the rates of a user, and tells whether anything changed. */
export async function changeUserRates(ctx: Context, userId: Id, input: OwnRates): Promise<boolean> {
  return await changeOwnRates(ctx, { userId }, input, () => {
    demand(ctx.caller, updateRates)
    if (userId === ctx.caller.userId && !ctx.caller.authority.superAdmin)
      throw new Forbidden('users do not change their own capacity or rates')
  })
}
