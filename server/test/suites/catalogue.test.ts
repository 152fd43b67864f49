import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { allKinds } from '../../src/kernel/kinds.ts'
import { plainDefault } from '../../src/kernel/record/columns.ts'
import { freshDatabase } from '../support/database/database.ts'
import { Findings } from '../support/findings.ts'
import { operations } from '../support/operations.ts'

// The tenant isolation in PostgreSQL's catalogue, and the tables compared with the declarations in the code.

const client = new pg.Client({ connectionString: await freshDatabase() })
await client.connect()
after(() => client.end())

async function rows<Row extends object>(text: string): Promise<Row[]> {
  return (await client.query(text)).rows
}

/** The tables without a tenant, with the reason. */
const ofNoTenant: Record<string, string> = {
  record: 'the pattern that tables are made from; it holds no rows and nobody may touch it',
  tenant_erasure: 'certificates of tenants that are gone',
  installation: 'what the installation itself remembers, before there is any tenant',
  job: 'work of the installation that comes back by itself',
  operator_setting: 'what the operator says for all tenants that say nothing themselves',
  dispatch: 'how far the log of all tenants has been handed out',
  oauth: 'the authorisation server finds its rows by unguessable ids before the tenant is known',
  migration: 'which migrations have run',
}

/** The tables whose policy does not bind their owner, with the reason: functions of the owner match their rows by an index. */
const matchedByOwner: Record<string, string> = {
  item_search: 'the words of items; under a policy no full-text index is used',
  annotation_search: 'the words of annotations',
  document_search: 'the words of documents',
  file_search: 'the words of files',
  item_title: 'the folded titles of items, to find parts of them',
  name_part: 'the folded names of users, customers and others, to find parts of them',
  item_value: 'the folded texts of custom fields, to find parts of them',
  search_word: 'the words that a tenant uses, to find neighbours of a mistyped one and parts of descriptions',
}

/** The tables of tenants that the engines read for all tenants, with the reason. */
const shared: Record<string, string> = {
  queued_job: 'jobs of all tenants are claimed in turn; they name records and hold nothing of them',
  failing_group: 'of which groups of jobs one is attempted at a time',
}

/** The keys that do not begin with the tenant, with the reason. */
const acrossTenants: Record<string, string> = {
  tenant_slug_taken: 'a slug names one tenant of the installation',
  api_key_prefix_taken: 'a key is found by its prefix before its tenant is known; prefixes are random',
  oauth_client_client_id_taken: 'a client is found by its id before its tenant is known; ids are random',
  passkey_credential_taken: 'a passkey is found before its tenant is known; the device makes it at random',
  user_session_cookie_taken: 'a cookie is found before its tenant is known; it is random',
}

interface Table {
  name: string
  hasTenant: boolean
  secured: boolean
  forced: boolean
}

const tables =
  await rows<Table>(`select c.relname as name, c.relrowsecurity as secured, c.relforcerowsecurity as forced,
    exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) as "hasTenant"
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`)

test('every table of tenants is behind row level security, even for its owner', async () => {
  const found = new Findings()
  const policies = await rows<{
    table: string
    name: string
    cmd: string
    roles: string[]
    permissive: string
    using: string
    check: string
  }>(
    `select tablename as table, policyname as name, cmd, roles::text[] as roles, permissive, qual as using, with_check as check from pg_policies where schemaname = 'public'`,
  )
  for (const { name, hasTenant, secured, forced } of tables) {
    if (name in ofNoTenant) continue
    found.expect(hasTenant, `${name} has no tenant_id, and no reason`)
    found.expect(secured, `${name}: row level security is off`)
    found.same(forced, !(name in matchedByOwner), `row level security of ${name} binds its owner`)
    const own = policies.filter(policy => policy.table === name)
    const wall = own.find(policy => policy.name === 'tenant')
    found.same(
      wall && [wall.cmd, wall.roles, wall.using, wall.check],
      ['ALL', ['public'], '(tenant_id = current_tenant())', '(tenant_id = current_tenant())'],
      `the policy of ${name}`,
    )
    for (const other of own.filter(policy => policy !== wall))
      found.same(
        [other.name, other.cmd, other.roles],
        ['door', name in shared ? 'ALL' : 'SELECT', ['gantry_door']],
        `another policy of ${name}`,
      )
  }
  const unused = Object.keys({ ...ofNoTenant, ...matchedByOwner }).filter(
    name => !tables.some(table => table.name === name),
  )
  found.same(unused, [], 'every exception is needed')
  found.expect(tables.length > 25, `${tables.length} tables`)
  found.finish()
})

