import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asOwner } from '../../test/support/database/database.ts'
import { digestOf } from '../../test/support/isolation/tenant-isolation.ts'
import { multipart } from '../../test/support/multipart.ts'
import { startTestService } from '../../test/support/people.ts'
import { eraseTenants } from '../admin/tenant/erase-tenants.ts'
import { sweepFiles } from '../documents/file/sweep-files.ts'
import { sealTenant, verifyChain } from '../engine/audit-chain/audit-chain.ts'
import { applyRetention } from '../engine/retention/retention.ts'
import { codeKind } from '../finance/non-billable.ts'
import { tenantCaller } from '../identity/tenant-caller.ts'
import { ownerKind } from '../records/references/owner.ts'
import { retentionRules } from './engines.ts'

const day = 86_400_000
const never = new AbortController().signal

describe('retention and erasure', async () => {
  const { ada, eve, person, database, databaseUrl } = await startTestService()
  const later = (days: number) => new Date(Date.now() + days * day)
  const retain = (now: Date) => applyRetention(database, retentionRules, () => now).run(never)
  const rows = async (text: string, ...values: unknown[]) =>
    (await asOwner<{ n: number }>(databaseUrl, undefined, text, values))[0]?.n

  test('what was deleted is removed with what belongs to it after the days that the tenant sets, and not before', async () => {
    await ada.put('/tenant', { retention: { deletedDays: 30 } })
    const [gone, billed, kept] = [
      await ada.post('/item', { title: 'Gone' }),
      await ada.post('/item', { title: 'Billed', Time: [{ minutes: 30 }] }),
      await ada.post('/item', { title: 'Kept' }),
    ]
    await ada.post('/annotation', { itemId: gone.id, body: 'A note' })
    await ada.post('/link', { fromId: kept.id, toId: gone.id })
    const form = multipart({ owner: ownerKind.item, ownerId: gone.id, file: 'bytes of the item' })
    const file = await ada.must('POST', '/file', form)
    for (const { id } of [gone, billed]) await ada.delete(`/item/${id}`)

    await retain(later(29))
    assert.equal((await ada.ask('POST', `/item/${gone.id}/restore`)).status, 200)
    await ada.delete(`/item/${gone.id}`)

    await retain(later(31))
    for (const [table, column] of [
      ['item', 'id'],
      ['annotation', 'item_id'],
      ['link', 'to_id'],
    ])
      assert.equal(await rows(`select count(*)::int as n from ${table} where ${column} = $1`, gone.id), 0, table)
    assert.equal(await rows('select count(*)::int as n from file where id = $1', file.id), 0)
    assert.equal((await ada.ask('POST', `/item/${gone.id}/restore`)).status, 404)
    assert.equal((await ada.ask('POST', `/item/${billed.id}/restore`)).status, 200)
    assert.equal((await ada.get(`/item/${kept.id}`)).title, 'Kept')
    const applied = await ada.get('/event?types=tenant.retentionApplied')
    assert.equal(applied[0].changes.item.to, 1)

    await sweepFiles(database, () => later(2)).run(never)
    await assert.rejects(database.services.blobs.size(ada.tenantId, file.sha256))
  })

  test('deleted leave, allowances and allocations are removed, and time with the shares of its cost centres', async () => {
    const [one, other] = [
      await ada.post('/finance/cost-center', { name: 'One' }),
      await ada.post('/finance/cost-center', { name: 'Other' }),
    ]
    const shares = [one, other].map(({ id }) => ({ costCenterId: id, percent: 50 }))
    const container = await ada.post('/container', { name: 'Shared', split: [{ from: '2026-01-01', shares }] })
    const item = await ada.post('/item', { title: 'Shared', containerId: container.id })
    const code = await ada.post('/finance/non-billable', { code: 'LV', name: 'Leave', kind: codeKind.leave })
    const days = { from: '2026-04-01', to: '2026-04-02' }
    const made: [path: string, table: string, id: string][] = []
    for (const [path, table, body] of [
      ['/time/leave', 'leave', { ...days, nonBillable: code.id }],
      ['/time/leave-allowance', 'leave_allowance', { userId: ada.id, nonBillable: code.id, year: 2026 }],
      ['/plan', 'plan', { ...days, userId: ada.id, amount: 60 }],
      ['/time', 'time', { itemId: item.id, date: '2026-04-01', seconds: 100 }],
    ] as const)
      made.push([path, table, (await ada.post(path, body)).id])
    for (const [path, , id] of made) await ada.delete(`${path}/${id}`)
    const kept = await ada.post('/plan', { ...days, userId: ada.id, amount: 60 })
    const entry = made.at(-1)?.[2]
    assert.equal(await rows('select count(*)::int as n from time_share where time_id = $1', entry), 2)
    await retain(later(31))
    for (const [, table, id] of made)
      assert.equal(await rows(`select count(*)::int as n from ${table} where id = $1`, id), 0, table)
    assert.equal(await rows('select count(*)::int as n from time_share where time_id = $1', entry), 0)
    assert.equal((await ada.get(`/plan/${kept.id}`)).id, kept.id)
  })

  test('archived items are deleted, and messages of chats removed', async () => {
    await ada.put('/tenant', { retention: { archivedDays: 10, chatDays: 10, mailDays: 10 } })
    const old = await ada.post('/item', { title: 'Old', status: 'Done' })
    await ada.must('POST', `/item/${old.id}/archive`)
    const room = await ada.post('/chat', { name: 'Room' })
    await ada.post(`/chat/${room.id}/message`, { body: 'Hello' })
    await retain(later(11))
    assert.equal((await ada.ask('GET', `/item/${old.id}`)).status, 404)
    assert.equal((await ada.ask('POST', `/item/${old.id}/restore`)).status, 200)
    assert.deepEqual(await ada.get(`/chat/${room.id}/message`), [])
  })

  test('the log is removed, and the rest is still proven to be complete', async () => {
    await asOwner(databaseUrl, undefined, `update event set at = at - interval '40 days' where tenant_id = $1`, [
      ada.tenantId,
    ])
    await sealTenant(database, ada.tenantId)
    await asOwner(databaseUrl, undefined, `update audit_seal set at = at - interval '40 days' where tenant_id = $1`, [
      ada.tenantId,
    ])
    await ada.put('/tenant', { retention: { eventDays: 30 } })
    await retain(new Date())
    const left = await ada.get('/event')
    assert.deepEqual(left.map((each: { type: string }) => each.type).sort(), [
      'tenant.retentionApplied',
      'tenant.updated',
    ])
    await sealTenant(database, ada.tenantId)
    const report = await database.single(tenantCaller(ada.tenantId), ctx => verifyChain(ctx, []))
    assert.deepEqual(report.problems, [])
  })

  test('the data of a person is exported whole, to super admins only', async () => {
    const nora = await person({ name: 'Nora', email: 'nora@people.test' })
    const own = await nora.post('/item', { title: 'Hers' })
    await ada.post('/item', { title: 'Assigned', assignees: [nora.id] })
    await ada.put(`/user/${nora.id}`, { email: 'nora.new@people.test' })
    await ada.post('/finance/crm', { name: 'Customer', contacts: [{ name: 'Nora', email: 'Nora@people.test' }] })
    await ada.post('/item', { title: 'Unrelated' })
    const portrait = await nora.must('POST', '/file', multipart({ file: 'bytes of her portrait' }, 'portrait.txt'))
    await ada.must('POST', '/file', multipart({ file: 'bytes of others' }, 'others.txt'))
    assert.equal((await nora.ask('GET', `/user/${nora.id}/export`)).status, 403)
    assert.equal((await eve.ask('GET', `/user/${nora.id}/export`)).status, 404)
    const text: string = await ada.must('GET', `/user/${nora.id}/export`)
    const [header, ...all] = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    const bytes = all.filter(each => 'bytes' in each)
    const lines = all.filter(each => !('bytes' in each))
    assert.deepEqual(header.user.addresses.sort(), ['nora.new@people.test', 'nora@people.test'])
    const end = lines.pop()
    assert.deepEqual([end.rows, end.files, end.missing], [lines.length, 1, []])
    assert.deepEqual(
      bytes.map(each => [each.bytes, each.part, Buffer.from(each.data, 'base64').toString()]),
      [
        [portrait.sha256, 0, 'bytes of her portrait'],
        [portrait.sha256, 1, ''],
      ],
    )
    assert.ok(!(await ada.must('GET', `/user/${nora.id}/export?files=false`)).includes('"bytes"'))
    const found = (table: string) => lines.filter(each => each.table === table).map(each => each.row)
    assert.deepEqual(
      found('user').map(row => row.id),
      [nora.id],
    )
    assert.deepEqual(
      found('item')
        .map(row => row.title)
        .sort(),
      ['Assigned', 'Hers'],
    )
    assert.equal(found('crm').length, 1)
    assert.ok(found('event').some(row => row.record_id === own.id))
    assert.equal(found('user')[0].password, undefined)
  })

  test('a closed tenant is erased after its grace, with a certificate', async () => {
    await asOwner(databaseUrl, undefined, 'update tenant set operating = true where id = $1', [ada.tenantId])
    await person({ name: 'Mallory' }, eve)
    const item = await eve.post('/item', { title: 'Secret of the other' })
    await eve.post('/annotation', { itemId: item.id, body: 'Noted' })
    await ada.must('DELETE', `/tenant/${eve.tenantId}`)
    const ours = await digestOf(databaseUrl, ada.tenantId)

    await eraseTenants(database, 30, () => later(29)).run(never)
    assert.equal((await eve.ask('GET', `/item/${item.id}`)).status, 200)
    assert.deepEqual(await ada.get('/tenant/erased'), [])

    await eraseTenants(database, 30, () => later(31)).run(never)
    assert.equal((await eve.ask('GET', `/item/${item.id}`)).status, 401)
    const left = await digestOf(databaseUrl, eve.tenantId)
    for (const [table, digest] of Object.entries(left)) assert.equal(digest, '0 ', table)
    const [certificate] = await ada.get('/tenant/erased')
    assert.deepEqual([certificate.id, certificate.name, certificate.rows.item], [eve.tenantId, 'Evil', 1])
    const [event] = await ada.get('/event?types=tenant.erased')
    assert.equal(event.changes.digest.to, certificate.digest)
    const after = await digestOf(databaseUrl, ada.tenantId)
    for (const [table, digest] of Object.entries(ours)) if (table !== 'event') assert.equal(after[table], digest, table)
  })

  test('only a tenant that is closing can be erased, and only by the job', async () => {
    await assert.rejects(database.crossTenantSql`select erase_tenant(${ada.tenantId}, ${later(1)}, 0, 10)`, /grace/)
  })
})
