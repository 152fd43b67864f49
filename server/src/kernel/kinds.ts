import type { TProperties } from 'typebox'
import type { Caller, Permission } from './access.ts'
import type { Place, PlaceColumns } from './access-rule.ts'
import type { Context } from './context.ts'
import type { Id } from './id.ts'
import type { Column } from './record/columns.ts'
import type { AccessStep, Common, Expect, Finding } from './record/record.ts'
import type { JsonProperties, PropertyOverrides, RecordParts } from './record/record-json.ts'
import type { FindOptions, UpdateOptions } from './record/record-options.ts'
import type { Schema } from './schema/shape.ts'
import type { Sql } from './sql.ts'

export type Verb = 'read' | 'create' | 'update' | 'delete'

/** A condition that the rows of a list meet anyway and an index answers, and when its statement is planned. */
export interface FoundRows {
  where?: Sql
  planned: Sql['planned']
}

/** A kind of record without its types, for code that serves all kinds alike. */
export interface Kind {
  readonly entity: string
  /** The first part of the names of its permissions and events. */
  readonly area: string
  readonly table: string
  readonly about: string
  readonly shape: TProperties
  readonly columns: readonly Column[]
  readonly byProperty: ReadonlyMap<string, Column>
  readonly permissions: Readonly<Record<Verb, Permission>>
  readonly required: readonly string[]
  readonly serverSet: readonly string[]
  readonly placed: boolean
  readonly remembered: boolean
  readonly archives: boolean
  readonly sparse: readonly string[]
  readonly order: string
  readonly example: Record<string, unknown> | undefined
  readonly schema: Schema
  readonly createSchema: Schema
  readonly updateSchema: Schema
  visible(caller: Caller, alias: Sql, ownerSeen?: Sql): Sql
  /** The number of the rows (`t`) of a condition that the caller sees, where it is found without a look at each; `asked` are the properties in it. */
  counted?(caller: Caller, where: Sql, asked: readonly string[]): Sql | undefined
  /** How a list by properties alone finds its rows (`t`), where that is known better than by the planner. */
  found?(ctx: Context, where: Sql, query: Record<string, unknown>): Promise<FoundRows | undefined>
  /** Who may read the history of a record. */
  historyVisible(caller: Caller, alias: Sql): Sql
  place?(record: Record<string, unknown>): Place
  placeColumns?(alias: Sql): PlaceColumns
  explainVisibility?(ctx: Context, caller: Caller, id: Id): Promise<AccessStep[]>
  findings?(record: Common, ctx: Context): Finding[] | Promise<Finding[]>
  completed(values: Record<string, unknown>): Record<string, unknown>
  readCreate(body: unknown): Record<string, unknown>
  readUpdate(body: unknown): Record<string, unknown>
  json(alias: Sql, only?: ReadonlySet<string>, also?: JsonProperties): Sql
  /** The text of a record up to what the service adds, and how it adds that; undefined if PostgreSQL writes the whole text. */
  inParts(ctx: Context, only?: ReadonlySet<string>, also?: JsonProperties): Promise<RecordParts | undefined>
  ofTenant(ctx: Context): Promise<PropertyOverrides | undefined>
  jsonFor(ctx: Context, alias: Sql, only?: ReadonlySet<string>, also?: Record<string, Sql>): Promise<Sql>
  find(ctx: Context, id: Id, more?: FindOptions): Promise<Common | undefined>
  get(ctx: Context, id: Id, more?: FindOptions): Promise<Common>
  demand(ctx: Context, verb: Verb, record: Record<string, unknown>): Promise<void>
  create(ctx: Context, values: Record<string, unknown>): Promise<Common>
  update(ctx: Context, id: Id, values: Record<string, unknown>, more?: UpdateOptions): Promise<Common>
  remove(ctx: Context, id: Id, more?: { expect?: Expect }): Promise<Common>
  restore(ctx: Context, id: Id): Promise<Common>
}

/** Every kind by its name, so that a reference is checked without importing the kind that it points at. */
const kinds = new Map<string, Kind>()

export function register(made: Kind): void {
  kinds.set(made.entity, made)
}

export function kind(entity: string): Kind {
  const found = kinds.get(entity)
  if (!found) throw new Error(`no kind is called ${entity}`)
  return found
}

export function kindNamed(entity: string): Kind | undefined {
  return kinds.get(entity)
}

export function allKinds(): Kind[] {
  return [...kinds.values()]
}
