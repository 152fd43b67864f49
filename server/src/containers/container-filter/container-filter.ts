import { Type } from 'typebox'
import { seesEverything, visibleContainers } from '../../identity/visibility.ts'
import { type Caller, demand, mayAt, members, staff } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { check, create, get, idOf, list, remove, restore, update } from '../../kernel/crud.ts'
import { type Id, isId } from '../../kernel/id.ts'
import type { Input, Operation, Routes } from '../../kernel/operation.ts'
import type { Expect, Finding, Stored, Values } from '../../kernel/record/record.ts'
import { Forbidden, fault, Invalid, NotFound } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Name, Ref, Text, Texts } from '../../kernel/schema/values.ts'
import { and, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code, codeTableOfList } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { lockRecords, updateRecords } from '../../records/history/rewrite.ts'
import { isSharedWith, refuseUnknownSharers, Shared } from '../../records/sharing.ts'
import { containers } from '../container/container.ts'
import { Criteria, completed, criteriaFaults } from '../criteria.ts'

const shape = {
  containerId: Ref('Container'),
  name: Name(200),
  active: Type.Boolean({ default: true }),
  criteria: Criteria,
  columns: Texts(100, 200),
  groupBy: Text(200),
  layout: Code(codeTableOfList('containerFilter.layout', ['list', 'board', 'gantt', 'calendar', 'chart'])),
  ownerUserId: Ref('User', {
    description: 'The owner of a personal filter; empty if everybody who sees the container may use it.',
  }),
  shared: Shared,
}

export type ContainerFilter = Stored<typeof shape>
type FilterValues = Values<typeof shape>

/** A saved query for the items of a container. */
export const containerFilters = resource('ContainerFilter', {
  about:
    'A saved query for the items of a container. If `criteria.container` names other containers, it searches those instead.',
  shape,
  may: { read: staff, create: members, update: members, delete: members },
  place: ({ containerId }) => ({ containerId }),
  visible: visibleFilters,
  check: checkFilter,
  findings: inertParts,
})

/**
 * A filter is visible to callers who see its container; a personal filter only to its owner, those it is shared with,
 * and admins.
 */
function visibleFilters(caller: Caller, f: Sql): Sql {
  const here = visibleContainers(caller, sql`${f}.container_id`)
  if (seesEverything(caller.authority)) return here
  return and([
    here,
    sql`(${f}.owner_user_id is null or ${f}.owner_user_id = ${caller.userId} or ${isSharedWith(caller, sql`${f}.shared`)})`,
  ])
}

async function checkFilter(ctx: Context, filter: FilterValues, before?: ContainerFilter): Promise<void> {
  const faults = criteriaFaults(filter.criteria)
  if (faults.length > 0) throw new Invalid(faults)
  refuseForeign(ctx, before)
  refuseTaking(ctx, filter, before)
  await refuseUnknownSharers(ctx, filter.shared, before?.shared)
}

/** Only the owner changes a personal filter; those it is shared with only use it. */
function refuseForeign({ caller }: Context, before: ContainerFilter | undefined): void {
  if (before?.ownerUserId && before.ownerUserId !== caller.userId && !seesEverything(caller.authority))
    throw new Forbidden('the filter belongs to another user')
}

/**
 * Only its creator or an admin may make a filter personal: nobody else may hide a filter that others use, or assign one
 * to another user.
 */
function refuseTaking({ caller }: Context, { ownerUserId }: FilterValues, before: ContainerFilter | undefined): void {
  if (ownerUserId === '' || ownerUserId === before?.ownerUserId || seesEverything(caller.authority)) return
  if (ownerUserId !== caller.userId)
    throw new Forbidden('a filter can be made personal only for oneself, not for another user')
  if (before && before.createdBy !== caller.userId) throw new Forbidden('others use this filter; copy it instead')
}

/** The number of known layout codes. */
const layouts = 5

async function inertParts({ containerId, criteria, layout }: ContainerFilter, ctx: Context): Promise<Finding[]> {
  const { container: named = [], conditionGroup = [] } = criteria
  const among = named.length > 0 ? named : [containerId]
  const at = '/criteria/conditionGroup'
  const findings = await ctx.services.conditionFindings(ctx, conditionGroup, { containerIds: among, at })
  if (layout < 0 || layout >= layouts) {
    findings.push({ path: '/layout', code: 'unknown-code', message: `${layout} is not a known code` })
  }
  return findings
}

async function createFilter(ctx: Context, values: Partial<FilterValues>, input: Input): Promise<ContainerFilter> {
  const containerId = containerOf(values, input)
  return await containerFilters.create(ctx, { ...values, containerId, criteria: completed(values.criteria) })
}

