import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../test/support/people.ts'
import { grantEffect } from '../identity/grant-effect.ts'
import { tenantCaller } from '../identity/tenant-caller.ts'
import { roleCode } from '../kernel/access.ts'
import { ownerKind } from '../records/references/owner.ts'
import { timeBillable, timeState } from '../time/time-state.ts'

const [saturday, sunday, monday] = ['2026-04-11', '2026-04-12', '2026-04-13']

describe('multipliers', async () => {
  const { ada, bob, eve, person, database } = await sharedTestService()
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR' })
  await ada.put(`/user/${bob.id}`, { timezone: 'Europe/Berlin' })
  const crm = await ada.post('/finance/crm', { name: 'Acme' })
  const container = await ada.post('/container', { name: 'Project', crmId: crm.id })
  const item = await ada.post('/item', { title: 'Work', containerId: container.id })
  await meg.post('/finance/rate', { from: '2026-01-01', bill: 100, cost: 50 })

  const book = async (body: object = {}) => {
    const { id } = await bob.post('/time', { itemId: item.id, date: monday, minutes: 60, ...body })
    return await meg.get(`/time/${id}`)
  }
  const span = async (start: string, end: string) =>
    await book({ date: undefined, minutes: undefined, start: `${start}:00+02:00`, end: `${end}:00+02:00` })
  const prices = ({ billRate, multiplier, costRate, costMultiplier }: Record<string, string>) =>
    [billRate, multiplier, costRate, costMultiplier].map(Number)
  const plain = [100, 1, 50, 1]
  /** Runs with a multiplier that exists for that time only. */
  const having = async (body: object, run: (id: string) => Promise<void>) => {
    const { id } = await meg.post('/finance/multiplier', { name: 'Some', ...body })
    try {
      await run(id)
    } finally {
      await meg.delete(`/finance/multiplier/${id}`)
    }
  }

  test('a weekday has its factor, for price and cost apart, and the entry says which', async () => {
    await having({ weekdays: [6, 7], bill: 1.5 }, async id => {
      const entry = await book({ date: saturday })
      assert.deepEqual(prices(entry), [150, 1.5, 50, 1])
      assert.deepEqual(
        [entry.multiplierId, entry.costMultiplierId, entry.billAmount, entry.rateSource],
        [id, '', '150.0000', 'tenant'],
      )
      assert.deepEqual(prices(await book()), plain)
      const moved = await meg.put(`/time/${entry.id}`, { date: monday })
      assert.deepEqual([...prices(moved), moved.multiplierId], [...plain, ''])
      const free = await book({ date: sunday, billable: timeBillable.no })
      assert.deepEqual([free.billRate, free.multiplier, free.multiplierId], [null, '1.0000', ''])
    })
  })

  test('the highest counts, of the tenant, the customer, the container and the user', async () => {
    await having({ owner: ownerKind.crm, ownerId: crm.id, bill: 1.2, cost: 2 }, async ofCustomer => {
      await having({ owner: ownerKind.user, ownerId: bob.id.toUpperCase(), bill: 1.3, cost: 1.1 }, async ofUser => {
        await having({ owner: ownerKind.user, ownerId: meg.id, bill: 9 }, async () => {
          const entry = await book()
          assert.deepEqual(prices(entry), [130, 1.3, 100, 2])
          assert.deepEqual([entry.multiplierId, entry.costMultiplierId], [ofUser, ofCustomer])
        })
      })
    })
    await having({ bill: '0.8' }, async () => assert.deepEqual(prices(await book()), [80, 0.8, 50, 1]))
    await having({ bill: 2, from: '2026-04-14' }, async () => assert.deepEqual(prices(await book()), plain))
    await having({ bill: 2, to: monday }, async () => assert.deepEqual(prices(await book()), [200, 2, 50, 1]))
  })

  test('with times it counts for entries that lie within them as a whole, also over midnight', async () => {
    await having({ startTime: '22:00', endTime: '06:00', bill: 1.25 }, async () => {
      const factor = async (start: string, end: string) => Number((await span(start, end)).multiplier)
      assert.equal(await factor('2026-05-04T22:00', '2026-05-05T02:00'), 1.25)
      assert.equal(await factor('2026-05-05T02:00', '2026-05-05T06:00'), 1.25)
      assert.equal(await factor('2026-05-06T05:00', '2026-05-06T06:01'), 1)
      assert.equal(await factor('2026-05-06T21:59', '2026-05-06T23:00'), 1)
      assert.equal(await factor('2026-05-07T10:00', '2026-05-07T11:00'), 1)
      assert.deepEqual(prices(await book()), plain, 'without times it is not known to lie within them')
      const entry = await span('2026-05-08T20:00', '2026-05-08T21:00')
      const night = { start: '2026-05-08T22:30:00+02:00', end: '2026-05-08T23:30:00+02:00' }
      assert.equal((await meg.put(`/time/${entry.id}`, night)).multiplier, '1.2500')
    })
    await having({ startTime: '18:00', endTime: '24:00', bill: 2 }, async () => {
      assert.equal((await span('2026-05-11T23:00', '2026-05-12T00:00')).multiplier, '2.0000')
      assert.equal((await span('2026-05-12T00:00', '2026-05-12T01:00')).multiplier, '1.0000')
    })
  })

  test('holidays are those of the clock of the user, else of the container, and an exception is none', async () => {
    const [own, usual] = [
      await ada.post('/clock', { name: 'Bob', nonWorkingDay: ['2026-12-24/2026-12-26', '--01-06'] }),
      await ada.post('/clock', {
        name: 'Office',
        nonWorkingDay: ['2026-05-01', '2026-05-14'],
        exceptions: [{ date: '2026-05-14', intervals: [{ start: '09:00', end: '12:00' }] }],
      }),
    ]
    await ada.put(`/container/${container.id}`, { clockId: usual.id })
    const factor = async (date: string) => Number((await book({ date })).multiplier)
    await having({ holidays: true, weekdays: [7], bill: 2 }, async () => {
      assert.deepEqual(
        [await factor('2026-05-01'), await factor('2026-05-14'), await factor(sunday), await factor(monday)],
        [2, 1, 2, 1],
      )
      await ada.put(`/user/${bob.id}`, { workingHours: own.id })
      assert.deepEqual(
        [
          await factor('2026-05-01'),
          await factor('2026-12-25'),
          await factor('2026-12-23'),
          await factor('2027-01-06'),
        ],
        [1, 2, 1, 2],
      )
      await ada.put(`/user/${bob.id}`, { capacity: [{ from: '2026-05-01', to: '2026-05-01', clockId: usual.id }] })
      assert.equal(await factor('2026-05-01'), 2)
    })
    await ada.put(`/user/${bob.id}`, { workingHours: '', capacity: [] })
  })

  test('editing one changes no entry; pricing again does, and its undo restores the factors', async () => {
    await having({ weekdays: [3], bill: 1.5, cost: 1.5 }, async id => {
      const entry = await book({ date: '2026-06-03' })
      await meg.put(`/finance/multiplier/${id}`, { bill: 3, cost: null })
      const now = async () => prices(await meg.get(`/time/${entry.id}`))
      assert.deepEqual(await now(), [150, 1.5, 75, 1.5])
      const body = { from: '2026-06-03', to: '2026-06-03', which: 'both' }
      const { headers } = await meg.ask('POST', '/time/reprice', { body })
      assert.deepEqual(await now(), [300, 3, 50, 1])
      await meg.post(`/change/${headers.get('change-set')}/undo`, {})
      assert.deepEqual(await now(), [150, 1.5, 75, 1.5])
    })
  })

  test('a price for the entry itself contains no factor, and gets it when it is cleared', async () => {
    await having({ weekdays: [3], bill: 1.5 }, async () => {
      const entry = await book({ date: '2026-06-10' })
      const own = await meg.put(`/time/${entry.id}`, { billRate: 170 })
      assert.deepEqual([...prices(own), own.multiplierId], [170, 1, 50, 1, ''])
      assert.deepEqual(prices(await meg.put(`/time/${entry.id}`, { billRate: null })), [150, 1.5, 50, 1])
    })
  })

  test('a correction takes back what was priced, and its replacement is work at the same times', async () => {
    await having({ startTime: '22:00', endTime: '06:00', bill: 1.5 }, async id => {
      const entry = await span('2026-06-15T22:00', '2026-06-15T23:00')
      const close = (state: number) =>
        database.single(
          tenantCaller(bob.tenantId),
          ctx => ctx.sql`update time set state = ${state} where tenant_id = ${bob.tenantId} and id = ${entry.id}`,
        )
      await close(timeState.approved)
      await meg.put(`/finance/multiplier/${id}`, { bill: 2 })
      const { entries } = await meg.post(`/time/${entry.id}/correct`, { reason: 'Half of it', seconds: 1800 })
      assert.deepEqual(
        entries.map((each: Record<string, string>) => [...prices(each).slice(0, 2), each.billAmount]),
        [
          [150, 1.5, '-150.0000'],
          [200, 2, '100.0000'],
        ],
      )
    })
  })

  test('faults are named together, and owners of others do not exist', async () => {
    const faults = async (body: object) => {
      const answer = await meg.ask('POST', '/finance/multiplier', { body: { name: 'Wrong', ...body } })
      return [answer.status, ...answer.body.Fields.map((each: Record<string, string>) => `${each.Field} ${each.Code}`)]
    }
    assert.deepEqual(await faults({ from: '2026-02-01', to: '2026-01-01', startTime: '08:00', weekdays: [1, 1] }), [
      400,
      'to range',
      'weekdays unique',
      'endTime required',
      'bill required',
    ])
    assert.deepEqual(await faults({ bill: '100' }), [400, 'bill range'])
    assert.deepEqual(await faults({ bill: 0 }), [400, 'bill range'])
    assert.deepEqual(await faults({ bill: '1.00001' }), [400, 'bill precision'])
    assert.equal((await faults({ bill: 1, weekdays: [0] }))[0], 400)
    assert.equal((await faults({ bill: 1, startTime: '25:00', endTime: '26:00' }))[0], 400)
    const theirs = await eve.post('/container', { name: 'Theirs' })
    for (const ownerId of [theirs.id, crm.id, 'nobody'])
      assert.deepEqual(await faults({ bill: 1, owner: ownerKind.container, ownerId }), [
        422,
        'ownerId unknown-reference',
      ])
    await having({ bill: 2 }, async id => {
      for (const [method, body] of [['GET'], ['PUT', { bill: 3 }], ['DELETE']] as const)
        assert.equal((await eve.ask(method, `/finance/multiplier/${id}`, body ? { body } : {})).status, 404)
    })
  })

  test('they are for managers, those of a container for its managers, and factors for who reads the amounts', async () => {
    assert.equal((await bob.ask('GET', '/finance/multiplier')).status, 403)
    const lead = await person({ name: 'Lead' })
    const scope = { owner: ownerKind.container, ownerId: container.id }
    await ada.post('/access-control', { userId: lead.id, role: roleCode.manager, ...scope })
    await having({ bill: 2, name: 'All' }, async all => {
      const own = await lead.post('/finance/multiplier', { name: 'Own', ...scope, bill: 1.5, cost: 1.5, weekdays: [7] })
      assert.deepEqual(
        (await lead.get('/finance/multiplier')).map((each: { id: string }) => each.id),
        [own.id],
      )
      assert.equal((await lead.ask('PUT', `/finance/multiplier/${all}`, { body: { bill: 3 } })).status, 404)
      const kim = await person({ name: 'Kim', role: roleCode.manager })
      await ada.post('/access-control', { userId: kim.id, effect: grantEffect.deny, permissions: ['cost.read'] })
      assert.ok(!('cost' in (await kim.get(`/finance/multiplier/${own.id}`))))
      await kim.put(`/finance/multiplier/${own.id}`, { name: 'Sundays' })
      assert.equal((await meg.get(`/finance/multiplier/${own.id}`)).cost, '1.5000')
      assert.ok(!('costMultiplier' in (await kim.get('/time?limit=1'))[0]))
      const { headers } = await meg.ask('DELETE', `/finance/multiplier/${own.id}`)
      await meg.post(`/change/${headers.get('change-set')}/undo`, {})
      await meg.delete(`/finance/multiplier/${own.id}`)
    })
  })

  test('of two who change one at once, the second is told', async () => {
    await having({ bill: 2 }, async id => {
      const { headers } = await meg.ask('GET', `/finance/multiplier/${id}`)
      const expected = { 'if-match': headers.get('etag') ?? '' }
      const answers = await Promise.all(
        [3, 4].map(bill => meg.ask('PUT', `/finance/multiplier/${id}`, { body: { bill }, headers: expected })),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412])
    })
  })
})
