import assert from 'node:assert/strict'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { request } from 'undici'
import { Builder } from '../../../test/support/builder.ts'
import { asOwner } from '../../../test/support/database/database.ts'
import { casesOf } from '../../../test/support/form.ts'
import { digestOf, idsOf } from '../../../test/support/isolation/tenant-isolation.ts'
import { kinds } from '../../../test/support/operations.ts'
import { Person, startTestService } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { createTenant } from '../../app/seed-tenant.ts'
import { exportTenantTo, importTenantFrom, setOperating } from '../../commands/operator/tenant-transfer.ts'
import { readSettings } from '../../platform/settings.ts'
import { columnsNotExported, notExported } from './table-catalogue.ts'

// A tenant is exported as lines of text and imported again: into the same installation, and into another one.

const home = await startTestService()
const other = await startTestService()
const { ada, eve, databaseUrl } = home
const builder = new Builder(ada, 'ours')

const rows = <Row extends Record<string, unknown>>(text: string, at = databaseUrl) => asOwner<Row>(at, undefined, text)

/** The super admin of an operating tenant. */
async function operatorOf({ database, base }: typeof home): Promise<Person> {
  const made = await createTenant(database, {
    name: 'Opal',
    email: 'opal@example.com',
    keyName: 'test',
    operating: true,
  })
  return new Person(base, made.RawKey, made.userId, made.tenantId)
}

const opal = await operatorOf(home)
const onyx = await operatorOf(other)

/** Creates one record of every kind. */
async function fill(by: Builder): Promise<void> {
  let made = 0
  for (const kind of kinds)
    await by.make(kind).then(
      () => made++,
      () => {},
    )
  assert.ok(made > kinds.length * 0.8, `${made} of ${kinds.length} kinds`)
}

await fill(builder)
await fill(new Builder(eve, 'theirs'))
const upload = await ada.ask('POST', '/file', {
  body: `--x\r\ncontent-disposition: form-data; name="file"; filename="big.txt"\r\n\r\n${'0123456789'.repeat(50_000)}\r\n--x--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
})
const place = await ada.post('/container', { name: 'Place' })
const first = await ada.post('/item', { title: 'First', containerId: place.id, Tags: ['red'] })
await ada.post('/annotation', {
  itemId: first.id,
  body: `see /item/${first.id}, not 00000000-1111-4222-8333-444444444444`,
})
await ada.delete(`/item/${(await ada.post('/item', { title: 'Gone', containerId: place.id })).id}`)

interface End {
  hash: string
  rows: Record<string, number>
  files: number
}

async function exported(who: Person, query = ''): Promise<{ text: string; lines: string[]; end: End }> {
  const { status, body, headers } = await who.ask('GET', `/tenant/export${query}`)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/x-ndjson')
  const lines = String(body).trimEnd().split('\n')
  return { text: body, lines, end: JSON.parse(lines.at(-1) ?? '') }
}

const bring = (who: Person, text: string | Uint8Array, query: string) =>
  who.ask('POST', `/tenant/import?${query}`, { body: text, headers: { 'content-type': 'application/x-ndjson' } })

const leaving = await exported(ada)

test('an export contains everything of the tenant, and nothing of another', async () => {
  const { text, lines, end } = leaving
  const header = JSON.parse(lines[0] ?? '')
  assert.deepEqual([header.gantry, header.format, header.tenant.slug], ['tenant', 1, 'acme'])
  const foreign = await idsOf(databaseUrl, eve.tenantId)
  const known = new Set(text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))
  assert.deepEqual(
    [...foreign].filter(id => known.has(id)),
    [],
  )
  assert.ok(!text.includes('theirs'))
  for (const table of ['item', 'event', 'item_value', 'link', 'annotation', 'container_number', 'user'])
    assert.ok((end.rows[table] ?? 0) > 0, table)
  const [{ count }] = (await rows<{ count: number }>(
    `select count(*)::int as count from item where tenant_id = '${ada.tenantId}'`,
  )) as [{ count: number }]
  assert.equal(end.rows.item, count, 'deleted items are exported, too')
  assert.ok(text.includes('"bytes":'))
  assert.ok(!(await exported(ada, '?files=false')).text.includes('"bytes":'))
  assert.equal((await exported(ada, '?files=false')).end.hash, end.hash, 'the hash covers bytes through their hashes')
})

test('an export contains no password, no key and no sealed value', async () => {
  const secrets = await rows<{ value: string }>(
    `select password as value from "user" where password is not null union all select encode(digest, 'hex') from api_key
     union all select encode(sealed, 'hex') from secret union all select encode(sealed, 'base64') from secret`,
  )
  assert.ok(secrets.length > 2)
  for (const { value } of secrets) assert.ok(!leaving.text.includes(value))
  assert.ok(
    leaving.lines.some(line => line.startsWith('{"unset":')),
    'the secrets that must be set again are listed',
  )
  const suspicious = await rows<{ name: string }>(
    `select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and format_type(a.atttypid, null) <> 'bytea'
       and a.attname ~ 'password|secret|digest|sealed|token|hash'
       and exists (select 1 from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id') order by 1`,
  )
  const harmless: Record<string, string> = {
    'app_setting.secret': 'whether it is one; the value is a mask',
    'entra_meta.client_secret': 'a mask',
    'hook.secret': 'a mask',
    'notification.digest': 'a kind of delivery: in one mail',
    'notification_preference.digest': 'a kind of delivery: in one mail',
    'mailbox.client_secret': 'a mask',
    'mailbox.password': 'a mask',
    'mailbox.refresh_token': 'a mask',
    'mailbox.smtp_password': 'a mask',
    'outbound_storage.secret_key': 'a mask',
    'user.password_locked': 'a time: the end of a lock-out',
    'mail_thread.token': 'by which an answer is known to belong to an item; without it answers would go astray',
  }
  const unexplained = suspicious.filter(
    ({ name }) => !(name in columnsNotExported) && !(name in harmless) && !((name.split('.')[0] ?? '') in notExported),
  )
  assert.deepEqual(unexplained, [])
})

