import { fieldsRevealedBy } from '../../containers/redaction/redaction.ts'
import { bindsOn } from '../../identity/field-limit/field-limit.ts'
import type { Caller } from '../../kernel/access.ts'
import { or, raw, sql } from '../../kernel/sql.ts'
import type { CustomPath } from './custom-field.ts'

/** Returns the path with no value on the items where their process hides it from the caller; undefined if this is not known. */
export function whereShown(caller: Caller, name: string, path: CustomPath | undefined): CustomPath | undefined {
  const revealed = fieldsRevealedBy(name)
  const limits = caller.authority.fieldLimits.filter(
    ({ hides, names }) => hides && revealed.some(each => names.has(each)),
  )
  if (!path || limits.length === 0) return path
  // The parent may have another process, so the row of the item does not tell whether its values are hidden.
  if (name.startsWith('parent.')) return undefined
  const shown = sql`not coalesce(${or(limits.map(each => bindsOn(caller, each, raw('t'))))}, false)`
  if (path.kind === 'set')
    return { kind: 'set', of: path.of, elements: sql`select w from (${path.elements}) s(w) where ${shown}` }
  const { kind, value, order } = path
  return {
    kind,
    value: sql`(case when ${shown} then ${value} end)`,
    ...(order && { order: { ...order, value: sql`(case when ${shown} then ${order.value} end)` } }),
  }
}
