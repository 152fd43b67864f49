import assert from 'node:assert/strict'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { asOwner, databaseUrl as urlOn } from '../../../test/support/database/database.ts'
import { memoryFolder } from '../../../test/support/memory-folder.ts'
import { multipart } from '../../../test/support/multipart.ts'
import { Person, serveOn, startTestService, type TestService } from '../../../test/support/people.ts'
import { migrate, migrateTo } from '../database/migrate.ts'
import { checkMasterKey, openSecrets } from '../secrets.ts'
import { type BackupResult, createBackup } from './backup.ts'
import { readManifest } from './manifest.ts'
import { restoreBackup } from './restore.ts'
import { verifyBackup } from './verify.ts'

const playground = memoryFolder('gantry-backup-')
after(() => rmSync(playground, { recursive: true, force: true }))

describe('a backup of a service that goes on', async () => {
  const home = await startTestService()
  await checkMasterKey(home.database.crossTenantSql, openSecrets(home))
  const to = join(playground, 'backups')
  const upload = (content: string) => home.ada.must('POST', '/file', multipart({ file: content }, `${content}.txt`))
  await Promise.all([upload('written before'), home.ada.post('/item', { title: 'Written before' })])
  let busy = true
  const writer = (async () => {
    for (let i = 0; busy; i++) await Promise.all([home.ada.post('/item', { title: `Item ${i}` }), upload(`file ${i}`)])
  })()
  let first = await createBackup({ url: home.databaseUrl, dataDir: home.dataDir, to })
  busy = false
  await writer

  test('restores to one moment, by an owner whom row level security binds: items, events, bytes of files', async () => {
    const target = await emptyTarget(home, await plainOwner(home.databaseUrl))
    const restored = await restoreBackup(first.path, target)
    assert.deepEqual(restored.migrated, [])
    const again = await createBackup({
      url: target.databaseUrl,
      dataDir: target.dataDir,
      to: join(playground, 'plain'),
    })
    assert.deepEqual(countsOf(again.manifest), countsOf(first.manifest))
    assert.deepEqual(again.manifest.files, first.manifest.files)
    const { base } = await serveOn(target.databaseUrl, target.dataDir)
    const ada = new Person(base, home.ada.key, home.ada.id, home.ada.tenantId)
    assert.ok((await ada.get('/item?limit=5')).length > 0)
    assert.deepEqual(await torn(target.databaseUrl), [])
    const files: { id: string; name: string }[] = await ada.get('/file?limit=200')
    assert.ok(files.length > 0)
    assert.equal(files.length, restored.files)
    for (const { id, name } of files) assert.equal(`${await ada.get(`/file/download/${id}`)}.txt`, name)
    await ada.post('/item', { title: 'After the restore' })
    assert.deepEqual(await guardsOf(target.databaseUrl), await guardsOf(home.databaseUrl))
  })

  test('the next one links the files that the one before has, and old ones go', async () => {
    await upload('written later')
    const file = someFile(first.path)
    const inode = (path: string) => statSync(join(path, 'files', file)).ino
    const before = inode(first.path)
    const next = await createBackup({ url: home.databaseUrl, dataDir: home.dataDir, to, keep: 1 })
    assert.deepEqual(next.removed, [first.path.split('/').at(-1)])
    assert.deepEqual(readdirSync(to), [next.path.split('/').at(-1)])
    assert.ok(next.newFiles < next.manifest.files.count)
    assert.equal(inode(next.path), before)
    assert.deepEqual(await verifyBackup(next.path), next.manifest)
    first = next
  })

  test('damage is found: in a table, in a file, in the manifest', async () => {
    const damages: [string, (path: string) => void, RegExp][] = [
      ['table', path => truncate(join(path, 'tables/item.copy.zst')), /item\.copy\.zst/],
      [
        'row',
        path => copyFileSync(join(path, 'tables/label.copy.zst'), join(path, 'tables/item.copy.zst')),
        /item\.copy/,
      ],
      ['file', path => change(join(path, 'files', someFile(path))), /files.* is not what the manifest says/],
      ['manifest', path => change(join(path, 'manifest.json')), /manifest .* is damaged/],
      ['no manifest', path => rmSync(join(path, 'manifest.json')), /is no backup/],
    ]
    for (const [name, damage, message] of damages) {
      const copy = join(playground, `damaged ${name}`)
      cpSync(first.path, copy, { recursive: true })
      damage(copy)
      await assert.rejects(verifyBackup(copy), message, name)
    }
    const target = { dataDir: join(playground, 'never'), databaseUrl: undefined, masterKey: undefined }
    await assert.rejects(restoreBackup(join(playground, 'damaged table'), target), /item\.copy\.zst/)
    assert.ok(!existsSync(join(playground, 'never')))
  })

  test('one that fails leaves nothing that looks like a backup', async () => {
    const dataDir = join(playground, 'damaged data')
    cpSync(home.dataDir, dataDir, { recursive: true })
    change(join(dataDir, 'files', someFile(dataDir)))
    const nowhere = join(playground, 'failed')
    await assert.rejects(createBackup({ url: home.databaseUrl, dataDir, to: nowhere }), /is damaged: its bytes/)
    assert.deepEqual(readdirSync(nowhere), [])
  })

  test('is restored only into what is empty, and with the master key of the installation', async () => {
    const target = await emptyTarget(home)
    const withKey = { ...target, masterKey: Buffer.alloc(32, 7).toString('hex') }
    await assert.rejects(restoreBackup(first.path, withKey), /the master key is not the one of the backup/)
    const keyless = join(playground, 'keyless')
    await assert.rejects(restoreBackup(first.path, { ...target, dataDir: keyless }), /does not contain the master key/)
    assert.ok(!existsSync(keyless))
    await assert.rejects(
      restoreBackup(first.path, { ...target, databaseUrl: home.databaseUrl }),
      /the database is not empty/,
    )
    await assert.rejects(restoreBackup(first.path, { ...target, dataDir: home.dataDir }), /is not empty: it has files/)
    assert.deepEqual(readdirSync(target.dataDir), ['master.key'])
  })

  test('of an older version is migrated', async () => {
    const { migrations } = first.manifest
    const old = await emptyTarget(home)
    await migrateTo(old.databaseUrl, migrations.slice(0, -1))
    await asOwner(old.databaseUrl, undefined, `insert into installation values ('note', '"of old"')`)
    const { path } = await createBackup({ url: old.databaseUrl, dataDir: old.dataDir, to: join(playground, 'old') })
    assert.deepEqual((await readManifest(path)).migrations, migrations.slice(0, -1))
    const target = await emptyTarget(home)
    assert.deepEqual((await restoreBackup(path, target)).migrated, migrations.slice(-1))
    assert.deepEqual(await migrate(target.databaseUrl), [])
    assert.deepEqual(
      await asOwner(target.databaseUrl, undefined, `select value from installation where key = 'note'`),
      [{ value: 'of old' }],
    )
  })
})

