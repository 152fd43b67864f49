import { Type } from 'typebox'
import { admins, everyone, managers, visibleContainers } from '../kernel/access.ts'
import type { Context } from '../kernel/database.ts'
import { type Id, isId } from '../kernel/id.ts'
import type { Routes } from '../kernel/operation.ts'
import { fault, Invalid, RuleBroken } from '../kernel/refusal.ts'
import { resource, type Stored, type Values } from '../kernel/resource.ts'
import { nothing, raw, sql } from '../kernel/sql.ts'
import { create, get, history, list, remove, restore, update } from '../kernel/stock.ts'
import { Code, LocalDate, LongText, Name, Parts, Ref, Refs, Text } from '../kernel/values.ts'

const shape = {
  key: Text(10, { examples: ['DESK'] }),
  name: Name(200),
  description: LongText(),
  kind: Code(),
  processIds: Refs('Process', 100),
  defaultProcessId: Ref('Process'),
  fields: Parts({ fieldId: Text(60), order: Code(), required: Type.Boolean() }, ['fieldId'], 500),
  clockId: Ref('Clock'),
  crmId: Ref('Crm'),
  costCenter: Text(120),
  billable: Type.Boolean({ default: true }),
  private: Type.Boolean(),
  startDate: LocalDate,
  dueDate: LocalDate,
  health: Code(),
  healthNote: Text(2000),
  archived: Type.Boolean(),
}

export type Container = Stored<typeof shape>
type ContainerValues = Values<typeof shape>

/** Where work lives: a project, a desk, a product. */
export const containers = resource('Container', {
  about:
    'Where work lives: a project, a service desk, a product. `fields` is what its processes bring, in the order it shows them.',
  shape,
  // What a container shows follows from its processes.
  serverSet: ['fields'],
  may: { read: everyone, create: managers, update: managers, delete: admins },
  place: ({ id }) => ({ containerId: id ?? null }),
  visible: (caller, c) => visibleContainers(caller, sql`${c}.id`),
  check: checkContainer,
  remembered: true,
})

function checkContainer(_ctx: Context, container: ContainerValues): void {
  const faults = []
  if (!/^[A-Z][A-Z0-9]{0,9}$/.test(container.key))
    faults.push(fault(['key'], 'pattern', 'must be 1 to 10 capital letters and digits, a letter first', container.key))
  if (container.startDate && container.dueDate && container.startDate > container.dueDate)
    faults.push(fault(['dueDate'], 'range', 'must not lie before startDate', container.dueDate))
  if (faults.length > 0) throw new Invalid(faults)
  if (container.defaultProcessId && !container.processIds.includes(container.defaultProcessId)) {
    throw new RuleBroken('default-process', 'the default process must be one of processIds', [
      fault(['defaultProcessId'], 'default-process', 'must be one of processIds'),
    ])
  }
}

async function createContainer(ctx: Context, values: Partial<ContainerValues>): Promise<Container> {
  const key = values.key ? values.key.toUpperCase() : await freeKey(ctx, values.name ?? '')
  const processIds = values.processIds ?? []
  const made = await containers.create(ctx, { ...values, key, fields: await fieldsOf(ctx, processIds) })
  await ctx.sql`insert into container_number (tenant_id, container_id) values (${ctx.caller.tenantId}, ${made.id})`
  return made
}

async function changeContainer(
  ctx: Context,
  id: Id,
  values: Partial<ContainerValues>,
  more: object,
): Promise<Container> {
  const wanted = { ...values, ...(values.key ? { key: values.key.toUpperCase() } : {}) }
  if (values.processIds === undefined) return await containers.update(ctx, id, wanted, more)
  return await containers.update(ctx, id, { ...wanted, fields: await fieldsOf(ctx, values.processIds ?? []) }, more)
}

interface ProcessField {
  fieldId: string
  order: number
  required: boolean
}

/**
 * What the processes bring together; a field that two of them bring is there once, required if one requires it.
 * Whoever gives a container its processes holds them meanwhile, so that none changes or goes unnoticed.
 */
