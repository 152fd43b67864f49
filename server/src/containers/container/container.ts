import { Type } from 'typebox'
import { CostSplit, refuseWrongSplit, withSortedSplit } from '../../admin/cost-split.ts'
import { AlertAt, budgetPeriods, type ContainerBudget, keepContainerBudget } from '../../finance/budget/budget.ts'
import { RoundingPolicy } from '../../finance/rounding.ts'
import { isStaffSomewhere, visibleContainers } from '../../identity/visibility.ts'
import { admins, everyone, managers } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { create, get, list, remove, restore, update } from '../../kernel/crud.ts'
import type { Id } from '../../kernel/id.ts'
import type { Operation, Routes } from '../../kernel/operation.ts'
import { type Expect, expectVersion, type Stored, type Values } from '../../kernel/record/record.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, Integer, LocalDate, LongText, Name, Part, Parts, Ref, Refs, Text } from '../../kernel/schema/values.ts'
import { raw, sql } from '../../kernel/sql.ts'
import { byParts } from '../../language/search/name-parts.ts'
import { Code } from '../../records/code-table.ts'
import { history } from '../../records/history/history.ts'
import { healths } from '../container-health.ts'
import { containerKinds } from '../container-kind.ts'
import { Portal, portalOf, refuseWrongPortal } from '../container-portal.ts'
import { deleteItems, restoreItems } from './container-items.ts'
import { fieldsOf } from './process-fields.ts'

const shape = {
  key: Text(10, { examples: ['DESK'] }),
  name: Name(200),
  description: LongText(),
  kind: Code(containerKinds),
  processIds: Refs('Process', 100),
  defaultProcessId: Ref('Process'),
  fields: Parts({ fieldId: Text(60), order: Integer(), required: Type.Boolean() }, ['fieldId'], 500),
  clockId: Ref('Clock'),
  crmId: Ref('Crm'),
  costCenter: Text(120),
  split: CostSplit,
  billable: Type.Boolean({ default: true }),
  private: Type.Boolean(),
  startDate: LocalDate,
  dueDate: LocalDate,
  health: Code(healths),
  healthNote: Text(2000),
  budget: Type.Unsafe<ContainerBudget>({
    ...Part({
      minutes: Count(),
      amount: Type.Number({ minimum: 0, maximum: 1e12 }),
      currency: Text(3, { pattern: '^([A-Z]{3})?$' }),
      resetPeriod: Code(budgetPeriods),
      alertAt: AlertAt,
    }),
    default: {},
  }),
  rounding: RoundingPolicy,
  archived: Type.Boolean({
    description: 'An archived container is read-only: its items can be read and found, but not changed.',
  }),
  portal: Portal,
  template: Type.Boolean({ description: 'Marks the container as a template, which is meant to be copied.' }),
  templateOf: Ref('Container'),
}

export type Container = Stored<typeof shape>
type ContainerValues = Values<typeof shape>

/** What requesters read of a service desk. */
const ofRequesters: readonly string[] = [
  'key',
  'name',
  'description',
  'kind',
  'processIds',
  'defaultProcessId',
  'archived',
  'portal',
]
/** What a container costs and how it is set up is for those who work on it. */
const ofStaff = Object.keys(shape).filter(property => !ofRequesters.includes(property))

/** A container of items: a project, a service desk, a product. */
export const containers = resource('Container', {
  about:
    'A container of items: a project, a service desk or a product. `fields` are the fields of its processes, in display order.',
  shape,
  // The fields of a container are derived from its processes.
  serverSet: ['fields', 'templateOf'],
  may: { read: everyone, create: managers, update: managers, delete: admins },
  place: ({ id }) => ({ containerId: id ?? null }),
  visible: (caller, c) => visibleContainers(caller, sql`${c}.id`),
  check: checkContainer,
  historyVisible: (caller, c) => (isStaffSomewhere(caller) ? visibleContainers(caller, sql`${c}.id`) : raw('false')),
  notForAll: ofStaff,
  ofTenant: async ({ caller }) =>
    isStaffSomewhere(caller) ? undefined : Object.fromEntries(ofStaff.map(property => [property, undefined])),
  remembered: true,
})

function checkContainer(_ctx: Context, container: ContainerValues): void {
  const faults = []
  if (!/^[A-Z][A-Z0-9]{0,9}$/.test(container.key))
    faults.push(
      fault(['key'], 'pattern', 'must be 1 to 10 capital letters and digits, beginning with a letter', container.key),
    )
  if (container.startDate && container.dueDate && container.startDate > container.dueDate)
    faults.push(fault(['dueDate'], 'range', 'must not be before startDate', container.dueDate))
  if (faults.length > 0) throw new Invalid(faults)
  refuseWrongSplit(container.split)
  refuseWrongPortal(container)
  if (container.defaultProcessId && !container.processIds.includes(container.defaultProcessId)) {
    throw new RuleBroken('default-process', 'the default process must be one of processIds', [
      fault(['defaultProcessId'], 'default-process', 'must be one of processIds'),
    ])
  }
}

