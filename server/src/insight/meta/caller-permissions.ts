import { createHash } from 'node:crypto'
import { type Caller, may, type Permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Routes } from '../../kernel/operation.ts'

/** The permissions that operations need, by name. */
export function permissionsOf(routes: Routes): Permission[] {
  const permissions = new Map(Object.values(routes).map(each => [each.permission.name, each.permission]))
  return [...permissions.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * The names of the permissions that the caller has in the whole tenant. `item.*` stands for all of an area, because the list would
 * be most of the answer otherwise.
 */
export function namesHeld(caller: Caller, permissions: readonly Permission[]): string[] {
  const areas = Map.groupBy(permissions, each => each.name.split('.')[0] ?? '')
  return [...areas].flatMap(([area, all]) => {
    const held = all.filter(each => may(caller, each))
    return held.length === all.length && all.length > 1 ? [`${area}.*`] : held.map(each => each.name)
  })
}

/** The permissions that the caller has in some places only, with these places. */
export function placesOf(caller: Caller, permissions: readonly Permission[]): Record<string, object> {
  const { container: containers, area: areas } = caller.authority.places
  const held = permissions.flatMap(each => {
    if (may(caller, each)) return []
    const inContainers = [...containers.keys()].filter(containerId => may(caller, each, { containerId }))
    const inAreas = [...areas.keys()].filter(areaId => may(caller, each, { areaId }))
    return inContainers.length + inAreas.length === 0
      ? []
      : [[each.name, { containers: inContainers, areas: inAreas }] as const]
  })
  return Object.fromEntries(held)
}

/** Changes when a process or a field changes. */
export async function catalogueHash(ctx: Context): Promise<string> {
  const { tenantId } = ctx.caller
  const [row] = await ctx.sql<{ text: string }>`select concat_ws(' ',
    (select string_agg(id::text || version, ',' order by id) from process where tenant_id = ${tenantId} and not deleted),
    (select string_agg(id::text || version, ',' order by id) from field where tenant_id = ${tenantId} and not deleted)) as text`
  return createHash('sha256')
    .update(row?.text ?? '')
    .digest('hex')
}