async function changeFilter(
  ctx: Context,
  id: Id,
  values: Partial<FilterValues>,
  more: { expect?: Expect },
  input: Input,
): Promise<ContainerFilter> {
  const containerId = containerOf(values, input)
  const { criteria } = await containerFilters.get(ctx, id)
  const wanted = values.criteria && { criteria: completed(values.criteria, criteria) }
  return await containerFilters.update(ctx, id, { ...values, containerId, ...wanted }, more)
}

/** A filter keeps its container: the body may repeat the container of the path but not name another. */
function containerOf({ containerId }: Partial<FilterValues>, { params }: Input): Id {
  const place = (params.containerId ?? '').toLowerCase()
  if (containerId && containerId.toLowerCase() !== place) {
    throw new Invalid([fault(['containerId'], 'mismatch', 'is not the container in the path', containerId)])
  }
  return place
}

/** The fields (ids and keys) that each container no longer shows. */
export type Departed = ReadonlyMap<Id, readonly string[]>

/** Removes fields that containers no longer show from the columns, the grouping and the sort order of their filters. */
export async function forgetFields(ctx: Context, departed: Departed): Promise<number> {
  const all = await lockRecords(ctx, containerFilters, sql`t.container_id = any(${[...departed.keys()]}::uuid[])`)
  return await updateRecords(
    ctx,
    containerFilters,
    all.map(filter => {
      const { columns, groupBy, criteria } = filter
      // A filter may name a field with the prefix `field.`, as conditions do.
      const gone = new Set(departed.get(filter.containerId)?.flatMap(each => [each, `field.${each}`]))
      return [
        filter,
        {
          columns: columns.filter(each => !gone.has(each)),
          groupBy: gone.has(groupBy) ? '' : groupBy,
          criteria: gone.has(criteria.sortField ?? '')
            ? { ...criteria, sortField: '', sortDescending: false }
            : criteria,
        },
      ]
    }),
  )
}

async function removeFilter(ctx: Context, id: Id, more: { expect?: Expect }): Promise<ContainerFilter> {
  refuseForeign(ctx, await containerFilters.get(ctx, id))
  return await containerFilters.remove(ctx, id, more)
}

/** Requires that the caller sees the container and has the permission in it. */
function inContainer(operation: Operation): Operation {
  return {
    ...operation,
    refusals: [404, ...(operation.refusals ?? [])],
    async run(ctx, input) {
      const { id } = await containers.get(ctx, input.params.containerId ?? '')
      demand(ctx.caller, operation.permission, { containerId: id })
      return await operation.run(ctx, input)
    },
  }
}

/** Requires that the filter belongs to the container of the path; otherwise the reply is 404. */
function ofContainer(operation: Operation): Operation {
  return inContainer({
    ...operation,
    async run(ctx, given) {
      const { filterId } = given.params
      const input = filterId === undefined ? given : { ...given, params: { ...given.params, id: filterId } }
      const id = idOf(input)
      const [row] = isId(id)
        ? await ctx.sql`select 1 from container_filter where tenant_id = ${ctx.caller.tenantId} and container_id = ${input.params.containerId} and id = ${id}`
        : []
      if (!row) throw new NotFound()
      return await operation.run(ctx, input)
    },
  })
}

const listOfContainer = list(containerFilters, {
  where: (_ctx, { params }) => sql`t.container_id = ${params.containerId}`,
})

/** The filters of all containers where the caller may read filters. */
const listOfAll: Operation = {
  ...list(containerFilters, {
    where: ({ caller }) =>
      mayAt(caller, containerFilters.permissions.read, raw('t'), {
        container: raw('t.container_id'),
        area: raw('null::uuid'),
        item: raw('null::uuid'),
      }),
  }),
  summary: 'List the filters of all containers',
}

export const routes: Routes = {
  'GET /container/filter': listOfAll,
  'GET /container/:containerId/filter': inContainer(listOfContainer),
  'POST /container/:containerId/filter': inContainer(create(containerFilters, createFilter)),
  'PUT /container/:containerId/filter': ofContainer(update(containerFilters, changeFilter)),
  'GET /container/:containerId/filter/:filterId': ofContainer(get(containerFilters)),
  'PUT /container/:containerId/filter/:filterId': ofContainer(update(containerFilters, changeFilter)),
  'PATCH /container/:containerId/filter/:filterId': ofContainer(update(containerFilters, changeFilter)),
  'DELETE /container/:containerId/filter/:filterId': ofContainer(remove(containerFilters, removeFilter)),
  'POST /container/:containerId/filter/:filterId/restore': ofContainer(restore(containerFilters)),
  'GET /container/:containerId/filter/:filterId/history': ofContainer(history(containerFilters)),
  'GET /container/:containerId/filter/:filterId/check': ofContainer(check(containerFilters)),
}
