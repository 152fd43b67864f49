import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { timeState } from '../../time/time-state.ts'
import { budgetReasonKind } from '../budget-reason.ts'
import { entryState } from './budget-entry.ts'
import { budgetPeriod } from './budget-period.ts'
import { budgetUnit } from './budget-record.ts'

describe('budgets', async () => {
  const home = await sharedTestService()
  const { ada, bob, eve, person } = home
  const running = await engines(home)
  const meg = await person({ name: 'Meg', role: roleCode.manager })
  const initial = await ada.post('/finance/budget-reason', { name: 'Start', code: 'S', kind: budgetReasonKind.initial })
  const change = await ada.post('/finance/budget-reason', {
    name: 'Change',
    code: 'C',
    kind: 1,
    requiresApproval: true,
  })
  const fix = await ada.post('/finance/budget-reason', { name: 'Fix', code: 'F', kind: budgetReasonKind.correction })
  const today = new Date().toISOString().slice(0, 10)

  async function project(more: object = {}) {
    const container = await ada.post('/container', { name: 'Project', ...more })
    const item = await ada.post('/item', { title: 'Task', containerId: container.id })
    return { container, item }
  }
  async function budgetOf(ownerId: string, more: object = {}) {
    const budget = await meg.post('/finance/budget', { owner: ownerKind.container, ownerId, ...more })
    const path = `/finance/budget/${budget.id}`
    return {
      ...budget,
      path,
      add: (delta: number | string, values: object = {}) =>
        meg.post(`${path}/entry`, { delta, reasonId: initial.id, date: today, ...values }),
      balance: (at = today) => meg.get(`${path}/balance?at=${at}`),
    }
  }
  const book = (itemId: string, seconds: number, date = today) => ada.post('/time', { itemId, seconds, date })
  /** The thresholds whose events were written, in their order. */
  async function crossings(budgetId: string) {
    await running.settle()
    const events = await ada.get(`/finance/budget/${budgetId}/history`)
    return events
      .filter((each: { type: string }) => each.type === 'budget.thresholdCrossed')
      .map((each: { changes: { threshold: { to: number } } }) => each.changes.threshold.to)
  }

  test('a budget holds its approved entries, and time without drafts uses it', async () => {
    const { container, item } = await project()
    const budget = await budgetOf(container.id)
    await budget.add(600)
    await budget.add('-60.5', { note: 'less' })
    await book(item.id, 5400)
    const draft = await book(item.id, 3600)
    await home.database.single(
      tenantCaller(ada.tenantId),
      ctx => ctx.sql`update time set state = ${timeState.draft} where tenant_id = ${ada.tenantId} and id = ${draft.id}`,
    )
    await ada.put(`/item/${item.id}`, { remainingMinutes: 100 })
    const { current, actual, committed, available, forecast, used } = await budget.balance()
    assert.deepEqual(
      [current, actual, committed, available, forecast, used],
      ['539.5000', '90.0000', '0.0000', '449.5000', '190.0000', '16.6821'],
    )
  })

  test('a change that needs approval counts once somebody else has approved it, and never changes then', async () => {
    const { container } = await project()
    const budget = await budgetOf(container.id)
    const entry = await budget.add(100, { reasonId: change.id })
    const path = `${budget.path}/entry/${entry.id}`
    assert.equal(entry.state, entryState.proposed)
    assert.equal((await budget.balance()).current, '0.0000')
    await meg.put(path, { delta: 120 })
    const own = await meg.ask('POST', `${path}/approve`, { body: {} })
    assert.deepEqual([own.status, own.body.code], [422, 'own-entry'])
    assert.equal((await ada.post(`${path}/approve`, { comment: 'fine' })).decidedBy, ada.id)
    assert.equal((await budget.balance()).current, '120.0000')
    for (const [method, at] of [
      ['PUT', path],
      ['DELETE', path],
      ['POST', `${path}/reject`],
    ] as const) {
      const refused = await ada.ask(method, at, method === 'DELETE' ? {} : { body: { delta: 1 } })
      assert.ok([400, 422].includes(refused.status), `${method} ${at}`)
    }
    assert.equal((await ada.ask('PUT', path, { body: { note: 'x' } })).body.code, 'entry-decided')
    const rejected = await budget.add(50, { reasonId: change.id })
    await ada.post(`${budget.path}/entry/${rejected.id}/reject`, {})
    assert.equal((await budget.balance()).current, '120.0000')
  })

  test('an approval cannot be undone', async () => {
    const budget = await budgetOf((await project()).container.id)
    const entry = await budget.add(10, { reasonId: change.id })
    const { headers } = await ada.ask('POST', `${budget.path}/entry/${entry.id}/approve`, { body: {} })
    const undo = await ada.ask('POST', `/change/${headers.get('change-set')}/undo`)
    assert.deepEqual([undo.status, undo.body.code], [422, 'entry-decided'])
  })

  test('periods are apart, unless the rest rolls over', async () => {
    const { container, item } = await project()
    const monthly = { period: budgetPeriod.monthly }
    const apart = await budgetOf(container.id, monthly)
    const rolling = await budgetOf(container.id, { ...monthly, rollover: true })
    for (const budget of [apart, rolling]) {
      await budget.add(100, { date: '2026-01-10', recurring: true })
      await budget.add(30, { date: '2026-02-10' })
    }
    await book(item.id, 40 * 60, '2026-01-20')
    await book(item.id, 150 * 60, '2026-02-20')
    const of = async (budget: typeof apart, at: string) => {
      const { from, current, carried, available } = await budget.balance(at)
      return [from, Number(current), Number(carried), Number(available)]
    }
    assert.deepEqual(await of(apart, '2026-02-01'), ['2026-02-01', 130, 0, -20])
    assert.deepEqual(await of(apart, '2026-03-31'), ['2026-03-01', 100, 0, 100])
    assert.deepEqual(await of(rolling, '2026-02-01'), ['2026-02-01', 190, 60, 40])
    assert.deepEqual(await of(rolling, '2026-03-31'), ['2026-03-01', 140, 40, 140])
  })

  test('areas, items, customers and cycles contain what is below them', async () => {
    const crm = await ada.post('/finance/crm', { name: 'Customer' })
    const { container } = await project({ crmId: crm.id })
    const owned = { owner: ownerKind.container, ownerId: container.id }
    const area = await ada.post('/area', { name: 'Area', ...owned })
    const inner = await ada.post('/area', { name: 'Inner', ...owned, parentId: area.id })
    const cycle = await ada.post('/cycle', {
      name: 'Cycle',
      containerId: container.id,
      startDate: '2026-01-01',
      endDate: '2026-01-31',
    })
    const top = await ada.post('/item', { title: 'Top', containerId: container.id })
    const item = await ada.post('/item', {
      title: 'Below',
      containerId: container.id,
      parentId: top.id,
      areaId: inner.id,
      cycleId: cycle.id,
    })
    await book(item.id, 600)
    await book(top.id, 300)
    const actual = async (owner: number, ownerId: string) =>
      Number((await (await budgetOf(ownerId, { owner })).balance()).actual)
    assert.equal(await actual(ownerKind.container, container.id), 15)
    assert.equal(await actual(ownerKind.crm, crm.id), 15)
    assert.equal(await actual(ownerKind.item, top.id), 15)
    assert.equal(await actual(ownerKind.item, item.id), 10)
    assert.equal(await actual(ownerKind.area, area.id), 10)
    assert.equal(await actual(ownerKind.cycle, cycle.id), 10)
  })

  test('money is counted at the rates of the entries, in one currency', async () => {
    const { container, item } = await project()
    const rate = { containerId: container.id, bill: '120', cost: '45.5', currency: 'EUR' }
    await ada.put(`/tenant/${ada.tenantId}`, { currency: 'EUR' })
    await ada.post('/finance/rate', { ...rate, from: '2020-01-01', to: '2026-04-30' })
    await ada.post('/finance/rate', { ...rate, cost: null, bill: '100', currency: 'USD', from: '2026-05-01' })
    await book(item.id, 5400, '2026-04-10')
    await book(item.id, 3600, '2026-05-10')
    await ada.put(`/item/${item.id}`, { remainingMinutes: 60 })
    const actual = async (unit: number, currency: string) => {
      const budget = await budgetOf(container.id, { unit, currency })
      await budget.add(1000, { date: '2026-04-01' })
      const { actual: used, available } = await budget.balance()
      return [used, available]
    }
    assert.deepEqual(await actual(budgetUnit.value, 'EUR'), ['180.0000', '820.0000'])
    assert.deepEqual(await actual(budgetUnit.value, 'USD'), ['100.0000', '900.0000'])
    assert.deepEqual(await actual(budgetUnit.cost, 'EUR'), ['68.2500', '931.7500'])
  })

  test('a roll-up adds the budgets below that count the same, and names the others', async () => {
    const { container, item } = await project()
    const top = await budgetOf(container.id)
    const same = await budgetOf(item.id, { owner: ownerKind.item, parentId: top.id })
    const money = await budgetOf(item.id, {
      owner: ownerKind.item,
      parentId: same.id,
      unit: budgetUnit.value,
      currency: 'EUR',
    })
    await top.add(100)
    await same.add(50)
    const { rollup } = await top.balance()
    assert.deepEqual([rollup.budgets, rollup.current], [2, '150.0000'])
    assert.deepEqual(rollup.notSummed, [{ budgetId: money.id, unit: budgetUnit.value, currency: 'EUR' }])
    const cycle = await meg.ask('PUT', top.path, { body: { parentId: money.id } })
    assert.deepEqual([cycle.status, cycle.body.code], [422, 'cycle'])
  })

  test('a threshold is told once, in order, and again after more was granted', async () => {
    const { container, item } = await project()
    const budget = await budgetOf(container.id, { alertAt: [100, 80] })
    await budget.add(100)
    const first = await book(item.id, 79 * 60)
    assert.deepEqual(await crossings(budget.id), [])
    await book(item.id, 41 * 60)
    assert.deepEqual(await crossings(budget.id), [80, 100])
    await book(item.id, 60)
    assert.deepEqual(await crossings(budget.id), [80, 100])
    await budget.add(100)
    assert.deepEqual(await crossings(budget.id), [80, 100])
    await book(item.id, 79 * 60)
    assert.deepEqual(await crossings(budget.id), [80, 100, 80, 100])
    await ada.delete(`/time/${first.id}`)
    assert.deepEqual(await crossings(budget.id), [80, 100, 80, 100])
    await ada.post(`/time/${first.id}/restore`, undefined)
    assert.deepEqual(await crossings(budget.id), [80, 100, 80, 100, 80, 100])
  })

  test('an item that comes into the container of a budget brings its time', async () => {
    const [here, there] = [await project(), await project()]
    const budget = await budgetOf(there.container.id, { alertAt: [50] })
    await budget.add(10)
    await book(here.item.id, 600)
    assert.deepEqual(await crossings(budget.id), [])
    await ada.post(`/item/${here.item.id}/move`, { containerId: there.container.id })
    assert.deepEqual(await crossings(budget.id), [50])
  })

  test('the budget of a container is written as the difference', async () => {
    const { container } = await project({ budget: { minutes: 600, alertAt: [90] } })
    const [made] = await meg.get(`/finance/budget?ownerId=${container.id}`)
    assert.deepEqual([made.unit, made.alertAt, made.period], [budgetUnit.minutes, [90], 0])
    const entries = async () =>
      (await meg.get(`/finance/budget/${made.id}/entry`)).map((each: { delta: string; reasonId: string }) => [
        each.delta,
        each.reasonId,
      ])
    assert.deepEqual(await entries(), [['600.0000', initial.id]])
    const whole = await ada.get(`/container/${container.id}`)
    const { headers } = await ada.ask('PUT', `/container/${container.id}`, {
      body: { ...whole, budget: { ...whole.budget, minutes: 480, amount: 1000.5, currency: 'EUR' } },
    })
    assert.deepEqual(await entries(), [
      ['600.0000', initial.id],
      ['-120.0000', fix.id],
    ])
    await ada.put(`/container/${container.id}`, { name: 'Renamed' })
    assert.equal((await entries()).length, 2)
    const money = (await meg.get(`/finance/budget?ownerId=${container.id}`)).find(
      (each: { unit: number }) => each.unit === budgetUnit.value,
    )
    assert.equal((await meg.get(`/finance/budget/${money.id}/balance`)).current, '1000.5000')
    await ada.put(`/container/${container.id}`, { name: 'Project' })
    await ada.post(`/change/${headers.get('change-set')}/undo`, undefined)
    assert.deepEqual(await entries(), [['600.0000', initial.id]])
  })

  test('a container takes only the thresholds that a budget takes', async () => {
    const { status, body } = await ada.ask('POST', '/container', {
      body: { name: 'Early', budget: { alertAt: [0, 80] } },
    })
    assert.equal(status, 400)
    assert.deepEqual(
      body.Fields.map((each: { Pointer: string }) => each.Pointer),
      ['/budget/alertAt/0'],
    )
  })

  test('of costs and values show what was used to those who may read such amounts', async () => {
    const { container } = await project()
    const max = await person({ name: 'Max', role: roleCode.manager })
    const status = async (unit: number) => {
      const { path } = await budgetOf(container.id, { unit, ...(unit === budgetUnit.value ? { currency: 'EUR' } : {}) })
      return (await max.ask('GET', `${path}/balance`)).status
    }
    const all = () => Promise.all([budgetUnit.minutes, budgetUnit.cost, budgetUnit.value].map(status))
    assert.deepEqual(await all(), [200, 200, 200])
    const denial = { userId: max.id, effect: grantEffect.deny, permissions: ['cost.read', 'bill.read'] }
    await ada.post('/access-control', denial)
    await until(async () => (await status(budgetUnit.cost)) === 403)
    assert.deepEqual(await all(), [200, 403, 403])
  })

  test('costs are in the currency of the tenant, and values need one', async () => {
    const { container } = await project()
    const post = (body: object) =>
      ada.ask('POST', '/finance/budget', { body: { owner: ownerKind.container, ownerId: container.id, ...body } })
    assert.equal((await post({ unit: budgetUnit.value })).body.code, 'currency-required')
    assert.equal((await post({ unit: budgetUnit.cost, currency: 'XXX' })).body.code, 'cost-currency')
    assert.equal((await post({ from: '2026-02-01', to: '2026-01-01' })).status, 400)
    const budget = await budgetOf(container.id)
    assert.equal(
      (await ada.ask('POST', `${budget.path}/entry`, { body: { delta: 0, reasonId: initial.id } })).status,
      400,
    )
    assert.equal(
      (await ada.ask('POST', `${budget.path}/entry`, { body: { delta: '1.00001', reasonId: initial.id } })).body
        .Fields[0].Code,
      'precision',
    )
    await ada.put(`/finance/budget-reason/${fix.id}`, { active: false })
    assert.equal(
      (await ada.ask('POST', `${budget.path}/entry`, { body: { delta: 1, reasonId: fix.id } })).body.code,
      'reason-inactive',
    )
    await ada.put(`/finance/budget-reason/${fix.id}`, { active: true })
  })

  test('members see no budgets; who manages a container sees and changes its own', async () => {
    const [mine, other] = [await project(), await project()]
    const carl = await person({ name: 'Carl', role: roleCode.member })
    await ada.put(`/container/${mine.container.id}/member`, { userId: carl.id, role: roleCode.manager })
    const [seen, hidden] = [await budgetOf(mine.container.id), await budgetOf(other.container.id)]
    assert.equal((await bob.ask('GET', '/finance/budget')).status, 403)
    assert.deepEqual(
      (await carl.get('/finance/budget')).map((each: { id: string }) => each.id),
      [seen.id],
    )
    assert.equal((await carl.ask('GET', `${hidden.path}/balance`)).status, 404)
    assert.equal(
      (await carl.ask('POST', `${hidden.path}/entry`, { body: { delta: 1, reasonId: initial.id } })).status,
      404,
    )
    await carl.post(`${seen.path}/entry`, { delta: 5, reasonId: initial.id })
    assert.equal(
      (await carl.ask('POST', '/finance/budget', { body: { owner: ownerKind.container, ownerId: other.container.id } }))
        .status,
      403,
    )
    assert.equal((await eve.ask('GET', seen.path)).status, 404)
  })
})
