import { containerKind } from '../containers/container-kind.ts'
import type { ContainerPortal } from '../containers/container-portal.ts'
import { isStaffSomewhere, seesContainer, visibleContainers } from '../identity/visibility.ts'
import type { Caller } from '../kernel/access.ts'
import type { Context } from '../kernel/context.ts'
import { type Id, isId } from '../kernel/id.ts'
import { remembered } from '../kernel/memory.ts'
import { fault, RuleBroken } from '../kernel/refusal.ts'
import { raw, sql } from '../kernel/sql.ts'

export interface ContainerPlace {
  id: Id
  key: string
  kind: number
  archived: boolean
  defaultProcessId: Id | null
  processIds: Id[]
  /** The fields of its processes, by their id or key; null if it has no process. */
  fieldIds: string[] | null
  portal: ContainerPortal
}

/** The container of a new item: the one that is named, else the tenant's inbox, for requesters its first service desk. */
export async function containerFor(ctx: Context, containerId: string | null | undefined): Promise<ContainerPlace> {
  const wanted = containerId?.toLowerCase() || (isStaffSomewhere(ctx.caller) ? '' : await firstDesk(ctx))
  const place = wanted !== '' && !isId(wanted) ? undefined : await placeOf(ctx, wanted)
  const refusal = whyClosedPlace(ctx.caller, place, containerId)
  if (!place || refusal) throw refusal
  return place
}

/** Why the caller cannot write into a container: it does not exist for them, or is archived. */
export function whyClosedPlace(
  caller: Caller,
  place: Pick<ContainerPlace, 'id' | 'kind' | 'archived' | 'portal'> | undefined,
  containerId: string | null | undefined,
): RuleBroken | undefined {
  if (!place || !seesContainer(caller, place))
    return new RuleBroken('unknown-reference', 'the record refers to something that does not exist', [
      fault(['containerId'], 'unknown-reference', 'there is no such Container', containerId),
    ])
  if (!place.archived) return undefined
  return new RuleBroken('container-archived', 'an archived container is read-only', [
    fault(['containerId'], 'container-archived', 'is archived'),
  ])
}

/** The oldest service desk that the caller sees. */
export async function firstDesk(ctx: Context): Promise<Id> {
  const [first] = await ctx.sql<{ id: Id }>`select c.id from container c
    where c.tenant_id = ${ctx.caller.tenantId} and c.kind = ${containerKind.desk} and not c.deleted and not c.archived
      and ${visibleContainers(ctx.caller, sql`c.id`)} order by c.created, c.id limit 1`
  if (first) return first.id
  throw new RuleBroken('no-desk', 'there is no service desk yet', [
    fault(['containerId'], 'no-desk', 'is required as long as there is no service desk (kind 1)'),
  ])
}

async function placeOf(ctx: Context, id: string): Promise<ContainerPlace | undefined> {
  const known = await remembered(ctx, `container ${id}`, () => loadContainer(ctx, id))
  // The cached value may be stale: it is reloaded before anything is refused because of it.
  return known?.archived ? await remembered(ctx, `container ${id}`, () => loadContainer(ctx, id), true) : known
}

async function loadContainer(ctx: Context, id: string): Promise<ContainerPlace | undefined> {
  const which = id === '' ? raw("c.key = 'INBOX'") : isId(id) ? sql`c.id = ${id}` : raw('false')
  const [row] =
    await ctx.sql<ContainerPlace>`select c.id, c.key, c.kind, c.archived, c.default_process_id as "defaultProcessId", c.process_ids as "processIds", c.portal,
      case when c.process_ids = '{}' then null else coalesce((select array_agg(f ->> 'fieldId') from jsonb_array_elements(c.fields) f), '{}') end as "fieldIds"
    from container c where c.tenant_id = ${ctx.caller.tenantId} and not c.deleted and ${which}`
  return row
}
