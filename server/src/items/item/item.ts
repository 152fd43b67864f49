import { Type } from 'typebox'
import { labelNames } from '../../containers/label-names.ts'
import {
  admins,
  type Caller,
  contributors,
  everyone,
  managers,
  members,
  permission,
  visibleWork,
} from '../../kernel/access.ts'
import type { Context } from '../../kernel/database.ts'
import { resource, type Stored } from '../../kernel/resource.ts'
import type { Schema } from '../../kernel/shape.ts'
import { and, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Instant, Ref, Text } from '../../kernel/values.ts'
import { derivations, withDerived } from './derived.ts'
import { plainShape, shownFieldSchema } from './item-body.ts'

const shape = {
  number: Type.Integer({ minimum: 0, 'x-column': 'bigint' }),
  key: Text(30),
  ...plainShape,
  rank: Text(200),
  closedAt: Instant,
  resolvedAt: Instant,
  mergedInto: Ref('Item'),
}

export interface ShownField {
  fieldId: string
  key: string
  value: unknown
}

export type Item = Stored<typeof shape> & { Tags: string[]; Field: ShownField[]; spentMinutes: number }

/** A piece of work: a task, a ticket, a bug, a request. */
export const items = resource('Item', {
  about: 'A piece of work: a task, a ticket, a bug. It lives in a container and has a number and a key there.',
  shape,
  required: ['title'],
  serverSet: ['number', 'key', 'rank', 'closedAt', 'resolvedAt', 'mergedInto'],
  may: { read: everyone, create: contributors, update: members, delete: managers },
  place: ({ containerId, areaId }) => ({ containerId, areaId }),
  visible: visibleItems,
  ofTenant: computed,
  derived: {
    Tags: {
      schema: { type: 'array', items: { type: 'string' }, description: 'The names of the labels.' },
      value: t =>
        sql`case when ${t}.labels = '{}' then '{}' else ${labelNames(sql`${t}.tenant_id`, sql`${t}.labels`)} end`,
    },
    Field: { schema: { type: 'array', items: shownFieldSchema }, value: shownFields },
    spentMinutes: {
      schema: { type: 'integer' } satisfies Schema,
      value: t =>
        sql`(select coalesce(sum(s.minutes), 0)::int from time s where s.tenant_id = ${t}.tenant_id and s.item_id = ${t}.id and not s.deleted)`,
    },
  },
})

/** Setting when and by whom something was made: for imports. */
export const backdating = permission('item.import', managers)

/** Seeing what is restricted to others. */
const seesRestricted = (caller: Caller) =>
  caller.authority.superAdmin || admins.some(role => caller.authority.tenant.has(role))

/** One condition for lists, single items, counts, filters and writes. */
export function visibleItems(caller: Caller, t: Sql): Sql {
  const me = caller.userId
  const own = sql`(${t}.requester_id = ${me} or ${t}.created_by = ${me})`
  const reach = visibleWork(caller, { container: sql`${t}.container_id`, area: sql`${t}.area_id`, own })
  if (seesRestricted(caller)) return reach
  return and([
    reach,
    sql`(${t}.visibility = 0 or ${own} or ${me}::uuid = any(${t}.assignees) or ${t}.restricted_to && ${caller.authority.groups}::uuid[])`,
  ])
}

/**
 * The custom values that the item's container has a field for. A value whose field left the processes of the container
 * stays stored, and is shown again when the field returns; a container without a process shows whatever there is.
 */
function shownFields(t: Sql): Sql {
  return sql`case when ${t}.fields = '{}'::jsonb then '[]'::json else (
    select coalesce(json_agg(json_build_object('fieldId', f.id, 'key', f.key, 'value', v.value) order by f.id), '[]')
    from jsonb_each(${t}.fields) v join field f on f.tenant_id = ${t}.tenant_id and f.id = v.key::uuid and not f.deleted
    where ${fieldIsShown(t, raw('f'))}) end`
}

/** Where a tenant has fields that are worked out, they are shown among the others. */
async function computed(ctx: Context): Promise<Record<string, (alias: Sql) => Sql> | undefined> {
  const derived = await derivations(ctx, t => visibleItems(ctx.caller, t))
  return derived.length === 0 ? undefined : { Field: t => withDerived(t, derived, shownFields(t), fieldIsShown) }
}

/** Whether the container of the item (`t`) has this field (`f`). */
export function fieldIsShown(t: Sql, f: Sql): Sql {
  return sql`exists (select 1 from container c where c.tenant_id = ${t}.tenant_id and c.id = ${t}.container_id
    and (c.process_ids = '{}' or c.fields @> jsonb_build_array(jsonb_build_object('fieldId', ${f}.id::text)) or c.fields @> jsonb_build_array(jsonb_build_object('fieldId', ${f}.key))))`
}