async function fieldsOf(ctx: Context, processIds: readonly Id[], held = raw('for share')): Promise<ProcessField[]> {
  const ids = processIds.filter(isId)
  const rows = await ctx.sql<{ fields: Partial<ProcessField>[] }>`select fields from process
    where tenant_id = ${ctx.caller.tenantId} and id = any(${ids}::uuid[]) and not deleted order by id ${held}`
  const all = new Map<string, ProcessField>()
  for (const { fieldId = '', order = 0, required = false } of rows.flatMap(row => row.fields)) {
    const known = all.get(fieldId)
    all.set(fieldId, {
      fieldId,
      order: Math.min(order, known?.order ?? order),
      required: required || (known?.required ?? false),
    })
  }
  return [...all.values()].sort((a, b) => a.order - b.order || (a.fieldId < b.fieldId ? -1 : 1))
}

/** The first letters of the name, with a number behind if somebody has them already. */
async function freeKey(ctx: Context, name: string): Promise<string> {
  const letters =
    name
      .normalize('NFKD')
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .replace(/^[0-9]+/, '')
      .slice(0, 4) || 'WORK'
  const rows = await ctx.sql<{
    key: string
  }>`select key from container where tenant_id = ${ctx.caller.tenantId} and key like ${`${letters}%`}`
  const taken = new Set(rows.map(row => row.key))
  for (let n = 1; ; n++) {
    const key = n === 1 ? letters : `${letters}${n}`
    if (!taken.has(key)) return key
  }
}

/** Made with the tenant: work that names no container lands here. */
export async function makeInbox(ctx: Context): Promise<Container> {
  return await createContainer(ctx, { name: 'Inbox', key: 'INBOX', description: 'Work that came without a place.' })
}

/** The fields that a container showed before its processes changed, and those it shows now. */
export interface Refreshed {
  containerId: Id
  before: string[]
  after: string[]
}

/** A process that is no more leaves every container, and takes the fields only it brought with it. */
export async function withdrawProcess(ctx: Context, processId: Id): Promise<Refreshed[]> {
  const refreshed: Refreshed[] = []
  for (const container of await containersOf(ctx, processId)) {
    const processIds = container.processIds.filter(id => id !== processId)
    const defaultProcessId = container.defaultProcessId === processId ? '' : container.defaultProcessId
    refreshed.push(await refresh(ctx, container, { processIds, defaultProcessId }))
  }
  return refreshed
}

/** After the fields of a process changed: every container that uses it shows what its processes bring now. */
export async function refreshFields(ctx: Context, processId: Id): Promise<Refreshed[]> {
  const refreshed: Refreshed[] = []
  for (const container of await containersOf(ctx, processId)) {
    refreshed.push(await refresh(ctx, container, { processIds: container.processIds }))
  }
  return refreshed
}

async function refresh(
  ctx: Context,
  { id, fields }: Container,
  values: { processIds: Id[]; defaultProcessId?: Id },
): Promise<Refreshed> {
  // The one that changes is held already; holding others too, two such changes could wait for each other.
  const after = await fieldsOf(ctx, values.processIds, nothing)
  await containers.update(ctx, id, { ...values, fields: after })
  return { containerId: id, before: fields.map(each => each.fieldId ?? ''), after: after.map(each => each.fieldId) }
}

/** While it was gone, its processes may have changed or gone too. */
async function restoreContainer(ctx: Context, id: Id): Promise<Container> {
  const { processIds, defaultProcessId } = await containers.restore(ctx, id)
  const rows = await ctx.sql<{ id: Id }>`select id from process
    where tenant_id = ${ctx.caller.tenantId} and id = any(${processIds}::uuid[]) and not deleted for share`
  const there = new Set(rows.map(row => row.id))
  return await containers.update(ctx, id, {
    processIds: processIds.filter(each => there.has(each)),
    defaultProcessId: there.has(defaultProcessId) ? defaultProcessId : '',
    fields: await fieldsOf(ctx, processIds),
  })
}

async function containersOf(ctx: Context, processId: Id): Promise<Container[]> {
  const rows = await ctx.sql<{
    id: Id
  }>`select id from container where tenant_id = ${ctx.caller.tenantId} and ${processId}::uuid = any(process_ids) and not deleted order by id`
  const found: Container[] = []
  for (const { id } of rows) found.push(await containers.get(ctx, id, { lock: true }))
  return found
}

export const routes: Routes = {
  'GET /container': list(containers),
  'POST /container': create(containers, createContainer),
  'PUT /container': update(containers, changeContainer),
  'GET /container/:id': get(containers),
  'PUT /container/:id': update(containers, changeContainer),
  'PATCH /container/:id': update(containers, changeContainer),
  'DELETE /container/:id': remove(containers),
  'POST /container/:id/restore': restore(containers, restoreContainer),
  'GET /container/:id/history': history(containers),
}