test('every key begins with the tenant, so that none can meet or point across', async () => {
  const found = new Findings()
  const indexes = await rows<{ table: string; name: string; first: string | null }>(
    `select t.relname as table, i.relname as name, (select attname from pg_attribute where attrelid = t.oid and attnum = x.indkey[0]) as first
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     where x.indisunique and t.relnamespace = 'public'::regnamespace`,
  )
  const foreign = await rows<{ table: string; name: string; to: string; columns: string[]; target: string[] }>(
    `select c.conrelid::regclass::text as table, c.conname as name, c.confrelid::regclass::text as to,
       (select array_agg(attname::text order by n) from unnest(c.conkey) with ordinality k(num, n) join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.num) as columns,
       (select array_agg(attname::text order by n) from unnest(c.confkey) with ordinality k(num, n) join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.num) as target
     from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace`,
  )
  for (const { table, name, first } of indexes)
    if (!(table in ofNoTenant) && !(name in acrossTenants))
      found.same(first, 'tenant_id', `${name} of ${table} begins with`)
  for (const { name, columns, target } of foreign)
    found.same([columns[0], target[0]], ['tenant_id', 'tenant_id'], `the foreign key ${name} begins with`)
  found.same(
    Object.keys(acrossTenants).filter(name => !indexes.some(index => index.name === name)),
    [],
    'every exception is needed',
  )
  found.expect(
    indexes.length > 25 && foreign.length > 5,
    `${indexes.length} unique keys, ${foreign.length} foreign keys`,
  )
  found.finish()
})

test('the service’s roles own nothing, pass no wall and can do no more than they need', async () => {
  const found = new Findings()
  const roles = await rows<{
    name: string
    super: boolean
    bypass: boolean
    more: boolean
    owns: number
    within: number
  }>(
    `select rolname as name, rolsuper as super, rolbypassrls as bypass, rolcreatedb or rolcreaterole or rolreplication as more,
       (select count(*) from pg_class where relowner = r.oid)::int + (select count(*) from pg_proc where proowner = r.oid)::int
         + (select count(*) from pg_namespace where nspowner = r.oid)::int as owns,
       (select count(*) from pg_auth_members where member = r.oid)::int as within
     from pg_roles r where rolname in ('gantry_app', 'gantry_door') order by 1`,
  )
  for (const role of ['gantry_app', 'gantry_door'])
    found.same(
      roles.find(each => each.name === role),
      { name: role, super: false, bypass: false, more: false, owns: 0, within: 0 },
      'a role',
    )
  const grants = await rows<{ table: string; who: string; right: string }>(
    `select c.relname as table, coalesce(r.rolname, 'everybody') as who, a.privilege_type as right
     from pg_class c, aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee
     where c.relnamespace = 'public'::regnamespace and a.grantee <> c.relowner`,
  )
  for (const { table, who, right } of grants) {
    found.expect(['SELECT', 'INSERT', 'UPDATE', 'DELETE'].includes(right), `${who} may ${right} ${table}`)
    found.expect(['gantry_app', 'gantry_door'].includes(who), `${who} may ${right} ${table}`)
    if (who === 'gantry_app')
      found.expect(
        !(table in ofNoTenant) || `${right} ${table}` === 'SELECT operator_setting',
        `gantry_app may ${right} ${table}, which is of no tenant`,
      )
    if (who === 'gantry_door')
      found.expect(
        (table in ofNoTenant && table !== 'record') || table in shared,
        `gantry_door may ${right} all of ${table}`,
      )
    if (['event', 'audit_entry', 'audit_seal', 'event_rewrite'].includes(table))
      found.expect(['SELECT', 'INSERT'].includes(right), `${who} may ${right} the log`)
  }
  const columns = await rows<{ table: string; who: string; right: string }>(
    `select distinct c.relname as table, r.rolname as who, a.privilege_type as right
     from pg_class c join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) a left join pg_roles r on r.oid = a.grantee
     where c.relnamespace = 'public'::regnamespace`,
  )
  found.same(
    columns.map(({ table, who, right }) => `${who} ${right} ${table}`).sort(),
    [
      'gantry_door SELECT api_key',
      'gantry_door SELECT app_setting', // which sites tenants let call the API, of no other setting
      'gantry_door SELECT audit_entry', // tenant and number: to seal new entries without a query per tenant
      'gantry_door SELECT calendar_feed', // whose calendar an address leads to
      'gantry_door SELECT event', // to deliver the log in its global order
      'gantry_door SELECT item', // tenant, due date and whether it is open: to report due items without a query per tenant
      'gantry_door SELECT item_clock', // time and tenant: to set clock states in time
      'gantry_door SELECT item_recurrence', // time and tenant: to find due recurrences without a query per tenant
      'gantry_door SELECT mailbox', // tenant, and whether the mailbox is read
      'gantry_door SELECT mailbox_state', // the time since when no process reads it
      'gantry_door SELECT oauth_client', // the client that a program says it is, before a tenant is known
      'gantry_door SELECT passkey', // the user of a passkey, before a tenant is known
      'gantry_door SELECT presence', // to find users whose client is gone without a query per tenant
      'gantry_door SELECT rule_call', // the tenant of the rule that an incoming call is for
      'gantry_door SELECT tenant',
      'gantry_door SELECT time_calendar', // tenant: to keep the sheets of those with calendars without a query per tenant
      'gantry_door SELECT timer', // time and user: to find forgotten timers without a query per tenant
      'gantry_door SELECT user',
      'gantry_door SELECT user_session', // whether the session of a token was ended
      'gantry_door SELECT visitor_chat', // to follow the open chats of visitors without a query per tenant
    ],
    'what the door sees of tenants, column by column',
  )
  const definers = await rows<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`,
  )
  found.same(
    definers.map(each => each.name).sort(),
    [
      'annotation_search_ids', // these find words of the tenant by an index that no policy allows
      'document_search_ids',
      'erase_tenant', // deletes a tenant whose grace is over
      'file_search_ids',
      'forget_in_log', // the only change to what the log says that is possible: an anonymised user is removed from it
      'forget_log', // deletes the log that the tenant no longer keeps
      'item_search_ids',
      'item_title_count',
      'item_title_ids', // finds parts of titles in the same way
      'item_title_page',
      'item_title_start_ids', // finds the beginnings of titles in the same way
      'item_value_ids',
      'learn_growth', // only the owner of a table may analyse it
      'leave_description', // an item that is deleted for good leaves its description to its event
      'name_part_ids', // finds parts of names in the same way
      'refresh_statistics', // only the owner of a table may analyse it
      'renew_event_times', // nor does anybody else bring an index up to date
      'similar_words',
      'words_like',
      'words_with',
    ],
    'functions that run as their owner',
  )
  const views = await rows<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm') and not coalesce('security_invoker=true' = any(reloptions), false)`,
  )
  found.same(views, [], 'views that see more than whoever asks')
  found.finish()
})

