import type { ContainerPortal } from '../../containers/container-portal.ts'
import { archivedItem } from '../../items/archive/archive.ts'
import { whyUnchangeable } from '../../items/change/change.ts'
import { whyClosedPlace } from '../../items/container-place.ts'
import { type Item, items, placeColumns } from '../../items/item/item.ts'
import {
  type Caller,
  dependsOnRow,
  may,
  mayAt,
  maySomewhere,
  type Permission,
  tenantStatus,
} from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { ownTenant, raw, type Sql } from '../../kernel/sql.ts'
import { times } from '../../time/time.ts'
import { annotations } from '../annotation/annotation.ts'

/** What the writes look at before they look at the values. */
export type ItemFacts = Pick<Item, 'id' | 'containerId' | 'areaId' | 'mergedInto' | 'archived' | 'deleted'> & {
  /** The container; null if it is deleted. */
  place: { id: Id; kind: number; archived: boolean; portal: ContainerPortal } | null
  /** Set only where a rule depends on the row. */
  mayUpdate: boolean | null
  mayDelete: boolean | null
}

/** What a caller may do with an item. */
interface ItemRights {
  update: boolean
  delete: boolean
  move: boolean
  comment: boolean
  log: boolean
}

const t = raw('t')

/** The facts of those items that the caller sees, by one statement. */
export async function readFacts(ctx: Context, itemIds: readonly Id[]): Promise<ItemFacts[]> {
  const { caller } = ctx
  return await ctx.sql<ItemFacts>`
    select t.id, t.container_id as "containerId", coalesce(t.area_id::text, '') as "areaId", coalesce(t.merged_into::text, '') as "mergedInto", t.archived, t.deleted,
      case when c.id is not null then json_build_object('id', c.id, 'kind', c.kind, 'archived', c.archived, 'portal', c.portal) end as place,
      ${ofRow(caller, items.permissions.update)} as "mayUpdate", ${ofRow(caller, items.permissions.delete)} as "mayDelete"
    from item t left join container c on c.tenant_id = ${ownTenant} and c.id = t.container_id and not c.deleted
    where t.tenant_id = ${caller.tenantId} and t.id = any(${itemIds}::uuid[]) and ${items.visible(caller, t)}`
}

function ofRow(caller: Caller, wanted: Permission): Sql {
  return dependsOnRow(caller, wanted) ? mayAt(caller, wanted, t, placeColumns(t)) : raw('null::boolean')
}

/** Decides by the same functions as the writes do. */
export function rightsOn(caller: Caller, item: ItemFacts): ItemRights {
  const { id, containerId, areaId, place, mayUpdate, mayDelete } = item
  const writable = (caller.tenantStatus ?? tenantStatus.active) === tenantStatus.active && !item.deleted
  const refusal =
    whyUnchangeable(caller, item, mayUpdate ?? undefined) ??
    whyClosedPlace(caller, place ?? undefined, containerId) ??
    (item.archived ? archivedItem() : undefined)
  const update = writable && refusal === undefined
  const deletes = mayDelete ?? may(caller, items.permissions.delete, { containerId, areaId, itemId: id })
  return {
    update,
    delete: writable && deletes,
    move: update && maySomewhere(caller, items.permissions.create),
    comment: writable && item.mergedInto === '' && may(caller, annotations.permissions.create, { containerId, areaId }),
    log: writable && place?.archived !== true && may(caller, times.permissions.create),
  }
}
