import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { fault, type Refusal, RuleBroken } from '../../kernel/refusal.ts'
import { type Owned, ownerKind } from '../../records/references/owner.ts'

/** The parts of an area that items need. */
interface AreaPlace extends Owned {
  id: Id
  archived: boolean
  /** The assignee of new items without one: that of the area, or else of the nearest area above. */
  defaultAssignee?: Id | null
}

/** The default assignees of a new item in this area. Refuses an area that the item may not be in. */
export async function areaOfNew(ctx: Context, areaId: string, containerId: Id): Promise<{ assignees: Id[] }> {
  const id = areaId.toLowerCase()
  if (!isId(id)) return { assignees: [] } // an invalid id is refused later, with the other references
  let area = await remembered(ctx, `area ${id}`, () => loadArea(ctx, id))
  // The cached value may be stale: it is reloaded before anything is refused because of it.
  if (area && refusalOf(area, containerId)) area = await remembered(ctx, `area ${id}`, () => loadArea(ctx, id), true)
  const refusal = area && refusalOf(area, containerId)
  if (refusal) throw refusal
  return { assignees: area?.defaultAssignee ? [area.defaultAssignee] : [] }
}

async function loadArea(ctx: Context, id: Id): Promise<AreaPlace | undefined> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<AreaPlace>`with recursive up as (
      select a.id, a.parent_id, a.default_assignee, 1 as depth from area a where a.tenant_id = ${tenantId} and a.id = ${id} and not a.deleted
      union all select a.id, a.parent_id, a.default_assignee, up.depth + 1 from area a join up on a.id = up.parent_id where a.tenant_id = ${tenantId} and not a.deleted and up.depth < 50)
    select a.id, a.owner, a.owner_id as "ownerId", a.archived,
      (select u.id from up join "user" u on u.tenant_id = ${tenantId} and u.id = up.default_assignee and u.active and not u.deleted order by up.depth limit 1) as "defaultAssignee"
    from area a where a.tenant_id = ${tenantId} and a.id = ${id} and not a.deleted`
  return row
}

function refusalOf({ id, owner, ownerId, archived }: AreaPlace, containerId: Id): Refusal | undefined {
  const refuse = (code: string, says: string) =>
    new RuleBroken(code, `the area ${says}`, [fault(['areaId'], code, says, id)])
  if (owner !== ownerKind.tenant && !(owner === ownerKind.container && ownerId === containerId))
    return refuse('area-elsewhere', 'belongs neither to the container of the item nor to the tenant')
  return archived ? refuse('area-archived', 'is archived and accepts no new items') : undefined
}

/** An item that enters an area. */
interface Entry {
  id: Id
  areaId: Id
  containerId: Id
}

/**
 * Locks the areas that items enter, so that none is deleted before the commit, and returns the items that may not enter
 * their area.
 */
export async function refusedByAreas(ctx: Context, entries: readonly Entry[]): Promise<[Id, Refusal][]> {
  if (entries.length === 0) return []
  const ids = [...new Set(entries.map(each => each.areaId))].filter(isId)
  const rows = await ctx.sql<AreaPlace>`select id, owner, owner_id as "ownerId", archived from area
    where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[]) and not deleted order by id for share`
  const areas = new Map(rows.map(row => [row.id, row]))
  return entries.flatMap(({ id, areaId, containerId }): [Id, Refusal][] => {
    const area = areas.get(areaId)
    const gone = unknownReferences([{ entity: 'Area', id: areaId, path: ['areaId'] }])
    const refusal = area ? refusalOf(area, containerId) : gone
    return refusal ? [[id, refusal]] : []
  })
}
