import type { TProperties } from 'typebox'
import { admins, type Caller, type Permission, permission, type Role, staff } from './access.ts'
import type { Place, PlaceColumns } from './access-rule.ts'
import type { Context } from './context.ts'
import type { Id } from './id.ts'
import { type Kind, register, type Verb } from './kinds.ts'
import { columnOf, snakeCase } from './record/columns.ts'
import type { AccessStep, Expect, Finding, OwnColumns, Shown, Stored, Values } from './record/record.ts'
import { recordJson, type TenantValues } from './record/record-json.ts'
import { answerSchema, requestSchema } from './record/record-schema.ts'
import { recordStore, type StoreOptions } from './record/record-store.ts'
import { type Reader, reader } from './schema/shape.ts'
import { raw, type Sql } from './sql.ts'

export interface Declaration<P extends TProperties, D extends TProperties> {
  /** One sentence for people: what such a record means. */
  about: string
  shape: P
  /** Shown, and stored elsewhere or in another form: how PostgreSQL makes it, and its type. */
  derived?: { [K in keyof D]: { schema: D[K]; value: (alias: Sql) => Sql } }
  /** Properties that the caller's tenant shows in its own way, or this caller not at all; undefined where neither is. */
  ofTenant?: (ctx: Context) => Promise<TenantValues | undefined>
  /** Properties that `ofTenant` leaves out for some callers. */
  notForAll?: readonly string[]
  /** Must be there on create; `name` where a kind has it. */
  required?: readonly (keyof P & string)[]
  /** Set by the service alone: in answers, ignored in requests. */
  serverSet?: readonly (keyof P & string)[]
  /** Who may do what; staff read and admins write unless said otherwise. */
  may?: Partial<Record<Verb, readonly Role[]>>
  /** Where the record is, for kinds whose permissions can be granted at a place. */
  place?: (record: Values<P> & { id?: Id }) => Place
  /** The same as columns, for kinds of which a grant may cover some rows only. */
  placeColumns?: (alias: Sql) => PlaceColumns
  /** Why somebody sees a record or does not, beyond their permissions at its place. */
  explainVisibility?: (ctx: Context, caller: Caller, id: Id) => Promise<AccessStep[]>
  /** Permissions on it can be held at a place although it does not say which: the room itself checks where it belongs. */
  placed?: boolean
  /** The rows that a caller sees, beyond those of the tenant. */
  visible?: (caller: Caller, alias: Sql) => Sql
  /** Who may read a record's history and hear its events; everybody who sees it, if not said. */
  historyVisible?: (caller: Caller, alias: Sql) => Sql
  /** Rules of the trade on the record as it would be stored; throws a refusal. */
  check?: (ctx: Context, record: Values<P>, before: Shown<P, D> | undefined) => void | Promise<void>
  /** What of a stored record is inert, and why. */
  findings?: (record: Shown<P, D>, ctx: Context) => Finding[] | Promise<Finding[]>
  /** A new record as people send it, for the documentation, where the generated one would be refused. */
  example?: Record<string, unknown>
  /** Archived records are left out of lists that do not ask for them. */
  archives?: boolean
  /** The processes keep such records in memory for a few seconds; a change makes them forget. */
  remembered?: boolean
  /** The order of lists when the caller names none. */
  order?: string
  table?: string
  /** The name of permissions and events, where it is not the kind's own. */
  area?: string
}

