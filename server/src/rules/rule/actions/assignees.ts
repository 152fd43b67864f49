import { assignPolicy, nextAssignee } from '../../../desk/ticket/assign-next.ts'
import type { Item } from '../../../items/item/item.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import { RuleBroken } from '../../../kernel/refusal.ts'
import type { ActionContext } from './action-context.ts'

/** Returns the new assignees: a user, the next member of a group (`{"groupId": …}`, `leastLoaded <id>`), or the `lastAssignee`. */
export async function assigneesFor({ ctx }: ActionContext, item: Item, value: unknown): Promise<Id[]> {
  const text = textOf(value)
  const [how = '', ...rest] = text.split(/[\s:]+/)
  if (/^lastAssignee$/i.test(how)) return await lastAssignees(ctx, item)
  const id = (rest.at(-1) ?? how).toLowerCase()
  if (Array.isArray(value)) return value.map(String)
  const kind = isId(id) ? await kindOf(ctx, id) : undefined
  if (kind === 'user') return [id]
  if (kind !== 'group') throw new RuleBroken('nobody', `there is no user or group ${text}`)
  const policy = /^leastLoaded$/i.test(how) ? assignPolicy.leastOpen : /^roundRobin$/i.test(how) ? inTurn : undefined
  const { userId } = await nextAssignee(ctx, id, policy)
  return [userId]
}

/** Any policy that does not look at the load takes the members in turn. */
const inTurn = 0

function textOf(value: unknown): string {
  if (value === null || typeof value !== 'object') return String(value ?? '').trim()
  const how = String(Reflect.get(value, 'policy') ?? '')
  return `${how} ${Reflect.get(value, 'groupId') ?? Reflect.get(value, 'userId') ?? ''}`.trim()
}

async function kindOf({ caller, sql }: Context, id: Id): Promise<string | undefined> {
  const [found] = await sql<{ kind: string }>`
    select 'user' as kind from "user" where tenant_id = ${caller.tenantId} and id = ${id} and not deleted
    union all select 'group' from user_group where tenant_id = ${caller.tenantId} and id = ${id} and not deleted`
  return found?.kind
}

/** Returns those who were replaced or removed by the last change of assignees; the current ones if there was none. */
async function lastAssignees({ caller, sql }: Context, { id, assignees }: Item): Promise<Id[]> {
  const [row] = await sql<{ from: Id[] }>`select e.changes -> 'assignees' -> 'from' as "from" from event e
    where e.tenant_id = ${caller.tenantId} and e.record_id = ${id} and jsonb_typeof(e.changes -> 'assignees' -> 'from') = 'array'
      and e.changes -> 'assignees' -> 'from' <> '[]' order by e.xact desc, e.id desc limit 1`
  return row?.from ?? assignees
}
