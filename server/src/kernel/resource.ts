import { isDeepStrictEqual } from 'node:util'
import type { Static, TObject, TProperties } from 'typebox'
import {
  admins,
  type Caller,
  demand,
  mayAt,
  type Permission,
  type Place,
  permission,
  type Role,
  rowsMatter,
  staff,
} from './access.ts'
import type { PlaceColumns } from './access-rule.ts'
import { type Column, columnOf, instantText, plainDefault, shown, snakeCase, stored } from './columns.ts'
import type { Context } from './context.ts'
import { appendWith, type Changes } from './events.ts'
import { instantOf } from './formats.ts'
import { type Id, isId, newId } from './id.ts'
import { register } from './kinds.ts'
import { forgetLater } from './memory.ts'
import { answerSchema, requestSchema } from './record-schema.ts'
import { refuseUnknownReferences } from './references.ts'
import { Forbidden, fault, Invalid, NotFound, Stale } from './refusal.ts'
import { type Reader, reader, type Schema } from './shape.ts'
import { flat, join, name, raw, type Sql, sql } from './sql.ts'

/** What every stored record carries. */
export interface Common {
  entity: string
  tenantId: Id
  id: Id
  created: string
  createdBy: Id
  updated: string
  updatedBy: Id
  deleted: boolean
  version: number
}

export type Values<P extends TProperties> = Static<TObject<P>>
export type Stored<P extends TProperties> = Values<P> & Common

/** Something stored that its engine cannot act on, told on every read. */
export interface Finding {
  path: string
  code: string
  message: string
}

export const findingsSchema: Schema = {
  type: 'array',
  description: 'What of the record is stored but inert, and why. Empty means all of it acts.',
  items: {
    type: 'object',
    properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
    required: ['path', 'code', 'message'],
  },
}

/** One thing that was weighed when somebody asked whether somebody may do something. */
export interface Step {
  rule: string
  outcome: 'allows' | 'denies' | 'silent'
  because: string
  accessControlId?: Id
}

export interface Declaration<P extends TProperties> {
  /** One sentence for people: what such a record means. */
  about: string
  shape: P
  /** Shown, and kept elsewhere or in another form: how PostgreSQL makes it, and what it looks like. */
  derived?: Record<string, { schema: Schema; value: (alias: Sql) => Sql }>
  /** What the caller's tenant shows in a way of its own, or this caller not at all; undefined, as for most, where neither. */
  ofTenant?: (ctx: Context) => Promise<Record<string, ((alias: Sql) => Sql) | undefined> | undefined>
  /** Properties that are left out for some callers, by `ofTenant`. */
  notForAll?: readonly string[]
  /** Must be there on create; `name` where a kind has it. */
  required?: readonly (keyof P & string)[]
  /** Set by the service alone: in answers, ignored in requests. */
  serverSet?: readonly (keyof P & string)[]
  /** Who may do what; staff read and admins write unless said otherwise. */
  may?: Partial<Record<'read' | 'create' | 'update' | 'delete', readonly Role[]>>
  /** Where the record is, for kinds whose rights can be granted on a container or an area. */
  place?: (record: Values<P> & { id?: Id }) => Place
  /** The same as columns, for kinds of which a rule of access may hold for some rows only. */
  placeColumns?: (alias: Sql) => PlaceColumns
  /** Why somebody sees a record or does not, beyond what they may at its place. */
  explainVisibility?: (ctx: Context, caller: Caller, id: Id) => Promise<Step[]>
  /** Rights on it can be held at a place without its saying which: the room itself looks where it belongs. */
  placed?: boolean
  /** The rows a caller sees, beyond those of the tenant. */
  visible?: (caller: Caller, alias: Sql) => Sql
  /** Who is told how a record came about, by its history and by the stream of events; whoever sees it, if not said. */
  told?: (caller: Caller, alias: Sql) => Sql
  /** Rules of the trade on the record as it would be stored; throws what is against them. */
  check?: (ctx: Context, record: Values<P>, before: Stored<P> | undefined) => void | Promise<void>
  /** What of a stored record is inert, and why. */
  findings?: (record: Stored<P>, ctx: Context) => Finding[] | Promise<Finding[]>
  /** A new record as people send it, for the documentation, where the plain one would not be taken. */
  example?: Record<string, unknown>
  /** What is `archived` is left out of lists that do not ask for it. */
  archives?: boolean
  /** The processes keep what such records say in memory for a moment; a change makes them forget it. */
  remembered?: boolean
  /** The order of lists when the caller names none. */
  order?: string
  table?: string
  /** The name of permissions and events, where it is not the kind's own. */
  area?: string
}

