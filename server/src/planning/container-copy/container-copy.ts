import { Type } from 'typebox'
import { type AccessControl, accessControls } from '../../admin/access-control/access-control.ts'
import { type Area, areas } from '../../containers/area/area.ts'
import { type Board, boards } from '../../containers/board/board.ts'
import { type Container, containers, createContainer } from '../../containers/container/container.ts'
import { type ContainerFilter, containerFilters } from '../../containers/container-filter/container-filter.ts'
import { createItems, type Draft } from '../../items/create/create.ts'
import { type Item, items } from '../../items/item/item.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import type { Common } from '../../kernel/record/record.ts'
import { Conflict, RuleBroken } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { LocalDate, Name, Part, Text } from '../../kernel/schema/values.ts'
import { name, raw, type Sql, sql } from '../../kernel/sql.ts'
import { withoutUnknown } from '../../records/references/known-references.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { copyBelongings, draftCopy } from '../copy/copy.ts'
import { addWorkingDays, workingDaysBetween } from './working-days.ts'

const parts = ['areas', 'filters', 'boards', 'members', 'items'] as const

interface CopyInput {
  name: string
  key?: string
  startDate?: string | null
  include?: (typeof parts)[number][]
}

const include = Type.Unsafe<CopyInput['include']>({
  type: 'array',
  maxItems: parts.length,
  items: { type: 'string', enum: [...parts] },
  description: 'The parts to copy; by default all except the members.',
})
const requestSchema = Part({ name: Name(200), key: Text(10), startDate: LocalDate, include }, ['name'])

const replySchema: Schema = {
  ...containers.schema,
  title: 'CopiedContainer',
  properties: {
    ...containers.schema.properties,
    warnings: { type: 'array', items: { type: 'string' }, description: 'What was left out of the copied items.' },
  },
}

/** Copies a container as the start of a new one: the same areas, filters, boards and items at another time. */
const copy = operation<CopyInput>({
  permission: containers.permissions.create,
  mode: 'write',
  summary: 'Copy a container',
  description:
    'Creates a container with the settings, areas, filters, boards and items of this one. The copied items are open and have neither time nor annotations. What refers to deleted records, and fields that are hidden from the caller and would be shown in a copied item, are left out and named in `warnings`. With `startDate` all dates move by the number of working days (Monday to Friday) between the two starts.',
  body: {
    schema: requestSchema,
    read: reader<CopyInput>(requestSchema),
    example: { name: 'Office move 2027', startDate: '2027-02-01' },
  },
  reply: { status: 201, schema: replySchema, description: 'The new container.' },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const source = await containers.get(ctx, params.id ?? '')
    const wanted = new Set(body.include ?? parts.filter(each => each !== 'members'))
    const work = wanted.has('items') ? await workOf(ctx, source.id) : []
    const move = shift(source, work, body.startDate ?? null)
    const made = await copiedContainer(ctx, source, body, move)
    const ids = new Map([[source.id, made.id]])
    if (wanted.has('areas')) await copyAreas(ctx, source.id, ids)
    if (wanted.has('filters')) await copyFilters(ctx, source.id, ids)
    if (wanted.has('boards')) await copyBoards(ctx, source.id, ids)
    if (wanted.has('members')) await copyMembers(ctx, source.id, ids)
    const warnings = await copyWork(ctx, work, ids, move)
    return { body: { ...made, warnings }, version: made.version, headers: { location: `/api/container/${made.id}` } }
  },
})

type Move = (date: string | null) => string | null

/** A container without a start date starts with the earliest date of its items. */
function shift(source: Container, work: readonly Item[], startDate: string | null): Move {
  const dates = work.flatMap(each => [each.startDate, each.dueDate]).filter(each => each !== null)
  const anchor = source.startDate ?? dates.sort()[0]
  if (!startDate || !anchor) return date => date
  const days = workingDaysBetween(anchor, startDate)
  return date => date && addWorkingDays(date, days)
}

async function copiedContainer(ctx: Context, source: Container, input: CopyInput, move: Move): Promise<Container> {
  const { key: _key, fields: _fields, health: _health, healthNote: _note, ...rest } = source
  const { record } = await withoutUnknown(ctx, containers.columns, rest)
  return await createContainer(ctx, {
    ...record,
    name: input.name,
    ...(input.key ? { key: input.key } : {}),
    startDate: input.startDate ?? source.startDate,
    dueDate: move(source.dueDate),
    archived: false,
    template: false,
    templateOf: source.id,
  })
}

