import type { Context } from '../kernel/context.ts'
import { type Id, isId } from '../kernel/id.ts'
import { snakeCase } from '../kernel/record/columns.ts'
import { fault, RuleBroken } from '../kernel/refusal.ts'
import { name } from '../kernel/sql.ts'

const maxDepth = 50

/**
 * Returns the ids of the ancestors from a parent upwards, the parent first. Refuses a parent that would make a cycle. Each
 * ancestor is locked until the transaction ends, so that two concurrent moves cannot make a cycle together.
 */
export async function ancestorsOf(
  ctx: Context,
  kind: { table: string },
  parentId: Id,
  record?: Id,
  property = 'parentId',
): Promise<Id[]> {
  const way: Id[] = []
  let next: Id | null | undefined = isId(parentId) ? parentId : null // anything else is refused as a reference
  while (next) {
    if (next === record)
      throw refusal('cycle', 'a record cannot lie below itself', 'lies below the record itself', parentId, property)
    if (way.length >= maxDepth)
      throw refusal('too-deep', `records nest at most ${maxDepth} deep`, 'lies too deep already', parentId, property)
    const rows: { parentId: Id | null }[] =
      await ctx.sql`select ${name(snakeCase(property))} as "parentId" from ${name(kind.table)}
      where tenant_id = ${ctx.caller.tenantId} and id = ${next} and not deleted for share`
    if (rows.length === 0) break
    way.push(next)
    next = rows[0]?.parentId
  }
  return way
}

function refusal(code: string, message: string, says: string, parentId: Id, property: string): RuleBroken {
  return new RuleBroken(code, message, [fault([property], code, says, parentId)])
}
