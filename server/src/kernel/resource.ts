import type { TProperties } from 'typebox'
import { admins, type Caller, type Permission, permission, type Role, staff } from './access.ts'
import type { Place, PlaceColumns } from './access-rule.ts'
import type { Context } from './context.ts'
import type { Id } from './id.ts'
import { type Kind, register, type Verb } from './kinds.ts'
import { columnOf, snakeCase } from './record/columns.ts'
import type { AccessStep, Expect, Finding, Shown, Stored, Values } from './record/record.ts'
import { type AtOnce, type PropertyOverrides, recordJson } from './record/record-json.ts'
import type { CreateOptions, FindOptions, UpdateOptions } from './record/record-options.ts'
import { answerSchema, requestSchema } from './record/record-schema.ts'
import { recordStore } from './record/record-store.ts'
import type { StoreOptions } from './record/store-options.ts'
import { type Reader, reader } from './schema/shape.ts'
import { raw, type Sql } from './sql.ts'

interface Declaration<P extends TProperties, D extends TProperties> {
  /** One sentence for the documentation: what such a record means. */
  about: string
  shape: P
  /** Properties that are computed in SQL instead of stored in a column of the kind. */
  derived?: { [K in keyof D]: { schema: D[K]; value: (alias: Sql) => Sql } }
  atOnce?: AtOnce
  /** Properties that the caller's tenant shows in another way, or that this caller does not see; undefined if there are none. */
  ofTenant?: (ctx: Context) => Promise<PropertyOverrides | undefined>
  /** Properties that `ofTenant` leaves out for some callers. */
  notForAll?: readonly string[]
  /** Required on create; `name` by default, where a kind has one. */
  required?: readonly (keyof P & string)[]
  /** Set by the service only: present in replies, ignored in requests. */
  serverSet?: readonly (keyof P & string)[]
  /** The roles that have each permission; by default staff read and admins write. */
  may?: Partial<Record<Verb, readonly Role[]>>
  /** Its records let somebody sign in, so no credential with scopes may write them. */
  credential?: boolean
  /** The place of a record, for kinds whose permissions can be granted at a place. */
  place?: (record: Values<P> & { id?: Id }) => Place
  /** The same as columns, for kinds whose grants can be limited to rows. */
  placeColumns?: (alias: Sql) => PlaceColumns
  /** Explains why a user sees a record or does not, beyond the permissions at its place. */
  explainVisibility?: (ctx: Context, caller: Caller, id: Id) => Promise<AccessStep[]>
  /** Permissions can be granted at a place although `place` is not declared: the room checks the place itself. */
  placed?: boolean
  /** The condition on the rows of the tenant that a caller sees; `ownerSeen` is the part about their owner, where that is known already. */
  visible?: (caller: Caller, alias: Sql, ownerSeen?: Sql) => Sql
  counted?: Kind['counted']
  found?: Kind['found']
  /** The condition for reading the history and the events of a record; by default `visible`. */
  historyVisible?: (caller: Caller, alias: Sql) => Sql
  /** Checks the record before it is stored against the rules of the domain; throws a refusal. */
  check?: (ctx: Context, record: Values<P>, before: Shown<P, D> | undefined) => void | Promise<void>
  /** Reports the parts of a record that its engine cannot act on. */
  findings?: (record: Shown<P, D>, ctx: Context) => Finding[] | Promise<Finding[]>
  /** An example for the documentation, where the generated one would be refused. */
  example?: Record<string, unknown>
  /** Lists leave out archived records unless the query asks for them. */
  archives?: boolean
  /** The properties that can be empty and have an index of the values that are not. */
  sparse?: readonly (keyof P & string)[]
  /** Records of this kind are cached (`memory.ts`), so that a change must clear the cache. */
  remembered?: boolean
  /** The default order of lists. */
  order?: string
  table?: string
  /** The first part of the names of permissions and events, where it is not the name of the kind. */
  area?: string
}

/** Reads and writes the records of a kind, with the types of its shape. */
interface Store<P extends TProperties, D extends TProperties> {
  find(ctx: Context, id: Id, more?: FindOptions): Promise<Shown<P, D> | undefined>
  get(ctx: Context, id: Id, more?: FindOptions): Promise<Shown<P, D>>
  create(ctx: Context, values: Partial<Values<P>>, more?: CreateOptions): Promise<Shown<P, D>>
  update(ctx: Context, id: Id, values: Partial<Values<P>>, more?: UpdateOptions): Promise<Shown<P, D>>
  remove(ctx: Context, id: Id, more?: { expect?: Expect }): Promise<Shown<P, D>>
  restore(ctx: Context, id: Id): Promise<Shown<P, D>>
  /** Throws unless the caller has the permission on this record. */
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
  // Clients send whole records back, so the properties that only replies have are ignored.
  const ignored = [...serverSet, ...derived.map(each => each.property), ...(findings ? ['check'] : [])]
  const createSchema = requestSchema(shape, required, serverSet)
  const updateSchema = requestSchema(shape, [], serverSet, required)
  const visible: Kind['visible'] = (...asked) => declaration.visible?.(...asked) ?? raw('true')
  const described = {
    entity,
    area,
    table,
    about,
    shape,
    columns,
    byProperty: new Map(columns.map(column => [column.property, column])),
    permissions: permissionsOf(area, declaration.may ?? {}, declaration.credential === true),
    required,
    serverSet,
    visible,
    historyVisible: declaration.historyVisible ?? visible,
    placed: declaration.placed ?? declaration.place !== undefined,
    remembered: declaration.remembered === true,
    archives: declaration.archives === true,
    sparse: declaration.sparse ?? [],
    order: declaration.order ?? '',
    example: declaration.example,
    ofTenant: declaration.ofTenant ?? (async () => undefined),
    schema: answerSchema(entity, shape, about, derived, findings !== undefined, declaration.notForAll),
    createSchema,
    updateSchema,
    readCreate: reader(createSchema, { ignored }),
    readUpdate: reader(updateSchema, { ignored, neverEmpty: required }),
    ...(declaration.place ? { place: declaration.place } : {}),
    ...(declaration.placeColumns ? { placeColumns: declaration.placeColumns } : {}),
    ...(declaration.counted ? { counted: declaration.counted } : {}),
    ...(declaration.found ? { found: declaration.found } : {}),
    ...(declaration.explainVisibility ? { explainVisibility: declaration.explainVisibility } : {}),
    ...(findings ? { findings } : {}),
    ...recordJson({ entity, columns, derived, ofTenant: declaration.ofTenant, atOnce: declaration.atOnce }),
  }
  const store = recordStore({ ...described, check: declaration.check } as StoreOptions)
  // The store works on rows of any kind; only the declaration knows their types.
  const made = { ...described, ...store } as unknown as Resource<P, D>
  register(made as unknown as Kind)
  return made
}

function permissionsOf(
  area: string,
  may: Partial<Record<Verb, readonly Role[]>>,
  credential: boolean,
): Record<Verb, Permission> {
  const more = credential ? { credential } : {}
  return {
    read: permission(`${area}.read`, may.read ?? staff),
    create: permission(`${area}.create`, may.create ?? admins, more),
    update: permission(`${area}.update`, may.update ?? admins, more),
    delete: permission(`${area}.delete`, may.delete ?? admins, more),
  }
}
