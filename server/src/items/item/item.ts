import { Type } from 'typebox'
import { foundItems } from '../../containers/found-items.ts'
import { admittedItems, itemNumbers, numberedBy } from '../../containers/item-numbers.ts'
import {
  type ServiceProperty,
  serviceProperties,
  type WrittenProperty,
} from '../../containers/item-property/item-property.ts'
import { labelNames, labelNamesOfPage } from '../../containers/label/label.ts'
import { type SeenTitles, type TitleQuery, titleCount } from '../../containers/title-parts.ts'
import { ledTickets } from '../../identity/customer-lead.ts'
import {
  closedContainers,
  reachableContainers,
  seesEverything,
  seesWorkIn,
  visibleWork,
} from '../../identity/visibility.ts'
import {
  type Authority,
  type Caller,
  contributors,
  everyone,
  managers,
  members,
  permission,
} from '../../kernel/access.ts'
import type { PlaceColumns } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { AccessStep, Stored } from '../../kernel/record/record.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, Instant, Ref, Text } from '../../kernel/schema/values.ts'
import { and, or, ownTenant, raw, type Sql, sql } from '../../kernel/sql.ts'
import { hasAny } from '../../language/conditions/operators/text-match.ts'
import type { RareParts } from '../../language/search/search.ts'
import { pageValues } from '../../records/page/page-values.ts'
import { minutesSpent } from '../../time/minutes-spent.ts'
import { derivations, withDerived } from '../fields/derived-fields.ts'
import { plainShape, shownFieldSchema } from '../item-body/item-body.ts'
import { itemVisibility } from '../item-codes.ts'
import { holdContainer } from './hold-container.ts'
import { hasField, placesOf, shownFieldsOfPage, spentMinutesOfPage } from './item-page.ts'

export { itemVisibility }

const shape = {
  number: Type.Integer({ minimum: 0, 'x-column': 'bigint' }),
  key: Text(30),
  ...plainShape,
  rank: Text(200),
  checklistDone: Count(undefined, 0, { description: 'The checked entries of its checklist.' }),
  checklistTotal: Count(undefined, 0, { description: 'All entries of its checklist.' }),
  closedAt: Instant,
  resolvedAt: Instant,
  mergedInto: Ref('Item'),
} satisfies Record<WrittenProperty | ServiceProperty, Type.TSchema>

export interface ShownField {
  fieldId: string
  key: string
  value: unknown
}

export type Item = Stored<typeof shape> & { Tags: string[]; Field: ShownField[]; spentMinutes: number }

/** A piece of work: a task, a ticket, a bug, a request. */
export const items = resource('Item', {
  about: 'A piece of work: a task, a ticket, a bug. It belongs to a container, which gives it a number and a key.',
  shape,
  required: ['title'],
  serverSet: serviceProperties,
  archives: true,
  sparse: [
    'dueDate',
    'startDate',
    'startNoEarlier',
    'closedAt',
    'resolvedAt',
    'areaId',
    'cycleId',
    'crmId',
    'requesterId',
    'parentId',
    'mergedInto',
    'severity',
    'resolution',
    'estimateMinutes',
    'remainingMinutes',
    'points',
    'progress',
    'checklistDone',
    'checklistTotal',
  ],
  may: { read: everyone, create: contributors, update: members, delete: managers },
  place: ({ containerId, areaId, id }) => ({ containerId, areaId, itemId: id ?? null }),
  placeColumns,
  explainVisibility,
  visible: visibleItems,
  counted: countedItems,
  found: foundItems,
  check: refuseDeletedContainer,
  ofTenant: computedFields,
  atOnce: pageValues({ Tags: labelNamesOfPage, Field: shownFieldsOfPage, spentMinutes: spentMinutesOfPage }),
  derived: {
    Tags: {
      schema: Type.Array(Type.String(), { description: 'The names of the labels.' }),
      value: t => sql`case when ${t}.labels = '{}' then '{}' else ${labelNames(sql`${t}.labels`)} end`,
    },
    Field: {
      schema: Type.Unsafe<ShownField[]>({ type: 'array', items: shownFieldSchema }),
      value: shownFields,
    },
    spentMinutes: {
      schema: Type.Integer(),
      value: t => minutesSpent(sql`${t}.id`),
    },
  },
})

