import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { setting, settingOf } from '../setting.ts'

const setMaxUnpaged = setting('list.maxUnpaged', {
  schema: Type.Integer({ minimum: 0 }),
  default: 0,
  scopes: ['tenant'],
  description:
    'The maximal number of records in a list that is requested without `limit`. Longer lists are refused and must be read in pages. 0 means no limit.',
})

/** Returns the maximum of records in a list without paging in the caller's tenant; 0 means no limit. */
export function maxUnpaged(ctx: Context): Promise<number> {
  return settingOf(ctx, setMaxUnpaged)
}
