import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../../test/support/people.ts'
import { rateLevels } from '../../../admin/rate/rate-scope.ts'
import { roleCode } from '../../../kernel/access.ts'
import { timeBillable } from '../../time-state.ts'

describe('the rates of time entries', async () => {
  const { ada, bob, person } = await sharedTestService()
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR' })
  const crm = await ada.post('/finance/crm', { name: 'Acme' })
  const jobRole = await ada.post('/finance/job-role', { name: 'Consultant', code: 'CON' })
  const container = await ada.post('/container', { name: 'Project', crmId: crm.id })
  const item = await ada.post('/item', { title: 'Work', containerId: container.id })
  await ada.put(`/user/${bob.id}`, { jobRole: 'con' })
  const scope = { itemId: item.id, containerId: container.id, crmId: crm.id, userId: bob.id, jobRoleId: jobRole.id }
  const book = async (body: object = {}, who: Person = bob) => {
    const { id } = await who.post('/time', { itemId: item.id, date: '2026-04-08', minutes: 90, ...body })
    return await meg.get(`/time/${id}`)
  }
  const rate = (body: object) => meg.post('/finance/rate', { from: '2026-01-01', ...body })

  test('an entry without a rate says so, and one that is not billable has none', async () => {
    const entry = await book()
    assert.deepEqual([entry.billRate, entry.billAmount, entry.rateSource], [null, null, 'missing'])
    assert.deepEqual([entry.crmId, entry.jobRoleId], [crm.id, jobRole.id])
    assert.equal((await book({ billable: timeBillable.no })).rateSource, 'none')
  })

  test('the first of eleven levels that has a rate on the day decides, for price and cost apart', async () => {
    const levels = rateLevels.slice(1)
    for (const [level, [name, properties]] of levels.toReversed().entries()) {
      const own = Object.fromEntries(properties.map(property => [property, scope[property]]))
      await rate({ ...own, bill: 10 + level })
      if (name === 'crm') await rate({ ...own, from: '2026-04-08', cost: 7 })
      const { billRate, rateSource } = await book({ date: name === 'crm' ? '2026-04-07' : '2026-04-09' })
      const expected = name === 'crm' ? 'crm' : name
      assert.deepEqual([billRate, rateSource], [`${10 + level}.0000`, expected], name)
    }
    const entry = await book({ date: '2026-04-08' })
    assert.deepEqual([entry.costRate, entry.costSource, entry.rateSource], ['7.0000', 'crm', 'item'])
    const early = await book({ date: '2025-12-31' })
    assert.deepEqual([early.rateSource, early.costSource], ['missing', 'missing'])
    for (const each of await meg.get('/finance/rate')) await meg.delete(`/finance/rate/${each.id}`)
  })

  test('amounts are the seconds at the rate of an hour, rounded half away from zero', async () => {
    await rate({ bill: '27.50', cost: '10001', from: '2026-01-01', to: '2026-06-30' })
    const quarter = await book({ minutes: 15 })
    assert.deepEqual([quarter.billAmount, quarter.currency], ['6.8750', 'EUR'])
    assert.equal((await book({ seconds: 1200, minutes: undefined })).costAmount, '3333.6667')
    const longer = await meg.put(`/time/${quarter.id}`, { minutes: 30 })
    assert.equal(longer.billAmount, '13.7500')
    assert.equal((await book({ date: '2026-07-01' })).rateSource, 'missing')
  })

  test('editing a rate touches no entry; what the rates depend on does', async () => {
    const entry = await book()
    const [row] = await meg.get('/finance/rate')
    await meg.put(`/finance/rate/${row.id}`, { bill: 99 })
    assert.equal((await meg.get(`/time/${entry.id}`)).billRate, '27.5000')
    assert.equal((await meg.put(`/time/${entry.id}`, { note: 'Longer' })).billRate, '27.5000')
    const moved = await bob.ask('PUT', `/time/${entry.id}`, { body: { date: '2026-04-10' } })
    assert.equal((await meg.get(`/time/${entry.id}`)).billRate, '99.0000')
    assert.equal((await meg.put(`/time/${entry.id}`, { billable: timeBillable.no })).billRate, null)
    assert.equal((await meg.put(`/time/${entry.id}`, { billable: timeBillable.yes })).rateSource, 'tenant')
    assert.equal(moved.status, 200)
  })

  test('an open entry that goes to the item of another customer gets the customer and the rate', async () => {
    const other = await ada.post('/finance/crm', { name: 'Globex' })
    const theirs = await ada.post('/item', { title: 'Theirs', containerId: container.id, crmId: other.id })
    await rate({ crmId: other.id, bill: 200 })
    const entry = await book()
    const moved = await meg.put(`/time/${entry.id}`, { itemId: theirs.id })
    assert.deepEqual([moved.crmId, moved.billRate, moved.rateSource], [other.id, '200.0000', 'crm'])
    const imported = await bob.post('/item', {
      title: 'Imported',
      containerId: container.id,
      crmId: other.id,
      Time: [{ date: '2026-04-08', minutes: 60 }],
    })
    assert.deepEqual([imported.Time[0].crmId, imported.Time[0].rateSource], [other.id, 'crm'])
    assert.equal((await meg.get(`/time/${imported.Time[0].id}`)).billAmount, '200.0000')
  })

  test('a price for the entry itself needs a permission, stays, and can be cleared', async () => {
    const body = { itemId: item.id, date: '2026-04-08', minutes: 60, billRate: 150 }
    assert.equal((await bob.ask('POST', '/time', { body })).status, 403)
    const entry = await meg.post('/time', { ...body, userId: bob.id })
    assert.deepEqual([entry.billRate, entry.rateSource, entry.billAmount], ['150.0000', 'entry', '150.0000'])
    const { billRate, rateSource } = await meg.put(`/time/${entry.id}`, { ...entry, date: '2026-04-09' })
    assert.deepEqual([billRate, rateSource], ['150.0000', 'entry'])
    const cleared = await meg.ask('PUT', `/time/${entry.id}`, { body: { billRate: null } })
    assert.deepEqual([cleared.body.billRate, cleared.body.rateSource], ['99.0000', 'tenant'])
    await meg.post(`/change/${cleared.headers.get('change-set')}/undo`, {})
    assert.deepEqual((await meg.get(`/time/${entry.id}`)).billRate, '150.0000')
    const big = await meg.ask('POST', '/time', { body: { ...body, billRate: '1000000001' } })
    assert.deepEqual([big.status, big.body.Fields[0].Code], [400, 'range'])
  })

  test('an entry in the body of an item may have its own price, too', async () => {
    const Time = [
      { userId: bob.id, date: '2026-04-20', minutes: 30, billRate: 99.5, note: 'own' },
      { userId: bob.id, date: '2026-04-20', minutes: 30, note: 'by the rates' },
    ]
    const priced = async (id: string) => {
      const entries = await meg.get(`/time?itemId=${id}&sort=note`)
      return entries.map((each: { billRate: string; rateSource: string }) => [each.billRate, each.rateSource])
    }
    const body = { title: 'Priced', containerId: container.id, Time }
    const { id } = await meg.post('/item', body)
    const [byRates, own] = await priced(id)
    assert.notEqual(byRates[1], 'entry')
    assert.deepEqual(own, ['99.5000', 'entry'])
    const whole = await meg.get(`/item/${id}`)
    assert.equal((await meg.ask('PUT', `/item/${id}`, { body: whole })).status, 200)
    await meg.put(`/item/${id}`, { Time: [{ ...Time[0], note: 'z later', billRate: '10' }] })
    assert.deepEqual(
      (await priced(id)).map((each: string[]) => each[1] === 'entry'),
      [false, true, true],
    )
    const code = async (who: Person, entry: object) => {
      const answer = await who.ask('POST', '/item', { body: { ...body, Time: [entry] } })
      return [answer.status, answer.body.code]
    }
    assert.deepEqual(await code(bob, { minutes: 5, billRate: 1 }), [403, 'forbidden'])
    assert.deepEqual(await code(meg, { minutes: 5, billRate: -1 }), [400, 'validation'])
    assert.equal((await code(bob, { minutes: 5, billRate: null }))[0], 201)
  })

  test('amounts are for those who may read them', async () => {
    const entry = await book({ note: 'mine' })
    const seen = JSON.stringify([
      await bob.get(`/time/${entry.id}`),
      await bob.get('/time?limit=5'),
      await bob.get(`/item/${item.id}`),
      await bob.get(`/item/${item.id}/timeline`),
      await bob.get(`/time/${entry.id}/history`),
    ])
    assert.doesNotMatch(seen, /billRate|billAmount|costRate|costAmount/)
    for (const query of ['sort=billAmount', 'billRate[gt]=1', 'sort=costRate'])
      assert.equal((await bob.ask('GET', `/time?${query}`)).status, 400, query)
    assert.ok((await meg.get('/time?sort=-billAmount&limit=2&rateSource=tenant')).length > 0)
    const { headers } = await bob.ask('PUT', `/time/${entry.id}`, { body: { date: '2026-04-20', note: 'moved' } })
    await bob.post(`/change/${headers.get('change-set')}/undo`, {})
    assert.deepEqual((await meg.get(`/time/${entry.id}`)).date, '2026-04-08')
  })
})