export type Resource<P extends TProperties = TProperties> = ReturnType<typeof resource<P>>

/** One kind of record: its shape, and the things done to its rows, each leaving an event. */
export function resource<P extends TProperties>(entity: string, declaration: Declaration<P>) {
  type Record_ = Stored<P>
  const { shape, serverSet = [], about } = declaration
  const area = declaration.area ?? entity.charAt(0).toLowerCase() + entity.slice(1)
  const table = declaration.table ?? snakeCase(area)
  const required = declaration.required ?? ('name' in shape ? ['name' as keyof P & string] : [])
  const columns = Object.entries(shape).map(([property, schema]) => columnOf(property, schema))
  const byProperty = new Map(columns.map(column => [column.property, column]))
  const derived = Object.entries(declaration.derived ?? {})
  // Clients send whole records back, with all that was shown to them.
  const ignored = [...serverSet, ...Object.keys(declaration.derived ?? {}), ...(declaration.findings ? ['check'] : [])]
  const permissions = permissionsOf(area, declaration.may ?? {})
  const visible = (caller: Caller, alias: Sql) => declaration.visible?.(caller, alias) ?? raw('true')

  /** The row as JSON text, made by PostgreSQL: nobody turns rows into objects and objects into text on the way out. */
  function json(alias: Sql, only?: ReadonlySet<string>, also?: Record<string, Sql | undefined>): Sql {
    if (only || also) return compose(alias, only, also)
    const key = alias.strings.join()
    const known = composed.get(key) ?? flat(compose(alias))
    composed.set(key, known)
    return known
  }

  const composed = new Map<string, Sql>()

  const ofTenant: NonNullable<Declaration<P>['ofTenant']> = declaration.ofTenant ?? (async () => undefined)

  /** The same as the caller's tenant has it; for most kinds and tenants there is no difference, and no cost. */
  async function jsonFor(
    ctx: Context,
    alias: Sql,
    only?: ReadonlySet<string>,
    also?: Record<string, Sql>,
  ): Promise<Sql> {
    const own = await ofTenant(ctx)
    if (!own) return json(alias, only, also)
    const wanted = Object.entries(own).filter(([property]) => !only || only.has(property))
    return json(alias, only, {
      ...Object.fromEntries(wanted.map(([property, value]) => [property, value?.(alias)])),
      ...also,
    })
  }

  /** `also` stands in for properties, adds some or leaves some out: where a statement knows better than a later read. */
  function compose(alias: Sql, only?: ReadonlySet<string>, also: Record<string, Sql | undefined> = {}): Sql {
    const wanted = <T extends { property: string }>(each: T) => !only || only.has(each.property)
    const common = commonColumns(entity, alias).filter(each => wanted(each) || ['entity', 'id'].includes(each.property))
    const own = columns.filter(wanted).map(each => ({ property: each.property, value: shown(each, alias) }))
    const made = derived
      .map(([property, { value }]) => ({ property, value }))
      .filter(wanted)
      .map(({ property, value }) => ({ property, value: value(alias) }))
    const more = Object.entries(also).flatMap(([property, value]) => (value ? [{ property, value }] : []))
    const list = [...[...common, ...own, ...made].filter(each => !(each.property in also)), ...more].map(
      ({ property, value }) => sql`${value} as ${name(property)}`,
    )
    return sql`(select row_to_json(r)::text from (select ${join(list)}) r)`
  }

  const t = raw('t')

  async function find(
    ctx: Context,
    id: Id,
    more: { deleted?: boolean; lock?: boolean } = {},
  ): Promise<Record_ | undefined> {
    if (!isId(id)) return undefined
    const [row] = await ctx.sql<{ json: string }>`select ${await jsonFor(ctx, t)} as json from ${name(table)} t
      where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id} ${more.deleted ? raw('') : raw('and not t.deleted')}
        and ${visible(ctx.caller, t)} ${more.lock ? raw('for update of t') : raw('')}`
    return row && JSON.parse(row.json)
  }

  async function get(ctx: Context, id: Id, more: { deleted?: boolean; lock?: boolean } = {}): Promise<Record_> {
    const found = await find(ctx, id, more)
    if (!found) throw new NotFound()
    return found
  }

  /** Stores a new record. `own` are columns that are not part of what goes out; `verb` is what its event is called. */
  async function create(
    ctx: Context,
    values: Partial<Values<P>>,
    more: { id?: Id; own?: Record<string, Sql>; verb?: string } = {},
  ): Promise<Record_> {
    const record = completed(values)
    const id = more.id ?? newId()
    await demandAt(ctx, 'create', record)
    await refuse(ctx, record, undefined)
    const { tenantId, userId } = ctx.caller
    const own = Object.entries(more.own ?? {})
    const changes: Changes = {}
    for (const { property } of columns)
      if (!isDeepStrictEqual(record[property], defaultOf(property))) changes[property] = { to: record[property] }
    const places = [...columns.map(each => name(each.column)), ...own.map(([column]) => name(column))]
    const contents = [...columns.map(each => stored(each, record[each.property])), ...own.map(([, value]) => value)]
    const [row] = await ctx.sql<{ json: string }>`
      with made as (
        insert into ${name(table)} (tenant_id, id, created, created_by, updated, updated_by, ${join(places)})
        values (${tenantId}, ${id}, ${ctx.now}, ${userId}, ${ctx.now}, ${userId}, ${join(contents)})
        returning *
      ), happened as (${appendWith(ctx, raw('made'), { kind: `${area}.${more.verb ?? 'created'}`, entity, recordId: id, changes })})
      select ${await jsonFor(ctx, t)} as json from made t`
    touched(ctx)
    return JSON.parse(row?.json ?? 'null')
  }

  /** Merges: what is absent stays, `null` goes back to the default. Changing nothing writes nothing. `verb` is what its event is called. */
  async function update(
    ctx: Context,
    id: Id,
    values: Partial<Values<P>>,
    more: { expect?: Expect; own?: Own; verb?: string } = {},
  ): Promise<Record_> {
    const before = await get(ctx, id, { lock: true })
    expected(before, more.expect)
    const after = completed({ ...pickOwn(before), ...values })
    const changed = columns.filter(
      ({ property }) =>
        property in values && !isDeepStrictEqual(after[property], (before as Record<string, unknown>)[property]),
    )
    await demandAt(ctx, 'update', before)
    if (changed.length === 0 && !changesAnything(more.own)) return before
    await demandAt(ctx, 'update', { ...after, id })
    await refuse(ctx, after, before)
    return await write(ctx, before, after, changed, more.verb ?? 'updated', more.own)
  }

  async function remove(ctx: Context, id: Id, more: { expect?: Expect } = {}): Promise<Record_> {
    const before = await get(ctx, id, { lock: true })
    await demandAt(ctx, 'delete', before)
    expected(before, more.expect)
    return await write(ctx, before, {}, [], 'deleted')
  }

  async function restore(ctx: Context, id: Id): Promise<Record_> {
    const before = await get(ctx, id, { lock: true, deleted: true })
    await demandAt(ctx, 'delete', before)
    if (!before.deleted) return before
    await declaration.check?.(ctx, completed(pickOwn(before)), before)
    return await write(ctx, before, {}, [], 'restored')
  }

  async function write(
    ctx: Context,
    before: Record_,
    after: Record<string, unknown>,
    changed: Column[],
    verb: string,
    own: Own = { columns: {}, changes: {} },
  ): Promise<Record_> {
    const changes: Changes = { ...own.changes }
    for (const { property } of changed)
      changes[property] = { from: (before as Record<string, unknown>)[property], to: after[property] }
    const turns = verb === 'deleted' || verb === 'restored'
    if (turns) changes.deleted = { from: before.deleted, to: verb === 'deleted' }
    const sets = changed.map(each => sql`${name(each.column)} = ${stored(each, after[each.property])}`)
    for (const [column, value] of Object.entries(own.columns)) sets.push(sql`${name(column)} = ${value}`)
    if (turns) sets.push(sql`deleted = ${verb === 'deleted'}`)
    const [row] = await ctx.sql<{ json: string }>`
      with made as (
        update ${name(table)} set ${join([...sets, sql`updated = ${ctx.now}`])}, updated_by = ${ctx.caller.userId}, version = version + 1
        where tenant_id = ${ctx.caller.tenantId} and id = ${before.id}
        returning *
      ), happened as (${appendWith(ctx, raw('made'), { kind: `${area}.${verb}`, entity, recordId: before.id, changes })})
      select ${await jsonFor(ctx, t)} as json from made t`
    touched(ctx)
    return JSON.parse(row?.json ?? 'null')
  }

  async function refuse(
    ctx: Context,
    record: Values<P> & Record<string, unknown>,
    before: Record_ | undefined,
  ): Promise<void> {
    await refuseUnknownReferences(ctx, columns, record, before)
    await declaration.check?.(ctx, record, before)
    if (ctx.strict && declaration.findings) {
      const found = await declaration.findings({ ...before, ...record } as Record_, ctx)
      if (found.length > 0) {
        throw new Invalid(found.map(({ path, code, message }) => fault(path.split('/').slice(1), code, message)))
      }
    }
  }

  /** The edge has asked for the permission somewhere; here the place is known, and the row that a rule may ask for. */
  async function demandAt(
    ctx: Context,
    verb: keyof typeof permissions,
    record: Values<P> & { id?: Id },
  ): Promise<void> {
    if (!declaration.place) return
    const { id } = record
    if (id === undefined || !(await permittedRow(ctx, permissions[verb], id)))
      demand(ctx.caller, permissions[verb], declaration.place(record))
  }

  /** Only asked where it depends on the row. */
  async function permittedRow(ctx: Context, wanted: Permission, id: Id): Promise<boolean> {
    if (!declaration.placeColumns || !rowsMatter(ctx.caller, wanted)) return false
    const [row] = await ctx.sql<{
      may: boolean
    }>`select ${mayAt(ctx.caller, wanted, t, declaration.placeColumns(t))} as may
      from ${name(table)} t where t.tenant_id = ${ctx.caller.tenantId} and t.id = ${id}`
    if (!row?.may) throw new Forbidden(`this needs the permission ${wanted.name} on this ${entity}`)
    return true
  }

  function touched(ctx: Context): void {
    if (declaration.remembered) forgetLater(ctx)
  }

  function defaultOf(property: string): unknown {
    const column = byProperty.get(property)
    return column && plainDefault(column)
  }

  /** Every property has a value: what was given, else the plain default. */
  function completed(values: Record<string, unknown>): Values<P> & Record<string, unknown> {
    const record: Record<string, unknown> = {}
    for (const column of columns) {
      const value = values[column.property]
      record[column.property] = value === undefined || value === null ? plainDefault(column) : normal(column, value)
    }
    return record as Values<P> & Record<string, unknown>
  }

  function pickOwn(record: Record_): Record<string, unknown> {
    return Object.fromEntries(columns.map(({ property }) => [property, (record as Record<string, unknown>)[property]]))
  }

  const made = {
    entity,
    area,
    table,
    about,
    shape,
    columns,
    byProperty,
    permissions,
    required,
    serverSet,
    visible,
    told: declaration.told ?? visible,
    placed: declaration.placed ?? declaration.place !== undefined,
    place: declaration.place as ((record: Record<string, unknown>) => Place) | undefined,
    placeColumns: declaration.placeColumns,
    explainVisibility: declaration.explainVisibility,
    remembered: declaration.remembered === true,
    archives: declaration.archives === true,
    order: declaration.order ?? '',
    example: declaration.example,
    findings: declaration.findings as Declaration<TProperties>['findings'],
    /** What goes out. */
    schema: answerSchema(
      entity,
      shape,
      about,
      { ...declaration.derived, ...(declaration.findings ? { check: { schema: findingsSchema } } : {}) },
      declaration.notForAll,
    ),
    completed,
    readCreate: reader<Partial<Values<P>>>(requestSchema(shape, required, serverSet), { ignored }) as Reader<
      Partial<Values<P>>
    >,
    readUpdate: reader<Partial<Values<P>>>(requestSchema(shape, [], serverSet, required), { ignored }) as Reader<
      Partial<Values<P>>
    >,
    createSchema: requestSchema(shape, required, serverSet),
    updateSchema: requestSchema(shape, [], serverSet, required),
    json,
    jsonFor,
    ofTenant,
    find,
    get,
    /** Throws unless the caller may do this to this very record. */
    demand: demandAt,
    create,
    update,
    remove,
    restore,
  }
  register(made as unknown as Resource)
  return made
}