/** The records of a kind that the caller sees. */
async function visibleRecords<T extends Common>(
  ctx: Context,
  kind: { table: string; json: (t: Sql) => Sql; visible: (caller: Context['caller'], t: Sql) => Sql },
  where: Sql,
  maxRows = 10_000,
): Promise<T[]> {
  const t = raw('t')
  const rows = await ctx.sql<{ json: string }>`select ${kind.json(t)} as json from ${name(kind.table)} t
    where t.tenant_id = ${ctx.caller.tenantId} and not t.deleted and ${where} and ${kind.visible(ctx.caller, t)} order by t.id limit ${maxRows}`
  return rows.map(row => JSON.parse(row.json))
}

const ownedBy = (containerId: Id) => sql`t.owner = ${ownerKind.container} and t.owner_id = ${containerId}`

/** Replaces the ids of copied records by those of their copies. */
function redirected<T>(value: T, ids: ReadonlyMap<Id, Id>): T {
  return JSON.parse(JSON.stringify(value), (_key, each) => (typeof each === 'string' ? (ids.get(each) ?? each) : each))
}

async function copyAreas(ctx: Context, containerId: Id, ids: Map<Id, Id>): Promise<void> {
  const all = await visibleRecords<Area>(ctx, areas, ownedBy(containerId))
  // Parents come first: an area whose parent is not among them is a root.
  const depth = (area: Area): number => {
    const parent = all.find(each => each.id === area.parentId)
    return parent ? depth(parent) + 1 : 0
  }
  for (const area of all.sort((a, b) => depth(a) - depth(b))) {
    const { record } = await withoutUnknown(ctx, areas.columns, redirected(area, ids))
    ids.set(area.id, (await areas.create(ctx, record)).id)
  }
}

async function copyFilters(ctx: Context, containerId: Id, ids: Map<Id, Id>): Promise<void> {
  const all = await visibleRecords<ContainerFilter>(ctx, containerFilters, sql`t.container_id = ${containerId}`)
  for (const filter of all) {
    const { record, unknown } = await withoutUnknown(ctx, containerFilters.columns, redirected(filter, ids))
    // Without its owner a private filter would be everybody's.
    if (unknown.some(({ path }) => path[0] === 'ownerUserId')) continue
    ids.set(filter.id, (await containerFilters.create(ctx, record)).id)
  }
}

async function copyBoards(ctx: Context, containerId: Id, ids: Map<Id, Id>): Promise<void> {
  for (const board of await visibleRecords<Board>(ctx, boards, ownedBy(containerId))) {
    const { record } = await withoutUnknown(ctx, boards.columns, redirected(board, ids))
    ids.set(board.id, (await boards.create(ctx, record)).id)
  }
}

async function copyMembers(ctx: Context, containerId: Id, ids: Map<Id, Id>): Promise<void> {
  for (const grant of await visibleRecords<AccessControl>(ctx, accessControls, ownedBy(containerId))) {
    // A grant without its user or group would be another grant, so it is left out.
    const { record, unknown } = await withoutUnknown(ctx, accessControls.columns, redirected(grant, ids))
    if (unknown.length === 0) await accessControls.create(ctx, record)
  }
}

const maxItems = 2000

async function workOf(ctx: Context, containerId: Id): Promise<Item[]> {
  const work = await visibleRecords<Item>(
    ctx,
    items,
    sql`t.container_id = ${containerId} and t.merged_into is null`,
    maxItems + 1,
  )
  if (work.length > maxItems)
    throw new RuleBroken(
      'too-many-items',
      `a container with more than ${maxItems} items cannot be copied with its items`,
    )
  return work.sort((a, b) => (a.rank < b.rank ? -1 : 1))
}

/** Copies level by level, so that a parent exists before its children. */
async function copyWork(ctx: Context, work: readonly Item[], ids: Map<Id, Id>, move: Move): Promise<string[]> {
  const warnings: string[] = []
  const known = new Set(work.map(each => each.id))
  let level = work.filter(each => !known.has(each.parentId))
  while (level.length > 0) {
    const drafts: Draft[] = []
    for (const item of level) {
      const over = {
        containerId: ids.get(item.containerId) ?? item.containerId,
        areaId: ids.get(item.areaId) ?? '',
        processId: item.processId,
        parentId: ids.get(item.parentId) ?? '',
        startDate: move(item.startDate),
        dueDate: move(item.dueDate),
      }
      const draft = await draftCopy(ctx, item, { over, setByCaller: [], warnings })
      ids.set(item.id, draft.id)
      drafts.push(draft)
    }
    const made = await createItems(ctx, drafts)
    if (made.length < drafts.length)
      throw new Conflict('container-changed', 'the container was changed at the same time')
    const parents = new Set(level.map(each => each.id))
    level = work.filter(each => parents.has(each.parentId))
  }
  await copyBelongings(ctx, new Map(work.map(({ id }) => [id, ids.get(id) ?? ''])))
  return [...new Set(warnings)]
}

export const routes: Routes = {
  'POST /container/:id/copy': copy,
}
