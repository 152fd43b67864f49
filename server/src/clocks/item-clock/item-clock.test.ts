import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { skuKind } from '../../finance/sku.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator as operatorCode } from '../../language/conditions/operators/operators.ts'
import { targetKind } from '../clock/target-kind.ts'
import { thresholdMode } from '../clock/thresholds.ts'
import { clockState } from '../cycle/measure.ts'
import { crossThresholds } from './cross-thresholds.ts'

describe('the clocks of items', async () => {
  const home = await sharedTestService()
  const { ada, bob, eve, database, person } = home
  // Nothing sends mail here, so replies reach only a requester who can sign in.
  const rita = await person({
    name: 'Rita',
    email: 'rita@example.com',
    role: roleCode.requester,
    kind: userKind.requester,
  })
  const running = await engines(home)
  const hour = 3_600_000
  let desks = 0

  const desk = async () =>
    await ada.post('/container', { name: `Desk ${++desks}`, key: `CL${desks}`, kind: containerKind.desk })
  const clockOf = async (values: object) => await ada.post('/clock', { name: 'Promise', ...values })
  const lights = async (id: string, by: Person = ada) => await by.get(`/item/${id}/clock`)
  const states = async (id: string) => (await lights(id)).map((each: Light) => [each.kind, each.cycle, each.state])
  const kinds = async (itemId: string) =>
    (
      await database.single(
        tenantCaller(ada.tenantId),
        ctx =>
          ctx.sql<{
            kind: string
          }>`select kind from event where tenant_id = ${ada.tenantId} and record_id = ${itemId} and kind like 'clock.%' order by id`,
      )
    ).map(each => each.kind)
  /** Moves all rows of an item and of its clocks back in time by this amount. */
  const ago = async (itemId: string, amount: number) => {
    const { databaseUrl } = home
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const shift = `interval '${amount} milliseconds'`
    await client.query(
      `update event set at = at - ${shift} where record_id = $1 or record_id in (select id from annotation where item_id = $1)`,
      [itemId],
    )
    await client.query(`update item set created = created - ${shift} where id = $1`, [itemId])
    await client.query(
      `update clock_version set made = made - ${shift}, effective_from = effective_from - ${shift} where clock_id in (select clock_id from item_clock where item_id = $1)`,
      [itemId],
    )
    await client.query(
      `update item_clock set started_at = started_at - ${shift}, due_at = due_at - ${shift}, amber_at = amber_at - ${shift}, red_at = red_at - ${shift}, next_at = next_at - ${shift} where item_id = $1`,
      [itemId],
    )
    await client.end()
  }
  const cross = async () => await crossThresholds(database).run(new AbortController().signal)

  test('the support plan of the customer decides which clock a new item gets', async () => {
    const { id: containerId } = await desk()
    const [normal, gold] = [
      await clockOf({ name: 'Normal', container: [containerId], tick: 60, redThreshold: 8, order: 1 }),
      await clockOf({ name: 'Gold', container: [containerId], tick: 60, redThreshold: 2, order: 100 }),
    ]
    const plan = await ada.post('/finance/sku', {
      code: 'PLAN',
      name: 'Gold',
      kind: skuKind.supportPlan,
      clockId: gold.id,
    })
    const customer = async (contract: object) => {
      const { id: crmId } = await ada.post('/finance/crm', { name: 'Customer' })
      return {
        crmId,
        contract: await ada.post('/finance/contract', {
          crmId,
          skuId: plan.id,
          name: 'Support',
          from: '2026-01-01',
          ...contract,
        }),
      }
    }
    const clockOfNew = async (values: object) => {
      const { id } = await ada.post('/item', { title: 'Help', containerId, ...values })
      return (await lights(id)).map(({ clockId }: Light) => clockId)
    }
    const [bound, over, elsewhere] = [
      await customer({}),
      await customer({ to: '2026-01-31' }),
      await customer({ containerIds: [(await desk()).id] }),
    ]
    assert.deepEqual(await clockOfNew({ crmId: bound.crmId }), [gold.id])
    assert.deepEqual(await clockOfNew({}), [normal.id], 'nobody has bought anything')
    assert.deepEqual(await clockOfNew({ crmId: over.crmId }), [normal.id], 'the contract is over')
    assert.deepEqual(await clockOfNew({ crmId: elsewhere.crmId }), [normal.id], 'it is for another desk')
    await ada.put(`/container/${containerId}`, { crmId: bound.crmId })
    assert.deepEqual(await clockOfNew({}), [gold.id], 'the container belongs to the customer')
    await ada.must('DELETE', `/finance/contract/${bound.contract.id}`)
    assert.deepEqual(await clockOfNew({ crmId: bound.crmId }), [normal.id])
  })

  test('a clock with thresholds and no targets measures until the item is closed', async () => {
    const { id: containerId } = await desk()
    const clock = await clockOf({ container: [containerId], tick: 60, amberThreshold: 1, redThreshold: 2 })
    const item = await ada.post('/item', { title: 'Broken', containerId })
    const [light] = await lights(item.id)
    assert.deepEqual(
      [light.clockId, light.kind, light.cycle, light.state],
      [clock.id, targetKind.resolution, 1, clockState.green],
    )
    assert.equal(Date.parse(light.dueAt) - Date.parse(light.startedAt), 2 * hour)
    assert.equal(Date.parse(light.amberAt) - Date.parse(light.startedAt), hour)
    await running.settle()
    assert.deepEqual(await kinds(item.id), ['clock.started'])
    await ada.put(`/item/${item.id}`, { status: 'Done' })
    assert.deepEqual(await states(item.id), [[targetKind.resolution, 1, clockState.met]])
    await running.settle()
    assert.deepEqual(await kinds(item.id), ['clock.started', 'clock.met'])
  })

  test('amber, red and the breach are published on time, each once', async () => {
    const { id: containerId } = await desk()
    await clockOf({
      container: [containerId],
      thresholdMode: thresholdMode.percent,
      amberThreshold: 50,
      redThreshold: 75,
      targets: [{ kind: targetKind.resolution, minutes: 240 }],
    })
    const item = await ada.post('/item', { title: 'Slow', containerId })
    await running.settle()
    await ago(item.id, 2 * hour)
    await Promise.all([cross(), cross(), cross()])
    assert.deepEqual(await kinds(item.id), ['clock.started', 'clock.amber'])
    assert.deepEqual(await states(item.id), [[targetKind.resolution, 1, clockState.amber]])
    await ago(item.id, hour)
    await cross()
    assert.deepEqual(await states(item.id), [[targetKind.resolution, 1, clockState.red]])
    await ago(item.id, 2 * hour)
    await Promise.all([cross(), cross()])
    await cross()
    assert.deepEqual(await kinds(item.id), ['clock.started', 'clock.amber', 'clock.red', 'clock.breached'])
    const [light] = await lights(item.id)
    assert.ok(light.breachedAt)
    assert.ok(light.breachSeconds >= 3600 && light.breachSeconds < 3700)
    await ada.put(`/item/${item.id}`, { status: 'Done' })
    assert.deepEqual(await states(item.id), [[targetKind.resolution, 1, clockState.metLate]])
  })

  test('a pause moves the due time, and a manual pause needs a reason', async () => {
    const { id: containerId } = await desk()
    const clock = await clockOf({ container: [containerId], targets: [{ kind: targetKind.resolution, minutes: 60 }] })
    const item = await ada.post('/item', { title: 'Waits', containerId })
    await running.settle()
    const [first] = await lights(item.id)
    const path = `/item/${item.id}/clock/${clock.id}`
    assert.equal((await ada.ask('POST', `${path}/pause`, { body: {} })).status, 400)
    assert.equal((await ada.ask('POST', `${path}/pause`, { body: { reason: ' ' } })).status, 400)
    assert.equal((await eve.ask('POST', `${path}/pause`, { body: { reason: 'x' } })).status, 404)
    const [paused] = await ada.post(`${path}/pause`, { reason: 'a spare part' })
    assert.deepEqual([paused.state, paused.dueAt, paused.pauses[0].reason], [clockState.paused, null, 'a spare part'])
    await new Promise(resolve => setTimeout(resolve, 300))
    const [resumed] = await ada.post(`${path}/resume`, { reason: 'it came' })
    assert.equal(resumed.state, clockState.green)
    const rested = Date.parse(resumed.pauses[0].to) - Date.parse(resumed.pauses[0].from)
    assert.ok(rested >= 300)
    assert.equal(Date.parse(resumed.dueAt) - Date.parse(first.dueAt), rested)
    const [stopped] = await ada.post(`${path}/stop`, { reason: 'agreed by phone' })
    assert.equal(stopped.state, clockState.met)
    assert.deepEqual(await kinds(item.id), [
      'clock.started',
      'clock.ordered',
      'clock.paused',
      'clock.ordered',
      'clock.resumed',
      'clock.ordered',
      'clock.met',
    ])
    await running.settle()
    assert.deepEqual(await states(item.id), [[targetKind.resolution, 1, clockState.met]])
  })

  test('a reply is the first response; a note, an automatic message and a reply that nobody gets are not', async () => {
    const { id: containerId } = await desk()
    await clockOf({
      container: [containerId],
      targets: [
        { kind: targetKind.firstResponse, minutes: 60 },
        { kind: targetKind.nextResponse, minutes: 30 },
      ],
    })
    const ticket = await ada.post('/ticket', { title: 'Help', requester: { email: 'rita@example.com' }, containerId })
    await ada.post('/annotation', { itemId: ticket.id, kind: annotationKind.note, body: 'among us' })
    await ada.post('/annotation', {
      itemId: ticket.id,
      kind: annotationKind.reply,
      body: 'we have your mail',
      mail: { headers: { 'Auto-Submitted': 'auto-replied' } },
    })
    await ada.put(`/ticket/${ticket.id}`, { requester: {} })
    await ada.post(`/ticket/${ticket.id}/reply`, { body: 'To nobody' })
    await ada.put(`/ticket/${ticket.id}`, { requester: { email: 'rita@example.com' } })
    assert.deepEqual(await states(ticket.id), [[targetKind.firstResponse, 1, clockState.green]])
    await ada.post(`/ticket/${ticket.id}/reply`, { body: 'Have you tried…' })
    assert.deepEqual(await states(ticket.id), [[targetKind.firstResponse, 1, clockState.met]])
    await running.settle()
    // A message from the portal starts the next response target as a mail does, and a reply ends it.
    for (const via of [1, 0]) {
      await ada.post('/annotation', { itemId: ticket.id, kind: annotationKind.message, via, body: 'Yes, I have' })
      assert.equal((await states(ticket.id)).at(-1)?.[2], clockState.green)
      await ada.post('/annotation', { itemId: ticket.id, kind: annotationKind.message, via, body: 'Hello?' })
      await ada.post(`/ticket/${ticket.id}/reply`, { body: 'I see' })
      await running.settle()
    }
    assert.deepEqual(await states(ticket.id), [
      [targetKind.firstResponse, 1, clockState.met],
      [targetKind.nextResponse, 1, clockState.met],
      [targetKind.nextResponse, 2, clockState.met],
    ])
  })

  test('a reply before the clock starts counts as met', async () => {
    const { id: containerId } = await desk()
    const start = [{ condition: [{ leftSide: 'priority', operator: operatorCode.equals, rightSide: '1' }] }]
    await clockOf({ container: [containerId], start, targets: [{ kind: targetKind.firstResponse, minutes: 60 }] })
    const ticket = await ada.post('/ticket', { title: 'Help', requester: { email: 'rita@example.com' }, containerId })
    await ada.post(`/ticket/${ticket.id}/reply`, { body: 'Here we are' })
    assert.deepEqual(await states(ticket.id), [])
    await ada.put(`/item/${ticket.id}`, { priority: 1 })
    assert.deepEqual(await states(ticket.id), [[targetKind.firstResponse, 1, clockState.met]])
  })

  test('a shorter update target does not replace the first response target', async () => {
    const { id: containerId } = await desk()
    await clockOf({
      container: [containerId],
      targets: [
        { kind: targetKind.firstResponse, minutes: 240 },
        { kind: targetKind.update, minutes: 30 },
      ],
    })
    const ticket = await ada.post('/ticket', { title: 'Help', requester: { email: 'rita@example.com' }, containerId })
    const [response, update] = await lights(ticket.id)
    assert.equal(Date.parse(response.dueAt) - Date.parse(update.dueAt), 3.5 * hour)
    await ada.post(`/ticket/${ticket.id}/reply`, { body: 'Soon' })
    assert.deepEqual(await states(ticket.id), [
      [targetKind.firstResponse, 1, clockState.met],
      [targetKind.update, 1, clockState.met],
      [targetKind.update, 2, clockState.green],
    ])
    await running.settle()
    assert.deepEqual(await states(ticket.id), [
      [targetKind.firstResponse, 1, clockState.met],
      [targetKind.update, 1, clockState.met],
      [targetKind.update, 2, clockState.green],
    ])
  })

  test('targets pause while it is the requester’s turn, and the requester wait runs only then', async () => {
    const { id: containerId } = await desk()
    await clockOf({
      container: [containerId],
      targets: [
        { kind: targetKind.resolution, minutes: 60 },
        { kind: targetKind.requesterWait, minutes: 60 },
        { kind: targetKind.agentWork, minutes: 60 },
      ],
    })
    const ticket = await ada.post('/ticket', { title: 'Help', requester: { email: 'rita@example.com' }, containerId })
    assert.deepEqual(await states(ticket.id), [
      [targetKind.resolution, 1, clockState.green],
      [targetKind.requesterWait, 1, clockState.paused],
      [targetKind.agentWork, 1, clockState.green],
    ])
    await ada.post(`/ticket/${ticket.id}/reply`, { body: 'Which printer?' })
    assert.deepEqual(await states(ticket.id), [
      [targetKind.resolution, 1, clockState.paused],
      [targetKind.requesterWait, 1, clockState.green],
      [targetKind.agentWork, 1, clockState.paused],
    ])
    await ada.post('/annotation', { itemId: ticket.id, kind: annotationKind.message, body: 'The red one' })
    assert.deepEqual(await states(ticket.id), [
      [targetKind.resolution, 1, clockState.green],
      [targetKind.requesterWait, 1, clockState.paused],
      [targetKind.agentWork, 1, clockState.green],
    ])
    const [resolution] = await lights(ticket.id)
    assert.equal(resolution.pauses.length, 1)
  })

  test('a higher priority moves the item to another clock, and past pauses stay', async () => {
    const { id: containerId } = await desk()
    const urgent = [{ condition: [{ leftSide: 'priority', operator: operatorCode.equals, rightSide: '1' }] }]
    const fast = await clockOf({
      name: 'Fast',
      container: [containerId],
      order: 1,
      start: urgent,
      targets: [{ kind: targetKind.resolution, minutes: 30 }],
    })
    const slow = await clockOf({
      name: 'Slow',
      container: [containerId],
      order: 2,
      targets: [{ kind: targetKind.resolution, minutes: 240 }],
    })
    const ticket = await ada.post('/ticket', { title: 'Help', requester: { email: 'rita@example.com' }, containerId })
    await running.settle()
    await ada.post(`/ticket/${ticket.id}/reply`, { body: 'Which?' })
    await new Promise(resolve => setTimeout(resolve, 200))
    await ada.post('/annotation', { itemId: ticket.id, kind: annotationKind.message, body: 'This' })
    await ada.put(`/item/${ticket.id}`, { priority: 1 })
    const all = await lights(ticket.id)
    assert.equal(all.length, 1)
    assert.deepEqual([all[0].clockId, all[0].cycle, all[0].pauses.length], [fast.id, 1, 1])
    const rested = Date.parse(all[0].pauses[0].to) - Date.parse(all[0].pauses[0].from)
    assert.ok(rested >= 200)
    assert.equal(Date.parse(all[0].dueAt) - Date.parse(all[0].startedAt), hour / 2 + rested)
    await ada.put(`/item/${ticket.id}`, { priority: 3 })
    assert.equal((await lights(ticket.id))[0].clockId, slow.id)
  })

  test('a reopened item begins a new cycle, and the finished one stays', async () => {
    const { id: containerId } = await desk()
    await clockOf({ container: [containerId], targets: [{ kind: targetKind.resolution, minutes: 60 }] })
    const item = await ada.post('/item', { title: 'Again', containerId })
    await ada.put(`/item/${item.id}`, { status: 'Done' })
    await running.settle()
    await ada.put(`/item/${item.id}`, { status: 'Open' })
    assert.deepEqual(await states(item.id), [
      [targetKind.resolution, 1, clockState.met],
      [targetKind.resolution, 2, clockState.green],
    ])
    await running.settle()
    await ada.put(`/item/${item.id}`, { status: 'Done' })
    await running.settle()
    assert.deepEqual(await states(item.id), [
      [targetKind.resolution, 1, clockState.met],
      [targetKind.resolution, 2, clockState.met],
    ])
    assert.deepEqual(await kinds(item.id), ['clock.started', 'clock.met', 'clock.started', 'clock.met'])
  })

  test('the clocks of a merged item are cancelled, and continue when the merge is undone', async () => {
    const { id: containerId } = await desk()
    await clockOf({
      container: [containerId],
      targets: [
        { kind: targetKind.firstResponse, minutes: 60 },
        { kind: targetKind.resolution, minutes: 60 },
      ],
    })
    const [one, two] = [
      await ada.post('/ticket', { title: 'One', requester: { email: 'rita@example.com' }, containerId }),
      await ada.post('/ticket', { title: 'Two', requester: { email: 'rita@example.com' }, containerId }),
    ]
    await running.settle()
    const before = await lights(one.id)
    await ada.post(`/item/${one.id}/merge`, { into: two.id })
    assert.deepEqual(await states(one.id), [
      [targetKind.firstResponse, 1, clockState.cancelled],
      [targetKind.resolution, 1, clockState.cancelled],
    ])
    await running.settle()
    assert.deepEqual(await states(two.id), [
      [targetKind.firstResponse, 1, clockState.green],
      [targetKind.resolution, 1, clockState.green],
    ])
    await ada.must('POST', `/item/${one.id}/unmerge`)
    await running.settle()
    assert.deepEqual(await states(one.id), [
      [targetKind.firstResponse, 1, clockState.green],
      [targetKind.resolution, 1, clockState.green],
    ])
    assert.equal((await lights(one.id))[0].dueAt, before[0].dueAt)
  })

  test('the first clock in order measures each kind of target; only parallel clocks run beside it', async () => {
    const { id: containerId } = await desk()
    const first = await clockOf({
      name: 'First',
      order: 1,
      container: [containerId],
      targets: [{ kind: targetKind.resolution, minutes: 60 }],
    })
    await clockOf({
      name: 'Second',
      order: 2,
      container: [containerId],
      targets: [{ kind: targetKind.resolution, minutes: 10 }],
    })
    const beside = await clockOf({
      name: 'Beside',
      order: 3,
      parallel: true,
      container: [containerId],
      targets: [{ kind: targetKind.resolution, minutes: 90 }],
    })
    const item = await ada.post('/item', { title: 'Many', containerId })
    assert.deepEqual((await lights(item.id)).map((each: Light) => each.clockId).sort(), [first.id, beside.id].sort())
  })

  test('the six conditions are evaluated on the item as it was at each moment', async () => {
    const { id: containerId } = await desk()
    const is = (status: string) => [
      { condition: [{ leftSide: 'status', operator: operatorCode.equals, rightSide: status }] },
    ]
    const field = await ada.post('/field/text', { name: `Phase ${desks}`, key: `phase${desks}` })
    const phase = (value: string) => [
      { condition: [{ leftSide: `field.phase${desks}`, operator: operatorCode.equals, rightSide: value }] },
    ]
    await clockOf({
      container: [containerId],
      start: is('Doing'),
      pause: phase('parts'),
      resume: is('Go'),
      stop: is('Shipped'),
      reset: is('Redo'),
      cancel: is('Void'),
      targets: [{ kind: targetKind.custom, minutes: 60 }],
    })
    const item = await ada.post('/item', { title: 'Six', containerId })
    const to = async (status: string) => await ada.put(`/item/${item.id}`, { status })
    assert.deepEqual(await states(item.id), [])
    await to('Doing')
    assert.deepEqual(await states(item.id), [[targetKind.custom, 1, clockState.green]])
    await ada.put(`/item/${item.id}`, { Field: [{ fieldId: field.id, value: 'parts' }] })
    assert.deepEqual(await states(item.id), [[targetKind.custom, 1, clockState.paused]])
    await ada.put(`/item/${item.id}`, { Field: [{ fieldId: field.id, value: 'none' }] })
    assert.deepEqual(await states(item.id), [[targetKind.custom, 1, clockState.paused]])
    await to('Go')
    assert.deepEqual(await states(item.id), [[targetKind.custom, 1, clockState.green]])
    const [before] = await lights(item.id)
    assert.equal(before.pauses.length, 1)
    await to('Redo')
    const [after] = await lights(item.id)
    assert.ok(after.startedAt > before.startedAt)
    assert.deepEqual(after.pauses, [])
    await to('Shipped')
    assert.deepEqual(await states(item.id), [[targetKind.custom, 1, clockState.met]])
    await to('Doing')
    await running.settle()
    await to('Void')
    await running.settle()
    assert.deepEqual(await states(item.id), [
      [targetKind.custom, 1, clockState.met],
      [targetKind.custom, 2, clockState.cancelled],
    ])
  })

  test('changed hours count from then on; open cycles are recalculated on request, finished ones stay', async () => {
    const { id: containerId } = await desk()
    const clock = await clockOf({ container: [containerId], targets: [{ kind: targetKind.resolution, minutes: 60 }] })
    const [open, done] = [
      await ada.post('/item', { title: 'Open', containerId }),
      await ada.post('/item', { title: 'Done', containerId }),
    ]
    await ada.put(`/item/${done.id}`, { status: 'Done' })
    await running.settle()
    const [finished] = await lights(done.id)
    const tomorrow = new Date(Date.now() + 48 * hour).toISOString().slice(0, 10)
    const closed = { nonWorkingDay: [`2000-01-01/${tomorrow}`], timezone: 'UTC' }
    const seen = await ada.post(`/clock/${clock.id}/preview`, closed)
    assert.deepEqual([seen.total, seen.looked, seen.due, seen.worst.length], [1, 1, 1, 1])
    assert.equal((await ada.get(`/clock/${clock.id}`)).version, 1)
    await ada.put(`/clock/${clock.id}`, closed)
    await running.settle()
    const [kept] = await lights(open.id)
    assert.ok(kept.dueAt > tomorrow)
    assert.equal(kept.version, 2)
    const counted = kept.elapsed
    const { state: how, done: looked } = await ada.get(`/clock/${clock.id}/recalculation`)
    assert.deepEqual([how, looked], ['done', 1])
    await ada.must('PUT', `/clock/${clock.id}?recalculate=open`, { body: {} })
    await running.settle()
    const [anew] = await lights(open.id)
    assert.equal(anew.elapsed, 0)
    assert.ok(anew.elapsed <= counted)
    assert.deepEqual((await lights(done.id))[0], finished)
    assert.equal((await ada.ask('PUT', `/clock/${clock.id}?recalculate=maybe`, { body: {} })).status, 400)
  })

  test('a new clock does not measure existing items, unless a recalculation is requested', async () => {
    const { id: containerId } = await desk()
    const item = await ada.post('/item', { title: 'Old', containerId })
    await ada.must('POST', '/clock', {
      body: { name: 'A', container: [containerId], targets: [{ kind: targetKind.resolution, minutes: 60 }] },
    })
    await running.settle()
    assert.deepEqual(await states(item.id), [])
    await ada.must('POST', '/clock?recalculate=open', {
      body: {
        name: 'B',
        parallel: true,
        startFrom: 'created',
        container: [containerId],
        targets: [{ kind: targetKind.resolution, minutes: 60 }],
      },
    })
    await running.settle()
    const [light] = await lights(item.id)
    assert.equal(light.startedAt, item.created)
  })

  test('a deleted clock cancels its running cycles', async () => {
    const { id: containerId } = await desk()
    const clock = await clockOf({ container: [containerId], targets: [{ kind: targetKind.resolution, minutes: 60 }] })
    const item = await ada.post('/item', { title: 'Orphan', containerId })
    await running.settle()
    await ada.delete(`/clock/${clock.id}`)
    await running.settle()
    assert.deepEqual(await states(item.id), [[targetKind.resolution, 1, clockState.cancelled]])
    assert.equal((await kinds(item.id)).at(-1), 'clock.cancelled')
  })

  test('every interval is explained, and the counted ones add up', async () => {
    const { id: containerId } = await desk()
    const clock = await clockOf({
      container: [containerId],
      timezone: 'Europe/Berlin',
      dayStart: '09:00',
      dayEnd: '17:00',
      weekStart: 'Monday',
      weekEnd: 'Friday',
      targets: [{ kind: targetKind.resolution, minutes: 2400 }],
    })
    const item = await ada.post('/item', { title: 'Why', containerId })
    await running.settle()
    await ago(item.id, 9 * 24 * hour)
    const path = `/item/${item.id}/clock/${clock.id}`
    await ada.post(`${path}/pause`, { reason: 'why not' })
    const [told] = await ada.get(`${path}/explain`)
    const counted = told.intervals.filter((each: { counted: boolean }) => each.counted)
    const sum = counted.reduce((all: number, each: { seconds: number }) => all + each.seconds, 0)
    assert.ok(Math.abs(sum - told.elapsed) <= counted.length)
    const why = new Set(told.intervals.map((each: { reason: string }) => each.reason))
    assert.ok(why.has('working time') && why.has('outside hours') && why.has('weekday'))
    assert.equal((await ada.ask('GET', `/item/${item.id}/clock/${item.id}/explain`)).status, 404)
    assert.equal((await eve.ask('GET', `${path}/explain`)).status, 404)
  })

  test('the way to the due time is explained, also that of a paused clock', async () => {
    const { id: containerId } = await desk()
    const dayAhead = (days: number) => new Date(Date.now() + days * 24 * hour).toISOString().slice(0, 10)
    const clock = await clockOf({
      container: [containerId],
      timezone: 'UTC',
      dayStart: '',
      dayEnd: '',
      weekStart: 'Monday',
      weekEnd: 'Sunday',
      exceptions: [{ date: dayAhead(3), intervals: [{ start: '12:00', end: '24:00' }] }],
      nonWorkingDay: [dayAhead(5)],
      targets: [{ kind: targetKind.resolution, minutes: 8 * 24 * 60 }],
    })
    const item = await ada.post('/item', { title: 'Ahead', containerId })
    await running.settle()
    const path = `/item/${item.id}/clock/${clock.id}`
    type Interval = { from: string; to: string; seconds: number; counted: boolean; reason: string }
    const told = async () => {
      const [found] = await ada.get(`${path}/explain`)
      const all: Interval[] = found.ahead
      const counted = all.filter(each => each.counted).reduce((sum, each) => sum + each.seconds, 0)
      assert.ok(Math.abs(counted - found.remaining) <= all.length)
      for (const [i, each] of all.slice(1).entries()) assert.equal(each.from, all[i]?.to)
      return { ...found, last: all.at(-1)?.to, reasons: all.map(each => each.reason) }
    }
    const counting = await told()
    const reasons = ['working time', 'exception: outside hours', 'working time', 'day-off', 'working time']
    assert.deepEqual([counting.last, counting.reasons], [counting.dueAt, reasons])
    assert.equal(counting.dueIfResumed, null)
    await ada.post(`${path}/pause`, { reason: 'why not' })
    const paused = await told()
    assert.deepEqual([paused.dueAt, paused.last, paused.reasons], [null, paused.dueIfResumed, reasons])
  })

  test('items are found and sorted by their clocks', async () => {
    const { id: containerId } = await desk()
    const clock = await clockOf({
      container: [containerId],
      targets: [
        {
          kind: targetKind.resolution,
          minutes: 60,
          conditionGroup: [{ condition: [{ leftSide: 'priority', operator: operatorCode.equals, rightSide: '1' }] }],
        },
        { kind: targetKind.resolution, minutes: 600 },
      ],
    })
    const slow = await ada.post('/item', { title: 'Slow', containerId })
    const fast = await ada.post('/item', { title: 'Fast', containerId, priority: 1 })
    await ada.post('/item', { title: 'Free' })
    await running.settle()
    const search = async (leftSide: string, operator: number, rightSide: string) =>
      (
        await bob.post('/item/search', {
          conditionGroup: [{ condition: [{ leftSide, operator, rightSide }] }],
          sort: `clock.${clock.id}.dueAt`,
        })
      ).map((each: { id: string }) => each.id)
    assert.deepEqual(await search(`clock.${clock.id}.state`, 0, '1'), [fast.id, slow.id])
    assert.deepEqual(await search(`clock.${clock.id}.dueAt`, 23, 'PT2H'), [fast.id])
    assert.ok((await search('clock.state', 0, '1')).includes(slow.id))
    const shown = await bob.get(`/item/${fast.id}?include=clock`)
    assert.deepEqual(
      shown.clock.map((each: Light) => [each.clockId, each.state]),
      [[clock.id, 1]],
    )
    assert.equal((await bob.get(`/item/${fast.id}`)).clock, undefined)
  })

  test('a requester sees what was promised to them, and no measure of staff', async () => {
    const { id: containerId } = await desk()
    const minutes = 60
    const targets = [targetKind.resolution, targetKind.agentWork].map(kind => ({ kind, minutes }))
    await clockOf({ container: [containerId], targets })
    const { id } = await rita.post('/ticket', { title: 'When?', containerId })
    await running.settle()
    const [all, shown] = [await bob.get(`/item/${id}?include=clock`), await rita.get(`/item/${id}?include=clock`)]
    assert.equal(all.clock.length, 2)
    const { kind, cycle, state, dueAt } = all.clock[0]
    assert.deepEqual(shown.clock, [{ kind, cycle, state, dueAt, metAt: null, breachedAt: null }])
    const [listed] = await rita.get(`/ticket?include=clock&id=${id}`)
    assert.deepEqual(listed.clock, shown.clock)
    assert.equal((await rita.ask('GET', `/item/${id}/clock`)).status, 403)
  })
})

interface Light {
  clockId: string
  kind: number
  cycle: number
  state: number
}