/** Columns that are not part of the shape, and what the event tells of them. */
export interface Own {
  columns: Record<string, Sql>
  changes: Changes
}

function changesAnything(own: Own | undefined): boolean {
  return own !== undefined && (Object.keys(own.columns).length > 0 || Object.keys(own.changes).length > 0)
}

/** Which versions of the record the caller will write over (`If-Match`); nothing is any. */
export type Expect = readonly number[] | undefined

export function expected(record: Common, expect: Expect): void {
  if (expect && !expect.includes(record.version)) throw new Stale(record)
}

function permissionsOf(
  area: string,
  may: NonNullable<Declaration<TProperties>['may']>,
): Record<'read' | 'create' | 'update' | 'delete', Permission> {
  return {
    read: permission(`${area}.read`, may.read ?? staff),
    create: permission(`${area}.create`, may.create ?? admins),
    update: permission(`${area}.update`, may.update ?? admins),
    delete: permission(`${area}.delete`, may.delete ?? admins),
  }
}

/** The same moment, however it was written, is kept in one spelling: else an update would see a change where none is. */
function normal({ type, schema }: Column, value: unknown): unknown {
  if (type === 'timestamptz' && typeof value === 'string') return instantOf(value)
  if (type === 'uuid' && typeof value === 'string') return value.toLowerCase()
  if (type === 'uuid[]' && Array.isArray(value)) return [...new Set(value.map(each => String(each).toLowerCase()))]
  if (schema.format === 'email' && typeof value === 'string') return value.trim()
  return value
}

function commonColumns(entity: string, alias: Sql): { property: string; value: Sql }[] {
  return [
    { property: 'entity', value: sql`${raw(`'${entity}'`)}::text` },
    { property: 'tenantId', value: sql`${alias}.tenant_id` },
    { property: 'id', value: sql`${alias}.id` },
    { property: 'created', value: instantText(sql`${alias}.created`) },
    { property: 'createdBy', value: sql`${alias}.created_by` },
    { property: 'updated', value: instantText(sql`${alias}.updated`) },
    { property: 'updatedBy', value: sql`${alias}.updated_by` },
    { property: 'deleted', value: sql`${alias}.deleted` },
    { property: 'version', value: sql`${alias}.version` },
  ]
}
