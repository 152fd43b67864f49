import { isDeepStrictEqual } from 'node:util'
import { type Caller, demand, dependsOnRow, mayAt, type Permission } from '../access.ts'
import type { Place, PlaceColumns } from '../access-rule.ts'
import type { Context } from '../context.ts'
import { appendWith, type Changes } from '../events.ts'
import { type Id, isId, newId } from '../id.ts'
import type { Verb } from '../kinds.ts'
import { forgetAfterCommit } from '../memory.ts'
import { Forbidden, fault, Invalid, NotFound } from '../refusal.ts'
import { instantOf } from '../schema/formats.ts'
import { join, name, raw, type Sql, sql } from '../sql.ts'
import { type Column, plainDefault, stored } from './columns.ts'
import { type Common, type Expect, expectVersion, type Finding, type OwnColumns } from './record.ts'
import { refuseUnknownReferences } from './references.ts'

/** A record of any kind, as a map of its properties. */
type Row = Common & Record<string, unknown>
type Properties = Record<string, unknown>

export interface StoreOptions {
  entity: string
  area: string
  table: string
  columns: readonly Column[]
  permissions: Readonly<Record<Verb, Permission>>
  remembered: boolean
  visible(caller: Caller, alias: Sql): Sql
  jsonFor(ctx: Context, alias: Sql): Promise<Sql>
  place?(record: Properties): Place
  placeColumns?(alias: Sql): PlaceColumns
  check?(ctx: Context, record: Properties, before: Row | undefined): void | Promise<void>
  findings?(record: Row, ctx: Context): Finding[] | Promise<Finding[]>
}

