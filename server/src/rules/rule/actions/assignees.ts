import { nextAssignee, readAssignTarget } from '../../../desk/assignment/assignment.ts'
import type { Item } from '../../../items/item/item.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Id } from '../../../kernel/id.ts'
import { RuleBroken } from '../../../kernel/refusal.ts'
import type { ActionContext } from './action-context.ts'

/** The new assignees of an item; `reason` is why a member of a group was chosen. */
interface NewAssignees {
  assignees: Id[]
  reason?: string
}

/** Returns the new assignees: users, the next member of a group (`{"groupId": …}`, `leastLoaded <id>`), or the `lastAssignee`. */
export async function assigneesFor({ ctx }: ActionContext, item: Item, value: unknown): Promise<NewAssignees> {
  if (typeof value === 'string' && /^\s*lastAssignee\s*$/i.test(value))
    return { assignees: await lastAssignees(ctx, item) }
  if (Array.isArray(value)) return { assignees: value.map(String) }
  const target = await readAssignTarget(ctx, value)
  if (!target) throw new RuleBroken('nobody', `there is no user or group ${textOf(value)}`)
  if ('userId' in target) return { assignees: [target.userId] }
  const { userId, reason } = await nextAssignee(ctx, item.id, target.groupId, target.terms)
  return { assignees: [userId], reason }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))

/** Returns those who were replaced or removed by the last change of assignees; the current ones if there was none. */
async function lastAssignees({ caller, sql }: Context, { id, assignees }: Item): Promise<Id[]> {
  const [row] = await sql<{ from: Id[] }>`select e.changes -> 'assignees' -> 'from' as "from" from event e
    where e.tenant_id = ${caller.tenantId} and e.record_id = ${id} and jsonb_typeof(e.changes -> 'assignees' -> 'from') = 'array'
      and e.changes -> 'assignees' -> 'from' <> '[]' order by e.xact desc, e.id desc limit 1`
  return row?.from ?? assignees
}
