import type { Context } from '../kernel/context.ts'
import type { Id } from '../kernel/id.ts'
import type { Finding } from '../kernel/record/record.ts'
import type { ConditionGroups } from '../language/conditions/conditions.ts'

/** Findings for conditions on fields that none of these containers shows; an empty list means all containers. */
export async function conditionsOutOfSight(
  ctx: Context,
  containerIds: readonly Id[],
  groups: ConditionGroups,
  at: string,
): Promise<Finding[]> {
  const asked = groups.flatMap(({ condition }, g) =>
    condition.flatMap(({ leftSide }, c) => {
      const [, name] = /^\s*field\.(.+?)\s*$/i.exec(leftSide) ?? []
      return name === undefined ? [] : [{ name: name.toLowerCase(), path: `${at}/${g}/condition/${c}/leftSide` }]
    }),
  )
  if (asked.length === 0) return []
  const shown = await shownIn(ctx, containerIds)
  return asked.flatMap(({ name, path }) =>
    shown.has(name)
      ? []
      : [{ path, code: 'field-not-shown', message: `none of the containers shows a field called ${name}` }],
  )
}

// A list computes findings for every record, and many records name the same containers, so the fields are cached per
// context.
const known = new WeakMap<Context, Map<string, Promise<ReadonlySet<string>>>>()

function shownIn(ctx: Context, containerIds: readonly Id[]): Promise<ReadonlySet<string>> {
  const mine = known.get(ctx) ?? new Map<string, Promise<ReadonlySet<string>>>()
  known.set(ctx, mine)
  const key = [...containerIds].sort().join()
  const shown = mine.get(key) ?? loadShown(ctx, containerIds)
  mine.set(key, shown)
  return shown
}

/**
 * The ids and keys of the fields that at least one of the containers shows; a container without processes shows all.
 */
async function loadShown(ctx: Context, containerIds: readonly Id[]): Promise<ReadonlySet<string>> {
  const { tenantId } = ctx.caller
  const rows = await ctx.sql<{ id: Id; key: string }>`
    with places as (
      select c.process_ids, c.fields from container c where c.tenant_id = ${tenantId} and not c.deleted
        and (${containerIds.length === 0} or c.id = any(${containerIds}::uuid[]))
    ), brought as (select distinct e ->> 'fieldId' as name from places p cross join jsonb_array_elements(p.fields) e)
    select f.id, f.key from field f where f.tenant_id = ${tenantId} and not f.deleted
      and (exists (select 1 from places p where p.process_ids = '{}') or f.id::text in (select name from brought) or f.key in (select name from brought))`
  return new Set(rows.flatMap(({ id, key }) => [id, key.toLowerCase()]))
}
