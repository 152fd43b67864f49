import type { Context } from '../../kernel/context.ts'
import { allKinds } from '../../kernel/kinds.ts'

// The list of exported tables is read from the database: every table with a tenant column is exported, unless it is named
// here with a reason. So a new table is exported by default.

/** Tables that are not exported, with the reason. */
export const notExported: Readonly<Record<string, string>> = {
  api_key: 'credentials are valid in one installation: new keys are minted',
  audit_seal: 'the chain over the log of this installation',
  audit_chain: 'the chain over the log of this installation',
  event_rewrite: 'the chain over the log of this installation',
  audit_entry: 'what happened in this installation, by its credentials',
  rule_call: 'a credential for inbound calls; a new one is created',
  secret: 'sealed with the master key of this installation; the export lists which must be set again',
  calendar_feed: 'a credential of users; they create it again',
  second_factor: 'a credential of users; they set it up again',
  user_session: 'users sign in again',
  oauth_client: 'a program knows itself by an id of this installation; it is registered again',
  oauth_consent: 'users allow it again',
  passkey: 'a credential of users; they add it again',
  passkey_challenge: 'a passkey that is about to be added',
  idempotency: 'replies that are stored for a day for repeated requests',
  visitor_chat:
    'how a visitor continues a chat in this installation, for a day; the room and its messages are exported',
  visitor_ticket: 'how many tickets visitors of this installation have filed in the last hour',
  presence: 'users who are viewing an item right now',
  queued_job: 'jobs of this installation',
  failing_group: 'addresses that do not answer this installation',
  delivery: 'deliveries of this installation to external addresses',
  inbox_done: 'the position of the inbox in the event log of this installation',
  warning: 'warnings that this installation has sent',
  mail_day: 'how many mails this installation has sent to users in the last days',
  held_message: 'mails of this installation that wait for a digest',
  watch_news: 'pending notifications of a job of this installation',
  clock_feed: 'the state of reading holiday calendars in this installation',
  mailbox_state: 'the read position of a mailbox and the process that reads it',
  outbound_storage_state: 'how the stores answered this installation',
  stored_bytes: 'where this installation keeps bytes; the export has them',
  file_upload: 'an upload that is under way in this installation',
  file_upload_part: 'an upload that is under way in this installation',
  storage_migration: 'jobs of this installation',
  undo_run: 'jobs of this installation',
  rule_dry_run: 'jobs of this installation',
  rule_dry_run_result: 'jobs of this installation',
  tenant_usage: 'derived from the files',
  item_search: 'derived: the words of items',
  annotation_search: 'derived: the words of annotations',
  document_search: 'derived: the words of documents',
  file_search: 'derived: the words of files',
  search_word: 'derived: the words that a tenant uses',
  name_word: 'derived: the words of names',
  container_key: 'derived: what the keys of items begin with',
  item_title: 'derived: the titles of items, to find parts of them',
  name_part: 'derived: names, to find parts of them',
  item_assignee: 'derived: the assignees of items',
  item_label: 'derived: the labels of items',
  label_use: 'derived: how many items have each label',
  item_admitted: 'derived: who sees restricted items',
  crm_address: 'derived: the addresses of customers',
  user_group_member: 'derived: the members of groups',
  flow_step: 'the flow of items, which a job sums from their stays',
  flow_day: 'the flow of items, which a job sums from their stays',
  flow_zone: 'the flow of items, which a job sums from their stays',
  item_count: 'the numbers of items, which are counted after an import',
  time_share: 'derived: the parts of entries with several cost centres',
}

/** Columns that are not exported, with the reason. Sealed bytes and digests (`bytea`) never are. */
export const columnsNotExported: Readonly<Record<string, string>> = {
  'tenant.slug': 'a slug is unique in one installation',
  'tenant.status': 'set by the operator',
  'tenant.region': 'set by the operator',
  'tenant.quotas': 'set by the operator',
  'tenant.operating': 'set by the operator',
  'user.password': 'a credential; it is set again',
  'user.auth_version': 'invalidates sessions of this installation',
  'user.failures': 'counts failed sign-ins in this installation',
  'user.failing_since': 'counts failed sign-ins in this installation',
  'user.lockouts': 'counts failed sign-ins in this installation',
  'user.invitation_expires': 'part of a credential',
}

const credentialEvents = [
  'user.passwordChanged',
  'user.secondFactorAdded',
  'user.secondFactorRemoved',
  'user.recoveryCodesRenewed',
  'user.recoveryCodeUsed',
]

/** Events that are not exported: those of credentials, which are not exported either. */
export function eventsNotExported(): { entities: string[]; kinds: string[] } {
  const entities = allKinds().filter(kind => kind.table in notExported)
  return { entities: entities.map(kind => kind.entity), kinds: credentialEvents }
}

interface ExportedColumn {
  name: string
  type: string
  required: boolean
}

/** A table that is exported. */
export interface ExportedTable {
  name: string
  /** Sorted by name, without the tenant and without columns that are not exported. */
  columns: ExportedColumn[]
  /** The primary key in the order of the index, without the tenant. */
  key: ExportedColumn[]
  /** The tables that it refers to, whose rows must exist before. */
  after: string[]
  /** Whether its rows are records with an id, to which others may refer. */
  named: boolean
}

/** All exported tables, each after the tables that it refers to. */
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
  const exported = tables
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
  return inDependencyOrder(exported)
}

/** The tenant first, the event log last, and every other table after the tables that it refers to. */
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
