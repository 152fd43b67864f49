import { Type } from 'typebox'
import { demand, members, staff, visibleContainers } from '../kernel/access.ts'
import type { Context } from '../kernel/database.ts'
import { type Id, isId } from '../kernel/id.ts'
import type { Input, Operation, Routes } from '../kernel/operation.ts'
import { fault, Invalid, NotFound } from '../kernel/refusal.ts'
import { type Expect, type Finding, resource, type Stored, type Values } from '../kernel/resource.ts'
import { sql } from '../kernel/sql.ts'
import { check, create, get, history, idOf, list, remove, restore, update } from '../kernel/stock.ts'
import { Code, Name, Ref, Text, Texts } from '../kernel/values.ts'
import { containers } from './container.ts'
import { Criteria, completed, criteriaFaults, inertCriteria } from './criteria.ts'

const shape = {
  containerId: Ref('Container'),
  name: Name(200),
  active: Type.Boolean({ default: true }),
  criteria: Criteria,
  columns: Texts(100, 200),
  groupBy: Text(200),
  layout: Code(),
}

export type ContainerFilter = Stored<typeof shape>
type FilterValues = Values<typeof shape>

/** A question about the work of a container that people ask again and again. */
export const containerFilters = resource('ContainerFilter', {
  about:
    'A saved question about the work of a container. `criteria.container` may name other containers, whose work it then looks at instead.',
  shape,
  may: { read: staff, create: members, update: members, delete: members },
  place: ({ containerId }) => ({ containerId }),
  visible: (caller, f) => visibleContainers(caller, sql`${f}.container_id`),
  check: checkFilter,
  findings: inertParts,
})

function checkFilter(_ctx: Context, { criteria }: FilterValues): void {
  const faults = criteriaFaults(criteria)
  if (faults.length > 0) throw new Invalid(faults)
}

/** How many ways of showing what was found there are codes for. */
const layouts = 5

function inertParts({ criteria, layout }: ContainerFilter): Finding[] {
  const findings = inertCriteria(criteria)
  if (layout < 0 || layout >= layouts) {
    findings.push({ path: '/layout', code: 'unknown-code', message: `${layout} means nothing here` })
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

/** A filter stays where it is: the body may repeat the container of the path, not name another. */
function containerOf({ containerId }: Partial<FilterValues>, { params }: Input): Id {
  const place = (params.containerId ?? '').toLowerCase()
  if (containerId && containerId.toLowerCase() !== place) {
    throw new Invalid([fault(['containerId'], 'mismatch', 'is not the container in the path', containerId)])
  }
  return place
}

/** Removes fields that these containers no longer show from what their filters show, group and sort by. */
export async function forgetFields(ctx: Context, containerIds: Id[], fieldIds: string[]): Promise<void> {
  const names = await namesOf(ctx, fieldIds)
  const rows = await ctx.sql<{ id: Id }>`select id from container_filter
    where tenant_id = ${ctx.caller.tenantId} and container_id = any(${containerIds}::uuid[]) and not deleted order by id`
  for (const { id } of rows) {
    const { columns, groupBy, criteria } = await containerFilters.get(ctx, id, { lock: true })
    const sortField = criteria.sortField ?? ''
    await containerFilters.update(ctx, id, {
      columns: columns.filter(each => !names.has(each)),
      ...(names.has(groupBy) ? { groupBy: '' } : {}),
      ...(names.has(sortField) ? { criteria: { ...criteria, sortField: '', sortDescending: false } } : {}),
    })
  }
}

/** A filter names a field by its id or its key, and as conditions do, behind `field.`. */
async function namesOf(ctx: Context, fieldIds: readonly string[]): Promise<Set<string>> {
  const rows = await ctx.sql<{ key: string }>`select key from field
    where tenant_id = ${ctx.caller.tenantId} and id = any(${fieldIds.filter(isId)}::uuid[])`
  return new Set([...fieldIds, ...rows.map(row => row.key)].flatMap(each => [each, `field.${each}`]))
}

/** The container must be there for the caller, who must be allowed to do this in it. */
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

/** And the filter must be one of this container: through another one it does not exist. */
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

export const routes: Routes = {
  'GET /container/:containerId/filter': inContainer(listOfContainer),
  'POST /container/:containerId/filter': inContainer(create(containerFilters, createFilter)),
  'PUT /container/:containerId/filter': ofContainer(update(containerFilters, changeFilter)),
  'GET /container/:containerId/filter/:filterId': ofContainer(get(containerFilters)),
  'PUT /container/:containerId/filter/:filterId': ofContainer(update(containerFilters, changeFilter)),
  'PATCH /container/:containerId/filter/:filterId': ofContainer(update(containerFilters, changeFilter)),
  'DELETE /container/:containerId/filter/:filterId': ofContainer(remove(containerFilters)),
  'POST /container/:containerId/filter/:filterId/restore': ofContainer(restore(containerFilters)),
  'GET /container/:containerId/filter/:filterId/history': ofContainer(history(containerFilters)),
  'GET /container/:containerId/filter/:filterId/check': ofContainer(check(containerFilters)),
}
