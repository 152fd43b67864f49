import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { roleCode } from '../../kernel/access.ts'
import { newId } from '../../kernel/id.ts'
import { exportFormats } from '../export/export-format.ts'

describe('a saved report', async () => {
  const { ada, bob, eve, person, happened } = await sharedTestService()
  const nora = await person({ name: 'Nora', timezone: 'Pacific/Auckland' })
  const { id: desk } = await ada.post('/container', { name: 'Desk' })
  await ada.post('/item', { title: 'Plain', containerId: desk, status: 'Open' })
  await ada.post('/item', {
    title: 'Secret',
    containerId: desk,
    status: 'Open',
    visibility: itemVisibility.confidential,
  })
  const byStatus = { entity: 'Item', groupBy: [{ field: 'status' }], measures: [{ op: 'count' }] }
  const save = (who: Person, values: object) => who.post('/insight/saved', { name: 'Mine', ...values })
  const faultsOf = async (values: object) => {
    const { status, body } = await bob.ask('POST', '/insight/saved', { body: { name: 'x', ...values } })
    assert.equal(status, 400, JSON.stringify(body))
    return body.Fields.map((each: { Pointer: string; Code: string }) => `${each.Pointer} ${each.Code}`)
  }
  const statusOf = async (who: Person, method: string, path: string, body?: object) =>
    (await who.ask(method, path, body ? { body } : {})).status
  const codes = (findings: { path: string; code: string }[]) => findings.map(({ path, code }) => `${path} ${code}`)

  test('belongs to its creator; those it is shared with run it and do not change it', async () => {
    const saved = await save(bob, { query: byStatus })
    const path = `/insight/saved/${saved.id}`
    assert.equal(saved.entity, 'SavedReport')
    assert.deepEqual(saved.check, [])
    assert.equal(await statusOf(nora, 'GET', path), 404)
    assert.equal(await statusOf(nora, 'POST', `${path}/run`), 404)
    assert.deepEqual(await nora.get('/insight/saved'), [])
    const group = await ada.post('/user-group', { name: 'Team', members: [nora.id] })
    await bob.put(path, { shared: [group.id] })
    assert.equal((await nora.get(path)).name, 'Mine')
    assert.equal((await nora.get(`${path}/run`)).rows.length, 1)
    for (const [method, at] of [
      ['PUT', path],
      ['DELETE', path],
    ] as const)
      assert.equal(await statusOf(nora, method, at, method === 'PUT' ? { name: 'Taken' } : undefined), 403)
    await ada.put(`/user-group/${group.id}`, { members: [] })
    assert.equal(await statusOf(nora, 'GET', path), 404)
    assert.equal(await statusOf(eve, 'GET', path), 404)
    await ada.put(path, { name: 'By an admin', shared: [nora.id] })
    await bob.delete(path)
    assert.equal(await statusOf(nora, 'POST', `${path}/restore`), 403)
    await bob.must('POST', `${path}/restore`)
    assert.equal((await nora.get(path)).name, 'By an admin')
    assert.deepEqual(await happened(2), ['savedReport.deleted', 'savedReport.restored'])
    assert.equal((await bob.get(`${path}/history`)).length, 5)
  })

  test('counts what the caller may see, never what its owner may', async () => {
    const { id } = await save(ada, { query: byStatus, shared: [bob.id] })
    const count = async (who: Person) => (await who.get(`/insight/saved/${id}/run`)).total.count
    const direct = async (who: Person) => (await who.post('/insight/query', byStatus)).total.count
    assert.equal(await count(ada), await direct(ada))
    assert.equal(await count(bob), await direct(bob))
    assert.ok((await count(bob)) < (await count(ada)), 'the confidential item is not counted')
    const [row] = (await bob.must('POST', `/insight/saved/${id}/run`)).rows
    assert.equal((await bob.get(`/insight/drill/${row.drill}`)).length, row.count)
  })

  test('needs the permission of the report of whoever runs it', async () => {
    const { id } = await save(ada, { report: 'audit', period: 'thisMonth', shared: [bob.id] })
    assert.ok((await ada.get(`/insight/saved/${id}/run`)).length > 0)
    assert.equal(await statusOf(bob, 'GET', `/insight/saved/${id}/run`), 403)
    assert.deepEqual(codes((await bob.get(`/insight/saved/${id}`)).check), ['/report forbidden'])
  })

  test('treats a field that is hidden from the caller as unknown', async () => {
    await ada.post('/field', { name: 'Wage', key: 'wage', fieldType: 'number' })
    await ada.post('/access-control', { userId: bob.id, effect: grantEffect.deny, permissions: ['field.wage.*'] })
    const query = { entity: 'Item', measures: [{ op: 'sum', field: 'field.wage', as: 'wages' }] }
    const { id, check } = await save(ada, { query, shared: [bob.id] })
    assert.deepEqual(check, [])
    assert.deepEqual(codes(await bob.get(`/insight/saved/${id}/check`)), ['/query/measures/0/field unknown-path'])
    const { status, body } = await bob.ask('POST', `/insight/saved/${id}/run`)
    assert.deepEqual([status, body.code, body.Fields[0].Pointer], [422, 'report-inert', '/query/measures/0/field'])
  })

  test('asks for the period as of the day of the run, in its time zone', async () => {
    const { id } = await save(nora, { report: 'team-timesheet', period: 'today' })
    const date = new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Auckland' })
    const today = date.format(new Date())
    const item = await ada.post('/item', { title: 'Work', containerId: desk })
    await nora.post('/time', { itemId: item.id, date: today, minutes: 30 })
    const rows = await nora.get(`/insight/saved/${id}/run`)
    const own = await save(nora, { report: 'user-timesheet', input: { userId: nora.id }, period: 'today' })
    const sheet = await nora.get(`/insight/saved/${own.id}/run`)
    // Unless the next day has begun meanwhile.
    if (date.format(new Date()) === today) {
      assert.deepEqual([rows[0].date, rows[0].seconds], [`${today}T00:00:00.000Z`, 1800])
      assert.equal(sheet[0].totalMinutes, 30)
    }
    const zoned = await save(bob, {
      report: 'cumulative-flow',
      input: { timezone: 'Asia/Kolkata' },
      period: 'lastWeek',
    })
    assert.equal((await bob.get(`/insight/saved/${zoned.id}/run`)).length, 7 * 6)
  })

  test('is refused with every fault of its request named', async () => {
    assert.deepEqual(await faultsOf({}), ['/report required'])
    assert.deepEqual(await faultsOf({ report: 'audit', query: byStatus }), ['/query conflict'])
    assert.deepEqual(await faultsOf({ query: byStatus, period: 'today' }), ['/input conflict'])
    assert.deepEqual(await faultsOf({ query: { entity: 'Nothing' } }), ['/query/entity enum'])
    assert.deepEqual(await faultsOf({ report: 'lead-time' }), ['/input/startDate required', '/input/endDate required'])
    assert.deepEqual(await faultsOf({ report: 'backlog-age', period: 'today' }), ['/period no-period'])
    assert.deepEqual(await faultsOf({ report: 'lead-time', period: 'someday' }), ['/period enum'])
    const march = { startDate: '2026-03-01T00:00:00Z', endDate: '2026-03-31T00:00:00Z' }
    assert.deepEqual(await faultsOf({ report: 'lead-time', input: march, period: 'today' }), [
      '/input/startDate conflict',
    ])
    assert.deepEqual(
      await faultsOf({ report: 'lead-time', input: { timezone: 'Mars/Base', by: 1 }, period: 'today' }),
      ['/input/by unknown', '/input/timezone timezone'],
    )
    const stranger = { name: 'x', query: byStatus, shared: [eve.id] }
    assert.equal(await statusOf(bob, 'POST', '/insight/saved', stranger), 422)
  })

  test('keeps what does not exist and names it in check', async () => {
    const lost = await person({ name: 'Lost' })
    const { id } = await save(ada, {
      report: 'workload',
      input: { userIds: [lost.id, newId()], containerIds: [newId()] },
      period: 'thisWeek',
      shared: [lost.id],
    })
    await ada.delete(`/user/${lost.id}`)
    assert.deepEqual(codes(await ada.get(`/insight/saved/${id}/check`)), [
      '/shared/0 unknown-reference',
      '/input/userIds/0 unknown-reference',
      '/input/userIds/1 unknown-reference',
      '/input/containerIds/0 unknown-reference',
    ])
    const odd = await save(ada, { report: 'utilization' })
    assert.match(odd.check[0].message, /did you mean utilisation/)
    assert.equal((await ada.ask('GET', `/insight/saved/${odd.id}/run`)).body.code, 'report-inert')
    const gone = await save(ada, { query: { ...byStatus, groupBy: [{ field: 'field.gone' }] } })
    assert.deepEqual(codes(gone.check), ['/query/groupBy/0/field unknown-path'])
  })

  test('is exported as CSV and XLSX', async () => {
    const { id } = await save(bob, { query: byStatus })
    const as = (accept: string) => bob.ask('GET', `/insight/saved/${id}/run`, { headers: { accept } })
    assert.match((await as('text/csv')).body, /^status,count\r\n(.*\r\n)*Open,\d+\r\n/)
    const response = await fetch(`${bob.base}/api/insight/saved/${id}/run`, {
      headers: { authorization: `Bearer ${bob.key}`, accept: exportFormats.xlsx },
    })
    const parts = unzipSync(new Uint8Array(await response.arrayBuffer()))
    assert.match(strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array()), /Open/)
  })

  test('is undone, and is configuration once it is shared', async () => {
    const saved = await save(ada, { name: 'Private one', query: byStatus })
    const path = `/insight/saved/${saved.id}`
    const renamed = await ada.ask('PUT', path, { body: { name: 'Shared one', shared: [bob.id] } })
    const exported = async () => Object.keys((await ada.get('/config/export')).kinds.SavedReport ?? {})
    assert.ok((await exported()).includes('Shared one'))
    await ada.must('POST', `/change/${renamed.headers.get('change-set')}/undo`)
    assert.equal((await ada.get(path)).name, 'Private one')
    assert.ok(!(await exported()).some(each => /one$/.test(each)))
  })

  test('is not for those who may not read reports', async () => {
    const guest = await person({ name: 'Guest', role: roleCode.requester })
    const saved = await save(ada, { query: byStatus, shared: [guest.id] })
    assert.equal(await statusOf(guest, 'GET', `/insight/saved/${saved.id}/run`), 403)
    assert.equal(await statusOf(guest, 'POST', '/insight/saved', { name: 'x', query: byStatus }), 403)
  })
})
