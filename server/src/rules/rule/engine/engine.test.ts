import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../../test/support/engines.ts'
import { sharedTestService } from '../../../../test/support/people.ts'
import { action } from '../../../containers/action/action.ts'
import { itemVisibility } from '../../../items/item/item.ts'
import { roleCode } from '../../../kernel/access.ts'
import { operator as operatorCode } from '../../../language/conditions/operators/operators.ts'
import { triggerEvent } from '../../../notify/trigger-event.ts'
import { outcome as ruleOutcome } from '../log/log.ts'
import { mode, trigger } from '../rule-codes.ts'

const condition = (leftSide: string, operator: number, rightSide = '') => ({ leftSide, operator, rightSide })
const when = (...all: ReturnType<typeof condition>[]) => [{ condition: all }]
const set = (field: string, value: unknown) => ({ actionType: action.setField, field, value })

describe('the rule engine', async () => {
  const home = await sharedTestService()
  const { ada, bob, eve, nobody, base, person } = home
  const running = await engines(home)
  const desk = await ada.post('/container', { name: 'Desk', key: 'DSK' })
  const other = await ada.post('/container', { name: 'Elsewhere', key: 'ELS' })
  const made: string[] = []
  const rule = async (name: string, more: object) => {
    const body = await ada.post('/rule', { name, active: true, container: [desk.id], ...more })
    made.push(body.id)
    return body
  }
  const item = (more: object = {}) => ada.post('/item', { title: 'Printer', containerId: desk.id, ...more })
  const now = (id: string) => ada.get(`/item/${id}`)
  const log = (id: string) => ada.get(`/rule/${id}/log`)
  /** Removes the rules of a test, so that they do not affect the next one. */
  const alone = async () => {
    for (const id of made.splice(0)) await ada.ask('DELETE', `/rule/${id}`)
  }

  test('a rule acts after the commit with its own actor kind, and logs why', async () => {
    const { id } = await rule('Urgent', {
      triggerEvent: triggerEvent['item.updated'],
      conditionGroup: when(
        condition('status', operatorCode.changedTo, 'Burning'),
        condition('actor.id', operatorCode.equals, '@actor'),
      ),
      actionValue: [set('priority', 1), { actionType: action.addToList, field: 'labels', value: 'hot' }],
    })
    const { id: itemId } = await item()
    const elsewhere = await ada.post('/item', { title: 'Other', containerId: other.id })
    for (const each of [itemId, elsewhere.id]) await ada.put(`/item/${each}`, { status: 'Burning' })
    await running.settle()
    const after = await now(itemId)
    assert.deepEqual([after.priority, after.Tags], [1, ['hot']])
    assert.equal((await now(elsewhere.id)).priority, 0)
    const [last] = (await ada.get(`/item/${itemId}/history`)).slice(-1)
    assert.deepEqual([last.actor.kind, last.actor.ruleId], ['rule', id])
    const acted = (await log(id)).filter((each: { outcome: number }) => each.outcome === ruleOutcome.acted)
    assert.equal(acted.length, 1)
    assert.equal(acted[0].changeSetId, last.changeSetId)
    assert.deepEqual(
      acted[0].conditions.map((each: { left: string; outcome: boolean }) => [each.left, each.outcome]),
      [
        ['Burning', true],
        [ada.id, true],
      ],
    )
    assert.deepEqual(
      acted[0].actions.map((each: { field: string; before: unknown; after: unknown }) => [
        each.field,
        each.before,
        each.after,
      ]),
      [
        ['priority', 0, 1],
        ['labels', [], ['hot']],
      ],
    )
    assert.deepEqual((await ada.get(`/rule/log?itemId=${itemId}`))[0].ruleId, id)
    const { stats, lastRun } = await ada.get(`/rule/${id}`)
    assert.deepEqual([stats.matched, stats.acted, stats.failed, typeof lastRun], [1, 1, 0, 'string'])
    assert.equal((await eve.ask('GET', `/rule/${id}/log`)).status, 404)
    await alone()
  })

  test('a miss is logged with the condition that did not hold', async () => {
    const { id } = await rule('Never', {
      triggerEvent: triggerEvent['item.created'],
      conditionGroup: when(condition('priority', operatorCode.greaterThan, '3')),
    })
    await item({ priority: 2 })
    await running.settle()
    const [miss] = await log(id)
    assert.deepEqual(
      [miss.outcome, miss.conditions[0].left, miss.conditions[0].outcome],
      [ruleOutcome.missed, '2', false],
    )
    await alone()
  })

  test('rules act in their order, and each sees the changes of those before it', async () => {
    await rule('Third', {
      order: 3,
      triggerEvent: triggerEvent['item.created'],
      conditionGroup: when(condition('status', operatorCode.equals, 'B')),
      actionValue: [set('resolution', '{{ item.status }}{{ item.priority }}')],
    })
    await rule('First', { order: 1, triggerEvent: triggerEvent['item.created'], actionValue: [set('status', 'A')] })
    await rule('Second', {
      order: 2,
      triggerEvent: triggerEvent['item.created'],
      conditionGroup: when(condition('status', operatorCode.equals, 'A')),
      actionValue: [set('status', 'B'), set('priority', '{{ 2 }}')],
    })
    await rule('Also third, later by name', {
      order: 2,
      triggerEvent: triggerEvent['item.created'],
      stopOnMatch: true,
      conditionGroup: when(condition('status', operatorCode.equals, 'Z')),
    })
    const { id } = await item()
    await running.settle()
    const { status, priority, resolution } = await now(id)
    assert.deepEqual([status, priority, resolution], ['B', 2, 'B2'])
    await alone()
  })

  test('stopOnMatch keeps later rules from acting', async () => {
    await rule('A', {
      order: 1,
      triggerEvent: triggerEvent['item.created'],
      stopOnMatch: true,
      actionValue: [set('priority', 3)],
    })
    await rule('B', { order: 2, triggerEvent: triggerEvent['item.created'], actionValue: [set('status', 'Late')] })
    const { id } = await item()
    await running.settle()
    assert.deepEqual([(await now(id)).priority, (await now(id)).status], [3, ''])
    await alone()
  })

  test('two rules that trigger each other stop, and an action without a change makes no event', async () => {
    const ping = await rule('Ping', {
      triggerEvent: triggerEvent['item.updated'],
      conditionGroup: when(condition('status', operatorCode.equals, 'ping')),
      actionValue: [set('status', 'pong')],
    })
    const pong = await rule('Pong', {
      triggerEvent: triggerEvent['item.updated'],
      conditionGroup: when(condition('status', operatorCode.equals, 'pong')),
      actionValue: [set('status', 'ping')],
    })
    const still = await rule('Still', {
      triggerEvent: triggerEvent['item.updated'],
      actionValue: [set('title', 'Printer')],
    })
    const { id } = await item()
    await ada.put(`/item/${id}`, { status: 'ping' })
    await running.settle()
    const events = (await ada.get(`/item/${id}/history`)).filter(
      (each: { type: string }) => each.type === 'item.updated',
    )
    assert.equal(events.length, 3)
    assert.equal((await now(id)).status, 'ping')
    assert.equal((await ada.get(`/rule/${ping.id}`)).stats.acted, 1)
    assert.equal((await ada.get(`/rule/${pong.id}`)).stats.acted, 1)
    assert.equal((await ada.get(`/rule/${still.id}`)).stats.acted, 0)
    const skipped = (await log(ping.id)).find((each: { outcome: number }) => each.outcome === ruleOutcome.skipped)
    assert.match(skipped.error, /already/)
    await alone()
  })

  test('the event of its own change causes no further run of a rule, but runs of others', async () => {
    const passes = async () => {
      const metric = running.figures.find(each => 'name' in each && each.name === 'gantry_jobs_total')
      const { values = [] } = (await metric?.get()) ?? {}
      return values.find(({ labels }) => labels.task === 'rule' && labels.outcome === 'done')?.value ?? 0
    }
    const own = (set: object) => ({
      triggerEvent: triggerEvent.any,
      conditionGroup: when(condition('title', operatorCode.startsWith, 'Own')),
      actionValue: [set],
    })
    const raised = await rule('Raise', own(set('priority', 3)))
    const before = await passes()
    await item({ title: 'Own' })
    await running.settle()
    assert.equal((await passes()) - before, 1, 'for the creation, and none for the change by the rule')
    const outcomes: number[] = (await log(raised.id)).map((each: { outcome: number }) => each.outcome)
    assert.deepEqual(
      outcomes.filter(each => each !== ruleOutcome.missed),
      [ruleOutcome.acted],
    )
    await rule('Raise again', { ...own(set('severity', 2)), triggerEvent: triggerEvent['item.updated'] })
    const { id } = await item({ title: 'Own' })
    await running.settle()
    const after = await now(id)
    assert.deepEqual([after.priority, after.severity], [3, 2])
    await alone()
  })

  test('a chain over many records ends at depth ten, and a rule that keeps reaching the limit is switched off', async () => {
    const { id } = await rule('Breeder', {
      triggerEvent: triggerEvent['item.created'],
      conditionGroup: when(condition('title', operatorCode.startsWith, 'Breed')),
      actionValue: [{ actionType: action.createItem, value: { title: 'Breed of {{ item.key }}' } }],
    })
    for (let n = 0; n < 5; n++) {
      await item({ title: `Breed ${n}` })
      await running.settle()
    }
    const all = await ada.get(`/item?containerId=${desk.id}&q=Breed`)
    assert.equal(all.length, 55)
    const after = await ada.get(`/rule/${id}`)
    assert.deepEqual([after.active, after.stats.acted, after.stats.failed], [false, 50, 5])
    assert.match(after.lastError, /10/)
    const failed = (await ada.get('/event?limit=1000')).filter(
      (each: { type: string; recordId: string }) => each.type === 'rule.failed' && each.recordId === id,
    )
    assert.deepEqual(
      failed.map((each: { changes: { paused: { to: boolean } } }) => each.changes.paused.to),
      [false, true],
    )
    await alone()
  })

  test('a rule respects oncePerRecord, maxPerHour and quietHours', async () => {
    const always = await ada.post('/clock', { name: 'Always' })
    const adds = (points: number) => [{ actionType: action.adjust, field: 'points', value: `+${points}` }]
    const titled = {
      triggerEvent: triggerEvent['item.updated'],
      conditionGroup: when(condition('title', operatorCode.changed)),
    }
    await rule('Once', { ...titled, oncePerRecord: true, actionValue: adds(1) })
    await rule('Twice an hour', { ...titled, maxPerHour: 2, actionValue: adds(10) })
    await rule('Quiet', { ...titled, quietHours: always.id, actionValue: adds(100) })
    const { id } = await item()
    for (let n = 0; n < 4; n++) {
      await ada.put(`/item/${id}`, { title: `Printer ${n}` })
      await running.settle()
    }
    assert.equal((await now(id)).points, 21)
    await alone()
  })

  test('a debounced rule acts on the last event of a burst', async () => {
    const { name: who } = await ada.get('/user/me')
    const template = await ada.post('/content-template', { name: 'Said', body: '{{ actor.name }}: {{ rule.name }}' })
    const { id: ruleId } = await rule('Patient', {
      triggerEvent: triggerEvent['item.updated'],
      debounce: 'PT1H',
      conditionGroup: when(condition('title', operatorCode.changed)),
      actionValue: [
        { actionType: action.addNote, value: 'Now {{ change.title.to }}, says {{ actor.name }}' },
        { actionType: action.addNote, value: template.id },
      ],
    })
    const { id } = await item()
    for (let n = 0; n < 3; n++) await ada.put(`/item/${id}`, { title: `Printer ${n}` })
    await running.settle()
    assert.equal((await ada.get(`/rule/${ruleId}`)).stats.acted, 0)
    await home.database.crossTenantSql`update queued_job set run_at = now() where worker is null`
    await running.settle()
    const said = await ada.get(`/item/${id}/annotations`)
    assert.deepEqual(
      said.map((each: { body: string }) => each.body),
      [`Now Printer 2, says ${who}`, `${who}: Patient`],
    )
    await alone()
  })

  test('a failing rule changes nothing, is reported once, and does not stop other rules', async () => {
    const broken = await rule('Broken', {
      order: 1,
      triggerEvent: triggerEvent['item.created'],
      actionValue: [set('priority', 4), { actionType: action.assign, value: crypto.randomUUID() }],
    })
    await rule('Fine', { order: 2, triggerEvent: triggerEvent['item.created'], actionValue: [set('status', 'Fine')] })
    const { id } = await item()
    await item()
    await running.settle()
    const { priority, status } = await now(id)
    assert.deepEqual([priority, status], [0, 'Fine'])
    const { stats, lastError } = await ada.get(`/rule/${broken.id}`)
    assert.deepEqual([stats.failed, /there is no user or group/.test(lastError)], [2, true])
    await alone()
  })

  test('a rule acts with the rights of its owner, and stops when the owner leaves', async () => {
    const admin = await person({ name: 'Alf', email: 'alf@example.com', role: roleCode.admin })
    const hers = await ada.post('/item', {
      title: 'Confidential',
      containerId: desk.id,
      visibility: itemVisibility.confidential,
    })
    const owned = await admin.post('/rule', {
      name: 'Alf’s',
      active: true,
      triggerEvent: triggerEvent['item.updated'],
      container: [desk.id],
      actionValue: [set('priority', 2)],
    })
    assert.equal(owned.ownerUser, admin.id)
    made.push(owned.id)
    const open = await item()
    for (const each of [hers, open]) await ada.put(`/item/${each.id}`, { status: 'Go' })
    await running.settle()
    assert.deepEqual([(await now(hers.id)).priority, (await now(open.id)).priority], [0, 2])
    const lent = await admin.ask('PUT', `/rule/${owned.id}`, { body: { ownerUser: ada.id } })
    assert.deepEqual([lent.status, lent.body.code], [422, 'may-not-act-for'])
    assert.equal((await admin.ask('PUT', `/rule/${owned.id}`, { body: { runAs: ada.id } })).status, 422)
    await ada.put(`/user/${admin.id}`, { active: false })
    await ada.put(`/item/${open.id}`, { status: 'Again', priority: 0 })
    await running.settle()
    assert.equal((await now(open.id)).priority, 0)
    assert.ok((await ada.get(`/rule/${owned.id}`)).check.some((each: { code: string }) => each.code === 'owner-left'))
    await alone()
  })

  test('a user who changes the behaviour of a rule becomes its owner', async () => {
    const admin = await person({ name: 'Ann', email: 'ann@example.com', role: roleCode.admin })
    const { id } = await rule('Taken over', { triggerEvent: triggerEvent['item.created'] })
    assert.equal((await admin.put(`/rule/${id}`, { notes: 'Looks good' })).ownerUser, ada.id)
    assert.equal((await admin.put(`/rule/${id}`, { actionValue: [set('priority', 1)] })).ownerUser, admin.id)
    await alone()
  })

  test('before the commit a rule sets fields or refuses, whatever caused the change', async () => {
    await rule('Default', {
      mode: mode.beforeCommit,
      order: 1,
      triggerEvent: triggerEvent['item.created'],
      conditionGroup: when(condition('priority', operatorCode.equals, '0')),
      actionValue: [set('priority', 3), { actionType: action.addNote, value: 'ignored' }],
    })
    await rule('No', {
      mode: mode.beforeCommit,
      order: 2,
      triggerEvent: triggerEvent.any,
      conditionGroup: when(condition('title', operatorCode.contains, 'forbidden')),
      actionValue: [{ actionType: action.veto, value: 'Not {{ item.title }}' }],
    })
    const fresh = await ada.ask('POST', '/item', { body: { title: 'Fresh', containerId: desk.id } })
    assert.deepEqual(
      [fresh.status, fresh.body.priority, fresh.body.version, fresh.headers.get('etag')],
      [201, 3, 2, '"v2"'],
    )
    const free = await ada.post('/item', { title: 'forbidden but elsewhere', containerId: other.id })
    assert.equal(free.priority, 0)
    const { id } = fresh.body
    const before = (await ada.get(`/item?containerId=${desk.id}`)).length
    const refusals = [
      await ada.ask('POST', '/item', { body: { title: 'forbidden', containerId: desk.id } }),
      await ada.ask('PUT', `/item/${id}`, { body: { title: 'now forbidden' } }),
      await ada.ask('PATCH', '/item', { body: { ids: [id], patch: { title: 'x forbidden' }, atomic: true } }),
      await ada.ask('PUT', `/item/${free.id}`, { body: { containerId: desk.id } }),
    ]
    assert.deepEqual(
      refusals.map(each => [each.status, each.body.code]),
      Array(4).fill([422, 'vetoed']),
    )
    assert.equal(refusals[0]?.body.detail, 'Not forbidden')
    const bulk = await ada.post('/item/bulk', [
      { title: 'fine', containerId: desk.id },
      { title: 'forbidden', containerId: desk.id },
    ])
    assert.deepEqual(
      bulk.map((each: { status: number }) => each.status),
      [201, 422],
    )
    assert.equal((await now(bulk[0].id)).priority, 3)
    const each = await ada.ask('PATCH', '/item', { body: { ids: [id, bulk[0].id], patch: { title: 'forbidden' } } })
    assert.deepEqual(
      each.body.map((row: { code: string }) => row.code),
      ['vetoed', 'vetoed'],
    )
    assert.equal((await ada.get(`/item?containerId=${desk.id}`)).length, before + 1)
    assert.equal((await now(id)).title, 'Fresh')
    await running.settle()
    assert.deepEqual(await ada.get(`/item/${id}/annotations`), [])
    await alone()
  })

  test('staff run manual rules, and only users who may update rules run others', async () => {
    const button = await rule('Escalate', {
      trigger: trigger.manual,
      conditionGroup: when(condition('priority', operatorCode.notEquals, '1')),
      actionValue: [set('priority', 1), { actionType: action.assign, value: bob.id }],
    })
    const event = await rule('Event', { triggerEvent: triggerEvent['item.deleted'], actionValue: [set('priority', 4)] })
    const { id } = await item()
    const ran = await bob.post(`/rule/${button.id}/run`, { itemId: id })
    assert.deepEqual([ran.outcome, ran.actions.length], [ruleOutcome.acted, 2])
    const after = await now(id)
    assert.deepEqual([after.priority, after.assignees], [1, [bob.id]])
    assert.equal((await bob.post(`/rule/${button.id}/run`, { itemId: id })).outcome, ruleOutcome.missed)
    const refused = await bob.ask('POST', `/rule/${event.id}/run`, { body: { itemId: id } })
    assert.deepEqual([refused.status, refused.body.code], [422, 'not-manual'])
    assert.equal((await ada.post(`/rule/${event.id}/run`, { itemId: id })).outcome, ruleOutcome.acted)
    assert.equal((await eve.ask('POST', `/rule/${button.id}/run`, { body: { itemId: id } })).status, 404)
    await alone()
  })

  test('a rule is called by its secret, and all wrong calls get the same answer', async () => {
    const called = await rule('Called', {
      trigger: trigger.call,
      container: [],
      actionValue: [
        { actionType: action.createItem, value: { title: 'Build {{ call.build }} failed', containerId: desk.id } },
      ],
      conditionGroup: when(condition('call.state', operatorCode.equals, 'failed')),
    })
    const { secret, path } = await ada.post(`/rule/${called.id}/call-secret`, {})
    const post = (to: string, body: object) =>
      fetch(`${base}${to}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    assert.equal((await post(path, { build: 7, state: 'failed' })).status, 202)
    assert.equal((await post(path, { build: 8, state: 'fine' })).status, 202)
    const titles = (await ada.get(`/item?containerId=${desk.id}&q=Build`)).map((each: { title: string }) => each.title)
    assert.deepEqual(titles, ['Build 7 failed'])
    const wrong = [path.replace(secret, 'wrong'), path.replace(called.id, crypto.randomUUID()), '/api/rule/x/call/y']
    const answers = await Promise.all(
      wrong.map(
        async each => (await (await post(each, {})).json()) as { status: number; code: string; detail: string },
      ),
    )
    for (const { status, code, detail } of answers)
      assert.deepEqual([status, code, detail], [404, 'not-found', 'there is no such record'])
    await ada.put(`/rule/${called.id}`, { active: false })
    assert.equal((await post(path, {})).status, 404)
    assert.ok(!JSON.stringify(await ada.get(`/rule/${called.id}/history`)).includes(secret))
    assert.equal((await nobody.ask('POST', `/rule/${called.id}/run`, { body: {} })).status, 401)
    await alone()
  })
})
