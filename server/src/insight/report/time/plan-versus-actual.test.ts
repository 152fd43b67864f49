import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../../test/support/people.ts'
import { roleCode } from '../../../kernel/access.ts'
import { allocationUnit } from '../../../plan/allocation/spread.ts'
import { ownerKind } from '../../../records/references/owner.ts'

type Row = Record<string, unknown>

describe('the report of plan versus actual', async () => {
  const { ada, person } = await sharedTestService()
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  const [ann, ben] = [await person({ name: 'Ann' }), await person({ name: 'Ben' })]
  const crm = await ada.post('/finance/crm', { name: 'Acme' })
  const project = await ada.post('/container', { name: 'Project', crmId: crm.id })
  const internal = await ada.post('/container', { name: 'Internal' })
  const item = await ada.post('/item', { title: 'Build', containerId: project.id })
  const hours = (n: number) => n * 3600
  const plan = (body: object) =>
    meg.post('/plan', {
      from: '2026-06-01', // Monday
      to: '2026-06-12', // Friday of the week after
      unit: allocationUnit.minutesPerDay,
      amount: 60,
      owner: ownerKind.container,
      ownerId: project.id,
      ...body,
    })
  await plan({ userId: ann.id })
  await plan({ userId: ann.id, ownerId: internal.id, amount: 30, tentative: true })
  await plan({ userId: ben.id, to: '2026-06-05', amount: 120 })
  await ann.post('/time', { itemId: item.id, date: '2026-06-02', minutes: 180 })
  await ann.post('/time', { itemId: item.id, date: '2026-06-08', minutes: 60 })
  await ben.post('/time', { itemId: item.id, date: '2026-06-03', minutes: 720 })

  const june = { startDate: '2026-06-01T00:00:00Z', endDate: '2026-06-14T00:00:00Z', timezone: 'UTC' }
  const read = async (who: Person, body: object = {}): Promise<Row[]> =>
    await who.post('/insight/report/plan-versus-actual', { ...june, ...body })
  const amounts = ({ planned, tentative, actual, delta }: Row) => [planned, tentative, actual, delta]

  test('compares what was planned for people with what they booked, and lists the entries', async () => {
    const rows = await read(meg)
    const [hers, his] = [ann, ben].map(({ id }) => rows.find(row => row.user === id) ?? {})
    assert.deepEqual(amounts(hers ?? {}), [hours(10), hours(5), hours(4), hours(-6)])
    assert.equal(hers?.userLabel, 'Ann')
    assert.equal(hers?.attainment, 0.4)
    assert.deepEqual(amounts(his ?? {}), [hours(10), 0, hours(12), hours(2)])
    assert.equal((await meg.get(`/insight/drill/${hers?.drill}`)).length, 2)
  })

  test('divides the same sums by weeks, containers and customers', async () => {
    const rows = await read(meg, { groupBy: ['container', 'week'] })
    const [first, second] = rows.filter(row => row.container === project.id)
    assert.deepEqual([first?.week, ...amounts(first ?? {})], ['2026-06-01', hours(15), 0, hours(15), 0])
    assert.deepEqual([second?.week, ...amounts(second ?? {})], ['2026-06-08', hours(5), 0, hours(1), hours(-4)])
    assert.equal((await meg.get(`/insight/drill/${first?.drill}`)).length, 2)
    assert.equal((await meg.get(`/insight/drill/${second?.drill}`)).length, 1)
    const [customer] = await read(meg, { groupBy: ['crm'] })
    assert.deepEqual([customer?.crmLabel, ...amounts(customer ?? {})], ['Acme', hours(20), 0, hours(16), hours(-4)])
    assert.equal((await meg.get(`/insight/drill/${customer?.drill}`)).length, 3)
    const [total, ...none] = await read(meg, { groupBy: [] })
    assert.deepEqual([amounts(total ?? {}), none], [[hours(20), hours(5), hours(16), hours(-4)], []])
    assert.equal((await meg.get(`/insight/drill/${total?.drill}`)).length, 3)
  })

  test('begins a week that the period cuts with the period, and lists its entries alone', async () => {
    const rows = await read(meg, { groupBy: ['user', 'week'], startDate: '2026-06-03T00:00:00Z' })
    const cut = rows.find(row => row.user === ann.id)
    assert.equal(cut?.week, '2026-06-03')
    assert.deepEqual(amounts(cut ?? {}), [hours(3), hours(1.5), 0, hours(-3)])
    assert.deepEqual(await meg.get(`/insight/drill/${cut?.drill}`), [])
  })

  test('names what cannot be grouped by', async () => {
    const { status, body } = await meg.ask('POST', '/insight/report/plan-versus-actual', {
      body: { ...june, groupBy: ['user', 'container'] },
    })
    assert.deepEqual([status, body.Fields[0].Pointer], [400, '/groupBy'])
  })

  test('shows no booked time of others to those who may not read it', async () => {
    const rows = await read(ann)
    const his = rows.find(row => row.user === ben.id) ?? {}
    assert.deepEqual([his.planned, his.actual], [hours(10), 0])
    assert.deepEqual(await ann.get(`/insight/drill/${his.drill}`), [])
  })
})