/** Reads and writes the rows of one kind. Each write adds its event in the same statement. */
export function recordStore(options: StoreOptions) {
  const { entity, area, table, columns, jsonFor } = options
  const t = raw('t')

  async function find(
    ctx: Context,
    id: Id,
    more: { deleted?: boolean; lock?: boolean } = {},
  ): Promise<Row | undefined> {
    if (!isId(id)) return undefined
    const [row] = await ctx.sql<{ json: string }>`select ${await jsonFor(ctx, t)} as json from ${name(table)} t
      where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id} ${more.deleted ? raw('') : raw('and not t.deleted')}
        and ${options.visible(ctx.caller, t)} ${more.lock ? raw('for update of t') : raw('')}`
    return row && JSON.parse(row.json)
  }

  async function get(ctx: Context, id: Id, more: { deleted?: boolean; lock?: boolean } = {}): Promise<Row> {
    const found = await find(ctx, id, more)
    if (!found) throw new NotFound()
    return found
  }

  /** `own` are columns outside of the shape; `verb` is the second part of the event's name. */
  async function create(
    ctx: Context,
    values: Properties,
    more: { id?: Id; own?: Record<string, Sql>; verb?: string } = {},
  ): Promise<Row> {
    const record = completed(values)
    const id = more.id ?? newId()
    await demandAtPlace(ctx, 'create', record)
    await validate(ctx, record, undefined)
    const { tenantId, userId } = ctx.caller
    const own = Object.entries(more.own ?? {})
    const changes: Changes = {}
    for (const column of columns) {
      const to = record[column.property]
      if (!isDeepStrictEqual(to, plainDefault(column))) changes[column.property] = { to }
    }
    const names = [...columns.map(each => name(each.column)), ...own.map(([column]) => name(column))]
    const contents = [...columns.map(each => stored(each, record[each.property])), ...own.map(([, value]) => value)]
    const [row] = await ctx.sql<{ json: string }>`
      with made as (
        insert into ${name(table)} (tenant_id, id, created, created_by, updated, updated_by, ${join(names)})
        values (${tenantId}, ${id}, ${ctx.now}, ${userId}, ${ctx.now}, ${userId}, ${join(contents)})
        returning *
      ), happened as (${appendWith(ctx, raw('made'), { kind: `${area}.${more.verb ?? 'created'}`, entity, recordId: id, changes })})
      select ${await jsonFor(ctx, t)} as json from made t`
    if (options.remembered) forgetAfterCommit(ctx)
    return JSON.parse(row?.json ?? 'null')
  }

  /** Merges: an absent property stays, `null` resets it to the default. An update without changes writes nothing. */
  async function update(
    ctx: Context,
    id: Id,
    values: Properties,
    more: { expect?: Expect; own?: OwnColumns; verb?: string } = {},
  ): Promise<Row> {
    const before = await get(ctx, id, { lock: true })
    expectVersion(before, more.expect)
    const after = completed({ ...properties(before), ...values })
    const changed = columns.filter(
      ({ property }) => property in values && !isDeepStrictEqual(after[property], before[property]),
    )
    await demandAtPlace(ctx, 'update', before)
    if (changed.length === 0 && !changesAnything(more.own)) return before
    await demandAtPlace(ctx, 'update', { ...after, id })
    await validate(ctx, after, before)
    return await write(ctx, before, after, changed, more.verb ?? 'updated', more.own)
  }

  async function remove(ctx: Context, id: Id, more: { expect?: Expect } = {}): Promise<Row> {
    const before = await get(ctx, id, { lock: true })
    await demandAtPlace(ctx, 'delete', before)
    expectVersion(before, more.expect)
    return await write(ctx, before, {}, [], 'deleted')
  }

  async function restore(ctx: Context, id: Id): Promise<Row> {
    const before = await get(ctx, id, { lock: true, deleted: true })
    await demandAtPlace(ctx, 'delete', before)
    if (!before.deleted) return before
    await options.check?.(ctx, completed(properties(before)), before)
    return await write(ctx, before, {}, [], 'restored')
  }

  async function write(
    ctx: Context,
    before: Row,
    after: Properties,
    changed: readonly Column[],
    verb: string,
    own: OwnColumns = { columns: {}, changes: {} },
  ): Promise<Row> {
    const changes: Changes = { ...own.changes }
    for (const { property } of changed) changes[property] = { from: before[property], to: after[property] }
    const changesDeleted = verb === 'deleted' || verb === 'restored'
    if (changesDeleted) changes.deleted = { from: before.deleted, to: verb === 'deleted' }
    const sets = changed.map(each => sql`${name(each.column)} = ${stored(each, after[each.property])}`)
    for (const [column, value] of Object.entries(own.columns)) sets.push(sql`${name(column)} = ${value}`)
    if (changesDeleted) sets.push(sql`deleted = ${verb === 'deleted'}`)
    const [row] = await ctx.sql<{ json: string }>`
      with made as (
        update ${name(table)} set ${join([...sets, sql`updated = ${ctx.now}`])}, updated_by = ${ctx.caller.userId}, version = version + 1
        where tenant_id = ${ctx.caller.tenantId} and id = ${before.id}
        returning *
      ), happened as (${appendWith(ctx, raw('made'), { kind: `${area}.${verb}`, entity, recordId: before.id, changes })})
      select ${await jsonFor(ctx, t)} as json from made t`
    if (options.remembered) forgetAfterCommit(ctx)
    return JSON.parse(row?.json ?? 'null')
  }

  async function validate(ctx: Context, record: Properties, before: Row | undefined): Promise<void> {
    await refuseUnknownReferences(ctx, columns, record, before)
    await options.check?.(ctx, record, before)
    if (!ctx.strict || !options.findings) return
    const found = await options.findings({ ...before, ...record } as Row, ctx)
    if (found.length > 0)
      throw new Invalid(found.map(({ path, code, message }) => fault(path.split('/').slice(1), code, message)))
  }

  /** The request was admitted with the permission at any place; here the place is known, and the row that a grant may depend on. */
  async function demandAtPlace(ctx: Context, verb: Verb, record: Properties): Promise<void> {
    if (!options.place) return
    const { id } = record
    if (!isId(id) || !(await isPermittedRow(ctx, options.permissions[verb], String(id))))
      demand(ctx.caller, options.permissions[verb], options.place(record))
  }

  /** Returns false if the permission does not depend on the row, and refuses if it does and is missing. */
  async function isPermittedRow(ctx: Context, wanted: Permission, id: Id): Promise<boolean> {
    if (!options.placeColumns || !dependsOnRow(ctx.caller, wanted)) return false
    const [row] = await ctx.sql<{
      may: boolean
    }>`select ${mayAt(ctx.caller, wanted, t, options.placeColumns(t))} as may
      from ${name(table)} t where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id}`
    if (!row?.may) throw new Forbidden(`this needs the permission ${wanted.name} on this ${entity}`)
    return true
  }

  /** Gives every property a value: the given one or the default. */
  function completed(values: Properties): Properties {
    const entries = columns.map(column => {
      const value = values[column.property]
      return [column.property, value === undefined || value === null ? plainDefault(column) : normalize(column, value)]
    })
    return Object.fromEntries(entries)
  }

  function properties(record: Row): Properties {
    return Object.fromEntries(columns.map(({ property }) => [property, record[property]]))
  }

  return { find, get, create, update, remove, restore, demand: demandAtPlace, completed }
}

function changesAnything(own: OwnColumns | undefined): boolean {
  return own !== undefined && (Object.keys(own.columns).length > 0 || Object.keys(own.changes).length > 0)
}

/** Equal values are stored in one notation, so that an update does not report a change that is none. */
function normalize({ type, schema }: Column, value: unknown): unknown {
  if (type === 'timestamptz' && typeof value === 'string') return instantOf(value)
  if (type === 'uuid' && typeof value === 'string') return value.toLowerCase()
  if (type === 'uuid[]' && Array.isArray(value)) return [...new Set(value.map(each => String(each).toLowerCase()))]
  if (schema.format === 'email' && typeof value === 'string') return value.trim()
  return value
}
