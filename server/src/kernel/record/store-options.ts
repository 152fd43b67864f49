import type { Caller, Permission } from '../access.ts'
import type { Place, PlaceColumns } from '../access-rule.ts'
import type { Context } from '../context.ts'
import type { Verb } from '../kinds.ts'
import type { Sql } from '../sql.ts'
import type { Column } from './columns.ts'
import type { Common, Finding } from './record.ts'

/** A record of any kind, as a map of its properties. */
export type Row = Common & Properties

/** The properties of a record by name. */
export type Properties = Record<string, unknown>

/** What the store needs to know of a kind; the meaning of each member is described at its declaration in `resource.ts`. */
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