let targets = 0

/** An empty database and a data directory with nothing but the key. */
async function emptyTarget({ databaseUrl, dataDir: original }: TestService, owner?: string) {
  const name = `gantry_restore_${process.pid}_${++targets}`
  await asOwner(databaseUrl, 'postgres', `create database ${name}${owner ? ` owner ${owner}` : ''}`)
  after(async () => {
    await asOwner(databaseUrl, 'postgres', `drop database ${name} with (force)`)
    if (owner) await asOwner(databaseUrl, 'postgres', `drop role ${owner}`)
  })
  const dataDir = mkdtempSync(join(playground, 'data-'))
  copyFileSync(join(original, 'master.key'), join(dataDir, 'master.key'))
  const url = new URL(urlOn(databaseUrl, name))
  if (owner) url.username = owner
  return { databaseUrl: url.href, dataDir, masterKey: undefined }
}

/** Creates a role without privileges. It has the password of the owner, so the logins of the service stay as they are. */
async function plainOwner(databaseUrl: string): Promise<string> {
  const role = `plain_${process.pid}`
  await asOwner(databaseUrl, 'postgres', `create role ${role} login password '${new URL(databaseUrl).password}'`)
  return role
}

const countsOf = ({ tables }: BackupResult['manifest']) =>
  tables.filter(({ name }) => name !== 'installation').map(({ name, rows, bytes }) => [name, rows, bytes])

/** Items without the event of their creation, and such events without their item. */
const torn = (url: string) =>
  asOwner(
    url,
    undefined,
    `select id, record_id from item full join (select record_id from event where kind = 'item.created') e on record_id = id
     where id is null or record_id is null`,
  )

/** Foreign keys, triggers and row level security of a database. */
const guardsOf = (url: string) =>
  asOwner(
    url,
    undefined,
    `select c.relname, c.relrowsecurity, c.relforcerowsecurity,
       array(select conname || pg_get_constraintdef(oid) from pg_constraint where conrelid = c.oid order by 1) as constraints,
       array(select tgname || tgenabled::text from pg_trigger where tgrelid = c.oid and not tgisinternal order by 1) as triggers
     from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )

const truncate = (path: string) => writeFileSync(path, readFileSync(path).subarray(0, -20))

function change(path: string): void {
  const bytes = readFileSync(path)
  bytes[0] = (bytes[0] ?? 0) ^ 1
  rmSync(path)
  writeFileSync(path, bytes)
}

function someFile(folder: string): string {
  const names = readdirSync(join(folder, 'files'), { recursive: true, encoding: 'utf8' })
  return names.find(name => /[0-9a-f]{64}$/.test(name)) ?? ''
}
