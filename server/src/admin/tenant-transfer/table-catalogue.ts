import type { Context } from '../../kernel/context.ts'
import { allKinds } from '../../kernel/kinds.ts'

// What a tenant takes along when it leaves is read from the database itself: every table with a tenant in it travels,
// unless it is named here with a reason. So nobody has to remember a new one.

/** Tables of tenants that stay behind, and why. */
export const notExported: Readonly<Record<string, string>> = {
  api_key: 'credentials are of one installation: keys are minted anew',
  rule_call: 'a credential by which calls from outside are known; it is made anew',
  secret: 'sealed with the master key of this installation; the export tells which must be set anew',
  idempotency: 'answers that are remembered for a day, for whoever asks again here',
  presence: 'who looks at an item at this moment',
  errand: 'work that is owed here, and done here',
  delivery: 'what this installation has sent to foreign addresses',
  inbox_done: 'how far the log of this installation was taken in',
  warning: 'what people of this installation were warned of',
  watch_news: 'what addresses are told in a moment, by a job that stays here',
  clock_feed: 'how this installation has read a calendar of holidays',
  mailbox_state: 'how far this installation has read a mailbox, and which process reads it',
  tenant_usage: 'derived: counted from the files as they come',
  item_search: 'derived: the words of items',
  annotation_search: 'derived: the words of annotations',
  document_search: 'derived: the words of documents',
  search_word: 'derived: the words that a tenant uses',
  item_assignee: 'derived: the assignees of items, once more',
  item_label: 'derived: the labels of items, once more',
  user_group_member: 'derived: the members of groups, once more',
}

/** Columns that stay behind, and why. Sealed bytes and digests (`bytea`) always do. */
export const columnsNotExported: Readonly<Record<string, string>> = {
  'tenant.slug': 'a slug names one tenant of an installation',
  'tenant.status': 'the operator’s to say',
  'tenant.region': 'the operator’s to say',
  'tenant.quotas': 'the operator’s to say',
  'tenant.operating': 'the operator’s to say',
  'user.password': 'a credential; it is set anew',
  'user.auth_version': 'counts the ends of sessions here',
  'user.failures': 'counts wrong passwords here',
  'user.failing_since': 'counts wrong passwords here',
  'user.lockouts': 'counts wrong passwords here',
  'user.invitation_expires': 'part of a credential',
}

/** Events that stay behind: what happened to credentials is told where those are. */
export function eventsNotExported(): { entities: string[]; kinds: string[] } {
  const entities = allKinds().filter(kind => kind.table in notExported)
  return { entities: entities.map(kind => kind.entity), kinds: ['user.passwordChanged'] }
}

export interface ExportedColumn {
  name: string
  type: string
  required: boolean
}

/** A table that travels. */
export interface ExportedTable {
  name: string
  /** In the order of their names, without the tenant and without what is withheld. */
  columns: ExportedColumn[]
  /** What its rows are told apart by, in the order of the index, without the tenant. */
  key: ExportedColumn[]
  /** Tables whose rows must be there before. */
  after: string[]
  /** Records of a kind of their own, whose ids others may name. */
  named: boolean
}

/** All tables that travel, each behind those that it points at. */
export async function readCatalogue(ctx: Context): Promise<ExportedTable[]> {
  const tables = await ctx.sql<Omit<ExportedTable, 'named'>>`
    select c.relname as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'required', a.attnotnull) order by a.attname collate "C")
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'required', true) order by k.n)
        from pg_index x cross join unnest(x.indkey) with ordinality k(num, n) join pg_attribute a on a.attrelid = c.oid and a.attnum = k.num
        where x.indrelid = c.oid and x.indisprimary), '[]') as key,
      coalesce((select json_agg(distinct f.relname) from pg_constraint r join pg_class f on f.oid = r.confrelid
        where r.conrelid = c.oid and r.contype = 'f' and f.oid <> c.oid), '[]') as after
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'record'
      and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped)
    order by c.relname collate "C"`
  const travelling = tables
    .filter(table => !(table.name in notExported))
    .map(table => ({
      ...table,
      columns: table.columns.filter(
        ({ name, type }) =>
          name !== 'tenant_id' && type !== 'bytea' && !(`${table.name}.${name}` in columnsNotExported),
      ),
      key: table.key.filter(({ name }) => name !== 'tenant_id'),
      named: table.name !== 'event' && table.key.some(({ name }) => name === 'id'),
    }))
  return inDependencyOrder(travelling)
}

/** The tenant itself first, the log last, and everything else behind what it points at. */
function inDependencyOrder(tables: readonly ExportedTable[]): ExportedTable[] {
  const placed = new Set<string>()
  const order: ExportedTable[] = []
  const place = (table: ExportedTable, above: readonly string[]) => {
    if (placed.has(table.name) || above.includes(table.name)) return
    for (const other of tables) if (table.after.includes(other.name)) place(other, [...above, table.name])
    placed.add(table.name)
    order.push(table)
  }
  for (const table of tables) if (table.name === 'tenant') place(table, [])
  for (const table of tables) if (table.name !== 'event') place(table, [])
  for (const table of tables) place(table, [])
  return order
}
