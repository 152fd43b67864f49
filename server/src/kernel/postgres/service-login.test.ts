import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { asOwner, freshDatabase } from '../../../test/support/database/database.ts'
import { until } from '../../../test/support/until.ts'
import { listen } from '../../engine/listen.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { ensureLogins } from '../../platform/database/ensure-logins.ts'
import { migrate } from '../../platform/database/migrate.ts'
import type { Run } from '../context.ts'
import { openDatabase } from '../database.ts'
import { newId } from '../id.ts'

const url = await freshDatabase()
const database = openDatabase({ url, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
const name = new URL(url).pathname.slice(1)
after(() => database.close())

/** Who a session is after it tried everything that gives a role up for another. */
async function afterEscape(run: Run): Promise<unknown> {
  await run`reset role`
  await run`reset session authorization`
  const owner = new URL(url).username
  await assert.rejects(run`select set_config('role', ${owner}, false)`, /permission denied to set role/)
  await assert.rejects(run`select set_config('session_authorization', ${owner}, false)`, /permission denied/)
  const [row] = await run`select current_user, session_user,
    (select rolsuper or rolbypassrls from pg_roles where rolname = session_user) as mighty,
    (select count(*)::int from pg_class where relowner = session_user::regrole) as owns`
  return row
}

test('a session of the service is a login that owns nothing and can become nobody else', async () => {
  assert.deepEqual(await afterEscape(database.crossTenantSql), {
    current_user: 'gantry_door',
    session_user: 'gantry_door',
    mighty: false,
    owns: 0,
  })
  await database.single(tenantCaller(newId()), async ctx =>
    assert.deepEqual(await afterEscape(ctx.sql), {
      current_user: 'gantry_app',
      session_user: 'gantry_app',
      mighty: false,
      owns: 0,
    }),
  )
})

test('the connection that listens is such a login, too', async () => {
  const subscription = listen(database, 'anything', () => {})
  const sessions = () =>
    asOwner<{ usename: string; query: string }>(
      url,
      'postgres',
      `select usename, query from pg_stat_activity where datname = $1`,
      [name],
    )
  await until(async () => (await sessions()).some(each => each.query === 'listen "anything"'))
  assert.deepEqual([...new Set((await sessions()).map(each => each.usename))].sort(), ['gantry_app', 'gantry_door'])
  await subscription.close()
})

test('a start lets in the roles of an earlier version, which could not log in, and follows a new password', async () => {
  const login = async (at: string) => {
    const other = openDatabase({ url: at, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
    try {
      return await other.crossTenantSql`select session_user as who`
    } finally {
      await other.close()
    }
  }
  await asOwner(url, 'postgres', 'alter role gantry_door nologin')
  await assert.rejects(login(url), /not permitted to log in/)
  const given = new URL(url)
  given.searchParams.set('rolePassword', 'a password that an administrator chose')
  for (const at of [url, given.href, url]) {
    await migrate(at)
    assert.deepEqual(await login(at), [{ who: 'gantry_door' }])
  }
  await assert.rejects(login(given.href), /password authentication failed/)
})

test('a login that could pass row level security is refused, and so is one without a password', async () => {
  for (const [change, back] of [
    ['bypassrls', 'nobypassrls'],
    ['superuser', 'nosuperuser'],
  ]) {
    await asOwner(url, 'postgres', `alter role gantry_app ${change}`)
    await assert.rejects(migrate(url), /gantry_app is a superuser, bypasses row level security, or/)
    await asOwner(url, 'postgres', `alter role gantry_app ${back}`)
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await assert.rejects(ensureLogins(client, 'postgres://somebody@host/gantry'), /rolePassword/)
  await client.end()
})

test('the words of another tenant can neither be read nor written, whatever the statement says', async () => {
  const [ours, theirs] = [newId(), newId()]
  await asOwner(url, undefined, `insert into item_search values ($1, $1, 'secret'), ($2, $2, 'secret')`, [ours, theirs])
  await asOwner(url, undefined, `insert into search_word values ($1, 'secret'), ($2, 'secret')`, [ours, theirs])
  const named = `insert into name_part values ($1, 'crm.name', $1, 'secret'), ($2, 'crm.name', $2, 'secret')`
  await asOwner(url, undefined, named, [ours, theirs])
  await database.single(tenantCaller(ours), async ctx => {
    assert.deepEqual(await ctx.sql`select name_part_ids('crm.name', 'cre', false, false, null, null, null) as id`, [
      { id: ours },
    ])
    assert.deepEqual(await ctx.sql`select tenant_id as id from item_search /* of all tenants */`, [{ id: ours }])
    assert.deepEqual(await ctx.sql`select tenant_id as id from search_word /* of all tenants */`, [{ id: ours }])
    assert.deepEqual(await ctx.sql`select item_search_ids('secret', null) as id`, [{ id: ours }])
    assert.deepEqual(await ctx.sql`select word from similar_words('{secrat}', 20)`, [{ word: 'secrat' }])
    await assert.rejects(
      ctx.sql`insert into item_search values (${theirs}, ${newId()}, 'planted')`,
      /violates row-level security policy/,
    )
    assert.deepEqual(await ctx.sql`delete from search_word where tenant_id = ${theirs} returning word`, [])
  })
})