export async function createContainer(ctx: Context, values: Partial<ContainerValues>): Promise<Container> {
  const key = values.key ? values.key.toUpperCase() : await freeKey(ctx, values.name ?? '')
  const processIds = values.processIds ?? []
  const made = await containers.create(ctx, {
    ...withSortedSplit(values),
    portal: portalOf(values),
    key,
    fields: await fieldsOf(ctx, processIds),
  })
  await ctx.sql`insert into container_number (tenant_id, container_id) values (${ctx.caller.tenantId}, ${made.id})`
  await keepContainerBudget(ctx, made.id, made.budget)
  return made
}

async function changeContainer(
  ctx: Context,
  id: Id,
  values: Partial<ContainerValues>,
  more: object,
): Promise<Container> {
  const depends = [values.budget, values.kind, values.portal, values.processIds].some(each => each !== undefined)
  const before = depends ? await containers.get(ctx, id, { lock: true }) : undefined
  const made = await containers.update(
    ctx,
    id,
    {
      ...withSortedSplit(values),
      ...(values.key ? { key: values.key.toUpperCase() } : {}),
      ...(values.processIds === undefined ? {} : { fields: await fieldsOf(ctx, values.processIds ?? []) }),
      ...(before ? { portal: portalOf(values, before) } : {}),
    },
    more,
  )
  if (before && values.budget !== undefined) await keepContainerBudget(ctx, made.id, made.budget, before.budget)
  return made
}

/** Derives a key from the first letters of the name, with a number appended if the key is taken. */
async function freeKey(ctx: Context, name: string): Promise<string> {
  const letters =
    name
      .normalize('NFKD')
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .replace(/^[0-9]+/, '')
      .slice(0, 4) || 'WORK'
  // The lock gives two containers with similar names that are created concurrently different keys.
  await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`container key ${ctx.caller.tenantId} ${letters}`}, 0))`
  const rows = await ctx.sql<{
    key: string
  }>`select key from container where tenant_id = ${ctx.caller.tenantId} and key like ${`${letters}%`}`
  const taken = new Set(rows.map(row => row.key))
  for (let n = 1; ; n++) {
    const key = n === 1 ? letters : `${letters}${n}`
    if (!taken.has(key)) return key
  }
}

/** Creates the inbox of a new tenant, which receives the items without a container. */
export async function makeInbox(
  ctx: Context,
  { name, description }: Pick<Container, 'name' | 'description'>,
): Promise<Container> {
  return await createContainer(ctx, { name, key: inboxKey, description })
}

/** The key by which items without a container find theirs. */
export const inboxKey = 'INBOX'

/** Deletes a container with its items. */
export async function removeContainer(ctx: Context, id: Id, more: { expect?: Expect } = {}): Promise<Container> {
  const { container } = await removeWithItems(ctx, id, more)
  return container
}

async function removeWithItems(
  ctx: Context,
  id: Id,
  more: { expect?: Expect },
): Promise<{ container: Container; items: number }> {
  // The lock waits for items that are being created or moved here, and keeps new ones out.
  const before = await containers.get(ctx, id, { lock: true })
  await containers.demand(ctx, 'delete', before)
  expectVersion(before, more.expect)
  const items = await deleteItems(ctx, before.id)
  return { container: await containers.remove(ctx, before.id), items }
}

const removal: Operation = {
  ...remove(containers),
  description:
    'Deletes the container with all its items, in one change set. `dryRun=true` returns their number as `touches.items`. Restoring the container within 30 days restores the items that were deleted with it.',
  async run(ctx, { params, expect }) {
    const { items } = await removeWithItems(ctx, params.id ?? '', { expect })
    return { dryRun: { touches: { items } } }
  },
}

/**
 * Restores a container with the items that were deleted with it, and recomputes its fields, because its processes may
 * have changed or been deleted in the meantime.
 */
export async function restoreContainer(ctx: Context, id: Id): Promise<Container> {
  const before = await containers.get(ctx, id, { deleted: true, lock: true })
  const { processIds, defaultProcessId, portal } = await containers.restore(ctx, id)
  if (before.deleted) await restoreItems(ctx, before.id)
  const rows = await ctx.sql<{ id: Id }>`select id from process
    where tenant_id = ${ctx.caller.tenantId} and id = any(${processIds}::uuid[]) and not deleted for share`
  const there = new Set(rows.map(row => row.id))
  return await containers.update(ctx, id, {
    processIds: processIds.filter(each => there.has(each)),
    defaultProcessId: there.has(defaultProcessId) ? defaultProcessId : '',
    portal: { ...portal, types: portal.types?.filter(each => there.has(each)) ?? [] },
    fields: await fieldsOf(ctx, processIds),
  })
}

export const routes: Routes = {
  'GET /container': list(containers, byParts('container')),
  'POST /container': create(containers, createContainer),
  'PUT /container': update(containers, changeContainer),
  'GET /container/:id': get(containers),
  'PUT /container/:id': update(containers, changeContainer),
  'PATCH /container/:id': update(containers, changeContainer),
  'DELETE /container/:id': removal,
  'POST /container/:id/restore': restore(containers, restoreContainer),
  'GET /container/:id/history': history(containers),
}