test('every table with tenant data is exported, or listed with a reason why not', async () => {
  const tables = await rows<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'record'
     and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped)`,
  )
  const names = new Set(tables.map(each => each.name))
  const { end } = leaving
  const filled = await rows<{ name: string }>(
    [...names]
      .map(
        name => `select '${name}' as name where exists (select 1 from "${name}" where tenant_id = '${ada.tenantId}')`,
      )
      .join(' union all '),
  )
  for (const { name } of filled)
    assert.ok(name in notExported !== name in end.rows, `${name} neither travels nor stays, or both`)
  const needed = await rows<{ name: string }>(
    `select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and a.attnotnull and not a.atthasdef and not a.attisdropped
       and (format_type(a.atttypid, null) = 'bytea' or c.relname || '.' || a.attname in (${Object.keys(
         columnsNotExported,
       )
         .filter(name => name !== 'tenant.slug')
         .map(name => `'${name}'`)
         .join()}))`,
  )
  assert.deepEqual(
    needed.filter(({ name }) => names.has(name.split('.')[0] ?? '') && !((name.split('.')[0] ?? '') in notExported)),
    [],
    'nothing that travels needs what stays behind',
  )
  assert.deepEqual(
    Object.keys(notExported).filter(name => !names.has(name)),
    [],
    'every exception is there',
  )
})

test('an import into the same installation gives a second tenant with new ids and the same content', async () => {
  const { text, end } = leaving
  const brought = await bring(opal, text, 'slug=acme-again&email=ada@example.com')
  assert.equal(brought.status, 201, JSON.stringify(brought.body))
  const { tenantId, hash, RawKey, userId, freshIds, suspended, setAnew } = brought.body
  assert.deepEqual([hash, freshIds, suspended], [end.hash, true, true])
  assert.ok(setAnew.length > 0)
  const ours = await idsOf(databaseUrl, ada.tenantId)
  const theirs = await idsOf(databaseUrl, tenantId)
  assert.deepEqual(
    [...theirs].filter(id => ours.has(id)),
    [],
  )
  const again = new Person(home.base, RawKey, userId, tenantId)
  assert.equal((await exported(again)).end.hash, end.hash)
  assert.equal((await exported(ada)).end.hash, end.hash, 'the original is unchanged')

  const [copy] = await again.get(`/item?title=${encodeURIComponent('First')}`)
  assert.deepEqual([copy.key, copy.rank, copy.Tags], [first.key, first.rank, ['red']])
  const [said] = await again.get(`/annotation?itemId=${copy.id}`)
  assert.equal(said.body, `see /item/${copy.id}, not 00000000-1111-4222-8333-444444444444`)
  const story = await again.get(`/item/${copy.id}/history`)
  assert.deepEqual(
    story.map((each: { type: string }) => each.type),
    ['item.created'],
  )
  const bytes = await again.ask('GET', `/file/download/${(await again.get('/file?name=big.txt'))[0].id}`)
  assert.equal(bytes.body.length, upload.body.size)
  assert.equal((await again.ask('POST', '/item', { body: { title: 'No' } })).body.code, 'tenant-suspended')
  await opal.post(`/tenant/${tenantId}/activate`, {})
  const next = await again.post('/item', { title: 'Next', containerId: copy.containerId })
  assert.ok(next.number > first.number + 1, 'numbers continue after those of the import')
  const counted = await again.ask('GET', '/item?limit=1&count=exact')
  assert.equal(Number(counted.headers.get('x-total-count')), (await again.get('/item?fields=id')).length)
  for (const table of Object.keys(notExported).filter(each => notExported[each]?.startsWith('derived'))) {
    const counts = await rows<{ count: number }>(
      `select count(*)::int as count from ${table} where tenant_id in ('${tenantId}', '${ada.tenantId}') group by tenant_id`,
    )
    if (table === 'search_word') continue // words that were once said are not forgotten here, and not brought there
    const [one = 0, two = 0] = counts.map(each => each.count)
    assert.ok(Math.abs(one - two) <= 1, `${table} is derived again: ${one}, ${two}`) // the next item
  }
  const events = await rows<{ late: number }>(
    `select count(*)::int as late from event where tenant_id = '${tenantId}' and xact > log_number()`,
  )
  assert.deepEqual(events, [{ late: 0 }])
})

test('an import into another installation keeps all ids', async () => {
  const { text, end } = leaving
  const brought = await bring(onyx, text, 'slug=moved&email=ada@example.com&name=Moved')
  assert.equal(brought.status, 201, JSON.stringify(brought.body))
  assert.deepEqual(
    [brought.body.tenantId, brought.body.hash, brought.body.freshIds, brought.body.suspended],
    [ada.tenantId, end.hash, false, false],
  )
  const moved = new Person(other.base, brought.body.RawKey, brought.body.userId, ada.tenantId)
  assert.equal((await moved.get(`/item/${first.id}`)).title, 'First')
  assert.equal((await moved.get('/tenant')).slug, 'moved')
  assert.equal((await moved.get(`/search?q=First`)).length > 0, true)
  const taken = await bring(onyx, text, 'slug=moved&email=ada@example.com')
  assert.equal(taken.status, 422)
})

test('an invalid line is refused with its number, and nothing is stored', async () => {
  const { lines } = leaving
  const tenants = async () => (await rows<{ count: number }>('select count(*)::int as count from tenant'))[0]?.count
  const before = await tenants()
  const item = lines.findIndex(line => line.startsWith('{"table":"item",'))
  const changed = (at: number, line: string) => lines.toSpliced(at, 1, line).join('\n')
  const row = lines[item] ?? ''
  const wrong: [what: string, text: string, line?: number][] = [
    ['no JSON', changed(item, '{"table":'), item + 1],
    ['an unknown table', changed(item, '{"table":"pg_authid","row":{"rolname":"x"}}'), item + 1],
    ['a table that stays', changed(item, '{"table":"api_key","row":{"name":"x"}}'), item + 1],
    ['an unknown column', changed(item, row.replace('"title":', '"titel":')), item + 1],
    ['SQL for a column', changed(item, row.replace('"title":', '"title\\") select 1 --":')), item + 1],
    ['the wrong type', changed(item, row.replace(/"number":\d+/, '"number":"many"')), item + 1],
    [
      'a withheld column',
      lines.map(each => each.replace('{"table":"user","row":{', '{"table":"user","row":{"password":"x",')).join('\n'),
    ],
    [
      'a reference to nothing',
      changed(item, row.replace(/"container_id":"[^"]+"/, `"container_id":"${crypto.randomUUID()}"`)),
      item + 1,
    ],
    ['two of one', lines.toSpliced(item, 0, row).join('\n'), item + 2],
    ['a part of it', lines.slice(0, -1).join('\n')],
    ['another content', changed(item, row.replace(/"title":"[^"]*"/, '"title":"Forged"'))],
    ['nothing', '\n'],
    ['another header', changed(0, '{"gantry":"tenant","format":99}'), 1],
    ['wrong bytes', lines.map(each => each.replace('"part":0,"data":"', '"part":0,"data":"AAAA')).join('\n')],
  ]
  for (const [what, text, line] of casesOf(wrong, 2)) {
    const { status, body } = await bring(opal, text, 'slug=never&email=ada@example.com')
    assert.deepEqual([what, status, body.code], [what, 422, 'not-an-export'])
    if (line !== undefined) assert.equal(body.line, line, `${what}: ${body.detail}`)
  }
  assert.equal(await tenants(), before)
  assert.equal((await bring(opal, leaving.text, 'slug=No Slug&email=nobody')).status, 400)
  assert.equal((await bring(eve, leaving.text, 'slug=mine&email=eve@example.com')).status, 403)
  assert.equal((await opal.ask('POST', '/tenant/import?slug=x&email=a@example.com', { body: {} })).status, 415)
})

test('a file cannot write into another tenant, whatever ids it contains', async () => {
  const forged = leaving.lines.map(line => line.replace('"row":{', `"row":{"tenant_id":"${eve.tenantId}",`)).join('\n')
  const refused = await bring(opal, forged, 'slug=forged&email=ada@example.com')
  assert.deepEqual([refused.status, refused.body.line], [422, 2])
  const header = leaving.lines[0]?.replace(ada.tenantId, eve.tenantId) ?? ''
  const before = await digestOf(databaseUrl, eve.tenantId)
  const posing = await bring(
    opal,
    leaving.lines.toSpliced(0, 1, header).join('\n'),
    'slug=forged&email=new@example.com',
  )
  assert.deepEqual([posing.status, posing.body.line], [422, 2], 'the header cannot claim the id of an existing tenant')
  assert.deepEqual(await digestOf(databaseUrl, eve.tenantId), before)
})

test('an export is one snapshot, however long it takes to read', async () => {
  const before = (await exported(ada)).end
  const busy = Promise.all(Array.from({ length: 30 }, (_, i) => ada.post('/item', { title: `Meanwhile ${i}` })))
  const during = await exported(ada)
  await busy
  const items = during.lines.filter(line => line.startsWith('{"table":"item",'))
  const created = during.lines.filter(line => line.startsWith('{"table":"event",') && line.includes('"item.created"'))
  assert.equal(during.end.rows.item, items.length)
  assert.ok(items.length - (before.rows.item ?? 0) <= 30)
  const made = created.map(line => JSON.parse(line).row.record_id)
  for (const line of items.filter(each => each.includes('Meanwhile'))) assert.ok(made.includes(JSON.parse(line).row.id))
})

test('the operator exports and imports with commands', async () => {
  const file = join(home.dataDir, 'acme.ndjson')
  const settings = readSettings({ DATA_DIR: home.dataDir })
  const to = createWriteStream(file)
  await exportTenantTo(home.database, settings, { slug: 'acme', files: true, to })
  await new Promise(resolve => to.end(resolve))
  const made = await importTenantFrom(home.database, settings, { file, slug: 'by-hand', email: 'zoe@example.com' })
  assert.equal(made.hash, (await exported(ada)).end.hash)
  const zoe = new Person(home.base, made.RawKey, made.userId, made.tenantId)
  assert.equal((await zoe.get('/user/me')).superAdmin, true, 'no user had this address, so a new user was created')
  assert.equal((await zoe.ask('GET', '/tenant/all')).status, 403)
  await setOperating(home.database, 'by-hand', true)
  assert.ok((await zoe.get('/tenant/all')).length > 2)
  await setOperating(home.database, 'by-hand', false)
  assert.equal((await zoe.ask('GET', '/tenant/all')).status, 403)
})

test('a client that disconnects during an export leaves no transaction open', async () => {
  for (let i = 0; i < 6; i++) {
    const { body } = await request(`${home.base}/api/tenant/export`, {
      headers: { authorization: `Bearer ${ada.key}` },
    })
    for await (const part of body) {
      assert.ok(part.length > 0)
      break // and the line is cut
    }
  }
  await exported(ada)
  const open = () =>
    rows(`select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`)
  await until(async () => (await open()).length === 0, open)
})