/** An item is not restored into a deleted container, where nobody could change it. */
async function refuseDeletedContainer(ctx: Context, { containerId }: { containerId: string }): Promise<void> {
  await holdContainer(ctx, containerId)
}

/** The permission to set creation times and authors, for imports. */
export const backdating = permission('item.import', managers)

/** One condition for lists, single items, counts, filters and writes. */
export function visibleItems(caller: Caller, t: Sql): Sql {
  if (caller.authority.unrestricted) return raw('true')
  return and([reachableItems(caller, t), openItems(caller, t)])
}

/** A sum, if the query has nothing else, or a difference of what indexes count. The index `item_restricted` has what is not open to all. */
function countedItems(caller: Caller, where: Sql, asked: readonly string[]): Sql | undefined {
  if (caller.authority.unrestricted) return undefined
  const closed = closedContainers(caller)
  const reach = reachIn(caller, closed)
  const count = (also: Sql) => sql`(select count(*) from item t where ${where} and ${also})`
  if (closed && asked.every(each => numberedBy.includes(each)))
    return sql`(select coalesce(sum(t.items), 0) from ${itemNumbers} t where ${where} and ${reach} and t.visibility ${openTo(caller.authority)})
      + ${countAdmitted(caller, where, closed)}`
  const hidden = count(sql`${restrictedTo(caller, reach)} and ${openItems(caller, raw('t'))} is not true`)
  // All items are counted without a look at their containers, and then those of the few private ones.
  if (closed) return sql`${count(raw('true'))} - ${count(sql`t.container_id = any(${closed}::uuid[])`)} - ${hidden}`
  return sql`${count(reach)} - ${hidden}`
}

function reachIn(caller: Caller, closed: readonly Id[] | undefined): Sql {
  return closed ? sql`t.container_id <> all(${closed}::uuid[])` : reachableItems(caller, raw('t'))
}

/** The items that are not open to all who reach their containers. */
function restrictedTo({ authority }: Caller, reach: Sql): Sql {
  return sql`t.visibility <> ${raw(String(itemVisibility.normal))} and not t.visibility ${openTo(authority)} and ${reach}`
}

/** The number of restricted items that the caller sees nevertheless. */
function countAdmitted(caller: Caller, where: Sql, closed: readonly Id[]): Sql {
  const { groups, places } = caller.authority
  const mine = sql`${admittedItems([caller.userId, ...groups])} union all select unnest(${[...places.item.keys()]}::uuid[])`
  return sql`(select count(*) from item t where ${where} and t.id = any(array(${mine})) and ${restrictedTo(caller, reachIn(caller, closed))} and ${openItems(caller, raw('t'))})`
}

/** What of the items a caller sees by their containers and visibilities; undefined where more than these decides. */
export function seenTitles(caller: Caller): SeenTitles | undefined {
  const { normal, restricted, confidential } = itemVisibility
  if (caller.authority.unrestricted) return { closed: [], visibilities: [normal, restricted, confidential] }
  const closed = closedContainers(caller)
  return closed && { closed, visibilities: seesEverything(caller.authority) ? [normal, restricted] : [normal] }
}

/** The number of items with a part of their titles. */
export function countedTitles(caller: Caller, query: TitleQuery, rare: RareParts): Sql {
  const count = titleCount(query, rare)
  if (caller.authority.unrestricted) return count
  const title = { kind: 'text' as const, value: raw('t.title') }
  const where = sql`t.tenant_id = ${caller.tenantId} and not t.deleted and not t.archived and ${hasAny(title, [query.word], query.place)}`
  return sql`${count} + ${countAdmitted(caller, where, query.seen.closed)}`
}

function reachableItems(caller: Caller, t: Sql): Sql {
  const own = isOwn(caller, t)
  const { leads = [] } = caller.authority
  return visibleWork(caller, t, {
    ...placeColumns(t),
    own: leads.length === 0 ? own : or([own, ledTickets(caller, t)]),
  })
}

function openItems(caller: Caller, t: Sql): Sql {
  return sql`(${t}.visibility ${openTo(caller.authority)} or ${isOwn(caller, t)} or ${isAdmitted(caller, t)})`
}

function isOwn({ userId: me }: Caller, t: Sql): Sql {
  return sql`(${t}.requester_id = ${me} or ${t}.created_by = ${me})`
}

/**
 * The condition on a container and a visibility under which the caller sees all such items, so that their sums can be shown. Others may
 * be visible, too. Undefined if no condition on these two implies it.
 */
