import { Type } from 'typebox'
import type { Context } from '../kernel/context.ts'
import { setting, settingOf } from './setting.ts'

const setMaxUnpaged = setting('list.maxUnpaged', {
  schema: Type.Integer({ minimum: 0 }),
  default: 0,
  scopes: ['tenant'],
  description: 'How many records a list without `limit` answers at most; whoever wants more pages. 0 is no limit.',
})

/** How many records a list without paging may hold in the caller's tenant; 0 is any number. */
export function maxUnpaged(ctx: Context): Promise<number> {
  return settingOf(ctx, setMaxUnpaged)
}