/** The columns that are not part of the API, with the reason. */
const kept: Record<string, string> = {
  'user.password': 'a hash, never shown',
  'audit_entry.xact': 'the place in the log',
  'user.auth_version': 'ends the sessions of a user',
  'user.failures': 'counts wrong passwords',
  'user.failing_since': 'when the wrong passwords began',
  'user.lockouts': 'makes each lock-out longer than the last',
  'rate.level': 'the place of its scope in the order of precedence',
  'user.invitation': 'a hash of the token, never shown',
  'user.invitation_expires': 'how long the invitation is valid; shown once, when it is created',
  'api_key.digest': 'a hash of the secret, never shown',
  'oauth_client.secret': 'a hash of the secret, never shown',
  'oauth_client.previous_secret': 'a hash of the secret, never shown',
  'tenant.operating': 'whether its super admins look after other tenants; only a command of the operator says so',
  'item.fields': 'shown as Field, with the keys of the fields',
  'chat_room.pair': 'the people of a direct room, who have one',
  'cycle.snapshot': 'the state at its end; its report shows it, as far as the caller may see it',
  'item.external_source': 'part of Meta, and unique with the external id',
  'item.external_id': 'part of Meta, and unique with its source',
  'item.due_soon_told': 'the due date that was reported as near',
  'item.overdue_told': 'the due date that was reported as missed',
  'outbound_mail.body_text': 'what a mail says; whoever gets it reads it',
  'outbound_mail.body_html': 'what a mail says; whoever gets it reads it',
  'outbound_mail.strangers': 'how many of those who get it are strangers: counted against the quota',
  'outbound_mail.in_reply_to': 'becomes a header',
  'outbound_mail.list': 'becomes headers',
  'outbound_mail.attachments': 'what a mail brings along; whoever gets it reads it',
  'inbox_entry.bundle': 'what is grouped; shown as subject and subjectId',
  'inbox_entry.in_app': 'what is there for the next mail alone is not shown',
  'inbox_entry.mail_due': 'when its mail is due',
  'inbox_entry.mail_urgent': 'whether its mail is sent whatever the limit of a day',
  'inbox_entry.mailed_at': 'when its mail was owed',
  'mail_message.sha256': 'where its bytes are; they are shown as raw',
  'mail_message.uid_validity': 'where it lay on the server',
  'mail_message.uid': 'where it lay on the server',
  'mail_message.filed': 'whether the mail server knows that it is stored',
  'timer.look_at': 'when the job that warns and stops looks at it',
  'cost_center.code_key': 'the code as it is compared, for an index under row level security',
  'time.corrected_date': 'the day of the work of a correction, which `effectiveDate` is then',
  'mail_message.released': 'whether the stop lists no longer count',
}