/** What is done to the records of a kind, typed by its shape. */
interface Store<P extends TProperties, D extends TProperties> {
  find(ctx: Context, id: Id, more?: { deleted?: boolean; lock?: boolean }): Promise<Shown<P, D> | undefined>
  get(ctx: Context, id: Id, more?: { deleted?: boolean; lock?: boolean }): Promise<Shown<P, D>>
  create(
    ctx: Context,
    values: Partial<Values<P>>,
    more?: { id?: Id; own?: Record<string, Sql>; verb?: string },
  ): Promise<Shown<P, D>>
  update(
    ctx: Context,
    id: Id,
    values: Partial<Values<P>>,
    more?: { expect?: Expect; own?: OwnColumns; verb?: string },
  ): Promise<Shown<P, D>>
  remove(ctx: Context, id: Id, more?: { expect?: Expect }): Promise<Shown<P, D>>
  restore(ctx: Context, id: Id): Promise<Shown<P, D>>
  /** Throws unless the caller may do this to this very record. */
  demand(ctx: Context, verb: Verb, record: Values<P> & { id?: Id }): Promise<void>
  completed(values: Record<string, unknown>): Values<P> & Record<string, unknown>
  findings?(record: Stored<P>, ctx: Context): Finding[] | Promise<Finding[]>
  readCreate: Reader<Partial<Values<P>>>
  readUpdate: Reader<Partial<Values<P>>>
}

export interface Resource<P extends TProperties, D extends TProperties = Record<never, never>>
  extends Omit<Kind, keyof Store<P, D> | 'shape'>,
    Store<P, D> {
  readonly shape: P
  ofTenant(ctx: Context): Promise<TenantValues | undefined>
}

/** Declares one kind of record: its shape, and from it everything that kinds have in common. */
export function resource<P extends TProperties, D extends TProperties = Record<never, never>>(
  entity: string,
  declaration: Declaration<P, D>,
): Resource<P, D> {
  const { shape, serverSet = [], about, findings } = declaration
  const area = declaration.area ?? entity.charAt(0).toLowerCase() + entity.slice(1)
  const table = declaration.table ?? snakeCase(area)
  const required = declaration.required ?? ('name' in shape ? ['name'] : [])
  const columns = Object.entries(shape).map(([property, schema]) => columnOf(property, schema))
  const derived = Object.entries(declaration.derived ?? {}).map(([property, each]) => ({ property, ...each }))
  // Clients send whole records back, with everything that was shown to them.
  const ignored = [...serverSet, ...derived.map(each => each.property), ...(findings ? ['check'] : [])]
  const createSchema = requestSchema(shape, required, serverSet)
  const updateSchema = requestSchema(shape, [], serverSet, required)
  const visible = (caller: Caller, alias: Sql) => declaration.visible?.(caller, alias) ?? raw('true')
  const described = {
    entity,
    area,
    table,
    about,
    shape,
    columns,
    byProperty: new Map(columns.map(column => [column.property, column])),
    permissions: permissionsOf(area, declaration.may ?? {}),
    required,
    serverSet,
    visible,
    historyVisible: declaration.historyVisible ?? visible,
    placed: declaration.placed ?? declaration.place !== undefined,
    remembered: declaration.remembered === true,
    archives: declaration.archives === true,
    order: declaration.order ?? '',
    example: declaration.example,
    ofTenant: declaration.ofTenant ?? (async () => undefined),
    schema: answerSchema(entity, shape, about, derived, findings !== undefined, declaration.notForAll),
    createSchema,
    updateSchema,
    readCreate: reader(createSchema, { ignored }),
    readUpdate: reader(updateSchema, { ignored }),
    ...(declaration.place ? { place: declaration.place } : {}),
    ...(declaration.placeColumns ? { placeColumns: declaration.placeColumns } : {}),
    ...(declaration.explainVisibility ? { explainVisibility: declaration.explainVisibility } : {}),
    ...(findings ? { findings } : {}),
    ...recordJson({ entity, columns, derived, ofTenant: declaration.ofTenant }),
  }
  const store = recordStore({ ...described, check: declaration.check } as StoreOptions)
  // The store works on rows of any kind; the declaration is what gives them their types.
  const made = { ...described, ...store } as unknown as Resource<P, D>
  register(made as unknown as Kind)
  return made
}

function permissionsOf(area: string, may: Partial<Record<Verb, readonly Role[]>>): Record<Verb, Permission> {
  return {
    read: permission(`${area}.read`, may.read ?? staff),
    create: permission(`${area}.create`, may.create ?? admins),
    update: permission(`${area}.update`, may.update ?? admins),
    delete: permission(`${area}.delete`, may.delete ?? admins),
  }
}
