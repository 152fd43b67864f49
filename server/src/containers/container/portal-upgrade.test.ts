import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { startTestService } from '../../../test/support/people.ts'
import { containerKind } from '../container-kind.ts'

const folder = new URL('../../../migrations/', import.meta.url)
const migration = (name: string) => {
  const file = readdirSync(folder).find(each => each.endsWith(`-${name}.sql`)) ?? ''
  return readFileSync(new URL(file, folder), 'utf8')
}

describe('an upgrade from a version without portals', async () => {
  const { ada, eve, databaseUrl } = await startTestService()
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const [{ owner } = { owner: '' }] = (
    await client.query<{ owner: string }>(`select tableowner as owner from pg_tables where tablename = 'container'`)
  ).rows
  // The owner of an external database is no superuser, so that policies hold for it.
  const plain = `upgrader_${process.pid}`
  await client.query(`create role ${plain} nosuperuser nobypassrls; alter table container owner to ${plain}`)
  after(async () => {
    await client.query(`reset role; alter table container owner to ${pg.escapeIdentifier(owner)}; drop role ${plain}`)
    await client.end()
  })
  const asPlainOwner = async (text: string) => {
    await client.query(`begin; set local role ${plain}`)
    const { rowCount } = await client.query(text)
    await client.query('commit')
    return rowCount
  }
  const old = '{"enabled": false, "visitors": false, "types": []}'
  const forget = (...ids: string[]) =>
    client.query('update container set portal = $1 where id = any($2::uuid[])', [old, ids])

  test('opens the portals of service desks of all tenants to requesters, and nothing to visitors', async () => {
    const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
    const theirs = await eve.post('/container', { name: 'Their desk', kind: containerKind.desk })
    const project = await ada.post('/container', { name: 'Project' })
    const shown = { enabled: true, visitors: true, types: [] }
    const chosen = await ada.post('/container', { name: 'Open', kind: containerKind.desk, portal: shown })
    await forget(desk.id, theirs.id, project.id)
    // The policy hides the rows from their owner: this is why there is a second migration.
    const [update = ''] = /update container [^;]+/.exec(migration('container-portal')) ?? []
    assert.equal(await asPlainOwner(update), 0)
    await asPlainOwner(migration('enable-portals'))
    const portalOf = async (who: typeof ada, { id }: { id: string }) => (await who.get(`/container/${id}`)).portal
    const enabled = { enabled: true, visitors: false, types: [] }
    assert.deepEqual([await portalOf(ada, desk), await portalOf(eve, theirs)], [enabled, enabled])
    assert.deepEqual(await portalOf(ada, project), { enabled: false, visitors: false, types: [] })
    assert.deepEqual(await portalOf(ada, chosen), shown)
    const { rows } = await client.query(
      `select relforcerowsecurity as forced from pg_class where relname = 'container'`,
    )
    assert.deepEqual(rows, [{ forced: true }])
  })
})
