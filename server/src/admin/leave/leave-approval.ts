import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { setting, settingOf } from '../../platform/setting.ts'

const approval = setting('leave.approval', {
  schema: Type.Boolean(),
  default: false,
  scopes: ['tenant'],
  description:
    'Whether leave is effective only after somebody else has approved it: the manager of the user, or who has `leave.approve`.',
})

export const needsApproval = (ctx: Context): Promise<boolean> => settingOf(ctx, approval)