test('every declared property has its column, and every column its declaration or its reason', async () => {
  assert.ok(operations.length > 0) // all rooms are mounted
  const found = new Findings()
  const columns = await rows<{ table: string; name: string; type: string; required: boolean }>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
  )
  const spelled: Record<string, string> = { timestamptz: 'timestamp with time zone' }
  const common = new Set(columns.filter(column => column.table === 'record').map(column => column.name))
  for (const kind of allKinds()) {
    const there = new Map(columns.filter(column => column.table === kind.table).map(column => [column.name, column]))
    found.expect(there.size > 0, `${kind.entity} has no table ${kind.table}`)
    for (const name of common) found.expect(there.has(name), `${kind.table} has no ${name}`)
    for (const column of kind.columns) {
      const stored = there.get(column.column)
      const type = stored?.type.replace(/^numeric\(\d+,4\)$/, 'decimal')
      found.same(type, spelled[column.type] ?? column.type, `${kind.table}.${column.column} is of the type`)
      const none = plainDefault(column)
      if (stored && none !== null && column.type !== 'uuid')
        found.expect(stored.required, `${kind.table}.${column.column} may be null, and yet never is`)
      if (stored && none === null && column.type !== 'jsonb')
        found.expect(
          !stored.required ||
            kind.required.includes(column.property as never) ||
            `${kind.table}.${column.column}` === 'time.date',
          `${kind.table}.${column.column} must not be null, and yet may be`,
        )
    }
    const declared = new Set(kind.columns.map(column => column.column))
    for (const name of there.keys())
      if (!declared.has(name) && !common.has(name))
        found.expect(`${kind.table}.${name}` in kept, `${kind.table}.${name} is in no declaration, and has no reason`)
  }
  for (const name of Object.keys(kept)) {
    const [table, column] = name.split('.')
    found.expect(
      columns.some(each => each.table === table && each.name === column),
      `${name} has a reason, and is not there`,
    )
  }
  found.finish()
})

test('every property that is unique is named when it is taken', async () => {
  const found = new Findings()
  const indexes = await rows<{ table: string; name: string }>(
    `select t.relname as table, i.relname as name from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     where x.indisunique and not x.indisprimary and t.relnamespace = 'public'::regnamespace`,
  )
  const unnamed: Record<string, string> = {
    item_number_taken: 'numbers are given by the service',
    item_external_taken: 'the same external id again updates the item',
    api_key_prefix_taken: 'prefixes are given by the service',
    oauth_client_client_id_taken: 'client ids are given by the service',
    oauth_consent_user_taken: 'more of the same joins the consent',
    user_session_cookie_taken: 'cookies are given by the service',
    passkey_credential_taken: 'the answer does not tell whose passkey it is',
    tenant_slug_taken: 'slugs are given by the operator',
    secret_name_taken: 'secrets are named by the service',
    mail_message_uid_taken: 'the same message again changes nothing',
    mail_thread_token_taken: 'tokens are given by the service',
    visitor_chat_token_taken: 'tokens are given by the service',
    outbound_mail_annotation_taken: 'the same annotation again sends nothing',
    invoice_entry_once: 'the service takes entries that no document holds',
    invoice_fee_once: 'the service takes fees that no document holds',
    inbox_entry_bundle_taken: 'more of the same joins its bundle',
    notification_run_planned_taken: 'the same planned moment again runs nothing',
  }
  for (const { table, name } of indexes) {
    const kind = allKinds().find(each => each.table === table)
    const named = kind?.columns.some(column => name === `${table}_${column.column}_taken`) === true
    found.expect(named || name in unnamed, `${name} of ${table} names no property`)
  }
  found.finish()
})
