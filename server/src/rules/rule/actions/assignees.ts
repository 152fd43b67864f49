import { clocks } from '../../../clocks/clock/clock.ts'
import { groupOnDuty } from '../../../clocks/region/region.ts'
import { nextAssignee, readAssignTarget } from '../../../desk/assignment/assignment.ts'
import type { Item } from '../../../items/item/item.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { unknownReferences } from '../../../kernel/record/references.ts'
import { RuleBroken } from '../../../kernel/refusal.ts'
import type { ActionContext } from './action-context.ts'
import { objectOf } from './text/action-text.ts'

/** The new assignees of an item; `reason` is why a member of a group was chosen. */
interface NewAssignees {
  assignees: Id[]
  reason?: string
}

/**
 * Returns the new assignees: users, the next member of a group (`{"groupId": …}`, `leastLoaded <id>`), the next member of the
 * group that is on duty on a clock (`{"clockId": …}`), or the `lastAssignee`.
 */
export async function assigneesFor({ ctx }: ActionContext, item: Item, value: unknown): Promise<NewAssignees> {
  if (typeof value === 'string' && /^\s*lastAssignee\s*$/i.test(value))
    return { assignees: await lastAssignees(ctx, item) }
  if (Array.isArray(value)) return { assignees: value.map(String) }
  const target = await readAssignTarget(ctx, await withGroupOnDuty(ctx, value))
  if (!target) throw new RuleBroken('nobody', `there is no user or group ${textOf(value)}`)
  if ('userId' in target) return { assignees: [target.userId] }
  const { userId, reason } = await nextAssignee(ctx, item.id, target.groupId, target.terms)
  return { assignees: [userId], reason }
}

/** Puts the group that is responsible now in the place of the clock that a value names. */
async function withGroupOnDuty(ctx: Context, value: unknown): Promise<unknown> {
  const clockId = onDutyClock(value)
  if (clockId === undefined) return value
  const clock = await clocks.find(ctx, clockId.toLowerCase())
  if (!clock) throw unknownReferences([{ entity: 'Clock', id: clockId, path: ['value'] }])
  const groupId = await groupOnDuty(ctx, clock)
  if (groupId === '') throw new RuleBroken('nobody-on-duty', `nobody is on duty on the clock ${clock.name}`)
  return { ...objectOf(value), groupId }
}

/** The clock in `{"clockId": …}`. */
export function onDutyClock(value: unknown): string | undefined {
  const { clockId } = objectOf(value)
  return typeof clockId === 'string' && clockId !== '' ? clockId : undefined
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))

/** Returns those who were replaced or removed by the last change of assignees; the current ones if there was none. */
async function lastAssignees({ caller, sql }: Context, { id, assignees }: Item): Promise<Id[]> {
  const [row] = await sql<{ from: Id[] }>`select e.changes -> 'assignees' -> 'from' as "from" from event e
    where e.tenant_id = ${caller.tenantId} and e.record_id = ${id} and jsonb_typeof(e.changes -> 'assignees' -> 'from') = 'array'
      and e.changes -> 'assignees' -> 'from' <> '[]' order by e.xact desc, e.id desc limit 1`
  return row?.from ?? assignees
}
