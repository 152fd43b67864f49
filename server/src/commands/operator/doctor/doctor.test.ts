import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { asOwner, freshDatabase } from '../../../../test/support/database/database.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import { openDatabase } from '../../../kernel/database.ts'
import { createBackup } from '../../../platform/backup/backup.ts'
import { checkMasterKey, openSecrets } from '../../../platform/secrets.ts'
import { readSettings } from '../../../platform/settings.ts'
import { examine } from './doctor.ts'

describe('doctor', async () => {
  const DATABASE_URL = await freshDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-doctor-'))
  after(() => rmSync(dataDir, { recursive: true, force: true }))
  const database = openDatabase({ url: DATABASE_URL, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  await checkMasterKey(database.crossTenantSql, openSecrets({ dataDir }))
  await database.close()

  const ask = async (env: Record<string, string> = {}) =>
    await examine(readSettings({ DATABASE_URL, DATA_DIR: dataDir, ...env }))
  /** The words after the name of a check, with its state. */
  const line = (text: string, name: string) =>
    text.split('\n').find(each => each.slice(9).startsWith(name)) ?? `no line for ${name}`

  test('says what is well, and names the version, the clock, the keys and the logins', async () => {
    const { text } = await ask()
    for (const name of [
      'versions',
      'data',
      'proxy',
      'mail',
      'PostgreSQL',
      'schema',
      'clock',
      'logins',
      'master key',
      'signing',
    ])
      assert.match(line(text, name), /^ok/)
    assert.match(line(text, 'disk'), /GB free/)
  })

  test('tells of pending migrations, and leaves them pending', async () => {
    const migrations = () => asOwner(DATABASE_URL, undefined, 'select name from migration order by name')
    const [last] = await asOwner(
      DATABASE_URL,
      undefined,
      'delete from migration where name = (select max(name) from migration) returning *',
    )
    const before = await migrations()
    const { text } = await ask()
    assert.match(line(text, 'schema'), new RegExp(`^warning +schema +1 migrations are pending: ${last?.name}`))
    assert.deepEqual(await migrations(), before)
    await asOwner(DATABASE_URL, undefined, `insert into migration values ('9999-of-a-newer-version.sql')`)
    assert.match(line((await ask()).text, 'schema'), /^problem +schema +the database is newer than this program/)
    await asOwner(DATABASE_URL, undefined, `update migration set name = $1 where name like '9999%'`, [last?.name])
  })

  test('finds a wrong key, a proxy that nobody named, a dead mail server, and a folder without a service', async () => {
    const elsewhere = join(dataDir, 'nothing')
    const { text, problems } = await ask({
      MASTER_KEY: Buffer.alloc(32, 7).toString('hex'),
      BASE_URL: 'https://gantry.example.com',
      SMTP_URL: `smtp://127.0.0.1:${await freePort()}?tls=none`,
      MAIL_FROM: 'desk@example.com',
      DATA_DIR: elsewhere,
    })
    assert.match(line(text, 'master key'), /^problem .*MASTER_KEY is not the key of this database/)
    assert.match(line(text, 'proxy'), /^warning .*TRUST_PROXY does not name it/)
    assert.match(line(text, 'mail'), /^problem .*127\.0\.0\.1/)
    assert.match(line(text, 'data'), /^problem .*does not exist/)
    assert.ok(problems >= 3)
    const { text: missing } = await ask({ DATA_DIR: elsewhere })
    assert.match(line(missing, 'master key'), /^problem .*master\.key is missing/)
    const { text: stopped } = await examine(readSettings({ DATA_DIR: elsewhere }))
    assert.match(line(stopped, 'database'), /^warning .*does not run in this DATA_DIR/)
  })

  test('knows how old the newest backup is', async () => {
    const BACKUP_DIR = join(dataDir, 'backups')
    assert.match(line((await ask()).text, 'backup'), /^warning .*BACKUP_DIR is not set/)
    assert.match(line((await ask({ BACKUP_DIR })).text, 'backup'), /^problem .*has no backup/)
    const old = 'gantry-2020-01-01T00-00-00-000Z'
    const { path } = await createBackup({ url: DATABASE_URL, dataDir, to: BACKUP_DIR })
    assert.match(line((await ask({ BACKUP_DIR })).text, 'backup'), /^ok .* is 0 hours old/)
    renameSync(path, join(BACKUP_DIR, old))
    assert.match(line((await ask({ BACKUP_DIR })).text, 'backup'), /^problem .* days old/)
    mkdirSync(join(BACKUP_DIR, 'gantry-2099-01-01T00-00-00-000Z'))
    assert.match(line((await ask({ BACKUP_DIR })).text, 'backup'), /^problem .*is no backup/)
  })
})
