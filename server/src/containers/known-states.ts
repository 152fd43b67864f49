import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import { ownTenant } from '../kernel/sql.ts'

/** The states that workflows define for a field. */
interface KnownStates {
  /** Some items have no workflow for the field, so it can have any value. */
  readonly anyValue: boolean
  /** Values and ids of steps, in lower case. */
  readonly names: ReadonlySet<string>
}

// A list computes findings for every record, and many records name the same containers, so the states are cached per
// context.
const known = new WeakMap<Context, Map<string, Promise<KnownStates>>>()

/**
 * The states of a field in these containers, for findings about states that nothing can have; no ids mean all
 * containers. `field` has all names of the field: `['status']`, or the id and the key of a custom field; none mean any
 * field.
 */
export function knownStates(
  ctx: Context,
  containerIds: readonly Id[],
  field: readonly string[] = ['status'],
): Promise<KnownStates> {
  const mine = known.get(ctx) ?? new Map<string, Promise<KnownStates>>()
  known.set(ctx, mine)
  const key = [...field, ...[...containerIds].sort()].join()
  const states = mine.get(key) ?? loadStates(ctx, containerIds, field)
  mine.set(key, states)
  return states
}

async function loadStates(ctx: Context, containerIds: readonly Id[], field: readonly string[]): Promise<KnownStates> {
  const [row] = await ctx.sql<{ anyValue: boolean; names: string[] }>`
    with place as (
      select c.id, c.process_ids, c.default_process_id from container c
      where c.tenant_id = ${ctx.caller.tenantId} and not c.deleted
        and (${containerIds.length === 0} or c.id = any(${containerIds}::uuid[]))
    ), state as (
      select c.id as container_id, p.id as process_id, array[lower(step ->> 'value'), lower(step ->> 'id')] as names
      from place c join process p on p.tenant_id = ${ownTenant} and p.id = any(c.process_ids) and not p.deleted
        cross join lateral jsonb_array_elements(p.workflow) step
      where ${field.length === 0} or step ->> 'fieldId' = any(${field}::text[])
    )
    select array(select distinct unnest(s.names) from state s) as names,
      exists (select 1 from place c where not exists (
        select 1 from state s where s.container_id = c.id and s.process_id = c.default_process_id)) as "anyValue"`
  return { anyValue: row?.anyValue ?? true, names: new Set(row?.names) }
}