export function seesAllItems(caller: Caller, container: Sql, visibility: Sql): Sql | undefined {
  const { authority } = caller
  if (authority.unrestricted) return raw('true')
  const reach = seesWorkIn(caller, container)
  return reach && and([reach, sql`${visibility} ${openTo(authority)}`])
}

/** The columns that name the container and the area of an item, for the visibility rules. */
export function placeColumns(t: Sql): PlaceColumns {
  return { container: sql`${t}.container_id`, area: sql`${t}.area_id`, item: sql`${t}.id` }
}

/** Admins see restricted items; no role gives access to confidential ones. */
function openTo(authority: Authority): Sql {
  return seesEverything(authority) ? raw(`<> ${itemVisibility.confidential}`) : raw(`= ${itemVisibility.normal}`)
}

/** Assignees, members of its groups, and holders of a grant on this item. */
function isAdmitted({ authority, userId }: Caller, t: Sql): Sql {
  const named = sql`${userId}::uuid = any(${t}.assignees) or ${t}.restricted_to && ${authority.groups}::uuid[]`
  const letIn = [...authority.places.item.keys()]
  return letIn.length === 0 ? named : sql`${named} or ${t}.id = any(${letIn}::uuid[])`
}

/** Explains why a user does or does not see an item; follows the same rules as the condition above. */
async function explainVisibility(ctx: Context, caller: Caller, id: Id): Promise<AccessStep[]> {
  const { authority, userId: me } = caller
  const t = raw('t')
  const [row] = await ctx.sql<{
    visibility: number
    own: boolean
    led: boolean
    admitted: boolean
    container: boolean
    reach: boolean
  }>`
    select t.visibility, coalesce(t.requester_id = ${me} or t.created_by = ${me}, false) as own, ${ledTickets(caller, t)} as led, coalesce(${isAdmitted(caller, t)}, false) as admitted,
      ${reachableContainers(caller, sql`t.container_id`)} as container, ${visibleWork(caller, t, { ...placeColumns(t), own: raw('false') })} as reach
    from item t where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id}`
  if (!row) return []
  const steps: AccessStep[] = []
  if (!row.container && !row.reach)
    steps.push({ rule: 'container', outcome: 'denies', because: 'they cannot see the container' })
  if (!row.reach)
    steps.push({
      rule: 'own',
      outcome: (row.own || row.led) && row.container ? 'allows' : 'denies',
      because: row.own
        ? 'they are its requester or author'
        : row.led
          ? 'they are a lead of its customer'
          : 'none of their roles gives access to items of others in this container',
    })
  if (row.visibility === itemVisibility.normal) return steps
  const [rule, open] =
    row.visibility === itemVisibility.confidential ? ['confidential', false] : ['restricted', seesEverything(authority)]
  const because = row.own
    ? 'they are its requester or author'
    : row.admitted
      ? 'they are an assignee, belong to a group in restrictedTo, or have a grant on the item'
      : open
        ? 'admins see restricted items'
        : `the item is ${rule}, and they are neither an assignee nor in a group in restrictedTo nor have a grant on it`
  steps.push({ rule: String(rule), outcome: row.own || row.admitted || open ? 'allows' : 'denies', because })
  return steps
}

/** The custom values whose field the item has. Other values stay stored, and are shown again when it gets the field back. */
function shownFields(t: Sql): Sql {
  return sql`case when ${t}.fields = '{}'::jsonb then '[]'::json else (
    select coalesce(json_agg(json_build_object('fieldId', f.id, 'key', f.key, 'value', v.value) order by f.id), '[]')
    from jsonb_each(${t}.fields) v join field f on f.tenant_id = ${ownTenant} and f.id = v.key::uuid and not f.deleted
    where ${fieldIsShown(t, raw('f'))}) end`
}

/** Shows derived fields among the others, if the tenant has any. */
async function computedFields(ctx: Context): Promise<Record<string, (alias: Sql) => Sql> | undefined> {
  const derived = await derivations(ctx, t => visibleItems(ctx.caller, t))
  return derived.length === 0 ? undefined : { Field: t => withDerived(t, derived, shownFields(t), fieldIsShown) }
}

/** Whether the item (`t`) has this field (`f`). */
export function fieldIsShown(t: Sql, f: Sql): Sql {
  return sql`exists (select 1 from ${placesOf(t)} and ${hasField(f)})`
}
