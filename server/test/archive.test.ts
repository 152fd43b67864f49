import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { createTenant } from '../src/app/seed-tenant.ts'
import { restoreTenant } from '../src/commands/operator/tenant-restore.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/embedded-postgres.ts'
import { checkMasterKey, openSecrets } from '../src/platform/secrets.ts'
import { readSettings } from '../src/platform/settings.ts'
import { keepNewestBases } from '../src/platform/wal-archive/archive-retention.ts'
import { createBase } from '../src/platform/wal-archive/base-backup.ts'
import { isArchive } from '../src/platform/wal-archive/recover.ts'
import { restoreArchive } from '../src/platform/wal-archive/restore-archive.ts'
import { embeddedOptions, needsBase, placesIn } from '../src/platform/wal-archive/wal-archive.ts'
import { asOwner } from './support/database/database.ts'
import { memoryFolder } from './support/memory-folder.ts'
import { multipart } from './support/multipart.ts'
import { Person, serveOn } from './support/people.ts'
import { until } from './support/until.ts'

const playground = memoryFolder('gantry-archive-')
const [dataDir, archive] = [join(playground, 'data'), join(playground, 'it is 100% "ours"')]
const settings = readSettings({ DATA_DIR: dataDir, WAL_ARCHIVE: archive, PORT: '0' })
const { segments, bases, files } = placesIn(archive)

describe('an embedded database whose log is archived', async () => {
  const options = embeddedOptions(settings, () => {})
  const server = await startEmbeddedPostgres({ ...options, settings: { ...options.settings, fsync: 'off' } })
  after(async () => {
    await server.stop()
    rmSync(playground, { recursive: true, force: true })
  })
  await migrate(server.url)
  const { base, database } = await serveOn(server.url, dataDir, { WAL_ARCHIVE: archive })
  await checkMasterKey(database.crossTenantSql, openSecrets({ dataDir }))
  const acme = await createTenant(database, {
    name: 'Acme',
    email: 'ada@example.com',
    keyName: 'test',
    startHere: false,
  })
  const ada = new Person(base, acme.RawKey, acme.userId, acme.tenantId)
  const upload = (content: string) => ada.must('POST', '/file', multipart({ file: content }, `${content}.txt`))
  const sql = (text: string) =>
    asOwner<{ value: string }>(server.url, undefined, text).then(rows => rows[0]?.value ?? '')
  const now = async () => new Date(await sql('select clock_timestamp() as value'))
  const archived = async () => {
    const segment = await sql('select pg_walfile_name(pg_switch_wal()) as value')
    await until(() => existsSync(join(segments, `${segment}.zst`)))
  }

  await upload('before the base')
  const wasNeeded = needsBase(archive)
  const beforeBase = await now()
  await createBase({ url: server.url, dataDir, archive })
  const slip = await ada.post('/item', { title: 'Kept until the slip' })
  await upload('before the slip')
  const then = await now()
  await ada.delete(`/item/${slip.id}`)
  await ada.post('/item', { title: 'After the slip' })
  await upload('after the slip')
  await archived()

  test('is restored to the moment, with its files, and goes on', async () => {
    assert.ok(isArchive(archive) && wasNeeded && !needsBase(archive))
    const target = emptyTarget()
    const restored = await restoreArchive(archive, target, then)
    assert.deepEqual([restored.files, restored.missing], [2, []])
    const again = await startEmbeddedPostgres({ dataDir: target.dataDir, log: () => {}, settings: { fsync: 'off' } })
    try {
      const live = await asOwner(again.url, undefined, 'select title, deleted from item')
      assert.deepEqual(live, [{ title: 'Kept until the slip', deleted: false }])
      const names = await asOwner<{ name: string }>(again.url, undefined, 'select name from file order by name')
      assert.deepEqual(
        names.map(each => each.name),
        ['before the base.txt', 'before the slip.txt'],
      )
      await asOwner(again.url, undefined, `insert into operator_setting (key, value) values ('note', '1')`)
    } finally {
      await again.stop()
    }
    const archiving = embeddedOptions({ ...target, walArchive: archive }, () => {})
    assert.ok(archiving.settings?.archive_command)
    assert.ok(needsBase(archive), 'the restored database has a log that the archive does not have')
    rmSync(placesIn(archive).gap)
  })

  test('gives one tenant back as a new one, beside what the tenant has become', async () => {
    const made = await restoreTenant(settings, { from: archive, at: then, tenant: 'acme', as: 'acme-then' }, work =>
      work(server.url),
    )
    assert.deepEqual([made.email, made.suspended, made.files], ['ada@example.com', true, 2])
    assert.deepEqual(
      await asOwner(server.url, undefined, `select title, deleted from item where tenant_id = '${made.tenantId}'`),
      [{ title: 'Kept until the slip', deleted: false }],
    )
    assert.deepEqual(
      (await ada.get('/item')).map((item: { title: string }) => item.title),
      ['After the slip'],
    )
    assert.deepEqual(
      readdirSync(dataDir).filter(name => name.startsWith('scratch')),
      [],
    )
  })

  test('cannot be restored to a moment before its first base backup, nor past a gap in its log', async () => {
    await assert.rejects(restoreArchive(archive, emptyTarget(), beforeBase), /the archive begins at .* is before that/)
    const current = await sql('select pg_walfile_name(pg_current_wal_lsn()) as value')
    const end = await now()
    await ada.post('/item', { title: 'Later still' })
    await archived()
    for (const name of readdirSync(segments)) if (name.slice(0, 24) >= current) rmSync(join(segments, name))
    const target = emptyTarget()
    await assert.rejects(
      restoreArchive(archive, target, end),
      /the archive ends before .*, or a part of the log is missing in it/,
    )
    assert.deepEqual(readdirSync(target.dataDir).sort(), ['master.key', 'service.lock'])
  })

  test('another database does not write into its archive', () => {
    const other = join(playground, 'other')
    assert.throws(
      () => embeddedOptions({ dataDir: other, walArchive: archive }, () => {}),
      /belongs to another database/,
    )
  })

  test('a new base backup lets the old one go, with the log and the files that only that one needed', async () => {
    const orphan = join(files, acme.tenantId, 'aa', 'bb', 'aabb'.padEnd(64, '0'))
    mkdirSync(join(orphan, '..'), { recursive: true })
    copyFileSync(join(dataDir, 'master.key'), orphan)
    const { manifest } = await createBase({ url: server.url, dataDir, archive })
    assert.equal((await keepNewestBases(archive, 1)).length, 1)
    assert.equal(readdirSync(bases).length, 1)
    assert.ok(readdirSync(segments).every(name => name.slice(0, 24) >= manifest.firstSegment))
    assert.ok(!existsSync(orphan))
  })

  test('an archive that was lost gets a base backup at the next start', () => {
    assert.ok(!needsBase(archive))
    rmSync(archive, { recursive: true })
    embeddedOptions(settings, () => {})
    assert.ok(needsBase(archive))
  })

  function emptyTarget() {
    const target = mkdtempSync(join(playground, 'target-'))
    copyFileSync(join(dataDir, 'master.key'), join(target, 'master.key'))
    return { dataDir: target, databaseUrl: undefined, masterKey: undefined }
  }
})
