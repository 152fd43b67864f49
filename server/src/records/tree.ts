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
    if (way.length >= maxDepth) throw tooDeep(parentId, property)
    const rows: { parentId: Id | null }[] =
      await ctx.sql`select ${name(snakeCase(property))} as "parentId" from ${name(kind.table)}
      where tenant_id = ${ctx.caller.tenantId} and id = ${next} and not deleted for share`
    if (rows.length === 0) break
    way.push(next)
    next = rows[0]?.parentId
  }
  if (record && way.length + (await levelsBelow(ctx, kind, record, property)) > maxDepth)
    throw tooDeep(parentId, property)
  return way
}

/** Refuses a parent for a new record that lies too deep already. One statement, because nothing can be a cycle yet. */
export async function refuseTooDeep(
  ctx: Context,
  kind: { table: string },
  parentId: Id,
  property = 'parentId',
): Promise<void> {
  if (!isId(parentId)) return // refused as a reference
  const [table, column] = [name(kind.table), name(snakeCase(property))]
  const [row] = await ctx.sql<{ levels: number }>`with recursive up as (
      select ${column} as parent, 1 as level from ${table} where tenant_id = ${ctx.caller.tenantId} and id = ${parentId} and not deleted
      union all select t.${column}, up.level + 1 from up join ${table} t on t.tenant_id = ${ctx.caller.tenantId} and t.id = up.parent and not t.deleted
      where up.level <= ${maxDepth}
    ) select coalesce(max(level), 0) as levels from up`
  if ((row?.levels ?? 0) > maxDepth) throw tooDeep(parentId, property)
}

/** The number of levels below a record. */
async function levelsBelow(ctx: Context, kind: { table: string }, id: Id, property: string): Promise<number> {
  const [table, column] = [name(kind.table), name(snakeCase(property))]
  const [row] = await ctx.sql<{ levels: number }>`with recursive below as (
      select ${id}::uuid as id, 0 as level
      union all select t.id, below.level + 1 from below join ${table} t on t.tenant_id = ${ctx.caller.tenantId} and t.${column} = below.id and not t.deleted
      where below.level <= ${maxDepth}
    ) select max(level) as levels from below`
  return row?.levels ?? 0
}

function tooDeep(parentId: Id, property: string): RuleBroken {
  return refusal('too-deep', `records nest at most ${maxDepth} deep`, 'lies too deep already', parentId, property)
}

function refusal(code: string, message: string, says: string, parentId: Id, property: string): RuleBroken {
  return new RuleBroken(code, message, [fault([property], code, says, parentId)])
}
